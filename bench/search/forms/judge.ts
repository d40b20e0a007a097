import { matchesWord, otherForms } from '#words';

/** How forms of a language are found. */
export interface FormsResult {
  /** Percent of the frequent forms that find their lemma and are found by it. */
  readonly found: number;
  /** Percent of what the frequent forms find, among themselves and their lemmas, that is a form of another lemma. */
  readonly foreign: number;
}

/** True if a query for a word finds another one, as it is, by its stem or as a form that begins otherwise. */
function finds(asked: string, word: string, locale: string): boolean {
  return [asked, ...otherForms(asked, locale)].some((each) => matchesWord(word, each, locale));
}

/** Judges pairs of a folded form and its folded lemma, which differ. */
export function judgeForms(locale: string, pairs: readonly (readonly [form: string, lemma: string])[]): FormsResult {
  const lemmas = new Map([...pairs.map(([, lemma]) => [lemma, lemma] as const), ...pairs]);
  const found = pairs.filter(([form, lemma]) => finds(form, lemma, locale) && finds(lemma, form, locale)).length;
  let [all, foreign] = [0, 0];
  for (const [form, lemma] of pairs) {
    for (const [word, itsLemma] of lemmas) {
      if (word === form || !finds(form, word, locale)) continue;
      all += 1;
      if (itsLemma !== lemma && word !== lemma && itsLemma !== form) foreign += 1;
    }
  }
  return { found: (100 * found) / pairs.length, foreign: (100 * foreign) / Math.max(all, 1) };
}
