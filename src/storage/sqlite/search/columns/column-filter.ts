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
  /** The same for a number that a double holds exactly: most numbers are, and comparing doubles is several times faster. */
  readonly holdsFor?: (double: number) => boolean;
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

function doublesWithin(intervals: readonly Interval[]): Pick<ValueTest, 'holdsFor'> {
  const numbers = intervals.filter(({ type }) => type === 'number');
  const lows = numbers.map(({ from }) => (from ? doubleOf(from) : Number.NEGATIVE_INFINITY));
  const highs = numbers.map(({ to }) => (to ? doubleOf(to) : Number.POSITIVE_INFINITY));
  if ([...lows, ...highs].some(Number.isNaN)) return {};
  const [low, high] = [lows[0]!, highs[0]!];
  if (numbers.length === 1) return { holdsFor: (double) => double >= low && double <= high };
  return { holdsFor: (double) => lows.some((low, at) => double >= low && double <= highs[at]!) };
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
  const { holds, holdsFor } = test;
  // Most numbers are compared as they are.
  let verdicts: Uint8Array | undefined;
  const passes = (value: number): boolean => {
    if (value <= noScalar) return false;
    const double = holdsFor ? maker.doubles[value - 2]! : Number.NaN;
    if (holdsFor && !Number.isNaN(double)) return holdsFor(double);
    verdicts ??= new Uint8Array(maker.scalars.length + 2);
    if (verdicts[value] === 0) verdicts[value] = holds(maker.scalars[value - 2]!.scalar) ? 1 : 2;
    return verdicts[value] === 1;
  };
  const numbers = column.rows.numbersOf(rows);
  const passed = new Uint32Array(rows.length);
  let end = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const value = numbers[at]!;
    if (!(value >= 0 ? passes(value) : valuesOf(column, value).some(passes))) continue;
    passed[end] = rows[at]!;
    end += 1;
  }
  return passed.subarray(0, end);
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
