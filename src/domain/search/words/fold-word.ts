/**
 * Folding: words that a reader takes for the same become the same text, whatever their case, accents or width (decision
 * 21). Only accents are dropped. Marks that make other letters stay: か and が, й and и, the vowels of Thai and
 * Devanagari.
 */

/** Lower-case words of these characters are folded already; most words are. */
export const isFolded =
  /^[ -@[-\x7f\u0430-\u044f\u0452-\u045c\u045e\u045f\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** Characters without meaning of their own in a word: soft hyphens and joiners, the dot of `col·lecció`, tatweel. */
const silent = /[\p{Cf}\u00b7\u0640]/gu;

const accents = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const cyrillicMarks = /(\p{Script=Cyrillic})(\p{M}+)/gu;
const hebrewPoints = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/g;
const harakat = /[\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g;
const hamzaOnAlef = /\u0627[\u0653-\u0655]+/g;

/** Letters that Unicode does not decompose. */
const letters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ð', 'd'],
  ['đ', 'd'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ŋ', 'n'],
  ['ı', 'i'],
  ['ς', 'σ'],
  ['ٱ', 'ا'],
  ['ى', 'ي'],
]);
const replaced = new RegExp(`[${[...letters.keys()].join('')}]`, 'g');

/** The folded form of a word, the same in every locale; folding it again changes nothing. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (isFolded.test(lower)) return lower;
  const bare = lower.replace(composed, foldLetter);
  return isFolded.test(bare) ? bare : foldMarks(lower);
}

function foldMarks(word: string): string {
  // Compatibility forms (full width, ligatures, ℡) may unfold to capitals, so case comes after them.
  const parts = word.normalize('NFKC').toLowerCase().normalize('NFD').replace(silent, '').normalize('NFD');
  const bare = parts.replace(accents, '$1').replace(cyrillicMarks, letterWithMark).replace(hebrewPoints, '');
  const bases = bare.replace(harakat, '').replace(replaced, (letter) => letters.get(letter)!);
  return bases.replace(hamzaOnAlef, '\u0627').normalize('NFC');
}

/** й, ў, ї, ѓ and their like are letters; ё is written е as often as not; every other mark shows the stress. */
function letterWithMark(_: string, base: string, marks: string): string {
  const mark = marks[0]!;
  if (base === 'е') return base;
  const isLetter = mark === '\u0306' || mark === '\u0308' || (mark === '\u0301' && (base === 'г' || base === 'к'));
  return isLetter ? base + mark : base;
}

/** Letters with their accent in one character, which suffice for most words; each is folded once. */
const composed = /[ßà-öø-ſάέήίόύώϊϋΐΰςё]/g;
const foldedLetters = new Map<string, string>();

function foldLetter(letter: string): string {
  const known = foldedLetters.get(letter);
  if (known !== undefined) return known;
  const folded = foldMarks(letter);
  foldedLetters.set(letter, folded);
  return folded;
}
