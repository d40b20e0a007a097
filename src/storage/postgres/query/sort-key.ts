import type { Path } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { valuesAt } from '../../query/dialect.ts';
import { listed, raw, type Sql, sql } from '../../query/sql.ts';
import { postgresDialect as dialect } from './dialect.ts';

/**
 * What a document sorts by: its least value in asc, its greatest in desc (decision 16), as a row of one or none with
 * the columns class, number and text. Classes are in the order of decision 39.
 */
export function sortKeyRows(path: Path, direction: 'asc' | 'desc', json: Sql): Sql {
  const own = valuesOf(path, json);
  const values = arrayTestNames.has(path[0]!) ? sql`${own} UNION ALL ${fallenThrough(path, json)}` : own;
  const order = listed(
    ['class', 'number', 'text'].map((column) => raw(`${column} ${direction}`)),
    ', ',
  );
  return sql`SELECT * FROM (${values}) k (class, number, text) ORDER BY ${order} LIMIT 1`;
}

/** A path that is one of ArrayTestType's is below `objectTypeProperty` where the document lacks the first name. */
function fallenThrough(path: Path, json: Sql): Sql {
  return sql`${valuesOf([arrayTestField, ...path], json)} AND NOT ${dialect.isPresent(json, path[0]!)}`;
}

/** The class of a JSON type, and the value where values of that class are compared. */
const columns = `CASE jsonb_typeof(v.value) WHEN 'number' THEN 0 WHEN 'string' THEN 1 ELSE 2 END,
  CASE jsonb_typeof(v.value) WHEN 'number' THEN (v.value #>> '{}')::numeric WHEN 'boolean' THEN (v.value #>> '{}')::boolean::int END,
  CASE jsonb_typeof(v.value) WHEN 'string' THEN coalesce(grs_instant(v.value #>> '{}'), v.value #>> '{}') END COLLATE "C"`;

function valuesOf(path: Path, json: Sql): Sql {
  const isScalar = raw(`jsonb_typeof(v.value) IN ('number', 'string', 'boolean')`);
  return sql`SELECT ${raw(columns)} ${valuesAt(dialect, path, json)} AND ${isScalar}`;
}

/** What facets see at a path: its values as a JSON array in one order, objects and arrays as `{}`; NULL for none. */
export function valuesAsArray(path: Path, json: Sql): Sql {
  const one = raw(`CASE WHEN jsonb_typeof(v.value) IN ('object', 'array') THEN '{}'::jsonb ELSE v.value END AS value`);
  const present = raw(`jsonb_typeof(v.value) <> 'null'`);
  const own = sql`SELECT ${one} ${valuesAt(dialect, path, json)} AND ${present}`;
  const below = () =>
    sql`SELECT ${one} ${valuesAt(dialect, [arrayTestField, ...path], json)} AND ${present} AND NOT ${dialect.isPresent(json, path[0]!)}`;
  const all = arrayTestNames.has(path[0]!) ? sql`${own} UNION ALL ${below()}` : own;
  return sql`(SELECT jsonb_agg(a.value ORDER BY a.value) FROM (${all}) a)`;
}
