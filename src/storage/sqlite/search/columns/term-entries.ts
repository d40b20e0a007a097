import { type Projection, projectionTerm, termHead } from '../../../index/term-encoding.ts';
import { sql } from '../../../query/sql.ts';
import { matchingRows } from '../../query/access-paths.ts';
import { selectOne } from '../../query/statements.ts';
import { fromEntries, type TermRange } from '../../query/term-scan.ts';
import type { SearchScope } from '../query-terms.ts';
import { rowsOfQuery } from '../row-sets.ts';

/** Called for each entry: a term, without the head of project and projection, and a row with it. */
export type TakeEntry = (term: string, row: number) => void;

/** Entries read from SQLite together, as one text. */
const chunkEntries = 16_384;

/** Calls `take` for each entry of a range, in the order of the terms; yields between portions. */
export function* eachEntry(
  scope: SearchScope,
  projection: Projection,
  range: TermRange,
  take: TakeEntry,
  chunk = chunkEntries,
): Generator<void, void> {
  const skip = termHead(scope.projectKey, projection).length;
  let rest: TermRange | undefined = range;
  while (rest) {
    const read: Chunk = readChunk(scope, projection, rest, chunk);
    const last = read.terms.at(-1);
    const isLast = last === undefined || read.terms.length < chunk;
    // The last term of a full chunk may have more rows than those that are here.
    const end = isLast ? read.terms.length : read.terms.indexOf(last);
    takeAll(read, end, skip, take);
    if (isLast) rest = undefined;
    else if (end === 0) rest = takeTerm(scope, last, range, skip, take);
    else rest = { ...range, from: last.slice(skip), after: false };
    yield;
  }
}

interface Chunk {
  readonly terms: readonly string[];
  readonly rows: readonly number[];
}

function readChunk({ db, projectKey }: SearchScope, projection: Projection, range: TermRange, most: number): Chunk {
  const from = fromEntries(projectKey, projection, range);
  const some = sql`SELECT v.term AS term, v.doc AS row ${from} LIMIT ${most}`;
  const query = sql`SELECT json_group_array(term) AS terms, json_group_array(row) AS rows FROM (${some})`;
  const found = selectOne(db, query) as { terms: string; rows: string };
  return { terms: JSON.parse(found.terms) as string[], rows: JSON.parse(found.rows) as number[] };
}

function takeAll({ terms, rows }: Chunk, end: number, skip: number, take: TakeEntry): void {
  let [whole, term] = ['', ''];
  for (let at = 0; at < end; at += 1) {
    if (terms[at] !== whole) {
      whole = terms[at]!;
      term = whole.slice(skip);
    }
    take(term, rows[at]!);
  }
}

/** Takes a term with more rows than fit into a chunk, and returns the rest of the range. */
function takeTerm(scope: SearchScope, whole: string, range: TermRange, skip: number, take: TakeEntry): TermRange {
  const term = whole.slice(skip);
  for (const row of rowsOfQuery(scope.db, matchingRows(`"${whole}"`))) take(term, row);
  return { ...range, from: term, after: true };
}

/** The rows with a staged projection, if the search is for it: terms of the current one do not describe them. */
export function rowsStaged({ db, projectKey, staged }: SearchScope): Uint32Array {
  return staged ? rowsOfQuery(db, matchingRows(`"${projectionTerm(projectKey, 's')}"`)) : new Uint32Array();
}

/** All rows of the project. */
export function rowsOfProject({ db, projectKey }: SearchScope): Uint32Array {
  return rowsOfQuery(db, matchingRows(`"${projectionTerm(projectKey, 'c')}"`));
}
