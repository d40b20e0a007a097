import { indexedLocale } from '#words';
import { type Projection, termHead } from '../../../index/term-encoding.ts';
import { type PlaceMark, placeMarks, wordTerm } from '../../../index/word-terms.ts';
import type { Choice } from '../../../query/word-choices.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import type { KeptTerm } from '../columns/kept-rows.ts';
import type { SearchScope } from '../query-terms.ts';
import { noRows } from '../row-sets.ts';
import { openTermReader, type TakeRows, type TermReader } from './term-reader.ts';
import { noPlacedRows, type PlacedRows, placesIn } from './word-places.ts';

/** The rows of many terms, read together. */
export interface Postings {
  /** Reads the rows of terms that are not here yet. Terms are whole, with their project and projection. */
  load(terms: readonly string[]): void;
  /** The rows of a term that was read, ascending. */
  rowsOf(term: string): Uint32Array;
  /** Reads the rows and places of words that are not here yet, in the projections of the search; of plain ones all of their locale. */
  loadWords(choices: readonly Choice[]): void;
  /** Reads all words of the current projection that begin like this. */
  loadBeginning(beginning: Choice): void;
  /** Those of a word that was read: of the current projection, then of the staged one if the search knows it. */
  wordOf(choice: Choice): readonly PlacedRows[];
}

/** The projections of a search: the words of the second hide those of the first in their rows. */
export function projectionsOf({ staged }: Pick<SearchScope, 'staged'>): readonly Projection[] {
  return staged ? ['c', 's'] : ['c'];
}

/** A word of a projection. */
interface IndexedWord {
  readonly term: string;
  readonly locale: string;
  /** What it is kept under. */
  readonly name: string;
  /** Kept ones may have no places. */
  readonly rows: Uint32Array | undefined;
  placed: PlacedRows | undefined;
}

/** Terms, or words, read together: less than some milliseconds. */
const portion = 64;

/** Reads postings in the open snapshot. */
export function createPostings(
  scope: Pick<SearchScope, 'db' | 'projectKey' | 'staged' | 'kept'>,
  deadline: PromptDeadline,
): Postings {
  const { db, projectKey, kept } = scope;
  const reader = openTermReader(db);
  const heads = projectionsOf(scope).map((projection) => termHead(projectKey, projection));
  /** By term. */
  const known = new Map<string, Uint32Array>();
  /** By the choice itself: to find a text that was just made takes far longer. */
  const words = new Map<Choice, readonly PlacedRows[]>();
  /** By what they are kept under, so that one text finds a word here and there: several choices may be the same word. */
  const indexed = new Map<string, IndexedWord>();
  /** The beginnings of terms of which all were read, and these terms. */
  const beginnings: string[] = [];
  const begun = new Map<string, PlacedRows>();
  const isOfBeginning = (term: string) => beginnings.some((beginning) => term.startsWith(beginning));
  const nameOf = (term: string) => (kept ? kept.nameOf(term) : term);

  /** A word with what is here of it, or kept. */
  function indexedWord(head: string, { locale: space, word }: Choice): IndexedWord {
    const locale = indexedLocale(space);
    const term = wordTerm(head, locale, word);
    const name = nameOf(term);
    const here = indexed.get(name);
    if (here) return here;
    const found = isOfBeginning(term) ? (begun.get(term) ?? noPlacedRows) : kept?.knownTerm(name);
    const made = { term, locale, name, rows: found?.rows, placed: found && placedRows(found) };
    indexed.set(name, made);
    return made;
  }

  function inPortions<T>(all: readonly T[], read: (some: readonly T[]) => void): void {
    for (let from = 0; from < all.length; from += portion) {
      if (from > 0) deadline.checkNow();
      read(all.slice(from, from + portion));
    }
  }

  function readWords(wanted: readonly IndexedWord[]): void {
    const parts = wanted.map((word) => ({ word, ...placeMarks(word.locale) }));
    // A word and its marks are mostly in one page.
    const found = reader.read(
      parts.flatMap(({ word: { term, rows }, marks }) => [
        ...(rows ? [] : [term]),
        ...marks.map(({ mark }) => term + mark),
      ]),
    );
    let at = 0;
    const next = () => found[at++]!;
    for (const { word, place, marks } of parts) {
      const rows = word.rows ?? next();
      const lists = marks.map((each) => ({ place: each.place, rows: next() }));
      word.placed = { rows, places: placesIn(rows, place, lists) };
      kept?.keep(word.name, rows, word.placed.places);
    }
  }

  function loadWords(choices: readonly Choice[]): void {
    const asked = choices.filter((choice) => !words.has(choice));
    const found = asked.map((choice) => heads.map((head) => indexedWord(head, choice)));
    const missing = new Set(found.flatMap((each) => each.filter(({ placed }) => placed === undefined)));
    inPortions([...missing], readWords);
    for (const [at, choice] of asked.entries()) {
      words.set(
        choice,
        found[at]!.map(({ placed }) => placed!),
      );
    }
  }

  return {
    load(terms) {
      const missing: { readonly term: string; readonly name: string }[] = [];
      for (const term of new Set(terms)) {
        if (known.has(term)) continue;
        const name = nameOf(term);
        const found = kept?.knownTerm(name);
        if (found) known.set(term, found.rows);
        else missing.push({ term, name });
      }
      inPortions(missing, (some) => {
        for (const [at, rows] of reader.read(some.map(({ term }) => term)).entries()) {
          known.set(some[at]!.term, rows);
          kept?.keep(some[at]!.name, rows);
        }
      });
    },
    rowsOf: (term) => known.get(term) ?? noRows,
    loadWords,
    loadBeginning({ locale: space, word }) {
      const locale = indexedLocale(space);
      const beginning = wordTerm(termHead(projectKey, 'c'), locale, word);
      if (beginnings.includes(beginning)) return;
      beginnings.push(beginning);
      readBegunWords(reader, termHead(projectKey, 'c'), { locale, word }, (term, placed) => begun.set(term, placed));
    },
    wordOf(choice) {
      if (!words.has(choice)) loadWords([choice]);
      return words.get(choice)!;
    },
  };
}

