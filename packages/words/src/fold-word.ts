/**
 * Folding: words that a reader takes for the same become the same text, whatever their case, accents or width (decision
 * 21). Only accents are dropped. Marks that make other letters stay: か and が, й and и, the vowels of Thai and
 * Devanagari. Japanese is folded to large katakana, in which each word can be written: くつ and クツ, キャノン and キヤノン.
 */

/** Lower-case words of these characters are folded already; most words are. */
export const isFolded =
  /^[ -@[-\x7f\u0430-\u044f\u0452-\u045c\u045e\u045f\u30a2\u30a4\u30a6\u30a8\u30aa-\u30c2\u30c4-\u30e2\u30e4\u30e6\u30e8-\u30ed\u30ef-\u30f3\u30fc\u4e00-\u9fff\uac00-\ud7a3]*$/;

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
  return foldKana(bases.replace(hamzaOnAlef, '\u0627').normalize('NFC'));
}

/** ヴァ is バ; then what is small becomes large, and hiragana katakana. 々, ゝ and their like repeat the letter before them. */
function foldKana(word: string): string {
  if (!/[\u3005\u303b\u3041-\u309e\u30a1-\u30fe]/.test(word)) return word;
  const plain = word
    .replace(/[\u3041-\u3096]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60))
    .replace(/(.)[\u3005\u303b\u309d\u30fd]/gu, '$1$1')
    .replace(/(.)[\u309e\u30fe]/gu, (_, letter: string) => letter + `${letter}\u3099`.normalize('NFC'));
  return plain
    .replace(/ヴ[ァィェォ]?/g, (letters) => voiced.get(letters[1] ?? '')!)
    .replace(/[ァィゥェォッャュョヮヵヶ]/g, (small) => {
      return large.get(small)!;
    });
}

const voiced: ReadonlyMap<string, string> = new Map([
  ['', 'ブ'],
  ['ァ', 'バ'],
  ['ィ', 'ビ'],
  ['ェ', 'ベ'],
  ['ォ', 'ボ'],
]);
const large: ReadonlyMap<string, string> = new Map(
  [...'ァィゥェォッャュョヮヵヶ'].map((small, at) => [small, [...'アイウエオツヤユヨワカケ'][at]!]),
);

/** й, ў, ї, ѓ and their like are letters; ё is written е as often as not; every other mark shows the stress. */
function letterWithMark(_: string, base: string, marks: string): string {
  const mark = marks[0]!;
  if (base === 'е') return base;
  const isLetter = mark === '\u0306' || mark === '\u0308' || (mark === '\u0301' && (base === 'г' || base === 'к'));
  return isLetter ? base + mark : base;
}

/** Letters with their accent in one character, which suffice for most words; each is folded once. */
const composed = /[ßà-öø-ſάέήίόύώϊϋΐΰςёぁ-ゖァィゥェォッャュョヮヵヶ]/g;
const foldedLetters = new Map<string, string>();

function foldLetter(letter: string): string {
  const known = foldedLetters.get(letter);
  if (known !== undefined) return known;
  const folded = foldMarks(letter);
  foldedLetters.set(letter, folded);
  return folded;
}
