import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Projection, projectionTerm, termHead, unescapeText } from '../terms/term-encoding.ts';
import { openTermReader } from '../terms/term-reader.ts';
import type { TakeWord } from '../terms/term-writer.ts';
import { type KnownWord, wordOfTerm, wordTerm } from '../terms/word-terms.ts';

/** Words cached as written, so that most writes need no look into the database. They are dropped as a whole. */
const maxCachedWords = 50_000;

/** Of a word that others may have as well. */
const notCounted = 0;

type WordPlace = Pick<KnownWord, 'projectKey' | 'locale'>;

/** With a space, which neither has. */
function nameOf({ projectKey, locale }: WordPlace): string {
  return `${projectKey} ${locale}`;
}

/** Keeps the table of words in step with the term index, inside the transaction that is open on a connection. */
export class VocabularyWriter {
  readonly #db: DatabaseSync;
  readonly #insertAll: StatementSync;
  readonly #list: StatementSync;
  readonly #remove: StatementSync;
  /**
   * Words by project and locale (`nameOf`), and of each how many projections of resources
   * have it: known of those that came into the table after this cache was made, since before nobody had them, and of those that were counted
   * when a document lost them. To ask the index costs several times as much as all else of a word.
   */
  readonly #written = new Map<string, Map<string, number>>();
  readonly #noted = new Map<string, string[]>();
  /** Words that documents lost, and that are not counted. */
  #uncounted: KnownWord[] = [];
  #cachedWords = 0;
  /** Of the words that are being taken. */
  #prefix = '';
  #at: WordPlace = { projectKey: '', locale: '' };
  #known = new Map<string, number>();

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

  /** Notes what was written of a word. What may be new, and what may be gone, is looked up by `flush`. */
  readonly take: TakeWord = (prefix, rest, gained, lost) => {
    if (prefix !== this.#prefix) this.#begin(prefix);
    const known = this.#known;
    const word = unescapeText(rest);
    const count = known.get(word);
    if (count !== undefined && count !== notCounted) {
      if (count + gained === lost) this.#removeWord({ ...this.#at, word });
      else known.set(word, count + gained - lost);
      return;
    }
    if (lost > 0) this.#uncounted.push({ ...this.#at, word });
    if (count !== undefined || gained === 0) return;
    known.set(word, gained);
    this.#cachedWords += 1;
    const name = nameOf(this.#at);
    const noted = this.#noted.get(name);
    if (noted) noted.push(word);
    else this.#noted.set(name, [word]);
  };

  /** Words come in the order of their terms. */
  #begin(prefix: string): void {
    this.#prefix = prefix;
    const { projectKey, locale } = wordOfTerm(`${prefix}a`)!;
    this.#at = { projectKey, locale };
    this.#known = this.#knownOf(this.#at);
  }

  #knownOf(place: WordPlace): Map<string, number> {
    const name = nameOf(place);
    const known = this.#written.get(name) ?? new Map<string, number>();
    this.#written.set(name, known);
    return known;
  }

  /**
   * Adds the words that were noted, sorted and by one statement for each locale, and removes those that no document has any more: how many
   * have a word that is not counted here the index says, which is written. `born`: the number of the last change, by which
   * new words are listed for caches that follow; without it nobody has read the vocabulary yet.
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
    for (const [projectKey, words] of Map.groupBy(this.#uncounted, (each) => each.projectKey)) {
      this.#recount(projectKey, words);
    }
    this.#uncounted = [];
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
      else {
        const counts = this.#knownOf(known);
        if (!counts.has(known.word)) this.#cachedWords += 1;
        counts.set(known.word, count);
      }
    }
  }

  #removeWord({ projectKey, locale, word }: KnownWord): void {
    this.#remove.run(projectKey, locale, word);
    if (this.#written.get(nameOf({ projectKey, locale }))?.delete(word)) this.#cachedWords -= 1;
  }

  #forgetWritten(): void {
    this.#written.clear();
    this.#cachedWords = 0;
    this.#prefix = '';
  }

  /** To be called after a transaction was rolled back: what it added is not there. */
  clearCache(): void {
    this.#forgetWritten();
    this.#noted.clear();
    this.#uncounted = [];
  }
}
