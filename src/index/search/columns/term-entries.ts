import { behind, type TermRange } from '../../plan/term-expression.ts';
import { noRows } from '../../terms/row-sets.ts';
import { type Projection, projectionTerm, termHead } from '../../terms/term-encoding.ts';
import { openTermReader, type TakeRows } from '../../terms/term-reader.ts';
import type { SearchScope } from '../query-terms.ts';

/** Entries that are read between two calls of `progress`: some milliseconds. */
const entriesAtOnce = 16_384;

/** Calls `take` with the terms of a range, without the head of project and projection, and with their rows. */
export function eachEntry(
  { db, projectKey }: SearchScope,
  projection: Projection,
  range: TermRange,
  progress: () => void,
  take: TakeRows,
): void {
  const head = termHead(projectKey, projection);
  for (let from: string | undefined = head + range.from; from !== undefined; ) {
    const takeEnd: TakeRows = (term, rows) => take(term.slice(head.length), rows);
    const last = openTermReader(db).readRange(from, head + range.to, entriesAtOnce, takeEnd);
    progress();
    from = last && last + behind;
  }
}

/** The rows with a staged projection, if the search is for it: terms of the current one do not describe them. */
export function rowsStaged(scope: SearchScope): Uint32Array {
  return scope.staged ? rowsOfProjection(scope, 's') : noRows;
}

/** All rows of the project. */
export function rowsOfProject(scope: SearchScope): Uint32Array {
  return rowsOfProjection(scope, 'c');
}

function rowsOfProjection({ db, projectKey }: SearchScope, projection: Projection): Uint32Array {
  return openTermReader(db).read([projectionTerm(projectKey, projection)])[0]!;
}
