import { maxLengthClass, nameLengthClass, textLengthClass } from '../../domain/search/relevance.ts';
import {
  type DocumentWords,
  type LocaleWords,
  type Place,
  placeInBoth,
} from '../../domain/search/words/document-words.ts';
import { escapeText } from './term-encoding.ts';

/**
 * What follows the term of a word, by its place in the document. Most words under a locale stand in a text once, and most
 * under none are attributes: these need no further term.
 */
const marksInLocale = ['', '', '|2', '|3', '|a', '|n'] as const;
const marksInNone = ['', '|t', '|2', '|3', '', '|n'] as const;

function markOf(locale: string, place: Place | 0): string {
  return (locale === '' ? marksInNone : marksInLocale)[place];
}

/** Words that are in neither version. */
export const noWords: DocumentWords = new Map();

/** The terms that a row loses and gains of a path, or of words under a locale, without their common beginning. */
export interface TermChange {
  readonly prefix: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * The locales whose terms depend on the words of unchanged fields as well: a word that is lost or gained may stand there
 * too, and the lengths of texts are those of all. Undefined where there are none, so that these need not be found.
 */
export function localesToComplete(before: DocumentWords, after: DocumentWords): ReadonlySet<string> | undefined {
  let locales: Set<string> | undefined;
  for (const locale of new Set([...before.keys(), ...after.keys()])) {
    if (hasSameWords(before.get(locale), after.get(locale))) continue;
    locales ??= new Set();
    locales.add(locale);
  }
  return locales;
}

function hasSameWords(one: LocaleWords | undefined, other: LocaleWords | undefined): boolean {
  if (!one || !other) return one === other;
  const hasSameLength = one.nameLength === other.nameLength && one.textLength === other.textLength;
  if (!hasSameLength || one.places.size !== other.places.size) return false;
  for (const [word, place] of one.places) if (other.places.get(word) !== place) return false;
  return true;
}

/**
 * Collects the terms of words that a document loses and gains by a change of some fields, whose words these are;
 * `unchanged` are the words of the other fields. `root` is the prefix of the empty path, which no value has. It is followed
 * by `<locale>|<word>` for each word; the same with a mark where the word does not stand where most do; and by
 * `<locale>||n<class>` and `<locale>||t<class>` for the lengths of names and of texts. Strings under no locale have an
 * empty one. Only differences are encoded, since encoding is most of the cost.
 */
export function addWordDifference(
  root: string,
  before: DocumentWords,
  after: DocumentWords,
  unchanged: DocumentWords,
  terms: TermChange[],
): void {
  for (const locale of new Set([...before.keys(), ...after.keys()])) {
    const [old, next, both] = [before.get(locale), after.get(locale), unchanged.get(locale)];
    // Locales have letters of either case, which the index would fold.
    const prefix = `${root}${escapeText(locale)}|`;
    const change = { prefix, removed: [] as string[], added: [] as string[] };
    const { removed, added } = change;
    terms.push(change);
    for (const lengthMark of [nameMark, textMark]) {
      const [before, after] = [lengthMark(old, both), lengthMark(next, both)];
      if (before === after) continue;
      if (before !== undefined) removed.push(before);
      if (after !== undefined) added.push(after);
    }
    if (old) for (const [word, place] of old.places) addChange(word, place, next?.places.get(word) ?? 0);
    if (next) for (const [word, place] of next.places) if (!old?.places.has(word)) addChange(word, 0, place);

    function addChange(word: string, own: Place | 0, ownAfter: Place | 0): void {
      if (own === ownAfter) return;
      const other = both?.places.get(word) ?? 0;
      const [placeBefore, placeAfter] = other === 0 ? [own, ownAfter] : placesWith(other, own, ownAfter);
      if (placeBefore === placeAfter) return;
      const term = escapeText(word);
      if (placeAfter === 0) removed.push(term);
      if (placeBefore === 0) added.push(term);
      const [markBefore, markAfter] = [markOf(locale, placeBefore), markOf(locale, placeAfter)];
      if (markBefore === markAfter) return;
      if (markBefore !== '') removed.push(term + markBefore);
      if (markAfter !== '') added.push(term + markAfter);
    }
  }
}

function placesWith(other: Place, before: Place | 0, after: Place | 0): [Place | 0, Place | 0] {
  return [placeInBoth(other, before), placeInBoth(other, after)];
}

function nameMark(words: LocaleWords | undefined, others: LocaleWords | undefined): string | undefined {
  const length = (words?.nameLength ?? 0) + (others?.nameLength ?? 0);
  return length > 0 ? `|n${nameLengthClass(length)}` : undefined;
}

function textMark(words: LocaleWords | undefined, others: LocaleWords | undefined): string | undefined {
  const length = (words?.textLength ?? 0) + (others?.textLength ?? 0);
  return length > 0 ? `|t${textLengthClass(length)}` : undefined;
}

/** A term as `TermChange` has it. */
export function splitTerm(term: string): readonly [prefix: string, rest: string] {
  const path = term.indexOf('|', term.indexOf('|') + 1) + 1;
  const behind = path === 0 ? 0 : term.indexOf('|', path) + 1;
  const end = behind === path + 1 ? term.indexOf('|', behind) + 1 : behind;
  return [term.slice(0, end), term.slice(end)];
}

/** The beginning of the terms of the words under a locale. `head` is that of `termHead`. */
export function wordsHead(head: string, locale: string): string {
  return `${head}|${escapeText(locale)}|`;
}

/** The term of documents with the word under the locale. */
export function wordTerm(head: string, locale: string, word: string): string {
  return wordsHead(head, locale) + escapeText(word);
}

/** A place by which words are marked, and the end of the marked terms. */
export interface PlaceMark {
  readonly place: Place;
  readonly mark: string;
}

/** The marks of words, and where one without any stands. */
export interface PlaceMarks {
  readonly place: Place;
  readonly marks: readonly PlaceMark[];
}

/** The marks of the words under a locale; a word without one stands at `place`. */
export function placeMarks(locale: string): PlaceMarks {
  return locale === '' ? placesInNone : placesInLocale;
}

const [placesInNone, placesInLocale] = [marksInNone, marksInLocale].map((ends): PlaceMarks => {
  const marks = ([1, 2, 3, 4, 5] as const).map((place) => ({ place, mark: ends[place] }));
  return { place: marks.find(({ mark }) => mark === '')!.place, marks: marks.filter(({ mark }) => mark !== '') };
}) as [PlaceMarks, PlaceMarks];

/** The kinds of lengths. */
export type LengthKind = 'n' | 't';

/** The term of documents whose names (`n`) or texts (`t`) under the locale have a length of the class. */
export function lengthTerm(head: string, locale: string, kind: LengthKind, length: number): string {
  return `${head}|${escapeText(locale)}||${kind}${length}`;
}

export const lengthClasses: readonly number[] = Array.from({ length: maxLengthClass + 1 }, (_, each) => each);
