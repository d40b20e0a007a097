import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { unescapeText } from '../terms/term-encoding.ts';
import type { TakeWord } from '../terms/term-writer.ts';
import { type KnownWord, wordOfTerm } from '../terms/word-terms.ts';

/** Words cached as written, so that most writes need no look into the database. They are dropped as a whole. */
const maxCachedWords = 50_000;

/** Of a project and a locale, with a space, which neither has. */
function nameOf({ projectKey, locale }: Omit<KnownWord, 'word'>): string {
  return `${projectKey} ${locale}`;
}

/**
 * Adds the words that documents gain to the table of words, inside the transaction that is open on a connection. A word that no document has
 * any more leaves it when the segments of the index that tell so are merged (merge-segments.ts).
 */
export class VocabularyWriter {
  readonly #insertAll: StatementSync;
  readonly #list: StatementSync;
  /** Words that are in the table, by `nameOf`. */
  readonly #written = new Map<string, Set<string>>();
  readonly #noted = new Map<string, string[]>();
  #cachedWords = 0;
  /** Of the words that are being taken. */
  #prefix = '';
  #name = '';
  #known = new Set<string>();

  constructor(db: DatabaseSync) {
    this.#insertAll = db.prepare(
      'INSERT INTO word (project_key, locale, word) SELECT ?, ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING RETURNING word',
    );
    this.#insertAll.setReturnArrays(true);
    this.#list = db.prepare(
      "INSERT INTO added_word (born, project_key, locale, words) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET words = words || ',' || excluded.words",
    );
  }

  /** Notes a word that documents gain, for `flush`. */
  readonly take: TakeWord = (prefix, rest) => {
    if (prefix !== this.#prefix) this.#begin(prefix);
    const word = unescapeText(rest);
    if (this.#known.has(word)) return;
    this.#known.add(word);
    this.#cachedWords += 1;
    const noted = this.#noted.get(this.#name);
    if (noted) noted.push(word);
    else this.#noted.set(this.#name, [word]);
  };

  /** Words come in the order of their terms. */
  #begin(prefix: string): void {
    this.#prefix = prefix;
    this.#name = nameOf(wordOfTerm(`${prefix}a`)!);
    this.#known = this.#written.get(this.#name) ?? new Set();
    this.#written.set(this.#name, this.#known);
  }

  /**
   * Adds the words that were noted, sorted and by one statement for each locale. `born`: the number of the last change, by which
   * new words are listed for caches that follow; without it nobody has read the vocabulary yet.
   */
  flush(born?: number): void {
    for (const [name, words] of this.#noted) {
      const [projectKey = '', locale = ''] = name.split(' ');
      const rows = this.#insertAll.all(projectKey, locale, JSON.stringify(words.sort())) as unknown as [string][];
      if (rows.length === 0 || born === undefined) continue;
      this.#list.run(born, projectKey, locale, JSON.stringify(rows.map(([word]) => word)).slice(1, -1));
    }
    this.#noted.clear();
    // Not before: words that are noted are cached.
    if (this.#cachedWords >= maxCachedWords) this.#forgetWritten();
  }

  /** A word has left the table. */
  readonly removed = (word: KnownWord): void => {
    if (this.#written.get(nameOf(word))?.delete(word.word)) this.#cachedWords -= 1;
  };

  #forgetWritten(): void {
    this.#written.clear();
    this.#cachedWords = 0;
    this.#prefix = '';
  }

  /** To be called after a transaction was rolled back: what it added is not there. */
  clearCache(): void {
    this.#forgetWritten();
    this.#noted.clear();
  }
}
