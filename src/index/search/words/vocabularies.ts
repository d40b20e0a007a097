import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../cache/cache.ts';
import { termHead, unescapeText } from '../../terms/term-encoding.ts';
import { openTermReader } from '../../terms/term-reader.ts';
import { ProjectWords } from './project-words.ts';

/** Memory for vocabularies, over all projects and locales. */
const maxBytes = 256 * 1024 * 1024;

/** Caches the words of projects on a connection, and updates them from search to search. */
export class Vocabularies {
  readonly #db: DatabaseSync;
  readonly #check: () => void;
  readonly #cache = new Cache<string, ProjectWords>({ maxBytes, bytesOf: ({ bytes }) => bytes });

  /** `check` is called while words are read; it throws when the search must stop. */
  constructor(db: DatabaseSync, check: () => void = () => {}) {
    this.#db = db;
    this.#check = check;
  }

  /** The words of a project under a locale in the open snapshot. */
  of(projectKey: string, locale: string): ProjectWords {
    const reader = openTermReader(this.#db);
    const name = `${projectKey} ${locale}`;
    const words = this.#cache.get(name) ?? new ProjectWords(this.#check, projectKey, locale);
    words.follow(reader);
    // Searches have read more words since: the bytes are counted anew.
    this.#cache.set(name, words);
    return words;
  }

  /** The locales of the words of a project, in the open snapshot. Possibly no document has words under one any more. */
  locales(projectKey: string): readonly string[] {
    const reader = openTermReader(this.#db);
    const found = new Set<string>();
    for (const projection of ['c', 's'] as const) {
      const head = `${termHead(projectKey, projection)}|`;
      // Each looks up the next one: of many thousand words of a locale only the first is read.
      for (let from: string | undefined = head; from !== undefined; ) {
        let first: string | undefined;
        const last = reader.readRange(from, `${head}\u{10ffff}`, 1, (term) => (first ??= term));
        const term: string | undefined = first ?? last;
        const locale = term?.slice(head.length, term.indexOf('|', head.length));
        if (locale !== undefined) found.add(unescapeText(locale));
        // Behind all terms with the locale.
        from = locale === undefined ? undefined : `${head}${locale}}`;
      }
    }
    return [...found];
  }
}
