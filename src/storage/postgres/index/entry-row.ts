import { endMarks, severalEntry } from './ordered-entries.ts';
import type { TermHash } from './term-hash.ts';

/**
 * Entries as rows of `ordered_value`: `<projection>|<path>|<mark>` as a number, like a term, and what follows it as
 * bytes (decision 173).
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

/** Entries as two columns: places, and keys. */
export function entryColumns(
  entries: readonly (readonly [entry: string, ...unknown[]])[],
  terms: TermHash,
): readonly [places: readonly string[], keys: readonly string[]] {
  const rows = entries.map(([entry]) => entryRow(entry, terms));
  return [rows.map(({ place }) => place), rows.map(({ key }) => key)];
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
