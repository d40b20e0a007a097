import { inAttribute } from '../../../domain/search/words/document-words.ts';
import { commonPositions, noRows, union } from '../../terms/row-sets.ts';

/** Where a word stands in each of its rows. */
export interface WordPlaces {
  /** In the order of the rows; empty where it stands at the usual place in all of them. */
  readonly of: Uint8Array;
  readonly usual: number;
}

/** The rows of a word, ascending, and its places. */
export interface PlacedRows {
  readonly rows: Uint32Array;
  readonly places: WordPlaces;
}

const everywhere = new Uint8Array();

/** The places of a word in its rows: the usual one, but in the rows of the lists. */
export function placesIn(
  rows: Uint32Array,
  usual: number,
  lists: readonly { readonly place: number; readonly rows: Uint32Array }[],
): WordPlaces {
  const some = lists.filter((list) => list.rows.length > 0);
  if (some.length === 0) return { of: everywhere, usual };
  const of = new Uint8Array(rows.length).fill(usual);
  for (const list of some) {
    const positions = new Uint32Array(Math.min(rows.length, list.rows.length));
    const end = commonPositions(rows, list.rows, positions);
    for (let at = 0; at < end; at += 1) of[positions[at]!] = list.place;
  }
  return { of, usual };
}

/** The rows where the word stands in a name or an attribute. */
export function rowsInShort({ rows, places }: PlacedRows): Uint32Array {
  const { of, usual } = places;
  if (of.length === 0) return usual >= inAttribute ? rows : noRows;
  const found = new Uint32Array(rows.length);
  let end = 0;
  for (let at = 0; at < rows.length; at += 1) {
    if (of[at]! < inAttribute) continue;
    found[end] = rows[at]!;
    end += 1;
  }
  return found.subarray(0, end);
}

/** The positions in ascending rows of those that have the word, and its place in each. */
export function placedAmong(
  rows: Uint32Array,
  { rows: own, places }: PlacedRows,
): { readonly positions: Uint32Array; readonly places: Uint8Array } {
  const { of, usual } = places;
  const most = Math.min(rows.length, own.length);
  const positions = new Uint32Array(most);
  const inOwn = new Uint32Array(most);
  const end = commonPositions(rows, own, positions, inOwn);
  const found = new Uint8Array(end);
  if (of.length === 0) found.fill(usual);
  else for (let at = 0; at < end; at += 1) found[at] = of[inOwn[at]!]!;
  return { positions: positions.subarray(0, end), places: found };
}

/** The places of a word in some of its rows. */
export function placesOfSome({ rows, places }: PlacedRows, some: Uint32Array): WordPlaces {
  const { of, usual } = places;
  if (some === rows || of.length === 0) return places;
  const positions = new Uint32Array(some.length);
  commonPositions(rows, some, positions);
  return { of: Uint8Array.from(positions, (at) => of[at]!), usual };
}

/** The rows of two lists that have none in common. */
export function placedInEither(one: PlacedRows, other: PlacedRows): PlacedRows {
  const rows = union([one.rows, other.rows]);
  const { usual } = one.places;
  const of = new Uint8Array(rows.length);
  for (const each of [one, other]) {
    const { positions, places } = placedAmong(rows, each);
    for (let at = 0; at < positions.length; at += 1) of[positions[at]!] = places[at]!;
  }
  return { rows, places: { of, usual } };
}
