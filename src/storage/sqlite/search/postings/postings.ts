import { termHead } from '../../../index/term-encoding.ts';
import { placeMarks, wordTerm } from '../../../index/word-terms.ts';
import type { Choice } from '../../../query/word-choices.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import type { SearchScope } from '../query-terms.ts';
import { noRows } from '../row-sets.ts';
import { type MarkedRows, noMarkedRows, packed, together, unpacked } from './marked-rows.ts';
import { openTermReader } from './term-reader.ts';

/** The rows of many terms, read together. Terms are whole, with their project and projection. */
export interface Postings {
  /** Reads the rows of terms that are not here yet. */
  load(terms: readonly string[]): void;
  /** The same for words, with the places where they stand. */
  loadWords(words: readonly WordTerm[]): void;
  /** Reads all words of the current projection that begin like this, with their places. */
  loadBeginning(beginning: Choice): void;
  /** The rows of a term that was read, ascending. */
  rowsOf(term: string): Uint32Array;
  /** Those rows of a word that was read where it does not stand at the usual place. */
  markedRowsOf(term: string): MarkedRows;
}

/** The term of a word, and the locale under which it stands. */
export interface WordTerm {
  readonly term: string;
  readonly locale: string;
}

/** Terms, or words, read together: less than some milliseconds. */
const portion = 64;

/** Reads postings in the open snapshot. */
export function createPostings({ db, projectKey, kept }: SearchScope, deadline: PromptDeadline): Postings {
  const reader = openTermReader(db);
  const known = new Map<string, Uint32Array>();
  const marked = new Map<string, MarkedRows>();
  /** The beginnings of terms of which all were read. */
  const beginnings: string[] = [];
  const isOfBeginning = (term: string) => beginnings.some((beginning) => term.startsWith(beginning));

  function keep(term: string, rows: Uint32Array): void {
    known.set(term, rows);
    kept?.keep(expressionOf(term), rows);
  }

  function keepMarked(term: string, rows: MarkedRows): void {
    marked.set(term, rows);
    kept?.keepBriefly(marksOf(term), packed(rows));
  }

  /** True if the rows of a term are here, or kept. */
  function isKnown(term: string): boolean {
    if (known.has(term) || isOfBeginning(term)) return true;
    const rows = kept?.known(expressionOf(term));
    if (rows) known.set(term, rows);
    return rows !== undefined;
  }

  function areMarksKnown(term: string): boolean {
    if (marked.has(term) || isOfBeginning(term)) return true;
    const rows = kept?.known(marksOf(term));
    if (rows) marked.set(term, unpacked(rows));
    return rows !== undefined;
  }

  function inPortions<T>(all: readonly T[], read: (some: readonly T[]) => void): void {
    for (let from = 0; from < all.length; from += portion) {
      if (from > 0) deadline.checkNow();
      read(all.slice(from, from + portion));
    }
  }

  function readWords(words: readonly WordTerm[]): void {
    // A word and its marks are mostly in one page.
    const wanted = words.map(({ term, locale }) => ({
      ...{ term, own: isKnown(term) ? [] : [term] },
      marks: areMarksKnown(term) ? [] : placeMarks(locale).marks,
    }));
    const found = reader.read(
      wanted.flatMap(({ term, own, marks }) => [...own, ...marks.map((each) => term + each.mark)]),
    );
    let at = 0;
    const next = () => found[at++]!;
    for (const { term, own, marks } of wanted) {
      if (own.length > 0) keep(term, next());
      if (marks.length > 0) keepMarked(term, together(marks.map(({ place }) => ({ place, rows: next() }))));
    }
  }

  return {
    load(terms) {
      inPortions(
        [...new Set(terms)].filter((term) => !isKnown(term)),
        (some) => {
          for (const [at, rows] of reader.read(some).entries()) keep(some[at]!, rows);
        },
      );
    },
    loadWords(words) {
      const different = new Map<string, WordTerm>();
      for (const word of words) if (!known.has(word.term) || !marked.has(word.term)) different.set(word.term, word);
      inPortions([...different.values()], readWords);
    },
    loadBeginning({ locale, word }) {
      const beginning = wordTerm(termHead(projectKey, 'c'), locale, word);
      if (beginnings.includes(beginning)) return;
      beginnings.push(beginning);
      const lists = new Map<string, { place: number; rows: Uint32Array }[]>();
      const places = new Map(placeMarks(locale).marks.map(({ mark, place }) => [mark, place]));
      reader.readBeginning(beginning, (term, rows) => {
        const end = term.indexOf('|', beginning.length);
        const place = places.get(term.slice(end));
        if (end < 0) known.set(term, rows);
        else if (place !== undefined) {
          const own = term.slice(0, end);
          const list = lists.get(own) ?? [];
          lists.set(own, list);
          list.push({ place, rows });
        }
      });
      for (const [term, list] of lists) marked.set(term, together(list));
    },
    rowsOf: (term) => known.get(term) ?? noRows,
    markedRowsOf: (term) => marked.get(term) ?? noMarkedRows,
  };
}

function expressionOf(term: string): string {
  return `"${term}"`;
}

/** The name of the marks of a word: no expression, since these are of several terms. */
function marksOf(term: string): string {
  return `marks ${term}`;
}
