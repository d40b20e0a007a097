import { dutchForm, dutchStem } from './inflections/dutch.ts';
import { germanForm } from './inflections/german.ts';
import { frenchForm, italianForm, italianStem, spanishForm, spanishStem } from './inflections/romance.ts';
import { danishStem, swedishForm, withoutFleetingE } from './inflections/scandinavian.ts';
import { slavicStem, ukrainianStem } from './inflections/slavic.ts';
import type { LanguageCode } from './languages.ts';

/**
 * Corrections of a stemmer for folded words. Its rules expect accents: where they mark an ending, they are restored
 * before stemming; where two forms of a word keep different stems that are easily joined, they are joined after it.
 */
interface Inflection {
  readonly before?: (word: string) => string;
  readonly after?: (stem: string) => string;
  /** Which stems to stem again until nothing changes: for stemmers that also take endings off a base form. */
  readonly repeated?: (stem: string) => boolean;
}

const always = () => true;

const danish: Inflection = { after: danishStem };

/** By language. Languages that are not listed need no correction. */
export const inflections: ReadonlyMap<LanguageCode, Inflection> = new Map<LanguageCode, Inflection>([
  ['da', danish],
  ['de', { before: germanForm }],
  ['el', { repeated: always }],
  ['en', { after: englishFinalLetter }],
  ['es', { before: spanishForm, after: spanishStem }],
  ['fr', { before: frenchForm }],
  ['hu', { repeated: always }],
  ['it', { before: italianForm, after: italianStem }],
  ['nb', danish],
  ['nl', { before: dutchForm, after: dutchStem, repeated: always }],
  ['nn', danish],
  ['no', danish],
  ['ru', { after: slavicStem }],
  ['sv', { before: swedishForm, after: withoutFleetingE }],
  ['uk', { after: ukrainianStem }],
]);

/** `knives` and `knife`, `shelves` and `shelf`, `dries` and `dry`. */
function englishFinalLetter(stem: string): string {
  return stem
    .replace(/(?<=[lr]|ea|oa)v$/, 'f')
    .replace(/(?<=kn|w)ive$/, 'ife')
    .replace(/(?<=^[^aeiouy]{2,})(?<!^sk)y$/, 'i');
}
