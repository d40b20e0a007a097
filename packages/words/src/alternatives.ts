import { allowedEdits, beginningDistanceWithin, distanceWithin } from './distance.ts';
import { languageOf } from './languages.ts';
import { widerLocales } from './locales.ts';
import {
  beginningOf,
  formsAt,
  hasForms,
  isNumbered,
  isStemWithLetter,
  lettersOfForms,
  matchesWord,
  spellingsOf,
  stemOf,
} from './stem.ts';
import { begunStems } from './unfinished/begun-forms.ts';
import { bigramsOf, isUnspaced } from './written-forms.ts';

/**
 * What else than a word itself finds it (decision 111): each function says of one word of a document whether, and how
 * well, it answers one word of a query. Engines look the words up in their vocabularies; this is what they must find.
 */

/** The locales whose words a text in a locale is compared with: its own, wider ones up to its language, and none. */
export function spacesOf(locale: string): readonly string[] {
  return locale.length > 2 ? [...widerLocales(locale), ''] : [locale, ''];
}

/** The spaces of a locale, and these for words that are plain by the rules of the project and under no locale. */
export function spacesWith(locale: string, plainSpaces: readonly string[]): readonly string[] {
  return plainSpaces.length === 0 ? spacesOf(locale) : [...spacesOf(locale), ...plainSpaces];
}

/** Fewer letters are the beginning of too much, unless the client says that they are one. */
const leastBeginning = 3;

/** True if longer words that begin like this are looked for. */
export function isLongEnoughToBegin(asked: string, prefix: boolean): boolean {
  return prefix || asked.length >= leastBeginning || isUnspaced(asked);
}

/** Shorter words end too many others by chance; short ones need more letters before them: `rad` finds *Fahrrad*. */
const leastHead = 3;
const shortHead = 3;
const leastRest = 3;
/** The first letters of a head, which its other forms share. */
const sameLettersOfHead = 3;

/** True if the word may be the head of compounds: `kleid` of *Sommerkleid*. */
export function canBeHead(asked: string, locale: string): boolean {
  if (isUnspaced(asked)) return true;
  return languageOf(locale)?.links !== undefined && asked.length >= leastHead && !isNumbered(asked);
}

/** Letters that every word has of which this one is the head, and not at its beginning: in German as many as are sure. */
export function lettersOfHead(asked: string, locale: string): string {
  if (isUnspaced(asked)) return asked;
  const sure = lettersOfForms(asked, locale);
  return sure.length > sameLettersOfHead ? sure : asked.slice(0, sameLettersOfHead);
}

/** True if a word that `canBeHead`, in some form, is the end of another one. */
export function isHeadOf(asked: string, word: string, locale: string): boolean {
  return compoundsOf(asked, locale)(word) !== undefined;
}

/** Says what a word has before an asked one in some form; undefined for one that does not end in it. */
export type FirstPartOf = (word: string) => string | undefined;

/** Prepares asking whether words are compounds of an asked one. */
export function compoundsOf(asked: string, locale: string): FirstPartOf {
  if (!isUnspaced(asked)) return endingIn(asked, locale, formsAt(asked, locale));
  return (word) => (word.length > asked.length && word.endsWith(asked) ? word.slice(0, -asked.length) : undefined);
}

/** Prepares it for a word that is still being typed, of which a form may be the end: `byxorn` finds *regnbyxa*. */
export function begunCompoundsOf(asked: string, locale: string): FirstPartOf {
  const stems = canBeHead(asked, locale) ? begunStems(asked, locale) : undefined;
  return stems?.size ? endingIn(asked, locale, formsAt(asked, locale, stems)) : () => undefined;
}

function endingIn(asked: string, locale: string, isForm: ReturnType<typeof formsAt>): FirstPartOf {
  const begin = lettersOfHead(asked, locale);
  const rest = asked.length <= shortHead ? leastRest + 1 : leastRest;
  return (word) => {
    for (let at = word.indexOf(begin, rest); at >= 0; at = word.indexOf(begin, at + 1)) {
      if (isForm(word, at)) return word.slice(0, at);
    }
    return undefined;
  };
}

const leastPart = 3;
/** In Korean. */
const leastSyllables = 2;
/** The letters of models stand before their number: `galaxys5` is *Galaxy S5*. */
const [beforeDigits, mostBeforeDigits] = [/^[a-z]+(?=[0-9])/, 2];
const betweenKinds = /(?<=\p{Nd})(?=[^\p{Nd}.])|(?<=[^\p{Nd}.])(?=\p{Nd})/gu;

