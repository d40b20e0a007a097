import type { DatabaseSync } from 'node:sqlite';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { type KnownWord, wordOfTerm, wordTerm } from '../../index/word-terms.ts';

/** Terms that are remembered as written, so that most writes ask nothing of the database. */
const mostRemembered = 200_000;

/** Keeps the table of words in step with the term index, inside the transaction that is open. */
export interface VocabularyWriter {
  /** Adds the words among terms that a document gained; `born` is the number of this commit. */
  learn(addedText: string, born: number): void;
  /** Removes those words, of terms that documents lost, that no document has any more. After the index is written. */
  unlearn(removedTexts: readonly string[]): void;
  /** To be called where a transaction was rolled back: what it learnt is not there. */
  forget(): void;
}

/** Prepares the upkeep of the vocabulary on a connection. */
export function createVocabularyWriter(db: DatabaseSync): VocabularyWriter {
  const insert = db.prepare(
    'INSERT INTO word (project_key, locale, word, born) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const remove = db.prepare('DELETE FROM word WHERE project_key = ? AND locale = ? AND word = ?');
  const find = db.prepare('SELECT 1 FROM term WHERE term MATCH ? LIMIT 1');
  const remembered = new Set<string>();

  function unlearnWord(term: string, { projectKey, locale, word }: KnownWord): void {
    const ofProjection = (projection: Projection) => `"${wordTerm(termHead(projectKey, projection), locale, word)}"`;
    if (find.get(`${ofProjection('c')} OR ${ofProjection('s')}`)) return;
    remove.run(projectKey, locale, word);
    remembered.delete(term);
    remembered.delete(otherProjection(term));
  }

  return {
    learn(addedText, born) {
      if (addedText === '') return;
      for (const term of addedText.split(' ')) {
        if (remembered.has(term)) continue;
        const known = wordOfTerm(term);
        if (known) insert.run(known.projectKey, known.locale, known.word, born);
        if (remembered.size >= mostRemembered) remembered.clear();
        remembered.add(term);
      }
    },
    unlearn(removedTexts) {
      const terms = new Set(removedTexts.flatMap((text) => (text === '' ? [] : text.split(' '))));
      for (const term of terms) {
        const known = wordOfTerm(term);
        if (known) unlearnWord(term, known);
      }
    },
    forget: () => remembered.clear(),
  };
}

/** The term of the same word in the other projection: the letter behind the project. */
function otherProjection(term: string): string {
  const at = term.indexOf('|') + 1;
  return term.slice(0, at) + (term[at] === 'c' ? 's' : 'c') + term.slice(at + 1);
}
