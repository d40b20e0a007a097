import { eachPosition, noRows, union } from '../row-sets.ts';

/** The rows of a word where it does not stand at the usual place, ascending, and the places. */
export interface MarkedRows {
  readonly rows: Uint32Array;
  readonly places: Uint8Array;
}

/** Of a word that stands at the usual place everywhere. */
export const noMarkedRows: MarkedRows = { rows: noRows, places: new Uint8Array() };

/** The rows of several places, of which no two have a row in common. */
export function together(lists: readonly { readonly place: number; readonly rows: Uint32Array }[]): MarkedRows {
  const some = lists.filter(({ rows }) => rows.length > 0);
  if (some.length === 0) return noMarkedRows;
  const rows = union(some.map((list) => list.rows));
  const places = new Uint8Array(rows.length).fill(some[0]!.place);
  for (const list of some.slice(1)) {
    eachPosition(rows, list.rows, (position) => {
      places[position] = list.place;
    });
  }
  return { rows, places };
}

/** Rows and places as one array, as it is kept: the rows, and behind them four places in each number. */
export function packed({ rows, places }: MarkedRows): Uint32Array {
  if (rows.length === 0) return noRows;
  const all = new Uint32Array(rows.length + Math.ceil(rows.length / 4) + 1);
  all.set(rows);
  new Uint8Array(all.buffer).set(places, rows.byteLength);
  all[all.length - 1] = rows.length;
  return all;
}

/** What was packed. */
export function unpacked(all: Uint32Array): MarkedRows {
  if (all.length === 0) return noMarkedRows;
  const count = all[all.length - 1]!;
  return {
    rows: all.subarray(0, count),
    places: new Uint8Array(all.buffer, all.byteOffset + 4 * count, count),
  };
}
