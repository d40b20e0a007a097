import type { AtPath, Comparison, Literal, Path, Predicate } from '../../domain/predicate/ast.ts';
import { foldCase } from '../../domain/predicate/fold-case.ts';
import { disjointIntervals, type Interval, intervalsOf } from '../../domain/predicate/intervals.ts';
import { arrayTestField, arrayTestNames } from '../../domain/predicate/path.ts';
import { literalForms, type Scalar } from '../../domain/predicate/scalar.ts';
import { compileColumn, decidingColumn, type SystemColumns } from './compile-column.ts';
import { fromRows, jsonSql, type Rows } from './json-sql.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

export interface DocumentSource {
  /** The JSON text of the document. */
  readonly json: Sql;
  /** Columns that hold system fields. */
  readonly columns: SystemColumns;
}

/** The scope of a condition: `columns` only at the document itself, not inside an embedded predicate. */
interface Scope {
  readonly json: Sql;
  readonly columns?: SystemColumns;
  /** Names the rows of the next level, so that each level's alias is its own. */
  readonly level: number;
}

type ScalarOperator = Exclude<Comparison, '!='>;

/**
 * Compiles a predicate to a condition over a document's JSON text and columns (decision 15). The condition is never
 * NULL, so NOT needs no further care. It grows with the predicate's size, not with its depth.
 */
export function compilePredicate(predicate: Predicate, source: DocumentSource): Sql {
  // The reference implementation evaluates what nests deeper, by a function of `registerFunctions`.
  if (nestedHeight(predicate).sum > maxHeight) return sql`satisfies(${source.json}, ${writePredicate(predicate)})`;
  return conditionOf(predicate, { ...source, level: 1 });
}

/** SQLite refuses 1000 (SQLITE_MAX_EXPR_DEPTH). */
const maxHeight = 800;

/** A predicate as text for `satisfies`; 64-bit integers keep every digit (decision 5). */
export function writePredicate(predicate: Predicate): string {
  return JSON.stringify(predicate, (_, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value));
}

/** The height of the condition, and the sum over nested subqueries, which SQLite bounds. */
function nestedHeight(predicate: Predicate): { readonly height: number; readonly sum: number } {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const parts = predicate.of.map(nestedHeight);
      const own = Math.ceil(Math.log2(parts.length + 1));
      return {
        height: own + Math.max(0, ...parts.map(({ height }) => height)),
        sum: Math.max(0, ...parts.map(({ sum }) => sum)),
      };
    }
    case 'not': {
      const { height, sum } = nestedHeight(predicate.of);
      return { height: height + 2, sum };
    }
    case 'embedded': {
      const inner = nestedHeight(predicate.of);
      // The names of the path stand side by side in the same AND.
      const height = inner.height + predicate.path.length + 4;
      return { height, sum: inner.sum + height };
    }
    case 'within': {
      const height = 8 + Math.ceil(Math.log2(predicate.ranges.length + 1));
      return { height, sum: height };
    }
    case 'compare':
    case 'in':
    case 'contains':
    case 'empty':
    case 'defined':
    case 'circle':
    case 'matchesIgnoreCase':
    case 'constant':
      return { height: 8, sum: 8 };
    default:
      return predicate satisfies never;
  }
}

function conditionOf(predicate: Predicate, scope: Scope): Sql {
  switch (predicate.kind) {
    case 'constant':
      return raw(predicate.value ? 'TRUE' : 'FALSE');
    case 'and':
    case 'or': {
      const operator = predicate.kind === 'and' ? 'AND' : 'OR';
      return joined(
        predicate.of.map((each) => conditionOf(each, scope)),
        operator,
      );
    }
    case 'not':
      return sql`((${conditionOf(predicate.of, scope)}) IS NOT TRUE)`;
    default:
      return conditionAtPath(predicate, scope);
  }
}

function conditionAtPath(predicate: AtPath, scope: Scope): Sql {
  if (predicate.kind === 'compare' && predicate.op === '!=') {
    return sql`((${conditionAtPath({ ...predicate, op: '=' }, scope)}) IS NOT TRUE)`;
  }
  const { columns, json } = scope;
  const column = columns && decidingColumn(predicate);
  if (column && columns) return compileColumn(predicate, column, columns[column]);
  const { path } = predicate;
  if (!columns || !arrayTestNames.has(path[0]!)) return atPath(predicate, path, scope);
  const inside = atPath(predicate, [arrayTestField, ...path], scope);
  return sql`(CASE WHEN ${jsonSql.isPresent(json, path[0]!)} THEN ${atPath(predicate, path, scope)} ELSE ${inside} END)`;
}

