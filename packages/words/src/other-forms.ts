import { beginningOf, formsOf } from './stem.ts';
import { arabicPlurals } from './stemmers/arabic-plurals.ts';
import { isStopWord } from './stop-words.ts';
import { hanVariants } from './written/han-variants.ts';

/**
 * Forms of a word that do not begin like it: *feet* of *foot*, `gekauft` of `kaufen`, `أقلام` of `قلم`, `運動` of `运动`. A query asks for
 * them as for synonyms, so that no index knows them.
 */

/** The forms of a folded word without its article in the language of a locale: of those that begin alike the most frequent one. */
export function otherForms(word: string, locale: string): readonly string[] {
  const byBeginning = new Map([[beginningOf(word), word]]);
  for (const form of formsOf(word, locale)) {
    if (!byBeginning.has(beginningOf(form))) byBeginning.set(beginningOf(form), form);
  }
  const known = [...byBeginning.values()].slice(1);
  const language = locale.slice(0, 2);
  const byPattern =
    language === 'ar' && !isStopWord(word, language) ? [...arabicPlurals(word), ...withArticle(word)] : [];
  const inOther = language === 'zh' ? hanVariants(word) : [];
  return [...new Set([...known, ...byPattern, ...inOther])].filter((form) => form !== word);
}

const arabicArticles = ['', 'ال', 'وال', 'بال', 'لل'];
const shortArabic = /^(?:[وب]?ال|لل)?(\p{Script=Arabic}{2})$/u;

/**
 * A word of two letters with the article and without: `رف` and `الرف`. Longer words are indexed without it (`withoutArticle`), where
 * it is certain that it is one.
 */
function withArticle(word: string): readonly string[] {
  const bare = shortArabic.exec(word)?.[1];
  return bare === undefined ? [] : arabicArticles.map((article) => article + bare);
}
