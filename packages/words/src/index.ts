/**
 * Words of texts in many languages: how they are split and folded, which forms, compounds, beginnings and misspellings
 * match each other. Pure functions over strings; a locale is always the second argument, as `de` or `de-AT`.
 */
export {
  begunCompoundsOf,
  begunPartsOf,
  begunSplitsOf,
  canBeginNearly,
  canBeHead,
  canBeNearHead,
  compoundsOf,
  editsAllowed,
  editsBetween,
  editsToBeginning,
  editsToHead,
  type FirstPartOf,
  isFormWithTypo,
  isHeadOf,
  isLongEnoughToBegin,
  isNearStem,
  leastOfPart,
  lettersOfHead,
  pairsOf,
  spacesOf,
  spacesWith,
  splitsOf,
} from './alternatives.ts';
export { allowedEdits, distanceWithin } from './distance.ts';
export { foldWord } from './fold-word.ts';
export { WordCache, WordLists } from './known/by-word.ts';
export { firstWordsOf } from './known/first-parts.ts';
export { headsOf, isMisspelled } from './known/heads.ts';
export { Vocabulary } from './known/vocabulary.ts';
export { type Language, type LanguageCode, languageOf, languages } from './languages.ts';
export { indexedLocale, intendedLocale, isLocale, isPlainSpace, localePattern, plainSpaceOf } from './locales.ts';
export { otherForms } from './other-forms.ts';
export {
  beginningOf,
  formsBeginning,
  formsOf,
  hasForms,
  isNumbered,
  matchesWord,
  otherSpellings,
  spellingsOf,
  stemOf,
} from './stem.ts';
export { isStopWord } from './stop-words.ts';
export { type TextWords, textWordsOf } from './text-words.ts';
export { begunStems, isBegunForm } from './unfinished/begun-forms.ts';
export { endingsOf } from './unfinished/endings.ts';
export { maxWordUnits, segmentedWordsOf, type WordSpan, wordSpansOf, wordsOf } from './words.ts';
export { accentedWordsOf, isAccented } from './written/accented-words.ts';
export { joinedPartsOf } from './written/joined-parts.ts';
export { katakanaRunsOf } from './written/katakana-runs.ts';
export { type Measure, measureFormsOf, measuresIn } from './written/measures.ts';
export { signedWordsOf } from './written/signed-words.ts';
export { readMarkup, type VisibleText, visibleTextOf } from './written/visible-text.ts';
export {
  barePartsOf,
  bigramSpansOf,
  bigramsOf,
  codesOf,
  doubledOf,
  isUnspaced,
  plainCodesOf,
  thousandsIn,
  unitsOf,
  withoutArticle,
} from './written-forms.ts';
