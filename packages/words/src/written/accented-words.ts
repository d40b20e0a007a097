import { foldWord } from '../fold-word.ts';
import { cut, maxWordUnits, type WordSpan } from '../words.ts';

/**
 * Words with the accents that they are written with, beside their folded form, by which all find each other: so `schön` finds *schön*
 * before *schon*. They begin with a mark that no other word begins with.
 */
const mark = '´';

/** Letters that folding may change other than in case: Latin and Greek ones with accents, ё, and accents by themselves. */
const accents = '\\xc0-\\u024f\\u0300-\\u036f\\u0386-\\u03ce\\u0401\\u0451\\u1e00-\\u1fff';
const accented = new RegExp(`[\\p{L}\\p{M}\\p{N}]*[${accents}][\\p{L}\\p{M}\\p{N}]*`, 'gu');
const hasAccent = new RegExp(`[${accents}]`);

/** A word with its accents, and where it stands. */
interface AccentedWord extends WordSpan {
  readonly folded: string;
}

/** The words of a text that have accents. */
export function accentedWordsOf(text: string): readonly AccentedWord[] {
  if (!hasAccent.test(text)) return [];
  const found: AccentedWord[] = [];
  for (const { 0: run, index: start } of text.matchAll(accented)) {
    const written = run.toLowerCase().normalize('NFC');
    const folded = cut(foldWord(run), maxWordUnits);
    // The sigma at the end of a word is a letter of its own.
    if (folded === written.replace(/ς/g, 'σ')) continue;
    found.push({ word: cut(mark + written, maxWordUnits), folded, start, end: start + run.length });
  }
  return found;
}

/** True for a word of `accentedWordsOf`. */
export function isAccented(word: string): boolean {
  return word.startsWith(mark);
}
