import type { Interval } from '../../domain/predicate/intervals.ts';
import type { Scalar } from '../../domain/predicate/scalar.ts';
import type { SystemColumn } from '../plan/compile-column.ts';
import type { Dialect } from '../plan/dialect.ts';
import { raw, type Sql, type SqlValue, sql } from '../plan/sql.ts';
import { writePredicate } from './functions.ts';

/**
 * The resources as `r`, by the index or the table that has them in the order of a system column. Queries name it, so that
 * no statistics lead SQLite to another one.
 */
const resourcesBy: Readonly<Record<SystemColumn, Sql>> = {
  id: raw('resource r INDEXED BY sqlite_autoindex_resource_1'),
  key: raw('resource r INDEXED BY resource_key'),
  version: followed('by_version', 'version'),
  createdAt: followed('by_created', 'created_at'),
  lastModifiedAt: followed('by_modified', 'modified_at'),
};

/**
 * The resources of a project as `r`, by the index or the table of a system column, with the first condition. Those that the indexes
 * leave out are not among them.
 */
export function resourcesOf(projectKey: string, column: SystemColumn): Sql {
  const intact = raw(column === 'id' || column === 'key' ? ' AND r.row NOT IN (SELECT row FROM damaged)' : '');
  return sql`${resourcesBy[column]} WHERE r.project_key = ${projectKey}${intact}`;
}

/** A table of followed-orders.ts. SQLite leaves the join out of a query that needs none of its columns. */
function followed(table: string, column: 'version' | 'created_at' | 'modified_at'): Sql {
  const others = ['key', 'version', 'created_at', 'modified_at', 'current', 'staged'].filter((name) => name !== column);
  const own = ['row', 'project_key', 'id', column].map((name) => `o.${name} AS ${name}`);
  const columns = [...own, ...others.map((name) => `d.${name} AS ${name}`)].join(', ');
  // The sign keeps SQLite from beginning with `resource`.
  return raw(`(SELECT ${columns} FROM ${table} o LEFT JOIN resource d ON d.row = +o.row) r`);
}

/** SQLite's JSON path of a member. The name is quoted as JSON, so it may hold anything; the path is bound. */
function pathTo(name: string): string {
  return `$.${JSON.stringify(name)}`;
}

const jsonTypes: Readonly<Record<Scalar['type'], Sql>> = {
  boolean: raw("IN ('true', 'false')"),
  number: raw("IN ('integer', 'real')"),
  instant: raw("= 'text'"),
  string: raw("= 'text'"),
};

function boundValue({ value }: Scalar): SqlValue {
  return typeof value === 'boolean' ? (value ? 1n : 0n) : value;
}

/** A scalar as JSON text. Integers keep every digit (decision 5). */
function jsonOf({ value }: Scalar): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function liesBetween(value: Sql, { from, to }: Interval): Sql {
  if (from && to) return sql`(${value} BETWEEN ${boundValue(from)} AND ${boundValue(to)})`;
  if (from) return sql`${value} >= ${boundValue(from)}`;
  return to ? sql`${value} <= ${boundValue(to)}` : sql`${value} IS NOT NULL`;
}

/** JSON in SQLite 3.53. The functions `instant`, `fold`, `metres_to` and `satisfies` are those of `registerFunctions`. */
export const sqliteDialect: Dialect = {
  deepest: {
    // SQLite refuses 1000 (SQLITE_MAX_EXPR_DEPTH).
    height: 800,
    evaluated: (json, predicate) => sql`satisfies(${json}, ${writePredicate(predicate)})`,
  },
  valuesOf(json, name, alias) {
    const row = raw(alias);
    // For an object json_each returns rows with the names of its members, for any other value rows without a name.
    return { from: sql`json_each(${json}, ${pathTo(name)}) ${row}`, where: sql`typeof(${row}.key) <> 'text'` };
  },
  objectsOf(json, name, alias) {
    const [row, path] = [raw(alias), pathTo(name)];
    const array = sql`CASE json_type(${json}, ${path}) WHEN 'array' THEN ${json} -> ${path} WHEN 'object' THEN json_array(${json} -> ${path}) ELSE '[]' END`;
    return { from: sql`json_each(${array}) ${row}`, where: sql`${row}.type = 'object'` };
  },
  objectText: (alias) => raw(`${alias}.value`),
  isPresent: (json, name) => sql`coalesce(json_type(${json}, ${pathTo(name)}), 'null') <> 'null'`,
  hasValue(json, name) {
    const path = pathTo(name);
    const element = sql`EXISTS (SELECT 1 FROM json_each(${json}, ${path}) v WHERE v.type <> 'null')`;
    return sql`(CASE json_type(${json}, ${path}) WHEN 'array' THEN ${element} WHEN 'null' THEN 0 ELSE json_type(${json}, ${path}) IS NOT NULL END)`;
  },
  metresTo: (json, name, longitude, latitude) => sql`metres_to(${json} -> ${pathTo(name)}, ${longitude}, ${latitude})`,
  // json_extract and atom return 1 for both 1 and true, so the type is compared too.
  isType: (alias, type) => sql`${raw(alias)}.type ${jsonTypes[type]}`,
  isPlainText: (alias) => raw(`instant(${alias}.atom) IS NULL`),
  scalar: (alias, type) => raw(type === 'instant' ? `instant(${alias}.atom)` : `${alias}.atom`),
  foldedText: (alias) => raw(`CASE ${alias}.type WHEN 'text' THEN fold(${alias}.atom) END`),
  folded: (column) => sql`fold(${column})`,
  bound: (scalar) => sql`${boundValue(scalar)}`,
  isAmong: (value, scalars) => sql`${value} IN (SELECT value FROM json_each(${`[${scalars.map(jsonOf).join()}]`}))`,
  liesBetween,
  listsOfScalars(lists, alias) {
    const objects = lists.map((list) => `{${list.map((each) => `"${each.type}":${jsonOf(each)}`).join()}}`);
    return sql`json_each(${`[${objects.join()}]`}) ${raw(alias)}`;
  },
  listed: (alias, type) => raw(`${alias}.value ->> '$.${type}'`),
};
