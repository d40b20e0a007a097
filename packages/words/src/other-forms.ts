import { listsFor } from './languages.ts';
import { stemOf } from './stem.ts';
import { arabicPlurals } from './stemmers/arabic-plurals.ts';
import { isStopWord } from './stop-words.ts';
import { wordsOf } from './words.ts';
import { hanVariants } from './written/han-variants.ts';

/**
 * Forms of a word that neither begin like it nor share its stem: *feet* of *foot*, `أقلام` of `قلم`, `運動` of `运动`. A query asks for them
 * as for synonyms, so that no index knows them.
 */

/** By language, the forms of a word by the stem of each. */
const known = new Map<string, ReadonlyMap<string, readonly string[]>>();

/** The irregular forms of a folded word without its article in the language of a locale. */
export function otherForms(word: string, locale: string): readonly string[] {
  const language = locale.slice(0, 2);
  const listed = formsIn(language)?.get(stemOf(word, language)) ?? [];
  const byPattern =
    language === 'ar' && !isStopWord(word, language) ? [...arabicPlurals(word), ...withArticle(word)] : [];
  const inOther = language === 'zh' ? hanVariants(word) : [];
  return [...new Set([...listed, ...byPattern, ...inOther])].filter((form) => form !== word);
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

function formsIn(language: string): ReadonlyMap<string, readonly string[]> | undefined {
  const { code, irregularForms } = listsFor(language) ?? {};
  if (code === undefined || irregularForms === undefined) return undefined;
  const found = known.get(code) ?? readForms(irregularForms, code);
  known.set(code, found);
  return found;
}

function readForms(text: string, language: string): ReadonlyMap<string, readonly string[]> {
  const byStem = new Map<string, readonly string[]>();
  for (const group of text.split('|')) {
    const forms = wordsOf(group);
    for (const form of forms) {
      const stem = stemOf(form, language);
      byStem.set(stem, [...(byStem.get(stem) ?? []), ...forms]);
    }
  }
  return byStem;
}
