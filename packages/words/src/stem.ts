import { foldWord } from './fold-word.ts';
import { withoutUmlautE } from './inflections/german.ts';
import { inflections } from './inflections.ts';
import { WordCache } from './known/by-word.ts';
import { type LanguageCode, languageOf } from './languages.ts';
import { apart, lemmaTable } from './lemmas/lemma-table.ts';
import { lightStemmer } from './stemmers/light-stems.ts';
import { loadStemmer, type Stemmer } from './stemmers/load-stemmer.ts';

/** Stems cached per language. */
const cachedStems = 2 ** 14;

interface LoadedStemmer {
  readonly stem: Stemmer;
  readonly cached: WordCache;
}

const loaded = new Map<LanguageCode, LoadedStemmer>();

/** True for a word with a digit: article numbers have no inflected forms, and there may be very many. */
export function isNumbered(word: string): boolean {
  return digit.test(word);
}

const digit = /[0-9]/;

/** True if a word may have inflected forms in the language of a locale; else its stem is the word itself. */
export function hasForms(word: string, locale: string): boolean {
  return languageOf(locale)?.stemmer !== undefined && !isNumbered(word);
}

/**
 * The stem of a folded word in the language of a locale; the word itself if it has no inflected forms. A form that the table of the
 * language knows has the stem of its lemma, so that words that it does not know are forms of those that it knows.
 */
export function stemOf(word: string, locale: string): string {
  if (!hasForms(word, locale)) return word;
  const { code } = languageOf(locale)!;
  const { stem, cached } = loaded.get(code) ?? load(code);
  const known = cached.get(word);
  if (known !== undefined) return known;
  const found = stem(word);
  cached.set(word, found);
  return found;
}

/**
 * True if a word of a text matches a word of a query: they are the same, or forms of one word (decision 21). Both are
 * folded. Forms of a word begin with the same letters, so that a vocabulary need not stem all of its words.
 */
export function matchesWord(word: string, wanted: string, locale: string): boolean {
  if (word === wanted) return true;
  return beginningOf(word) === beginningOf(wanted) && stemOf(word, locale) === stemOf(wanted, locale);
}

/**
 * The letters with which all words begin that have the stem of this one and the same beginning; empty where that is not known. From
 * folded German words the stemmer only takes endings off, after an e behind a, o or u was left out (`inflections`): up to the first
 * of these three they have the letters of the stem. The other forms are those of the table.
 */
export function lettersOfForms(asked: string, locale: string): string {
  if (!hasPlainStems(locale)) return '';
  let letters = stemOf(asked, locale).replace(apart, '');
  if (beginningOf(letters) !== beginningOf(asked)) letters = asked;
  for (const form of formsOf(asked, locale)) {
    if (beginningOf(form) === beginningOf(asked)) letters = letters.slice(0, sameLetters(letters, form));
  }
  const vowel = letters.search(/[aou]/);
  return vowel < 0 ? letters : letters.slice(0, vowel + 1);
}

