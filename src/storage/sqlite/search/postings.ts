import { termHead } from '../../index/term-encoding.ts';
import { sql } from '../../query/sql.ts';
import { eachRow, selectOne } from '../query/statements.ts';
import { fromEntries } from '../query/term-scan.ts';
import type { SearchScope } from './query-terms.ts';

/**
 * The rows of many terms, read together: a statement for each term would cost more than the rows. Terms are whole, with
 * their project and projection.
 */
export interface Postings {
  /** Reads the rows of terms that are not here yet. */
  load(terms: readonly string[]): void;
  /** Reads the rows of the marked forms of terms of words: those of one word follow each other. */
  loadMarked(terms: readonly string[]): void;
  /** Reads the rows of all terms of the current projection that begin like this, without the head of the project. */
  loadBeginning(beginning: string): void;
  /** The rows of a term that was read, ascending. */
  rowsOf(term: string): Uint32Array;
}

const none = new Uint32Array();
/** Beyond every character of a term. */
const lastCharacter = '\u{10ffff}';

/** Reads postings in the open snapshot. */
export function createPostings({ db, projectKey, kept }: SearchScope): Postings {
  const known = new Map<string, Uint32Array>();
  /** The beginnings of terms of which all were read. */
  const beginnings: string[] = [];

  function take(terms: readonly string[], rows: readonly number[]): void {
    for (let from = 0; from < terms.length; ) {
      let to = from + 1;
      while (to < terms.length && terms[to] === terms[from]) to += 1;
      known.set(terms[from]!, Uint32Array.from(rows.slice(from, to)));
      from = to;
    }
  }

  return {
    load(terms) {
      const isRead = (term: string) => known.has(term) || beginnings.some((beginning) => term.startsWith(beginning));
      const missing = [...new Set(terms)].filter((term) => !isRead(term));
      if (missing.length === 0) return;
      const unread: string[] = [];
      for (const term of missing) {
        const rows = kept?.known(`"${term}"`);
        known.set(term, rows ?? none);
        if (!rows) unread.push(term);
      }
      if (unread.length === 0) return;
      // The rows of each term as one text: repeating the term for each row would cost more than they do.
      const query = sql`SELECT t.value AS term,
        (SELECT json_group_array(v.doc) FROM temp.term_entry v WHERE v.term = t.value) AS rows
        FROM json_each(${JSON.stringify(unread)}) t`;
      for (const { term, rows } of eachRow<{ term: string; rows: string }>(db, query)) {
        const read = rows === '[]' ? none : Uint32Array.from(JSON.parse(rows) as number[]);
        known.set(term, read);
        kept?.keep(`"${term}"`, read);
      }
    },
    loadMarked(all) {
      const terms = all.filter((term) => !beginnings.some((beginning) => term.startsWith(beginning)));
      if (terms.length === 0) return;
      const query = sql`SELECT json_group_array(v.term) AS terms, json_group_array(v.doc) AS rows
        FROM json_each(${JSON.stringify(terms)}) t
        CROSS JOIN temp.term_entry v ON v.term >= t.value || '|' AND v.term <= t.value || '|~'`;
      const found = selectOne(db, query) as { terms: string; rows: string };
      take(JSON.parse(found.terms) as string[], JSON.parse(found.rows) as number[]);
    },
    loadBeginning(beginning) {
      beginnings.push(termHead(projectKey, 'c') + beginning);
      const range = { from: beginning, to: beginning + lastCharacter };
      const query = sql`SELECT json_group_array(v.term) AS terms, json_group_array(v.doc) AS rows ${fromEntries(projectKey, 'c', range)}`;
      const found = selectOne(db, query) as { terms: string; rows: string };
      take(JSON.parse(found.terms) as string[], JSON.parse(found.rows) as number[]);
    },
    rowsOf: (term) => known.get(term) ?? none,
  };
}

/** The beginning of the terms of words that begin like this, for `loadBeginning`. */
export function withoutHead(term: string, projectKey: string): string {
  return term.slice(termHead(projectKey, 'c').length);
}
