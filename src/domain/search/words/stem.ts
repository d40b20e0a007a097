import { createRequire } from 'node:module';
import { foldWord } from './fold-word.ts';
import { inflections } from './inflections.ts';
import { type LanguageCode, languageOf } from './languages.ts';

type Stemmer = (word: string) => string;

/** Where the stemmer of a language is kept. */
const modules: ReadonlyMap<LanguageCode, string> = new Map<LanguageCode, string>([
  ['ar', 'arabic'],
  ['da', 'danish'],
  ['de', 'german'],
  ['el', 'greek'],
  ['en', 'english'],
  ['es', 'spanish'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['hi', 'indian'],
  ['hu', 'hungarian'],
  ['hy', 'armenian'],
  ['id', 'indonesian'],
  ['it', 'italian'],
  ['lt', 'lithuanian'],
  ['nb', 'norwegian'],
  ['ne', 'nepali'],
  ['nl', 'dutch'],
  ['nn', 'norwegian'],
  ['no', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sr', 'serbian'],
  ['sv', 'swedish'],
  ['ta', 'tamil'],
  ['tr', 'turkish'],
  ['uk', 'ukrainian'],
]);

/** Stems remembered per language. When they are so many, the memory begins anew: simpler than to age them. */
const maxRemembered = 20_000;

interface LoadedStemmer {
  readonly stem: Stemmer;
  readonly remembered: Map<string, string>;
}

const loaded = new Map<LanguageCode, LoadedStemmer>();
const require = createRequire(import.meta.url);

/** True for a word with a digit: article numbers have no forms, and there may be very many. */
export function isNumbered(word: string): boolean {
  return digit.test(word);
}

const digit = /[0-9]/;

/** True if a word may have other forms in the language of a locale; else its stem is the word itself. */
export function hasForms(word: string, locale: string): boolean {
  return languageOf(locale)?.stemmed === true && !isNumbered(word);
}

/** The stem of a folded word in the language of a locale; the word itself where it has no forms there. */
export function stemOf(word: string, locale: string): string {
  if (!hasForms(word, locale)) return word;
  const language = languageOf(locale)!;
  const { stem, remembered } = loaded.get(language.code) ?? load(language.code);
  const known = remembered.get(word);
  if (known !== undefined) return known;
  if (remembered.size >= maxRemembered) remembered.clear();
  const found = stem(word);
  remembered.set(word, found);
  return found;
}

/**
 * True if a word of a text answers a word that is asked for: they are the same, or forms of one word (decision 21).
 * Both are folded. Forms of a word begin alike; to say so here lets a vocabulary find them without stemming all of it.
 */
export function matchesWord(word: string, asked: string, locale: string): boolean {
  if (word === asked) return true;
  return beginningOf(word) === beginningOf(asked) && stemOf(word, locale) === stemOf(asked, locale);
}

/** The first two code points of a word; of a shorter word, its only one. */
export function beginningOf(word: string): string {
  const first = word.codePointAt(0)! > 0xffff ? 2 : 1;
  const second = word.length > first && word.codePointAt(first)! > 0xffff ? 2 : 1;
  return word.slice(0, first + second);
}

/** Loads a stemmer when the first word needs it: together they would take a third of the time that a start may take. */
function load(code: LanguageCode): LoadedStemmer {
  const { stemmer }: { stemmer: Stemmer } = require(`@orama/stemmers/${modules.get(code)}`);
  const { before, after, repeated } = inflections.get(code) ?? {};
  const stemOnce = (word: string): string => {
    const found = foldWord(stemmer(before ? before(word) : word));
    return after ? after(found) : found;
  };
  const made = { stem: repeated ? untilItStays(stemOnce) : stemOnce, remembered: new Map<string, string>() };
  loaded.set(code, made);
  return made;
}

/** Stems get shorter, so this ends; a stem that would not is left as it is. */
function untilItStays(stem: Stemmer): Stemmer {
  return (word) => {
    let shortest = stem(word);
    for (let next = stem(shortest); next.length < shortest.length; next = stem(shortest)) shortest = next;
    return shortest;
  };
}
