import { foldWord } from './fold-word.ts';
import { type LanguageCode, languageOf, listsFor } from './languages.ts';
import { loadStopWords } from './stemmers/load-stop-words.ts';
import { wordsOf } from './words.ts';

/**
 * Words that need not occur and weigh little, since they say little by themselves: *the*, *für*, *avec*. The lists of the
 * package are a seed: their long words are often worth asking for, and so are numbers and single letters, which are sizes.
 * What people ask a shop with (`requestWords`) is among them, whatever its length.
 */

const longestStopWord = 6;

const loaded = new Map<LanguageCode, ReadonlySet<string>>();

/** True if a folded word says little by itself in the language of a locale. */
export function isStopWord(word: string, locale: string): boolean {
  const language = languageOf(locale);
  if (!language?.stopWords) return false;
  const known = loaded.get(language.code) ?? load(language.code, language.stopWords);
  return known.has(word);
}

function load(code: LanguageCode, list: string): ReadonlySet<string> {
  const words = loadStopWords(list)
    .flatMap((one) => wordsOf(one))
    .filter((word) => [...word].length > 1 || /[^a-z]/.test(word));
  const short = words.filter((word) => word.length <= longestStopWord && !/\p{N}/u.test(word));
  const asked = wordsOf(listsFor(code)?.requestWords ?? '');
  const found = new Set([...short, ...asked, ...(languageOf(code)?.stopLetters ?? '')].map(foldWord));
  loaded.set(code, found);
  return found;
}
