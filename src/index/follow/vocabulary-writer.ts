import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Projection, projectionTerm, termHead } from '../terms/term-encoding.ts';
import { openTermReader } from '../terms/term-reader.ts';
import { type KnownWord, type WordsByLocale, wordTerm } from '../terms/word-terms.ts';

/** Words cached as written, so that most writes need no look into the database. They are dropped as a whole. */
const maxCachedWords = 200_000;

/** Of a word that others may have as well. */
const notCounted = 0;

/** Words that documents of a project lost. */
export interface LostWords {
  readonly projectKey: string;
  readonly words: WordsByLocale;
}

/** Keeps the table of words in step with the term index, inside the transaction that is open on a connection. */
export class VocabularyWriter {
  readonly #db: DatabaseSync;
  readonly #insertAll: StatementSync;
  readonly #list: StatementSync;
  readonly #remove: StatementSync;
  /**
   * Words by project and locale, with a space between these, which neither has; and of each how many projections of resources
   * have it: known of those that came into the table after this cache was made, since before nobody had them, and of those that were counted
   * when a document lost them. To ask the index costs several times as much as all else of a word.
   */
  readonly #written = new Map<string, Map<string, number>>();
  readonly #noted = new Map<string, string[]>();
  #cachedWords = 0;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insertAll = db.prepare(
      'INSERT INTO word (project_key, locale, word) SELECT ?, ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING RETURNING word',
    );
    this.#insertAll.setReturnArrays(true);
    this.#list = db.prepare(
      "INSERT INTO added_word (born, project_key, locale, words) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET words = words || ',' || excluded.words",
    );
    this.#remove = db.prepare('DELETE FROM word WHERE project_key = ? AND locale = ? AND word = ?');
  }

  /** Notes words that documents gained; those that may be new are added by `flush`. `counts`: by how many projections, if not by one. */
  add(projectKey: string, gained: WordsByLocale, counts?: ReadonlyMap<string, readonly number[]>): void {
    for (const [locale, words] of gained) {
      const name = `${projectKey} ${locale}`;
      const known = this.#written.get(name) ?? new Map<string, number>();
      const before = known.size;
      const more = counts?.get(locale);
      for (let at = 0; at < words.length; at += 1) {
        const word = words[at]!;
        const count = known.get(word);
        if (count !== undefined) {
          if (count !== notCounted) known.set(word, count + (more?.[at] ?? 1));
          continue;
        }
        known.set(word, more?.[at] ?? 1);
        const noted = this.#noted.get(name);
        if (noted) noted.push(word);
        else this.#noted.set(name, [word]);
      }
      if (known.size === before) continue;
      this.#written.set(name, known);
      this.#cachedWords += known.size - before;
    }
  }

  /**
   * Adds the words that were noted, sorted and by one statement for each locale. `born`: the number of the last change, by which
   * they are listed for caches that follow; without it nobody has read the vocabulary yet.
   */
  flush(born?: number): void {
    for (const [name, words] of this.#noted) {
      const [projectKey = '', locale = ''] = name.split(' ');
      const added = this.#insert(projectKey, locale, born, JSON.stringify(words.sort()));
      if (added.length === words.length) continue;
      const known = this.#written.get(name)!;
      const inserted = new Set(added);
      for (const word of words) if (!inserted.has(word)) known.set(word, notCounted);
    }
    this.#noted.clear();
    // Not before: words that are noted are counted.
    if (this.#cachedWords >= maxCachedWords) this.#forgetWritten();
  }

  /** Adds words, a JSON array of them, of which some may be there. Returns those that were not. */
  #insert(projectKey: string, locale: string, born: number | undefined, words: string): readonly string[] {
    const added = (this.#insertAll.all(projectKey, locale, words) as unknown as [string][]).map(([word]) => word);
    if (added.length > 0 && born !== undefined) {
      this.#list.run(born, projectKey, locale, JSON.stringify(added).slice(1, -1));
    }
    return added;
  }

  /**
   * Removes the words that documents lost, if no document has them any more. After the index is written: what it has of a word that is
   * not counted here is counted there, together with all others that are not.
   */
  remove(lost: readonly LostWords[]): void {
    const uncounted = new Map<string, KnownWord>();
    for (const { projectKey, words } of lost) {
      for (const [locale, ofLocale] of words) {
        const name = `${projectKey} ${locale}`;
        const counts = this.#written.get(name);
        for (const word of ofLocale) {
          const count = counts?.get(word) ?? notCounted;
          if (count === notCounted) uncounted.set(`${name} ${word}`, { projectKey, locale, word });
          else if (count === 1) this.#removeWord({ projectKey, locale, word });
          else counts!.set(word, count - 1);
        }
      }
    }
    for (const [projectKey, words] of Map.groupBy(uncounted.values(), (each) => each.projectKey)) {
      this.#recount(projectKey, words);
    }
  }

  /** Asks the index how many projections have words, and removes those that none has. */
  #recount(projectKey: string, words: readonly KnownWord[]): void {
    const reader = openTermReader(this.#db);
    const countOf = (projection: Projection) => {
      const head = termHead(projectKey, projection);
      return reader.count(words.map(({ locale, word }) => wordTerm(head, locale, word)));
    };
    const current = countOf('c');
    const staged = reader.has(projectionTerm(projectKey, 's')) ? countOf('s') : undefined;
    for (const [at, known] of words.entries()) {
      const count = current[at]! + (staged?.[at] ?? 0);
      if (count === 0) this.#removeWord(known);
      else this.#note(known, count);
    }
  }

  #note({ projectKey, locale, word }: KnownWord, count: number): void {
    const name = `${projectKey} ${locale}`;
    const known = this.#written.get(name) ?? new Map<string, number>();
    if (!known.has(word)) this.#cachedWords += 1;
    this.#written.set(name, known.set(word, count));
  }

  #removeWord({ projectKey, locale, word }: KnownWord): void {
    this.#remove.run(projectKey, locale, word);
    if (this.#written.get(`${projectKey} ${locale}`)?.delete(word)) this.#cachedWords -= 1;
  }

  #forgetWritten(): void {
    this.#written.clear();
    this.#cachedWords = 0;
  }

  /** To be called after a transaction was rolled back: what it added is not there. */
  clearCache(): void {
    this.#forgetWritten();
    this.#noted.clear();
  }
}
