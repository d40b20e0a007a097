import type { Path } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { valuesAt } from '../../query/dialect.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
import { sqliteDialect as dialect } from './dialect.ts';

/**
 * What a document sorts by: its least value in asc, its greatest in desc (decision 16). NULL where it has none.
 * SQLite's own order of types is the contract's: numbers, texts, and booleans as one byte.
 */
export function compileSortKey(path: Path, direction: 'asc' | 'desc', json: Sql): Sql {
  if (!arrayTestNames.has(path[0]!)) return keyOf(path, direction, json);
  const below = keyOf([arrayTestField, ...path], direction, json);
  return sql`(CASE WHEN ${dialect.isPresent(json, path[0]!)} THEN ${keyOf(path, direction, json)} ELSE ${below} END)`;
}

function keyOf(path: Path, direction: 'asc' | 'desc', json: Sql): Sql {
  const value = raw(
    "CASE v.type WHEN 'text' THEN coalesce(instant(v.atom), v.atom) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ELSE v.atom END",
  );
  return sql`(SELECT ${raw(direction === 'asc' ? 'min' : 'max')}(${value}) ${valuesAt(dialect, path, json)})`;
}
