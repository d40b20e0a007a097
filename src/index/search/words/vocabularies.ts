import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Cache } from '../../../cache/cache.ts';
import { ProjectWords, prepareStatements, type WordStatements } from './project-words.ts';

/** Memory for vocabularies, over all projects and locales. */
const maxBytes = 256 * 1024 * 1024;

/** Caches the words of projects on a connection, and updates them from search to search. */
export class Vocabularies {
  readonly #check: () => void;
  readonly #statements: WordStatements;
  readonly #locales: StatementSync;
  readonly #cache = new Cache<string, ProjectWords>({ maxBytes, bytesOf: ({ bytes }) => bytes });

  /** `check` is called while words are read; it throws when the search must stop. */
  constructor(db: DatabaseSync, check: () => void = () => {}) {
    this.#check = check;
    this.#statements = prepareStatements(db);
    // Each looks up the next one: of many thousand words of a locale only the first is read.
    const next = '(SELECT min(locale) FROM word WHERE project_key = ?1';
    this.#locales = db.prepare(
      `WITH RECURSIVE found (locale) AS (SELECT ${next}) UNION ALL
        SELECT ${next} AND locale > found.locale) FROM found WHERE found.locale IS NOT NULL)
      SELECT locale FROM found WHERE locale IS NOT NULL`,
    );
    this.#locales.setReturnArrays(true);
  }

  /** The words of a project under a locale as of the open snapshot, which is of the commit. */
  of(projectKey: string, locale: string, commits: number): ProjectWords {
    const name = `${projectKey} ${locale}`;
    let words = this.#cache.get(name);
    if (!words?.follow(commits)) words = new ProjectWords(this.#statements, this.#check, projectKey, locale, commits);
    // Searches have read more words since: the bytes are counted anew.
    this.#cache.set(name, words);
    return words;
  }

  /** The locales of the words of a project, in the open snapshot. */
  locales(projectKey: string): readonly string[] {
    return (this.#locales.all(projectKey) as unknown as [string][]).map(([locale]) => locale);
  }
}
