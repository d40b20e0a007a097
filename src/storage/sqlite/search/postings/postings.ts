import { indexedLocale } from '#words';
import { type Projection, termHead } from '../../../index/term-encoding.ts';
import { type PlaceMark, placeMarks, wordTerm } from '../../../index/word-terms.ts';
import type { Choice } from '../../../query/word-choices.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import { noRows } from '../../terms/row-sets.ts';
import { openTermReader, type TakeRows, type TermReader } from '../../terms/term-reader.ts';
import type { SearchScope } from '../query-terms.ts';
import { type PlacedRows, placesIn } from './word-places.ts';

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

/** Terms, or words, read between two looks at the deadline: less than some milliseconds. */
const portion = 64;

/** What a word is at its places, by its rows: of the lists of the marks that it was made of. */
const knownPlaces = new WeakMap<
  Uint32Array,
  { readonly marked: readonly Uint32Array[]; readonly placed: PlacedRows }
>();

/** Reads postings in the open snapshot. */
export function createPostings(
  scope: Pick<SearchScope, 'db' | 'projectKey' | 'staged'>,
  deadline: PromptDeadline,
): Postings {
  const reader = openTermReader(scope.db);
  const heads = projectionsOf(scope).map((projection) => termHead(scope.projectKey, projection));
  /** By term. */
  const known = new Map<string, Uint32Array>();
  /** By the choice itself: to find a text that was just made takes far longer. */
  const words = new Map<Choice, readonly PlacedRows[]>();
  /** By the term of a word. */
  const ofTerms = new Map<string, PlacedRows>();

  function* portions<T>(all: readonly T[]): Generator<readonly T[]> {
    for (let from = 0; from < all.length; from += portion) {
      if (from > 0) deadline.checkNow();
      yield all.slice(from, from + portion);
    }
  }

  function readWords(choices: readonly Choice[]): void {
    const wanted = choices.map((choice) => ({ choice, parts: heads.map((head) => termsOfWord(head, choice)) }));
    const missing = wanted.flatMap(({ parts }) => parts).filter(({ term }) => !ofTerms.has(term));
    const found = reader.read(missing.flatMap(({ term, marks }) => [term, ...marks.map(({ mark }) => term + mark)]));
    let at = 0;
    for (const { term, place, marks } of missing) {
      const marked = found.slice(at + 1, at + 1 + marks.length);
      ofTerms.set(term, placedBy(found[at]!, place, marks, marked));
      at += 1 + marks.length;
    }
    for (const { choice, parts } of wanted) {
      words.set(
        choice,
        parts.map(({ term }) => ofTerms.get(term)!),
      );
    }
  }

  return {
    load(terms) {
      const missing = [...new Set(terms)].filter((term) => !known.has(term));
      for (const some of portions(missing)) {
        for (const [at, rows] of reader.read(some).entries()) known.set(some[at]!, rows);
      }
    },
    rowsOf: (term) => known.get(term) ?? noRows,
    loadWords(choices) {
      for (const some of portions(choices.filter((choice) => !words.has(choice)))) readWords(some);
    },
    loadBeginning({ locale: space, word }) {
      const begunLike = { locale: indexedLocale(space), word };
      readBegunWords(reader, heads[0]!, begunLike, (term, placed) => ofTerms.set(term, placed));
    },
    wordOf(choice) {
      if (!words.has(choice)) readWords([choice]);
      return words.get(choice)!;
    },
  };
}

function termsOfWord(head: string, { locale: space, word }: Choice) {
  const locale = indexedLocale(space);
  return { term: wordTerm(head, locale, word), ...placeMarks(locale) };
}

/** The places of a word: those of frequent words are kept as long as the index has the same rows. */
function placedBy(
  rows: Uint32Array,
  usual: number,
  marks: readonly PlaceMark[],
  marked: readonly Uint32Array[],
): PlacedRows {
  const cached = knownPlaces.get(rows);
  if (cached?.marked.every((list, at) => list === marked[at])) return cached.placed;
  const lists = marks.map(({ place }, at) => ({ place, rows: marked[at]! }));
  const placed = { rows, places: placesIn(rows, usual, lists) };
  if (rows.length > 0) knownPlaces.set(rows, { marked, placed });
  return placed;
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