function atPath(predicate: AtPath, path: Path, scope: Scope): Sql {
  const last = path.at(-1)!;
  const some = (op: ScalarOperator, literals: readonly Literal[]) =>
    someValue(path, scope, (alias) => comparesTo(alias, op, literals.flatMap(literalForms)));
  switch (predicate.kind) {
    case 'compare':
      return some(predicate.op as ScalarOperator, [predicate.value]);
    case 'in':
      return some('=', predicate.values);
    case 'contains':
      return predicate.mode === 'any' ? some('=', predicate.values) : containsAll(predicate, path, scope);
    case 'within': {
      const intervals = disjointIntervals(intervalsOf(predicate.ranges));
      return someValue(path, scope, (alias) => inSomeInterval(alias, intervals));
    }
    case 'empty':
      return sql`((${someHolder(path, scope, (json) => jsonSql.hasValue(json, last))}) IS NOT TRUE)`;
    case 'defined':
      return someHolder(path, scope, (json) => jsonSql.isPresent(json, last));
    case 'circle': {
      const { longitude, latitude, radiusMetres } = predicate;
      return someHolder(
        path,
        scope,
        (json) => sql`coalesce(${jsonSql.metresTo(json, last, longitude, latitude)} <= ${radiusMetres}, FALSE)`,
      );
    }
    case 'matchesIgnoreCase':
      return someValue(path, scope, (alias) => sql`${jsonSql.foldedText(alias)} = ${foldCase(predicate.value)}`);
    case 'embedded': {
      const { rows, inner } = along(path, scope);
      return exists(rows, conditionOf(predicate.of, inner));
    }
    default:
      return predicate satisfies never;
  }
}

/** The objects at the end of a path, by one join over all names: engines bound how deep subqueries may nest. */
function along(names: Path, scope: Scope): { readonly rows: readonly Rows[]; readonly inner: Scope } {
  const rows: Rows[] = [];
  let { json, level } = scope;
  for (const name of names) {
    const alias = `e${level}`;
    rows.push(jsonSql.objectsOf(json, name, alias));
    json = jsonSql.objectText(alias);
    level += 1;
  }
  return { rows, inner: { json, level } };
}

function exists(rows: readonly Rows[], condition: Sql): Sql {
  return sql`EXISTS (SELECT 1 ${fromRows(rows)} AND ${condition})`;
}

/** Some value of the path satisfies a condition on its row. */
function someValue(path: Path, scope: Scope, condition: (alias: string) => Sql): Sql {
  const { rows, inner } = along(path.slice(0, -1), scope);
  const alias = `e${inner.level}`;
  return exists([...rows, jsonSql.valuesOf(inner.json, path.at(-1)!, alias)], condition(alias));
}

/** Some object that may hold the last name of the path satisfies a condition on its text. */
function someHolder(path: Path, scope: Scope, condition: (json: Sql) => Sql): Sql {
  const { rows, inner } = along(path.slice(0, -1), scope);
  return rows.length === 0 ? condition(scope.json) : exists(rows, condition(inner.json));
}

/** The scalar of a row compares to one of the scalars. By type, since engines order values of unlike types as well. */
function comparesTo(alias: string, op: ScalarOperator, scalars: readonly Scalar[]): Sql {
  const byType = Map.groupBy(scalars, (scalar) => scalar.type);
  if (op !== '=') byType.delete('boolean');
  const conditions = [...byType].map(([type, ofType]) => {
    const value = jsonSql.scalar(alias, type);
    const [first] = ofType;
    const compared =
      op === '=' && ofType.length > 1
        ? jsonSql.isAmong(value, ofType)
        : sql`${value} ${raw(op)} ${jsonSql.bound(first!)}`;
    return sql`(${op === '=' ? jsonSql.isType(alias, type) : isOrdered(alias, type)} AND ${compared})`;
  });
  return joined(conditions, 'OR');
}

/** The row has the type; of texts only those that are no instants, which have another order. */
function isOrdered(alias: string, type: Scalar['type']): Sql {
  const plain = type === 'string' ? sql` AND ${jsonSql.isPlainText(alias)}` : raw('');
  return sql`${jsonSql.isType(alias, type)}${plain}`;
}

function inSomeInterval(alias: string, intervals: readonly Interval[]): Sql {
  const conditions = [...Map.groupBy(intervals, ({ type }) => type)].map(([type, ofType]) => {
    const value = jsonSql.scalar(alias, type);
    const inside = joined(
      ofType.map((each) => jsonSql.liesBetween(value, each)),
      'OR',
    );
    return sql`(${isOrdered(alias, type)} AND ${inside})`;
  });
  return joined(conditions, 'OR');
}

/** Every listed literal equals some value: none is without one. One bound value however long the list. */
function containsAll(predicate: Extract<Predicate, { kind: 'contains' }>, path: Path, scope: Scope): Sql {
  const { level } = scope;
  const lists = predicate.values.map(literalForms);
  const list = `l${level}`;
  const types = [...new Set(lists.flat().map((scalar) => scalar.type))];
  const found = someValue(path, { ...scope, level: level + 1 }, (alias) =>
    joined(
      types.map(
        (type) =>
          sql`(${jsonSql.isType(alias, type)} AND ${jsonSql.scalar(alias, type)} = ${jsonSql.listed(list, type)})`,
      ),
      'OR',
    ),
  );
  return sql`(NOT EXISTS (SELECT 1 FROM ${jsonSql.listsOfScalars(lists, list)} WHERE NOT ${found}))`;
}