/** The pairs of words of which a word may consist: at any letter, or where letters meet digits. */
export function splitsOf(asked: string, locale: string): readonly Split[] {
  return splits(asked, locale, leastPart, leastSyllables);
}

/** Where other words begin like this one, shorter parts match by chance: `dish` would be *dis* and every word with `h`. */
const [sureFirst, sureSecond] = [5, 3];

/**
 * Splits a word that is still being typed: of the second part there may be only a letter yet. Where the first one is a form of the
 * asked word, it finds all of that by itself. `isBegun`: some document has a word that begins so.
 */
export function begunSplitsOf(asked: string, locale: string, isBegun: boolean): readonly Split[] {
  return splits(asked, locale, 1, 1).filter(([first, second]) => {
    const isSure = !isBegun || first.length >= sureFirst || second.length >= sureSecond;
    return isSure && !matchesWord(first, asked, locale);
  });
}

type Split = readonly [first: string, second: string];

function splits(asked: string, locale: string, leastSecond: number, leastSecondSyllables: number): readonly Split[] {
  if (isUnspaced(asked)) return koreanSplitsOf(asked, leastSecondSyllables);
  if (isNumbered(asked)) {
    const places = [...asked.matchAll(betweenKinds)].map(({ index }) => index);
    const letters = beforeDigits.exec(asked)?.[0].length ?? 0;
    for (let before = 1; before <= mostBeforeDigits; before += 1) {
      if (letters - before >= leastPart) places.push(letters - before);
    }
    return places.map((at) => [asked.slice(0, at), asked.slice(at)] as const);
  }
  const found: Split[] = [];
  for (let at = leastPart; at <= asked.length - leastSecond; at += 1) {
    const [first, second] = [asked.slice(0, at), asked.slice(at)];
    if (!second.isWellFormed()) continue;
    found.push([first, second]);
    for (const link of languageOf(locale)?.links ?? []) {
      if (first.endsWith(link) && first.length - link.length >= leastPart) {
        found.push([first.slice(0, -link.length), second]);
      }
    }
  }
  return found;
}

/** In Korean, which has spaces but often leaves them out. */
function koreanSplitsOf(asked: string, leastSecond: number): readonly Split[] {
  if (!onlyHangul.test(asked)) return [];
  const count = Math.max(asked.length - leastSyllables - leastSecond + 1, 0);
  return Array.from({ length: count }, (_, at) => [
    asked.slice(0, at + leastSyllables),
    asked.slice(at + leastSyllables),
  ]);
}

/**
 * Says of a word whether it may be the second one of those that a word consists of which is still being typed: it begins like that part
 * of it, in some spelling.
 */
export function begunPartsOf(begun: string, locale: string): (word: string) => boolean {
  const spellings = spellingsOf(begun, locale);
  const least = leastOfPart(begun);
  // Where letters meet digits a part may have any length, and digits would have been another part.
  const canBePart = (word: string) => isNumbered(begun) || (!isNumbered(word) && [...word].length >= least);
  return (word) => spellings.some((each) => word.startsWith(each)) && canBePart(word);
}

/** The letters that the second part of a word needs to be one, when it is whole. */
export function leastOfPart(begun: string): number {
  return isNumbered(begun) ? 1 : isUnspaced(begun) ? leastSyllables : leastPart;
}

const onlyHangul = /^[가-힣]+$/;

/** The pairs of letters that a name must have where it is divided otherwise than the asked word; empty for others. */
export function pairsOf(asked: string): readonly string[] {
  return isUnspaced(asked) && [...asked].length > 2 ? bigramsOf(asked) : [];
}

/** Minimum length at which a word with digits may have one edit: shorter ones are different sizes or years. */
const leastNumbered = 7;

/** Shorter words are near to the stems of too many longer ones. */
const leastNearStem = 4;

/** Edits allowed for a word. */
export function editsAllowed(asked: string, level: 0 | 1 | 2): 0 | 1 | 2 {
  const most = allowedEdits(asked, level);
  if (!isNumbered(asked)) return most;
  return most > 0 && asked.length >= leastNumbered ? 1 : 0;
}

/**
 * The edits between a word and an asked one that is no form of it; undefined if they are too many. Where only the stem of
 * the asked word is near, to the word or to its stem, they count as two: the ending differs as well.
 */
