import { type Projection, termHead } from '../../../index/term-encoding.ts';
import { placeMarks, wordTerm } from '../../../index/word-terms.ts';
import type { Choice } from '../../../query/word-choices.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import { expressionOf, type KeptTerm } from '../columns/kept-rows.ts';
import type { SearchScope } from '../query-terms.ts';
import { noRows } from '../row-sets.ts';
import { openTermReader } from './term-reader.ts';
import { noPlacedRows, type PlacedRows, placesIn } from './word-places.ts';

/** The rows of many terms, read together. */
export interface Postings {
  /** Reads the rows of terms that are not here yet. Terms are whole, with their project and projection. */
  load(terms: readonly string[]): void;
  /** The rows of a term that was read, ascending. */
  rowsOf(term: string): Uint32Array;
  /** Reads the rows and places of words that are not here yet, in the projections of the search. */
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

/** A term that is a word of a locale. */
interface WordTerm {
  readonly term: string;
  readonly locale: string;
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
  const known = new Map<string, KeptTerm>();
  /** By the choice itself: to find a text that was just made takes far longer. */
  const words = new Map<Choice, readonly PlacedRows[]>();
  /** The beginnings of terms of which all were read. */
  const beginnings: string[] = [];
  const isOfBeginning = (term: string) => beginnings.some((beginning) => term.startsWith(beginning));

  function keep(term: string, found: KeptTerm): void {
    known.set(term, found);
    kept?.keep(expressionOf(term), found.rows, found.places);
  }

  /** What is here of a term, or kept. */
  function knownOf(term: string): KeptTerm | undefined {
    const here = known.get(term);
    if (here) return here;
    const found = kept?.knownWord(expressionOf(term));
    if (found) known.set(term, found);
    return found;
  }

  function inPortions<T>(all: readonly T[], read: (some: readonly T[]) => void): void {
    for (let from = 0; from < all.length; from += portion) {
      if (from > 0) deadline.checkNow();
      read(all.slice(from, from + portion));
    }
  }

  function readWords(wanted: readonly WordTerm[]): void {
    const parts = wanted.map(({ term, locale }) => ({ term, rows: knownOf(term)?.rows, ...placeMarks(locale) }));
    // A word and its marks are mostly in one page.
    const found = reader.read(
      parts.flatMap(({ term, rows, marks }) => [...(rows ? [] : [term]), ...marks.map(({ mark }) => term + mark)]),
    );
    let at = 0;
    const next = () => found[at++]!;
    for (const { term, rows: own, place, marks } of parts) {
      const rows = own ?? next();
      const lists = marks.map((each) => ({ place: each.place, rows: next() }));
      keep(term, { rows, places: placesIn(rows, place, lists) });
    }
  }

  function placedRows(term: string): PlacedRows {
    const found = known.get(term);
    return found?.places ? (found as PlacedRows) : noPlacedRows;
  }

  function loadWords(choices: readonly Choice[]): void {
    const asked = choices.filter((choice) => !words.has(choice));
    const terms = asked.map(({ locale, word }) => heads.map((head) => wordTerm(head, locale, word)));
    const missing = new Map<string, WordTerm>();
    for (const [at, { locale }] of asked.entries()) {
      for (const term of terms[at]!) {
        if (!knownOf(term)?.places && !isOfBeginning(term)) missing.set(term, { term, locale });
      }
    }
    inPortions([...missing.values()], readWords);
    for (const [at, choice] of asked.entries()) words.set(choice, terms[at]!.map(placedRows));
  }

  return {
    load(terms) {
      inPortions(
        [...new Set(terms)].filter((term) => !knownOf(term)),
        (some) => {
          for (const [at, rows] of reader.read(some).entries()) keep(some[at]!, { rows, places: undefined });
        },
      );
    },
    rowsOf: (term) => known.get(term)?.rows ?? noRows,
    loadWords,
    loadBeginning({ locale, word }) {
      const beginning = wordTerm(termHead(projectKey, 'c'), locale, word);
      if (beginnings.includes(beginning)) return;
      beginnings.push(beginning);
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
      for (const [term, rows] of rowsOf)
        known.set(term, { rows, places: placesIn(rows, usual, lists.get(term) ?? []) });
    },
    wordOf(choice) {
      if (!words.has(choice)) loadWords([choice]);
      return words.get(choice)!;
    },
  };
}
