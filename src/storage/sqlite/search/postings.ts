import { termHead } from '../../index/term-encoding.ts';
import { placeMarks, wordTerm } from '../../index/word-terms.ts';
import { sql } from '../../query/sql.ts';
import type { Choice } from '../../query/word-choices.ts';
import type { PromptDeadline } from '../query/functions.ts';
import { eachRow, selectOne } from '../query/statements.ts';
import { fromEntries } from '../query/term-scan.ts';
import type { SearchScope } from './query-terms.ts';
import { noRows } from './row-sets.ts';

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

/** Terms and rows, as texts of JSON. */
interface Entries {
  readonly terms: string;
  readonly rows: string;
}

/** Beyond every character of a term. */
const lastCharacter = '\u{10ffff}';

/** Terms read by one statement: some milliseconds. */
const portionTerms = 256;

/** The marked forms of a word that so many rows have are read one by one, rather than with their terms for each row. */
const manyRows = 500;

/** Reads postings in the open snapshot. */
export function createPostings({ db, projectKey, kept }: SearchScope, deadline: PromptDeadline): Postings {
  const known = new Map<string, Uint32Array>();
  /** The beginnings of terms of which all were read. */
  const beginnings: string[] = [];
  const isRead = (term: string) => known.has(term) || beginnings.some((beginning) => term.startsWith(beginning));

  /** Takes the entries of an index, those of one term after another. */
  function take({ terms, rows }: Entries, each: (term: string, rows: Uint32Array) => unknown): void {
    const [names, numbers] = [JSON.parse(terms) as string[], JSON.parse(rows) as number[]];
    for (let from = 0; from < names.length; ) {
      let to = from + 1;
      while (to < names.length && names[to] === names[from]) to += 1;
      each(names[from]!, new Uint32Array(numbers.slice(from, to)));
      from = to;
    }
  }

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

  function readTerms(terms: readonly string[]): void {
    // The rows of each term as one text: repeating the term for each row would cost more than they do.
    const query = sql`SELECT t.value AS term,
      (SELECT json_group_array(m.rowid) FROM term m WHERE m.term MATCH '"' || t.value || '"') AS rows
      FROM json_each(${JSON.stringify(terms)}) t`;
    for (const { term, rows } of eachRow<{ term: string; rows: string }>(db, query)) {
      keep(term, rows === '[]' ? noRows : new Uint32Array(JSON.parse(rows) as number[]));
    }
  }

  function readMarks(words: readonly MarkedWord[]): void {
    const query = sql`SELECT json_group_array(v.term) AS terms, json_group_array(v.doc) AS rows
      FROM json_each(${JSON.stringify(words.map(({ term }) => term))}) t
      CROSS JOIN temp.term_entry v ON v.term >= t.value || '|' AND v.term <= t.value || '|~'`;
    take(selectOne(db, query) as Entries, keep);
    // Most words have some of the marks nowhere.
    for (const marked of words.flatMap(markedTerms)) if (!known.has(marked)) keep(marked, noRows);
  }

  function load(terms: readonly string[]): void {
    inPortions(
      [...new Set(terms)].filter((term) => !isKnown(term)),
      readTerms,
    );
  }

  return {
    load,
    loadMarked(words) {
      // The entries of a term that is asked for twice would be its rows twice: `couscous` is `cous` and `cous`.
      const different = new Map(words.map((word) => [word.term, word]));
      const missing = [...different.values()].filter((word) => !markedTerms(word).every(isKnown));
      const [many, few] = [missing.filter(hasMany), missing.filter((word) => !hasMany(word))];
      load(many.flatMap(markedTerms));
      inPortions(few, readMarks);
    },
    loadBeginning({ locale, word }) {
      const head = termHead(projectKey, 'c');
      const beginning = wordTerm(head, locale, word);
      if (beginnings.includes(beginning)) return;
      beginnings.push(beginning);
      const from = beginning.slice(head.length);
      const range = { from, to: from + lastCharacter };
      const query = sql`SELECT json_group_array(v.term) AS terms, json_group_array(v.doc) AS rows ${fromEntries(projectKey, 'c', range)}`;
      take(selectOne(db, query) as Entries, (term, rows) => known.set(term, rows));
    },
    rowsOf: (term) => known.get(term) ?? noRows,
  };

  function hasMany({ term }: MarkedWord): boolean {
    return (known.get(term)?.length ?? 0) >= manyRows;
  }
}

function markedTerms({ term, locale }: MarkedWord): readonly string[] {
  return placeMarks(locale).marks.map(({ mark }) => term + mark);
}
