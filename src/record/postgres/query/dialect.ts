import type { Interval } from '../../../domain/predicate/intervals.ts';
import type { Scalar } from '../../../domain/predicate/scalar.ts';
import type { Dialect } from '../../../index/plan/dialect.ts';
import { raw, type Sql, sql } from '../../../index/plan/sql.ts';
import { comparedNumber } from '../index/index-columns.ts';

const jsonTypes: Readonly<Record<Scalar['type'], string>> = {
  boolean: 'boolean',
  number: 'number',
  instant: 'string',
  string: 'string',
};

/** How the text of a scalar becomes comparable. */
const casts: Readonly<Record<Scalar['type'], (text: Sql) => Sql>> = {
  boolean: (text) => sql`(${text})::boolean`,
  number: (text) => sql`(${text})::numeric`,
  instant: (text) => sql`(${text}) COLLATE "C"`,
  string: (text) => sql`(${text}) COLLATE "C"`,
};

/** A double becomes the decimal number that is written for it, as in the documents. */
function boundScalar(scalar: Scalar): Sql {
  if (scalar.type === 'boolean') return raw(String(scalar.value));
  if (scalar.type !== 'number') return sql`${scalar.value}`;
  return typeof scalar.value === 'bigint' ? sql`${scalar.value}` : sql`(${comparedNumber(scalar.value)}::numeric)`;
}

/** A scalar as JSON text. Integers keep every digit (decision 5). */
function jsonOf({ value }: Scalar): string {
  return typeof value === 'bigint' || typeof value === 'number' ? comparedNumber(value) : JSON.stringify(value);
}

/** The text of a row's value if it has the JSON type. A CASE, since conditions joined by AND have no order. */
function textOf(alias: string, type: Scalar['type']): Sql {
  return raw(`CASE WHEN jsonb_typeof(${alias}.value) = '${jsonTypes[type]}' THEN ${alias}.value #>> '{}' END`);
}

function scalarOf(alias: string, type: Scalar['type']): Sql {
  if (type === 'instant') return sql`grs_instant(${textOf(alias, type)}) COLLATE "C"`;
  return casts[type](textOf(alias, type));
}

function liesBetween(value: Sql, { from, to }: Interval): Sql {
  if (from && to) return sql`(${value} BETWEEN ${boundScalar(from)} AND ${boundScalar(to)})`;
  if (from) return sql`${value} >= ${boundScalar(from)}`;
  return to ? sql`${value} <= ${boundScalar(to)}` : sql`${value} IS NOT NULL`;
}

/** JSON in PostgreSQL: `json` is a jsonb. The functions `grs_…` are made by the first migration. */
export const postgresDialect: Dialect = {
  valuesOf(json, name, alias) {
    const member = sql`${json} -> ${name}`;
    const array = sql`CASE WHEN jsonb_typeof(${member}) = 'array' THEN ${member} ELSE jsonb_build_array(${member}) END`;
    return { from: sql`jsonb_array_elements(${array}) ${raw(alias)} (value)`, where: raw('TRUE') };
  },
  objectsOf(json, name, alias) {
    const { from } = postgresDialect.valuesOf(json, name, alias);
    return { from, where: raw(`jsonb_typeof(${alias}.value) = 'object'`) };
  },
  objectText: (alias) => raw(`${alias}.value`),
  isPresent: (json, name) => sql`coalesce(jsonb_typeof(${json} -> ${name}), 'null') <> 'null'`,
  hasValue(json, name) {
    const { from } = postgresDialect.valuesOf(json, name, 'v');
    return sql`EXISTS (SELECT 1 FROM ${from} WHERE coalesce(jsonb_typeof(v.value), 'null') <> 'null')`;
  },
  metresTo: (json, name, longitude, latitude) => sql`grs_metres(${json} -> ${name}, ${longitude}, ${latitude})`,
  isType: (alias, type) => raw(`jsonb_typeof(${alias}.value) = '${jsonTypes[type]}'`),
  isPlainText: (alias) => sql`grs_instant(${textOf(alias, 'string')}) IS NULL`,
  scalar: scalarOf,
  foldedText: (alias) => sql`grs_fold(${textOf(alias, 'string')})`,
  folded: (column) => sql`grs_fold(${column})`,
  bound: boundScalar,
  isAmong(value, scalars) {
    const array = sql`jsonb_array_elements_text(${`[${scalars.map(jsonOf).join()}]`}::jsonb) AS l (value)`;
    return sql`${value} = ANY (ARRAY(SELECT ${casts[scalars[0]!.type](raw('l.value'))} FROM ${array}))`;
  },
  liesBetween,
  listsOfScalars(lists, alias) {
    const objects = lists.map((list) => `{${list.map((each) => `"${each.type}":${jsonOf(each)}`).join()}}`);
    return sql`jsonb_array_elements(${`[${objects.join()}]`}::jsonb) ${raw(alias)} (value)`;
  },
  listed: (alias, type) => casts[type](raw(`${alias}.value ->> '${type}'`)),
};
