import type { Path } from '../../domain/predicate/ast.ts';
import type { Interval } from '../../domain/predicate/intervals.ts';
import type { Scalar } from '../../domain/predicate/scalar.ts';
import { listed, raw, type Sql, type SqlValue, sql } from './sql.ts';

/** FROM and WHERE of the values of a member of a JSON object, an array standing for its elements (one level). */
export interface Rows {
  readonly from: Sql;
  readonly where: Sql;
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

/**
 * The parts of conditions on JSON, in SQLite 3.53. `json` is the text of an object; an alias names a row of `valuesOf` or `objectsOf`.
 * Conditions are true or not true; NULL counts as not true. The functions `instant`, `fold` and `metres_to` are those of
 * `registerFunctions`.
 */
export const jsonSql = {
  /** Rows of the values of a member, or the member itself where it is no array. Objects and arrays match no scalar. */
  valuesOf(json: Sql, name: string, alias: string): Rows {
    const row = raw(alias);
    // For an object json_each returns rows with the names of its members, for any other value rows without a name.
    return { from: sql`json_each(${json}, ${pathTo(name)}) ${row}`, where: sql`typeof(${row}.key) <> 'text'` };
  },
  /** Rows of the objects among the values of a member. */
  objectsOf(json: Sql, name: string, alias: string): Rows {
    const [row, path] = [raw(alias), pathTo(name)];
    const array = sql`CASE json_type(${json}, ${path}) WHEN 'array' THEN ${json} -> ${path} WHEN 'object' THEN json_array(${json} -> ${path}) ELSE '[]' END`;
    return { from: sql`json_each(${array}) ${row}`, where: sql`${row}.type = 'object'` };
  },
  /** The JSON text of such an object. */
  objectText: (alias: string) => raw(`${alias}.value`),
  /** The member is present and not null. */
  isPresent: (json: Sql, name: string) => sql`coalesce(json_type(${json}, ${pathTo(name)}), 'null') <> 'null'`,
  /** The member has a value that is not null; of an array, some element. */
  hasValue(json: Sql, name: string): Sql {
    const path = pathTo(name);
    const element = sql`EXISTS (SELECT 1 FROM json_each(${json}, ${path}) v WHERE v.type <> 'null')`;
    return sql`(CASE json_type(${json}, ${path}) WHEN 'array' THEN ${element} WHEN 'null' THEN 0 ELSE json_type(${json}, ${path}) IS NOT NULL END)`;
  },
  /** Metres from a point to the nearest point of the member; NULL where it holds none. */
  metresTo: (json: Sql, name: string, longitude: number, latitude: number) =>
    sql`metres_to(${json} -> ${pathTo(name)}, ${longitude}, ${latitude})`,
  // json_extract and atom return 1 for both 1 and true, so the type is compared too.
  /** The row has the JSON type of such scalars; for instants that is any text. */
  isType: (alias: string, type: Scalar['type']) => sql`${raw(alias)}.type ${jsonTypes[type]}`,
  /** The text of a row is no instant. */
  isPlainText: (alias: string) => raw(`instant(${alias}.atom) IS NULL`),
  /** The scalar of a row, comparable with bound scalars of its type; NULL where a text is no instant. */
  scalar: (alias: string, type: Scalar['type']) => raw(type === 'instant' ? `instant(${alias}.atom)` : `${alias}.atom`),
  /** The text of a row with its case folded by `foldCase`; NULL where it is no text. */
  foldedText: (alias: string) => raw(`CASE ${alias}.type WHEN 'text' THEN fold(${alias}.atom) END`),
  /** Folds the case of a column. */
  folded: (column: Sql) => sql`fold(${column})`,
  /** The scalar as a bound value. */
  bound: (scalar: Scalar) => sql`${boundValue(scalar)}`,
  /** Membership in a list of scalars of one type, bound as one value however long the list is. */
  isAmong: (value: Sql, scalars: readonly Scalar[]) =>
    sql`${value} IN (SELECT value FROM json_each(${`[${scalars.map(jsonOf).join()}]`}))`,
  /** The value is in the interval, whose type it has. */
  liesBetween,
  /** Rows of lists of scalars, each with at most one scalar of a type, bound as one value. */
  listsOfScalars(lists: readonly (readonly Scalar[])[], alias: string): Sql {
    const objects = lists.map((list) => `{${list.map((each) => `"${each.type}":${jsonOf(each)}`).join()}}`);
    return sql`json_each(${`[${objects.join()}]`}) ${raw(alias)}`;
  },
  /** The scalar of a type in such a row; NULL where the list has none. */
  listed: (alias: string, type: Scalar['type']) => raw(`${alias}.value ->> '$.${type}'`),
};

/** FROM and WHERE of rows. CROSS JOIN keeps the order: each row is read from the one before it. */
export function fromRows(rows: readonly Rows[]): Sql {
  const from = listed(
    rows.map((row) => row.from),
    ' CROSS JOIN ',
  );
  const where = listed(
    rows.map((row) => row.where),
    ' AND ',
  );
  return sql`FROM ${from} WHERE ${where}`;
}

/** FROM and WHERE of the values `v` at a path of a document, an array standing for its elements. No fall-through. */
export function valuesAt(path: Path, json: Sql): Sql {
  const outer = path.slice(0, -1);
  const steps = outer.map((name, at) =>
    jsonSql.objectsOf(at === 0 ? json : jsonSql.objectText(`s${at - 1}`), name, `s${at}`),
  );
  const inside = outer.length === 0 ? json : jsonSql.objectText(`s${outer.length - 1}`);
  return fromRows([...steps, jsonSql.valuesOf(inside, path.at(-1)!, 'v')]);
}
