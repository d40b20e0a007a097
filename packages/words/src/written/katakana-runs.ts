import { foldWord } from '../fold-word.ts';
import { cut, maxWordUnits, type WordSpan } from '../words.ts';

/** Two letters and more, in full or half width; ・ divides them. */
const run = /[ァ-ヺーｦ-ﾟ]{2,}/g;
const anyKatakana = /[ァ-ヺｦ-ﾟ]/;

/**
 * All katakana that stand together, as one word each. A dictionary divides オフィスチェア and not what has a typo (オフィスェチア) or
 * another ending (オフィスチェアー): so that these find it, a name or an attribute has it as a whole as well.
 */
export function katakanaRunsOf(text: string): readonly WordSpan[] {
  if (!anyKatakana.test(text)) return [];
  return [...text.matchAll(run)].map(({ 0: letters, index }) => ({
    word: cut(foldWord(letters), maxWordUnits),
    start: index,
    end: index + letters.length,
  }));
}
