import type { Path, Predicate } from '../../domain/predicate/ast.ts';
import type { Interval } from '../../domain/predicate/intervals.ts';
import type { Scalar } from '../../domain/predicate/scalar.ts';
import { listed, type Sql, sql } from './sql.ts';

/** FROM and WHERE of the values of a member of a JSON object, an array standing for its elements (one level). */
export interface Rows {
  readonly from: Sql;
  readonly where: Sql;
}

/**
 * How an engine writes JSON in SQL. `json` is a JSON object as the engine has it; an alias names a row of `valuesOf` or
 * `objectsOf`. Conditions are true or not true; NULL counts as not true.
 */
export interface Dialect {
  /** Where an engine bounds how deep conditions may nest. */
  readonly deepest?: {
    /** The largest sum of the heights of conditions, over nested subqueries, that `compilePredicate` may produce. */
    readonly height: number;
    /** Evaluates the whole predicate on the document's text by the reference implementation, where it nests deeper. */
    readonly evaluated: (json: Sql, predicate: Predicate) => Sql;
  };
  /** Rows of the values of a member, or the member itself where it is no array. Objects and arrays match no scalar. */
  valuesOf(json: Sql, name: string, alias: string): Rows;
  /** Rows of the objects among the values of a member. */
  objectsOf(json: Sql, name: string, alias: string): Rows;
  /** The JSON text of such an object. */
  objectText(alias: string): Sql;
  /** The member is present and not null. */
  isPresent(json: Sql, name: string): Sql;
  /** The member has a value that is not null; of an array, some element. */
  hasValue(json: Sql, name: string): Sql;
  /** Metres from a point to the nearest point of the member; NULL where it holds none. */
  metresTo(json: Sql, name: string, longitude: number, latitude: number): Sql;
  /** The row has the JSON type of such scalars; for instants too that is any text. */
  isType(alias: string, type: Scalar['type']): Sql;
  /** The text of a row is no instant. */
  isPlainText(alias: string): Sql;
  /** The scalar of a row, comparable with bound scalars of its type; NULL where a text is no instant. */
  scalar(alias: string, type: Scalar['type']): Sql;
  /** The text of a row with its case folded by `foldCase`; NULL where it is no text. */
  foldedText(alias: string): Sql;
  /** The same for a column. */
  folded(column: Sql): Sql;
  /** The scalar as a bound value. */
  bound(scalar: Scalar): Sql;
  /** Membership in a list of scalars of one type, bound as one value however long the list is. */
  isAmong(value: Sql, scalars: readonly Scalar[]): Sql;
  /** The value is in the interval, whose type it has. */
  liesBetween(value: Sql, interval: Interval): Sql;
  /** Rows of lists of scalars, each with at most one scalar of a type, bound as one value. */
  listsOfScalars(lists: readonly (readonly Scalar[])[], alias: string): Sql;
  /** The scalar of a type in such a row; NULL where the list has none. */
  listed(alias: string, type: Scalar['type']): Sql;
}

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
export function valuesAt(dialect: Dialect, path: Path, json: Sql): Sql {
  const outer = path.slice(0, -1);
  const steps = outer.map((name, at) =>
    dialect.objectsOf(at === 0 ? json : dialect.objectText(`s${at - 1}`), name, `s${at}`),
  );
  const inside = outer.length === 0 ? json : dialect.objectText(`s${outer.length - 1}`);
  return fromRows([...steps, dialect.valuesOf(inside, path.at(-1)!, 'v')]);
}
