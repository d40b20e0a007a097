import type { LanguageCode } from './languages.ts';

/**
 * Corrections of a stemmer for folded words. Its rules expect accents: where they mark an ending, they are restored
 * before stemming; where two forms of a word keep different stems that are easily joined, they are joined after it.
 */
interface Inflection {
  readonly before?: (word: string) => string;
  readonly after?: (stem: string) => string;
  /** Whether to stem until nothing changes: for stemmers that also take endings off a base form. */
  readonly repeated?: boolean;
}

/** By language. Languages that are not listed need no correction. */
export const inflections: ReadonlyMap<LanguageCode, Inflection> = new Map<LanguageCode, Inflection>([
  ['ar', { before: arabicSingular }],
  ['de', { before: germanUmlauts }],
  ['el', { repeated: true }],
  ['es', { before: (word) => word.replace(/([au])cion$/, '$1ción') }],
  ['fr', { before: frenchEnding }],
  ['hu', { repeated: true }],
  ['it', { after: (stem) => stem.replace(/(?<=..[^aeiou])[aeio]$/, '').replace(/(?<=..)([cg])h$/, '$1') }],
  ['nl', { after: dutchFinalConsonant, repeated: true }],
  ['pt', { before: portugueseSingular }],
  ['tr', { before: turkishLetters, repeated: true }],
]);

/** The endings of the dual and of regular plurals; broken plurals are words of their own. */
function arabicSingular(word: string): string {
  return word.replace(/(?<=....)(?:تان|تين|ات|ان|ين|ون)$/, '').replace(/(?<=...)ة$/, '');
}

/** `Groesse` is `Größe`: an umlaut may be written with an e. Not in `neue` and `Quelle`. */
function germanUmlauts(word: string): string {
  return word.replace(/(?<![aeiouq])([aou])e/g, '$1');
}

/** `brodées`, `premières` and `légers`: without their accent, or in the plural, these endings are not known. */
function frenchEnding(word: string): string {
  return word.replace(/ee(s?)$/, 'ée$1').replace(/er(?:es?|s)$/, 'er');
}

/**
 * `huizen` and `huis`, `brieven` and `brief`, `jassen` and `jas`: at the end of a word Dutch writes z as s, v as f, and
 * no double consonant.
 */
function dutchFinalConsonant(stem: string): string {
  return stem
    .replace(/z$/, 's')
    .replace(/v$/, 'f')
    .replace(/([bdfgklmnprst])\1$/, '$1');
}

/** `botões`, `azuis`, `hotéis`, `homens`: plurals that change the end of the stem. Shorter words are no plurals. */
function portugueseSingular(word: string): string {
  if (word.length < 5 || !word.endsWith('s')) return word;
  return word
    .replace(/oes$/, 'ao')
    .replace(/([aeou])is$/, '$1l')
    .replace(/ns$/, 'm');
}

/**
 * Turkish endings follow the vowels before them, and folding took the dots that tell ı from i and ü from u. Vowels take
 * the kind of the a or e before them, or of the first one. A g between vowels is a ğ. A wrong guess does no harm as long
 * as it is the same for all forms of a word, since the stem is folded again.
 */
function turkishLetters(word: string): string {
  let kind = /[ae]/.exec(word)?.[0];
  if (kind === undefined) return softened(word);
  let result = '';
  for (const letter of word) {
    if (letter === 'a' || letter === 'e') kind = letter;
    result += (kind === 'e' ? fronted : backed).get(letter) ?? letter;
  }
  return softened(result);
}

const fronted: ReadonlyMap<string, string> = new Map([
  ['o', 'ö'],
  ['u', 'ü'],
]);
const backed: ReadonlyMap<string, string> = new Map([['i', 'ı']]);

function softened(word: string): string {
  return word.replace(/(?<=[aeıioöuü])g(?=[aeıioöuü])/g, 'ğ');
}
