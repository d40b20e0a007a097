import type { DatabaseSync } from 'node:sqlite';
import { type Projection, projectionTerm, termHead } from '../../index/term-encoding.ts';
import { type KnownWord, type WordsByLocale, wordOfTerm, wordTerm } from '../../index/word-terms.ts';

/** Words cached as written, so that most writes need no look into the database. They are dropped as a whole. */
const maxCachedWords = 200_000;

/** Keeps the table of words in step with the term index, inside the transaction that is open. */
export interface VocabularyWriter {
  /** Notes words that a document gained; those that may be new are added by `flush`. */
  add(projectKey: string, gained: WordsByLocale): void;
  /** Adds the words that were noted, sorted and by one statement for each locale; `born` is the number of this commit. */
  flush(born: number): void;
  /** The same for many words that `groupWords` has found, at a fifth of the cost. */
  addGroups(projectKey: string, groups: readonly WordGroup[], born: number): void;
  /** Removes the words of terms that documents lost, if no document has them any more. After the index is written. */
  remove(removedTexts: readonly string[]): void;
  /** To be called after a transaction was rolled back: what it added is not there. */
  clearCache(): void;
}

/** Words under a locale, as a JSON array of texts, each once. */
export type WordGroup = readonly [locale: string, words: string];

/** The words that a document gained, sorted, so that they lie side by side in the table (decision 136). */
export function groupWords(gained: WordsByLocale): readonly WordGroup[] {
  const some = [...gained].filter(([, words]) => words.length > 0);
  return some.map(([locale, words]) => [locale, JSON.stringify([...new Set(words)].sort())]);
}

/** Prepares the maintenance of the vocabulary on a connection. */
export function createVocabularyWriter(db: DatabaseSync): VocabularyWriter {
  const insertAll = db.prepare(
    'INSERT INTO word (project_key, locale, word, born) SELECT ?, ?, value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING',
  );
  const remove = db.prepare('DELETE FROM word WHERE project_key = ? AND locale = ? AND word = ?');
  const find = db.prepare('SELECT 1 FROM term WHERE term MATCH ? LIMIT 1');
  /** Words by project and locale, with a space between these, which neither has. */
  const written = new Map<string, Set<string>>();
  const noted = new Map<string, string[]>();
  let cachedWords = 0;

  function forgetWritten(): void {
    written.clear();
    cachedWords = 0;
  }

  /** A look costs as much as all else of a word, so it is made for one projection where nothing of the project is staged. */
  function removeWord({ projectKey, locale, word }: KnownWord, hasStaged: boolean): void {
    const ofProjection = (projection: Projection) => `"${wordTerm(termHead(projectKey, projection), locale, word)}"`;
    if (find.get(hasStaged ? `${ofProjection('c')} OR ${ofProjection('s')}` : ofProjection('c'))) return;
    remove.run(projectKey, locale, word);
    if (written.get(`${projectKey} ${locale}`)?.delete(word)) cachedWords -= 1;
  }

  return {
    add(projectKey, gained) {
      if (cachedWords >= maxCachedWords) forgetWritten();
      for (const [locale, words] of gained) {
        const name = `${projectKey} ${locale}`;
        const known = written.get(name) ?? new Set();
        const before = known.size;
        for (const word of words) {
          if (known.has(word)) continue;
          known.add(word);
          const more = noted.get(name);
          if (more) more.push(word);
          else noted.set(name, [word]);
        }
        if (known.size === before) continue;
        written.set(name, known);
        cachedWords += known.size - before;
      }
    },
    flush(born) {
      for (const [name, words] of noted) {
        const [projectKey = '', locale = ''] = name.split(' ');
        insertAll.run(projectKey, locale, born, JSON.stringify(words.sort()));
      }
      noted.clear();
    },
    addGroups(projectKey, groups, born) {
      for (const [locale, words] of groups) insertAll.run(projectKey, locale, born, words);
    },
    remove(removedTexts) {
      const terms = new Set(removedTexts.flatMap((text) => (text === '' ? [] : text.split(' '))));
      const staged = new Map<string, boolean>();
      for (const term of terms) {
        const known = wordOfTerm(term);
        if (!known) continue;
        const { projectKey } = known;
        const hasStaged = staged.get(projectKey) ?? find.get(`"${projectionTerm(projectKey, 's')}"`) !== undefined;
        staged.set(projectKey, hasStaged);
        removeWord(known, hasStaged);
      }
    },
    clearCache() {
      forgetWritten();
      noted.clear();
    },
  };
}
