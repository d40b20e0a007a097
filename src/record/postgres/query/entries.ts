import { raw, type Sql, sql, typed } from '../../../index/plan/sql.ts';
import { keyDigits, keysEnd } from '../index/entry-row.ts';
import { endMarks, missingClass } from '../index/ordered-entries.ts';
import type { EntryScan, OrderKey } from './plan-list.ts';

/** What stands for the type of a bound value: the name of a place, to be sent as its number. */
export const placeType = 'place';

/** Hexadecimal digits as bytes. */
export function keyBytes(digits: string): Sql {
  return typed(`\\x${digits}`, 'bytea');
}

/** Entries of `ordered_value o` at a place: `<projection>|<path>|<mark>`. */
export function atPlace(projectKey: string, place: string): Sql {
  return sql`o.project_key = ${projectKey} AND o.place = ${typed(place, placeType)}`;
}

/** The keys of a scan: those of values, and where there are such entries those for the lack of one. */
export function scannedKeys({ lacking }: Pick<EntryScan, 'lacking'>): Sql {
  // Entries for the lack of a value may be left from when the path was declared.
  return sql`o.key < ${keyBytes(lacking ? keyDigits(missingClass) : keysEnd(missingClass))}`;
}

/**
 * Key and id of the entries of a scan as a table `o`. Those of single values and those of the least or the greatest of
 * several are two ranges of one index. Each is ordered by itself, without which PostgreSQL would not merge them as they
 * are read.
 */
export function scannedEntries(
  projectKey: string,
  { path, within }: EntryScan,
  direction: OrderKey['direction'],
  range: Sql,
): Sql {
  const of = (mark: string, only: Sql = raw('TRUE')) =>
    sql`(SELECT o.key, grs_id(o.id) AS id FROM ordered_value o WHERE ${atPlace(projectKey, `c|${path}|${mark}`)} AND ${range} AND ${only}
      ORDER BY ${inEntryOrder(direction)})`;
  const end = direction === 'asc' ? endMarks.least : endMarks.greatest;
  return sql`(${of(endMarks.only, within)} UNION ALL ${of(end)}) o`;
}

/** Their order, without ties. */
export function inEntryOrder(direction: OrderKey['direction']): Sql {
  return raw(`o.key ${direction}`);
}
