import { termHead } from '../../../index/term-encoding.ts';
import { placeMarks, wordTerm } from '../../../index/word-terms.ts';
import type { Choice } from '../../../query/word-choices.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import type { SearchScope } from '../query-terms.ts';
import { noRows } from '../row-sets.ts';
import { openTermReader } from './term-reader.ts';

/**
 * The rows of many terms, read together: a statement for each term would cost more than the rows. Terms are whole, with
 * their project and projection.
 */
export interface Postings {
  /** Reads the rows of terms that are not here yet. */
  load(terms: readonly string[]): void;
  /** Reads the rows of the marked forms of terms of words, which were read. */
  loadMarked(words: readonly MarkedWord[]): void;
  /** Reads the rows of all terms of words of the current projection that begin like this. */
  loadBeginning(beginning: Choice): void;
  /** The rows of a term that was read, ascending. */
  rowsOf(term: string): Uint32Array;
}

/** The term of a word, and the locale under which it stands. */
export interface MarkedWord {
  readonly term: string;
  readonly locale: string;
}

/** Terms read together: a millisecond or some. */
const portionTerms = 64;

/** Reads postings in the open snapshot. */
export function createPostings({ db, projectKey, kept }: SearchScope, deadline: PromptDeadline): Postings {
  const reader = openTermReader(db);
  const known = new Map<string, Uint32Array>();
  /** The beginnings of terms of which all were read. */
  const beginnings: string[] = [];
  const isRead = (term: string) => known.has(term) || beginnings.some((beginning) => term.startsWith(beginning));

  function keep(term: string, rows: Uint32Array): void {
    known.set(term, rows);
    kept?.keep(`"${term}"`, rows);
  }

  /** True if the rows of a term are here, or kept. */
  function isKnown(term: string): boolean {
    if (isRead(term)) return true;
    const rows = kept?.known(`"${term}"`);
    if (rows) known.set(term, rows);
    return rows !== undefined;
  }

  function inPortions<T>(all: readonly T[], read: (some: readonly T[]) => void): void {
    for (let from = 0; from < all.length; from += portionTerms) {
      if (from > 0) deadline.checkNow();
      read(all.slice(from, from + portionTerms));
    }
  }

  function load(terms: readonly string[]): void {
    inPortions(
      [...new Set(terms)].filter((term) => !isKnown(term)),
      (some) => reader.read(some, keep),
    );
  }

  return {
    load,
    loadMarked: (words) => load(words.flatMap(markedTerms)),
    loadBeginning({ locale, word }) {
      const beginning = wordTerm(termHead(projectKey, 'c'), locale, word);
      if (beginnings.includes(beginning)) return;
      beginnings.push(beginning);
      reader.readBeginning(beginning, (term, rows) => known.set(term, rows));
    },
    rowsOf: (term) => known.get(term) ?? noRows,
  };
}

function markedTerms({ term, locale }: MarkedWord): readonly string[] {
  return placeMarks(locale).marks.map(({ mark }) => term + mark);
}
