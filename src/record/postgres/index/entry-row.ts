import { endMarks, severalEntry } from './ordered-entries.ts';
import { shortId } from './short-id.ts';
import type { TermHash } from './term-hash.ts';

/**
 * Entries as rows of `ordered_value`: `<projection>|<path>|<mark>` as a number, like a term, and what follows it as
 * bytes.
 */
export interface EntryRow {
  readonly place: string;
  /** In hexadecimal digits. */
  readonly key: string;
}

/** All marks that follow a path. */
const marks: readonly string[] = [...Object.values(endMarks), severalEntry];

const maxPlaces = 20_000;
const placesOf = new WeakMap<TermHash, Map<string, string>>();

/** The number of a place. There are few, and each entry has one: they are cached. */
function placeNumber(name: string, terms: TermHash): string {
  const known = placesOf.get(terms);
  const places = known && known.size < maxPlaces ? known : new Map<string, string>();
  placesOf.set(terms, places);
  const number = places.get(name) ?? terms.of(name);
  places.set(name, number);
  return number;
}

/** The row of an entry. */
export function entryRow(entry: string, terms: TermHash): EntryRow {
  const end = entry.lastIndexOf('|') + 2;
  // That there are several values is all that an entry without a key says.
  const key = entry.length === end ? '' : keyDigits(entry.slice(end));
  return { place: placeNumber(entry.slice(0, end), terms), key };
}

/** Entries of resources as three columns: places, keys and short ids. */
export function entryColumns(
  entries: readonly (readonly [entry: string, id: string])[],
  terms: TermHash,
): readonly [places: readonly string[], keys: readonly string[], ids: readonly string[]] {
  const rows = entries.map(([entry]) => entryRow(entry, terms));
  return [rows.map(({ place }) => place), rows.map(({ key }) => key), entries.map(([, id]) => shortId(id))];
}

/**
 * Whether a row of `ordered_value o` is the entry in the columns of such a table. By the index of ids: many resources may
 * have the same key at a place, which is why the place is hidden from the other index.
 */
export function isEntry(table: string): string {
  const { place, key, id } = { place: `${table}.place`, key: `${table}.key`, id: `${table}.id` };
  return `o.id = decode(${id}, 'hex') AND o.place + 0 = ${place} AND o.key = decode(${key}, 'hex')`;
}

/** The numbers of all marks of a path. `prefix`: `<projection>|<path>|`. */
export function placesAt(prefix: string, terms: TermHash): readonly string[] {
  return marks.map((mark) => placeNumber(prefix + mark, terms));
}

/** A class and key as whole bytes in their order: a digit in front, and one behind an even number of them. */
export function keyDigits(classAndKey: string): string {
  return `0${classAndKey}${classAndKey.length % 2 === 1 ? '' : '0'}`;
}

/** Beyond all keys that begin like this: longer than any of them, and of bytes that none has. */
export function keysEnd(classAndKey: string): string {
  return `0${classAndKey}${'f'.repeat(classAndKey.length % 2 === 1 ? 64 : 65)}`;
}
