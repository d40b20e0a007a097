import type { DatabaseSync } from 'node:sqlite';
import { type Projection, projectionTerm, termHead } from '../../index/term-encoding.ts';
import { type KnownWord, wordOfTerm, wordTerm } from '../../index/word-terms.ts';

/** Terms cached as written, so that most writes need no look into the database. A set that is dropped as a whole. */
const maxCachedTerms = 200_000;

/** Keeps the table of words in step with the term index, inside the transaction that is open. */
export interface VocabularyWriter {
  /** Notes the words among the terms that a document gained; those that may be new are added by `flush`. */
  add(addedText: string): void;
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

/** The words among the terms that a document gained, sorted, so that they lie side by side in the table (decision 136). */
export function groupWords(addedText: string): readonly WordGroup[] {
  const byLocale = new Map<string, Set<string>>();
  for (const term of addedText.split(' ')) {
    const known = wordOfTerm(term);
    if (!known) continue;
    const words = byLocale.get(known.locale);
    if (words) words.add(known.word);
    else byLocale.set(known.locale, new Set([known.word]));
  }
  return [...byLocale].map(([locale, words]) => [locale, JSON.stringify([...words].sort())]);
}

/** Prepares the maintenance of the vocabulary on a connection. */
export function createVocabularyWriter(db: DatabaseSync): VocabularyWriter {
  const insertAll = db.prepare(
    'INSERT INTO word (project_key, locale, word, born) SELECT ?, ?, value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING',
  );
  const remove = db.prepare('DELETE FROM word WHERE project_key = ? AND locale = ? AND word = ?');
  const find = db.prepare('SELECT 1 FROM term WHERE term MATCH ? LIMIT 1');
  const written = new Set<string>();
  /** Words by project and locale, with a space between these, which neither has. */
  const noted = new Map<string, string[]>();

  /** A term of either projection is met, so a word may be noted twice: the statement inserts it once. */
  function note({ projectKey, locale, word }: KnownWord): void {
    const name = `${projectKey} ${locale}`;
    const words = noted.get(name);
    if (words) words.push(word);
    else noted.set(name, [word]);
  }

  /** A look costs as much as all else of a word, so it is made for one projection where nothing of the project is staged. */
  function removeWord(term: string, { projectKey, locale, word }: KnownWord, hasStaged: boolean): void {
    const ofProjection = (projection: Projection) => `"${wordTerm(termHead(projectKey, projection), locale, word)}"`;
    if (find.get(hasStaged ? `${ofProjection('c')} OR ${ofProjection('s')}` : ofProjection('c'))) return;
    remove.run(projectKey, locale, word);
    written.delete(term);
    written.delete(otherProjection(term));
  }

  return {
    add(addedText) {
      if (addedText === '') return;
      for (const term of addedText.split(' ')) {
        if (written.has(term)) continue;
        const known = wordOfTerm(term);
        if (known) note(known);
        if (written.size >= maxCachedTerms) written.clear();
        written.add(term);
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
        removeWord(term, known, hasStaged);
      }
    },
    clearCache() {
      written.clear();
      noted.clear();
    },
  };
}

/** The term of the same word in the other projection, which is the letter behind the project. */
function otherProjection(term: string): string {
  const at = term.indexOf('|') + 1;
  return term.slice(0, at) + (term[at] === 'c' ? 's' : 'c') + term.slice(at + 1);
}
