import type { Path } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { valuesAt } from '../../../index/plan/dialect.ts';
import { listed, raw, type Sql, sql } from '../../../index/plan/sql.ts';
import { postgresDialect as dialect } from './dialect.ts';
import { documentRow, fieldsOfPath } from './document.ts';

/** The class of a JSON type, and the value in the column in which values of that class are compared. */
const keyColumns = `CASE jsonb_typeof(v.value) WHEN 'number' THEN 0 WHEN 'string' THEN 1 ELSE 2 END,
  CASE jsonb_typeof(v.value) WHEN 'number' THEN (v.value #>> '{}')::numeric WHEN 'boolean' THEN (v.value #>> '{}')::boolean::int END,
  CASE jsonb_typeof(v.value) WHEN 'string' THEN coalesce(grs_instant(v.value #>> '{}'), v.value #>> '{}') END COLLATE "C"`;

/**
 * What a document sorts by: its least value in asc, its greatest in desc (decision 16), as a row of one or none with
 * the columns class, number and text. Classes are in the order of decision 39.
 */
export function sortKeyRows(path: Path, direction: 'asc' | 'desc', staged: boolean): Sql {
  const { from, json } = documentRow(staged, fieldsOfPath(path));
  const values = selectAt(path, json, keyColumns, `jsonb_typeof(v.value) IN ('number', 'string', 'boolean')`);
  const order = listed(
    ['class', 'number', 'text'].map((column) => raw(`${column} ${direction}`)),
    ', ',
  );
  return sql`SELECT k.* FROM ${from} CROSS JOIN LATERAL (${values}) k (class, number, text) ORDER BY ${order} LIMIT 1`;
}

/** The values that facets count at a path of a document, as an array in a fixed order; objects and arrays as `{}`; NULL for none. */
export function valuesAsArray(path: Path, json: Sql): Sql {
  const value = `CASE WHEN jsonb_typeof(v.value) IN ('object', 'array') THEN '{}'::jsonb ELSE v.value END AS value`;
  const values = selectAt(path, json, value, `jsonb_typeof(v.value) <> 'null'`);
  const all = sql`(SELECT jsonb_agg(a.value ORDER BY a.value) FROM (${values}) a)`;
  if (path.length > 1 || arrayTestNames.has(path[0]!)) return all;
  // Most fields have one value: a query for each row takes several times as long.
  const one = sql`${json} -> ${path[0]!}`;
  return sql`CASE WHEN jsonb_typeof(${one}) IN ('string', 'number', 'boolean') THEN jsonb_build_array(${one}) ELSE ${all} END`;
}

/** Columns of each value at a path; for a name of ArrayTestType that the document lacks, below `objectTypeProperty`. */
function selectAt(path: Path, json: Sql, columns: string, condition: string): Sql {
  const at = (names: Path) => sql`SELECT ${raw(columns)} ${valuesAt(dialect, names, json)} AND ${raw(condition)}`;
  if (!arrayTestNames.has(path[0]!)) return at(path);
  return sql`${at(path)} UNION ALL ${at([arrayTestField, ...path])} AND NOT ${dialect.isPresent(json, path[0]!)}`;
}