function sameLetters(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

/** Says of the end of a word, from a place on, whether it `matchesWord` an asked one, or would if that had one of the stems. */
export function formsAt(
  asked: string,
  locale: string,
  stems: ReadonlySet<string> = new Set([stemOf(asked, locale)]),
): (word: string, start: number) => boolean {
  const matches = (word: string, start: number) => {
    const end = word.slice(start);
    return beginningOf(end) === beginningOf(asked) && stems.has(stemOf(end, locale));
  };
  if (!hasPlainStems(locale)) return matches;
  const all = [...stems].map((stem) => stem.replace(apart, ''));
  const listed = new Set(formsOf(asked, locale));
  // To stem an end takes much longer than to compare it, and few of those that begin alike are forms.
  return (word, start) =>
    (all.some((stem) => mayHaveStem(word, start, stem)) || listed.has(word.slice(start))) && matches(word, start);
}

function hasPlainStems(locale: string): boolean {
  return languageOf(locale)?.code === 'de';
}

const [letterA, letterE, letterO, letterU] = [0x61, 0x65, 0x6f, 0x75];

/** False if letters of the stem are not in the word, but for each e behind a, o and u. */
function mayHaveStem(word: string, start: number, stem: string): boolean {
  let at = start;
  for (let of = 0; of < stem.length; of += 1) {
    const letter = stem.charCodeAt(of);
    if (word.charCodeAt(at) !== letter) return false;
    at += 1;
    if (letter !== letterA && letter !== letterO && letter !== letterU) continue;
    while (word.charCodeAt(at) === letterE) at += 1;
    while (stem.charCodeAt(of + 1) === letterE) of += 1;
  }
  return true;
}

/** The most vowels that are varied: each doubles the number of spellings. */
const mostVaried = 3;

/** The vowels that may be umlauts, and the e behind them (`inflections`). The first letters of a word and its forms are the same. */
const umlauts = /(?<!^|[aeiouq])[aou](?!ee)(e?)/g;

/**
 * How else the beginning of a folded word may be spelled where words are compared by their stems. In German an umlaut may be written
 * with an e: `groess` and `gross` begin *Größe*, however a document writes it. As long as the word is not whole, there is no stem
 * that would find one by the other.
 */
export function otherSpellings(begun: string, locale: string): readonly string[] {
  if (languageOf(locale)?.code !== 'de' || isNumbered(begun)) return [];
  const found = [...begun.matchAll(umlauts)].map(({ index, 1: e }) => ({ at: index + 1, hasE: e !== '' }));
  // A vowel followed by e probably is an umlaut.
  const varied = found.sort((a, b) => Number(b.hasE) - Number(a.hasE) || a.at - b.at).slice(0, mostVaried);
  let spellings = [begun];
  // From the last one on, so that the places of the others stay.
  for (const { at, hasE } of varied.sort((a, b) => b.at - a.at)) {
    const other = (text: string) => text.slice(0, at) + (hasE ? text.slice(at + 1) : `e${text.slice(at)}`);
    spellings = spellings.flatMap((each) => [each, other(each)]);
  }
  return spellings.filter((each) => !each.startsWith(begun));
}

/** All spellings of the beginning of a word, as it was typed first. */
export function spellingsOf(begun: string, locale: string): readonly string[] {
  return [begun, ...otherSpellings(begun, locale)];
}

/** The first two code points of a word; of a shorter word, its only one. */
export function beginningOf(word: string): string {
  const first = word.codePointAt(0)! > 0xffff ? 2 : 1;
  const second = word.length > first && word.codePointAt(first)! > 0xffff ? 2 : 1;
  return word.slice(0, first + second);
}

function load(code: LanguageCode): LoadedStemmer {
  const { lemmas } = languageOf(code)!;
  const table = lemmas === undefined ? undefined : lemmaTable(lemmas);
  const byRules = ruleStemmer(code);
  const stem = (word: string): string => {
    const lemma = table?.lemmaOf(spelled(word, code)) ?? word;
    return lemma.endsWith(apart) ? lemma : byRules(lemma);
  };
  const made = { stem, cached: new WordCache(cachedStems) };
  loaded.set(code, made);
  return made;
}

/** The stemmer of a language that has one, by its rules alone. */
export function ruleStemmer(code: LanguageCode): Stemmer {
  const { stemmer: module } = languageOf(code)!;
  const stemmer = module === 'own' ? lightStemmer(code) : loadStemmer(module!);
  const { before, after, repeated } = inflections.get(code) ?? {};
  const stemOnce = (word: string): string => {
    const found = foldWord(stemmer(before ? before(word) : word));
    return after ? after(found) : found;
  };
  return repeated ? untilItStays(stemOnce, repeated) : stemOnce;
}

/** The forms of the word that a folded word is a form of, the lemma first; none where no table knows it. */
export function formsOf(word: string, locale: string): readonly string[] {
  const { code, lemmas } = languageOf(locale) ?? {};
  if (code === undefined || lemmas === undefined || isNumbered(word)) return [];
  return lemmaTable(lemmas).formsOf(spelled(word, code));
}

/** The forms of known words that begin like this. */
export function formsBeginning(begun: string, locale: string): readonly string[] {
  const { code, lemmas } = languageOf(locale) ?? {};
  return code === undefined || lemmas === undefined ? [] : lemmaTable(lemmas).beginning(spelled(begun, code));
}

/** As the tables spell it: in German without the e that may stand for an umlaut. */
export function spelled(word: string, code: LanguageCode): string {
  return code === 'de' ? withoutUmlautE(word) : word;
}

/** Alphabets by what they begin with; words of other scripts are not completed. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїє',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويةءئ',
];

/** The stems of words that are asked for once: not through the cache of stems, which they would fill. */
export function stemsOf(words: Iterable<string>, locale: string): Set<string> {
  const { code } = languageOf(locale)!;
  const { stem } = loaded.get(code) ?? load(code);
  const found = new Set<string>();
  for (const word of words) found.add(stem(word));
  return found;
}

/** Maximum letters of an ending that lacks a letter: trying each letter at each position takes 26 stems a position. */
const longestRest = 4;

/**
 * True if a stem is that of a word with one letter more, behind its first two. Where the letter is missing in the stem, the stem says
 * which one and where.
 */
export function isStemWithLetter(stem: string, word: string, locale: string): boolean {
  const same = sameLetters(stem, word);
  const alphabet = alphabets.find((letters) => letters.includes(word[0]!)) ?? '';
  if (same < stem.length) {
    if (same < beginningOf(word).length || !alphabet.includes(stem[same]!)) return false;
    return stemsOf([withLetter(word, same, stem[same]!)], locale).has(stem);
  }
  if (word.length - same > longestRest) return false;
  const words: string[] = [];
  for (let at = same; at <= word.length; at += 1) {
    for (const letter of alphabet) words.push(withLetter(word, at, letter));
  }
  return stemsOf(words, locale).has(stem);
}

function withLetter(word: string, at: number, letter: string): string {
  return word.slice(0, at) + letter + word.slice(at);
}

/** Stems again until the stem gets no shorter, or cannot. */
function untilItStays(stem: Stemmer, mayBeShorter: (stem: string) => boolean): Stemmer {
  return (word) => {
    let shortest = stem(word);
    while (mayBeShorter(shortest)) {
      const next = stem(shortest);
      if (next.length >= shortest.length) break;
      shortest = next;
    }
    return shortest;
  };
}
