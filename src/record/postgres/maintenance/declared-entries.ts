import { entryRow, keyDigits, placesAt } from '../index/entry-row.ts';
import { encodedDeclared, encodedForms, endMarks, missingClass } from '../index/ordered-entries.ts';
import type { Connection } from '../open/connection.ts';
import type { Build } from './build-portion.ts';

/** The entries that there are only because some paths are declared. */
export interface Declared {
  /** How entries begin, none of which there would be. */
  readonly whole: readonly string[];
  /** Entries for the lack of a value: all that a path has by being declared if it has entries anyway. */
  readonly lacking: readonly string[];
}

/** Where entries may be: at these places, or all, from a key on. */
export interface StaleEntries {
  readonly places: readonly string[] | null;
  readonly from: string;
}

/** Where there may be entries of earlier times, that no writer maintained since. */
export function staleEntries({ terms }: Connection, { ready, prefixes }: Build): readonly StaleEntries[] {
  if (ready === undefined) return [{ places: null, from: '' }];
  const { whole, lacking } = prefixes;
  const missing = lacking.map((entry) => entryRow(entry, terms));
  return [
    { places: whole.flatMap((prefix) => placesAt(prefix, terms)), from: '' },
    { places: missing.map(({ place }) => place), from: keyDigits(missingClass) },
  ];
}

/** The entries that there are only because these paths are declared. */
export function declaredBy(paths: readonly string[]): Declared {
  const forms = encodedForms(paths);
  const ofFixed = encodedDeclared(paths).filter((path) => !forms.includes(path));
  return {
    whole: forms.flatMap((form) => [`c|${form}|`, `s|${form}|`]),
    lacking: ofFixed.map((path) => `c|${path}|${endMarks.only}${missingClass}`),
  };
}

/** True for an entry that there is only because these paths are declared. */
export function isDeclared({ whole, lacking }: Declared, entry: string): boolean {
  return lacking.includes(entry) || whole.some((prefix) => entry.startsWith(prefix));
}
