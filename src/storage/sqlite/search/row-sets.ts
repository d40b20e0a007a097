import type { DatabaseSync } from 'node:sqlite';
import { type Sql, sql } from '../../query/sql.ts';
import { selectOne } from '../query/statements.ts';

/**
 * Row numbers of the column `row` of a query, ascending, each once. They cross from SQLite as one text: as rows of
 * their own each would cost twice as much.
 */
export function rowsOfQuery(db: DatabaseSync, query: Sql): Uint32Array {
  const found = selectOne(db, sql`SELECT json_group_array(row) AS rows FROM (${query})`) as { rows: string };
  return ascending(Uint32Array.from(JSON.parse(found.rows) as number[]));
}

/** Sorts where the rows did not come in order, as those of one posting list do, and leaves repeats out. */
function ascending(rows: Uint32Array): Uint32Array {
  let inOrder = true;
  for (let at = 1; inOrder && at < rows.length; at += 1) inOrder = rows[at]! > rows[at - 1]!;
  if (inOrder) return rows;
  rows.sort();
  return rows.filter((row, at) => at === 0 || row !== rows[at - 1]);
}

/** Rows that all of some ascending lists have. */
export function intersect(lists: readonly Uint32Array[]): Uint32Array {
  const [first = new Uint32Array(), ...others] = [...lists].sort((a, b) => a.length - b.length);
  const places = others.map(() => 0);
  return first.filter((row) =>
    others.every((list, at) => {
      let place = places[at]!;
      while (place < list.length && list[place]! < row) place += 1;
      places[at] = place;
      return list[place] === row;
    }),
  );
}

/** Rows that some of the ascending lists have. */
export function union(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length === 1) return lists[0]!;
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return ascending(all);
}

/** Calls `each` with the places, in `rows`, of those rows that `some` has too. Both ascend. */
export function eachPosition(rows: Uint32Array, some: Uint32Array, each: (place: number) => void): void {
  let place = 0;
  for (let at = 0; at < some.length; at += 1) {
    const row = some[at]!;
    while (place < rows.length && rows[place]! < row) place += 1;
    if (place === rows.length) return;
    if (rows[place] === row) each(place);
  }
}