/** Calls `take` for all words of a locale that begin like this, each with its term. */
export function readBegunWords(
  reader: TermReader,
  head: string,
  { locale, word }: Choice,
  take: (term: string, placed: PlacedRows) => void,
): void {
  const beginning = wordTerm(head, locale, word);
  const rowsOf = new Map<string, Uint32Array>();
  const lists = new Map<string, { place: number; rows: Uint32Array }[]>();
  const { place: usual, marks } = placeMarks(locale);
  const places = new Map(marks.map(({ mark, place }) => [mark, place]));
  reader.readBeginning(beginning, (term, rows) => {
    const end = term.indexOf('|', beginning.length);
    const place = places.get(term.slice(end));
    if (end < 0) rowsOf.set(term, rows);
    else if (place !== undefined) {
      const own = term.slice(0, end);
      const list = lists.get(own) ?? [];
      lists.set(own, list);
      list.push({ place, rows });
    }
  });
  for (const [term, rows] of rowsOf) take(term, { rows, places: placesIn(rows, usual, lists.get(term) ?? []) });
}

/** The rows of the words that begin like a term and have one of the marks, by the term of the word: a list for each mark. */
export function readMarkedWords(
  reader: TermReader,
  beginning: string,
  marks: readonly PlaceMark[],
): ReadonlyMap<string, readonly Uint32Array[]> {
  const found = new Map<string, Uint32Array[]>();
  if (marks.length === 0) return found;
  const take: TakeRows = (term, rows) => {
    const word = term.slice(0, term.lastIndexOf('|'));
    const lists = found.get(word);
    if (lists) lists.push(rows);
    else found.set(word, [rows]);
  };
  reader.readBeginning(
    beginning,
    take,
    marks.map(({ mark }) => mark),
  );
  return found;
}

/** Undefined where only the rows are known. */
function placedRows({ rows, places }: KeptTerm): PlacedRows | undefined {
  return places && { rows, places };
}
