import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { type Interval, intervalsOf, liesWithin } from '../../../domain/predicate/intervals.ts';
import { compares, literalForms, type Scalar } from '../../../domain/predicate/scalar.ts';
import { systemColumnOf } from '../../plan/compile-column.ts';
import type { SearchBase } from '../query-terms.ts';
import { FollowedColumn } from './column.ts';
import { doubleOf, noScalar, type ValueColumn, valueColumn } from './value-column.ts';

/** A condition on the single values of a path, which a column of the path can decide. */
export interface ValueTest {
  readonly path: Path;
  readonly holds: (scalar: Scalar) => boolean;
  /** How many values or ranges it compares with. */
  readonly values: number;
  /**
   * The least and the greatest number of each range, for numbers that a double holds exactly: most are, and comparing
   * doubles is several times faster.
   */
  readonly bounds?: Float64Array;
}

/** The test of a predicate in its normal form; undefined where it is not about single values of one path. */
export function valueTestOf(predicate: Predicate): ValueTest | undefined {
  if (!('path' in predicate) || systemColumnOf(predicate.path)) return undefined;
  const { path } = predicate;
  switch (predicate.kind) {
    case 'in': {
      const { values } = predicate;
      const forms = values.flatMap(literalForms);
      return { path, values: values.length, holds: (scalar) => forms.some((form) => compares(scalar, '=', form)) };
    }
    case 'within': {
      const intervals = intervalsOf(predicate.ranges);
      const holds = (scalar: Scalar) => liesWithin(scalar, intervals);
      return { path, values: predicate.ranges.length, holds, ...doublesWithin(intervals) };
    }
    default:
      return undefined;
  }
}

function doublesWithin(intervals: readonly Interval[]): Pick<ValueTest, 'bounds'> {
  if (intervals.some(({ isOpen }) => isOpen)) return {};
  const bounds = intervals
    .filter(({ type }) => type === 'number')
    .flatMap(({ from, to }) => [
      from ? doubleOf(from) : Number.NEGATIVE_INFINITY,
      to ? doubleOf(to) : Number.POSITIVE_INFINITY,
    ]);
  return bounds.some(Number.isNaN) ? {} : { bounds: Float64Array.from(bounds) };
}

/**
 * The rows that pass a test: each distinct value is tested once, since rows have only its number. Undefined where
 * building the column is not worth it for these rows.
 */
export function filterByColumn(context: SearchBase, rows: Uint32Array, test: ValueTest): Uint32Array | undefined {
  const ready = columnOf(context, test.path, rows.length);
  return ready && filterBy(ready, rows, test);
}

/** Filters by a column that is there already. */
export function filterByBuilt(context: SearchBase, rows: Uint32Array, test: ValueTest): Uint32Array | undefined {
  const { cache, commits } = context;
  const ready = cache.columns.built<FollowedColumn<ValueColumn>>(context, commits, columnName(test.path));
  return ready && filterBy(ready, rows, test);
}

function filterBy({ column, maker }: FollowedColumn<ValueColumn>, rows: Uint32Array, test: ValueTest): Uint32Array {
  const { bounds, holds } = test;
  const { scalars, doubles } = maker;
  const verdicts = new Uint8Array(scalars.length + 2);
  const passes = (value: number): boolean => {
    if (value <= noScalar) return false;
    // Others than numbers, and those that no double holds, are NaN.
    const double = bounds ? doubles[value - 2]! : Number.NaN;
    if (bounds && !Number.isNaN(double)) return isWithin(bounds, double);
    if (verdicts[value] === 0) verdicts[value] = holds(scalars[value - 2]!.scalar) ? 1 : 2;
    return verdicts[value] === 1;
  };
  const numbers = column.rows.numbersOf(rows);
  const passed = new Uint32Array(rows.length);
  let end = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const value = numbers[at]!;
    if (value < 0 ? !column.valuesOf(value).some(passes) : !passes(value)) continue;
    passed[end] = rows[at]!;
    end += 1;
  }
  return passed.subarray(0, end);
}

function isWithin(bounds: Float64Array, double: number): boolean {
  for (let of = 0; of < bounds.length; of += 2) if (double >= bounds[of]! && double <= bounds[of + 1]!) return true;
  return false;
}

/** The column of a path; undefined if it is too large, or too few rows are needed to justify building it. */
export function columnOf(context: SearchBase, path: Path, rows: number): FollowedColumn<ValueColumn> | undefined {
  const { cache, commits } = context;
  return cache.columns.of(
    context,
    commits,
    columnName(path),
    rows,
    () => new FollowedColumn(context, valueColumn(path)),
  );
}

function columnName(path: Path): string {
  return `value ${JSON.stringify(path)}`;
}
