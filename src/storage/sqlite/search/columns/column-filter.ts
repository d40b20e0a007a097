import type { Path, Predicate } from '../../../../domain/predicate/ast.ts';
import { type Interval, intervalsOf, liesWithin } from '../../../../domain/predicate/intervals.ts';
import { compares, literalForms, type Scalar } from '../../../../domain/predicate/scalar.ts';
import { systemColumnOf } from '../../../query/compile-column.ts';
import type { SearchContext } from '../search.ts';

/** What a column is looked up with. */
type ColumnContext = Pick<SearchContext, 'db' | 'projectKey' | 'staged' | 'cache' | 'commits'>;

import { valuesOf } from './column.ts';
import type { ReadyColumn } from './columns.ts';
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

/** The test of a predicate; undefined where the predicate is not about single values of one path. */
export function valueTestOf(predicate: Predicate): ValueTest | undefined {
  if (!('path' in predicate) || systemColumnOf(predicate.path)) return undefined;
  const { path } = predicate;
  switch (predicate.kind) {
    case 'compare': {
      const { op } = predicate;
      if (op === '!=') return undefined;
      const forms = literalForms(predicate.value);
      return { path, values: 1, holds: (scalar) => forms.some((form) => compares(scalar, op, form)) };
    }
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
export function filterByColumn(context: ColumnContext, rows: Uint32Array, test: ValueTest): Uint32Array | undefined {
  const ready = columnOf(context, test.path, rows.length);
  return typeof ready === 'string' ? undefined : filterBy(ready, rows, test);
}

/** The same by a column that is there already. */
export function filterByBuilt(context: ColumnContext, rows: Uint32Array, test: ValueTest): Uint32Array | undefined {
  const { cache, commits, projectKey, staged } = context;
  const ready = cache.columns.built<ValueColumn>({ projectKey, staged }, commits, columnName(test.path));
  return ready && filterBy(ready, rows, test);
}

function filterBy({ column, maker }: ReadyColumn<ValueColumn>, rows: Uint32Array, test: ValueTest): Uint32Array {
  const { bounds, holds } = test;
  const { scalars, doubles } = maker;
  let verdicts: Uint8Array | undefined;
  const passes = (value: number): boolean => {
    if (value <= noScalar) return false;
    verdicts ??= new Uint8Array(scalars.length + 2);
    if (verdicts[value] === 0) verdicts[value] = holds(scalars[value - 2]!.scalar) ? 1 : 2;
    return verdicts[value] === 1;
  };
  const passesAny = (value: number): boolean => {
    // Others than numbers, and those that no double holds, are NaN.
    const double = bounds && value > noScalar ? doubles[value - 2]! : Number.NaN;
    if (!bounds || Number.isNaN(double)) return value >= 0 ? passes(value) : valuesOf(column, value).some(passes);
    for (let of = 0; of < bounds.length; of += 2) if (double >= bounds[of]! && double <= bounds[of + 1]!) return true;
    return false;
  };
  const inOrder = bounds?.length === 2 ? numbersWithin(maker, bounds) : noneInOrder;
  const { first, last, from, before } = inOrder;
  const areAllInOrder = from === noScalar + 1 && before === from + scalars.length && column.severalRows === 0;
  // A row without a value has a number below these.
  if (bounds && areAllInOrder) return column.rows.between(rows, first, last);
  const numbers = column.rows.numbersOf(rows);
  const passed = new Uint32Array(rows.length);
  let end = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const value = numbers[at]!;
    if (value >= from && value < before ? value < first || value > last : !passesAny(value)) continue;
    passed[end] = rows[at]!;
    end += 1;
  }
  return passed.subarray(0, end);
}

const noneInOrder = { first: 0, last: 0, from: 0, before: 0 };

/**
 * The least and the greatest number of a value within a range, among those whose values ascend as their numbers do, and
 * which these are: then a row needs no look-up of its value.
 */
function numbersWithin({ doubles, ascending }: ValueColumn, bounds: Float64Array) {
  const { from, before } = ascending;
  const firstFrom = (isPast: (double: number) => boolean): number => {
    let [low, high] = [from, before];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isPast(doubles[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const numberAt = (at: number) => at + noScalar + 1;
  return {
    first: numberAt(firstFrom((double) => double >= bounds[0]!)),
    last: numberAt(firstFrom((double) => double > bounds[1]!) - 1),
    from: numberAt(from),
    before: numberAt(before),
  };
}

/** The column of a path, for use with so many rows. */
export function columnOf(
  context: ColumnContext,
  path: Path,
  rows: number,
): ReadyColumn<ValueColumn> | 'unbuilt' | 'tooLarge' {
  const { cache, commits } = context;
  return cache.columns.of(context, commits, columnName(path), () => valueColumn(path), rows);
}

function columnName(path: Path): string {
  return `value ${JSON.stringify(path)}`;
}