export function editsBetween(word: string, asked: string, locale: string, level: 0 | 1 | 2): 1 | 2 | undefined {
  const most = editsAllowed(asked, level);
  if (most === 0) return undefined;
  const own = distanceWithin(word, asked, most);
  if (own !== undefined) return own === 2 ? 2 : 1;
  // Too little is left of a longer word: `parlement` does not match *par*, nor `niños` *sin*.
  if (word.length < leastNearStem && asked.length > word.length + 1) return undefined;
  const stem = stemOf(asked, locale);
  const mostOfStem = editsAllowed(stem, most);
  if (stem !== asked && distanceWithin(word, stem, mostOfStem) !== undefined) return 2;
  return isOfNearStem(word, asked, locale, mostOfStem) ? 2 : undefined;
}

/** True for a word two edits away that is another form of a word with one typo: `botttles` finds *bottle* before other words. */
export function isFormWithTypo(word: string, asked: string, locale: string): boolean {
  const stem = stemOf(asked, locale);
  if (editsAllowed(stem, 1) === 0) return false;
  return (stem !== asked && distanceWithin(word, stem, 1) !== undefined) || isOfNearStem(word, asked, locale, 1);
}

/** Stems with a typo are looked for among the words that begin like the asked one, as its forms are. */
function isOfNearStem(word: string, asked: string, locale: string, most: 0 | 1 | 2): boolean {
  if (most === 0 || !hasForms(asked, locale) || !hasForms(word, locale)) return false;
  if (beginningOf(word) !== beginningOf(asked)) return false;
  return isNearStem(stemOf(word, locale), asked, locale, most);
}

/** Shorter words say too little without one of their letters. */
const leastWithoutLetter = 4;

/**
 * True if the stem of a word is near to that of an asked one that begins alike, or is that of the asked one with a letter that it
 * lacks: without it `flskor` has no ending that a stemmer knows, though it is *flaskor*.
 */
export function isNearStem(stem: string, asked: string, locale: string, most: 0 | 1 | 2): boolean {
  if (distanceWithin(stem, stemOf(asked, locale), most) !== undefined) return true;
  if (most === 0 || asked.length < leastWithoutLetter) return false;
  // A stemmer may change a letter at the end, so that the stem need not be the beginning of that word.
  return beginningDistanceWithin(asked, stem, 1) !== undefined && isStemWithLetter(stem, asked, locale);
}

/** Shorter words, with a letter changed, end too many others by chance. */
const leastNearHead = 4;

/** True if the word may be the head of compounds and have a typo: `gitare` finds *Konzertgitarre*. */
export function canBeNearHead(asked: string, locale: string, level: 0 | 1 | 2): boolean {
  if (isUnspaced(asked) || asked.length < leastNearHead) return false;
  return canBeHead(asked, locale) && editsAllowed(asked, level) > 0;
}

/**
 * The edits between a word that `canBeNearHead` and the end of another one, which begins like it; undefined if they are too many, and
 * for a word with digits, which may be an article number.
 */
export function editsToHead(word: string, asked: string, level: 0 | 1 | 2): 1 | 2 | undefined {
  if (isNumbered(word)) return undefined;
  const most = editsAllowed(asked, level);
  const begin = beginningOf(asked);
  let least: number | undefined;
  for (let at = word.indexOf(begin, leastRest); at >= 0; at = word.indexOf(begin, at + 1)) {
    const own = distanceWithin(word.slice(at), asked, most);
    if (own !== undefined && (least === undefined || own < least)) least = own;
  }
  return least === undefined ? undefined : least === 2 ? 2 : 1;
}

/** With a letter changed, fewer letters begin too many words: what is left of three are two. */
const leastNearBeginning = 4;

/** True if a word that is still being typed may be the beginning of longer ones but for typos: `wintr` finds *Wintermantel*. */
export function canBeginNearly(asked: string, level: 0 | 1 | 2): boolean {
  // Article numbers with a digit changed are others.
  if (isNumbered(asked) || isUnspaced(asked) || asked.length < leastNearBeginning) return false;
  return editsAllowed(asked, level) > 0;
}

/**
 * The edits between a word that `canBeginNearly` and that beginning of another word which is nearest to it. Both begin with
 * the same letter. Undefined if they are too many, or none.
 */
export function editsToBeginning(word: string, asked: string, level: 0 | 1 | 2): 1 | 2 | undefined {
  if (word.codePointAt(0) !== asked.codePointAt(0) || isNumbered(word)) return undefined;
  const edits = beginningDistanceWithin(word, asked, editsAllowed(asked, level));
  return edits === 1 || edits === 2 ? edits : undefined;
}
