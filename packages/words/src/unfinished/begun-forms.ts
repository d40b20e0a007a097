import { languageOf } from '../languages.ts';
import { beginningOf, formsBeginning, hasForms, stemOf, stemsOf } from '../stem.ts';
import { endingsOf } from './endings.ts';

/**
 * While a word is typed, its last letters may be a part of an ending: `runni` is no word and begins none that *run* is a form of, until it is
 * `running`. So an unfinished word has the stems of all words that it may become by an ending of the language, and those of all known
 * forms that begin like it.
 */

/** Shorter words begin all of their forms, or are one. */
const leastBegun = 3;
/** Fewer letters begin too many of them. */
const leastBegunOfKnown = 4;
/** The fewest letters before an ending. */
const leastBase = 2;
/** Cached words: several steps of a search ask for the stems of each word, in several locales. */
const maxKept = 100;
const kept = new Map<string, ReadonlySet<string>>();

/** The stems that a word may have when it is whole, other than its own. */
export function begunStems(begun: string, locale: string): ReadonlySet<string> {
  const code = languageOf(locale)?.code;
  if (code === undefined || begun.length < leastBegun || !hasForms(begun, locale)) return noStems;
  const name = `${code} ${begun}`;
  const before = kept.get(name);
  if (before) return before;
  const known = begun.length < leastBegunOfKnown ? [] : formsBeginning(begun, locale);
  const found = stemsOf(new Set([...known, ...endingsOf(code).flatMap((ending) => completed(begun, ending))]), locale);
  found.delete(stemOf(begun, locale));
  if (kept.size >= maxKept) kept.clear();
  kept.set(name, found);
  return found;
}

const noStems: ReadonlySet<string> = new Set();

/** The words that an ending makes of a beginning which has some of its letters, or none. */
function completed(begun: string, ending: string): readonly string[] {
  const found: string[] = [];
  for (let has = 0; has < ending.length && begun.length - has >= leastBase; has += 1) {
    if (begun.endsWith(ending.slice(0, has))) found.push(begun + ending.slice(has));
  }
  return found;
}

/** True for a word of which an unfinished one may become a form, and which does not begin like it. */
export function isBegunForm(word: string, begun: string, locale: string): boolean {
  if (beginningOf(word) !== beginningOf(begun) || word.startsWith(begun)) return false;
  return hasForms(word, locale) && begunStems(begun, locale).has(stemOf(word, locale));
}
