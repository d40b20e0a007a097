import type { DatabaseSync } from 'node:sqlite';
import { sql } from '../plan/sql.ts';
import { noteAccess } from './access-paths.ts';
import { completePath, narrowestPath, type OpenSelection, openConditions, type Slice } from './execute.ts';
import { firstFrom } from './functions.ts';
import { lookupOf, rowsOfLookup } from './lookup.ts';
import { holding } from './ordered-scan.ts';
import { selectNumbers } from './statements.ts';

/** Rows that are looked at together where the conditions of matches have to be tested: at first, and at most. */
const [firstRowsAtOnce, mostRowsAtOnce] = [128, 4096];

/** The rows of a slice of the matches behind a row, ascending. */
export function findUnordered(
  db: DatabaseSync,
  selection: OpenSelection,
  { offset, limit }: Slice,
  afterRow = 0,
): readonly number[] {
  const complete = completePath(selection);
  const accessPath = complete ?? narrowestPath(selection)?.accessPath;
  noteAccess(db, selection, accessPath);
  const rows =
    accessPath?.rows ??
    rowsOfLookup(
      db,
      lookupOf(selection, () => ({ kind: 'constant', value: true })),
    );
  const begin = firstFrom(rows, afterRow + 1);
  if (complete || selection.conditions.length === 0) return [...rows.subarray(begin + offset, begin + offset + limit)];
  const open = openConditions(selection, accessPath);
  const found: number[] = [];
  for (let [from, size] = [begin, firstRowsAtOnce]; from < rows.length && found.length < offset + limit; from += size) {
    if (from > begin) size = Math.min(2 * size, mostRowsAtOnce);
    const some = `[${rows.subarray(from, from + size).join(',')}]`;
    const query = sql`SELECT r.row AS row FROM json_each(${some}) n CROSS JOIN resource r ON r.row = n.value WHERE ${holding(open)}`;
    found.push(...selectNumbers(db, query));
  }
  return found.slice(offset, offset + limit);
}
