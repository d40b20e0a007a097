import { foldWord } from '../fold-word.ts';
import { cut, maxWordUnits, type WordSpan } from '../words.ts';

/**
 * Words with the signs that tell them apart: `C++`, `C#`, `Disney+`, `18+`, `.NET`, `H&M`. They are found without these as well, so that
 * nobody has to type them.
 */
const ended = '[\\p{L}\\p{M}\\p{N}]{1,20}(?:\\+{1,2}|#)';
const joined = '\\p{L}{1,3}&\\p{L}{1,3}';
const signed = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}+#.&])(?:${ended}|${joined}|\\.\\p{L}{2,20})(?![\\p{L}\\p{M}\\p{N}+#&])`,
  'gu',
);
/** Most texts have none. */
const sign = /[+#&]|(?:^|[\s(])\./;

/** The signed words of a text, with their signs. */
export function signedWordsOf(text: string): readonly WordSpan[] {
  if (!sign.test(text)) return [];
  return [...text.matchAll(signed)].map(({ 0: written, index }) => {
    return { word: cut(foldWord(written), maxWordUnits), start: index, end: index + written.length };
  });
}
