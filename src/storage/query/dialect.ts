import type { Predicate } from '../../domain/predicate/ast.ts';
import type { Interval } from '../../domain/predicate/intervals.ts';
import type { Scalar } from '../../domain/predicate/scalar.ts';
import type { Sql } from './sql.ts';

/** The values of a member of a JSON object as rows, an array standing for its elements (one level). */
export interface Rows {
  readonly from: Sql;
  readonly where: Sql;
}

/**
 * What engines say differently about JSON. `json` is a JSON object as the engine has it; an alias names a row of `valuesOf` or
 * `objectsOf`. Conditions are true or not true; a NULL among them counts as not true.
 */
export interface Dialect {
  /** Where an engine bounds how deep conditions may be. */
  readonly deepest?: {
    /** What `compilePredicate` may make of heights of conditions summed over subqueries inside one another. */
    readonly height: number;
    /** The whole predicate asked of the document's text by the reference meaning, for what is nested deeper. */
    readonly evaluated: (json: Sql, predicate: Predicate) => Sql;
  };
  /** Rows of the values of a member, the member itself where it is no array. Objects and arrays match no scalar. */
  valuesOf(json: Sql, name: string, alias: string): Rows;
  /** Rows of the objects among the values of a member. */
  objectsOf(json: Sql, name: string, alias: string): Rows;
  /** The JSON text of such an object. */
  objectText(alias: string): Sql;
  /** The member is there and not null. */
  isPresent(json: Sql, name: string): Sql;
  /** The member has a value that is not null; an array is asked for its elements. */
  hasValue(json: Sql, name: string): Sql;
  /** Metres from a place to the nearest point of the member; NULL where it holds none. */
  metresTo(json: Sql, name: string, longitude: number, latitude: number): Sql;
  /** The row has the JSON type of such scalars; for points in time too that is any text. */
  isType(alias: string, type: Scalar['type']): Sql;
  /** The text of a row is no point in time. */
  isPlainText(alias: string): Sql;
  /** The scalar of a row, comparable with bound scalars of its type; NULL where a text is no point in time. */
  scalar(alias: string, type: Scalar['type']): Sql;
  /** The text of a row without regard to case, as `foldCase` writes it; NULL where it is no text. */
  foldedText(alias: string): Sql;
  /** The same for a column. */
  folded(column: Sql): Sql;
  /** The scalar as it is bound. */
  bound(scalar: Scalar): Sql;
  /** Membership in a list of scalars of one type, bound as one value however long the list is. */
  isAmong(value: Sql, scalars: readonly Scalar[]): Sql;
  /** The value is in the interval, whose type it has. */
  liesBetween(value: Sql, interval: Interval): Sql;
  /** Rows of lists of scalars, each with one scalar of a type at most, bound as one value. */
  listsOfScalars(lists: readonly (readonly Scalar[])[], alias: string): Sql;
  /** The scalar of a type in such a row; NULL where the list has none. */
  listed(alias: string, type: Scalar['type']): Sql;
}
