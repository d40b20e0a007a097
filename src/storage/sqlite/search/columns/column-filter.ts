import type { Path, Predicate } from '../../../../domain/predicate/ast.ts';
import { intervalsOf, liesWithin } from '../../../../domain/predicate/intervals.ts';
import { compares, literalForms, type Scalar } from '../../../../domain/predicate/scalar.ts';
import { systemColumnOf } from '../../../query/compile-column.ts';
import type { SearchContext } from '../search.ts';

/** What a column is looked up with. */
type ColumnContext = Pick<SearchContext, 'db' | 'projectKey' | 'staged' | 'cache' | 'commits'>;

import { valuesOf } from './column.ts';
import type { ReadyColumn } from './columns.ts';
import { noScalar, type ValueColumn, valueColumn } from './value-column.ts';

/** A condition on the single values of a path, which a column of the path can decide. */
export interface ValueTest {
  readonly path: Path;
  readonly holds: (scalar: Scalar) => boolean;
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
      return { path, holds: (scalar) => forms.some((form) => compares(scalar, op, form)) };
    }
    case 'in': {
      const forms = predicate.values.flatMap(literalForms);
      return { path, holds: (scalar) => forms.some((form) => compares(scalar, '=', form)) };
    }
    case 'within': {
      const intervals = intervalsOf(predicate.ranges);
      return { path, holds: (scalar) => liesWithin(scalar, intervals) };
    }
    default:
      return undefined;
  }
}

/**
 * The rows that pass a test: each distinct value is tested once, since rows have only its number. Undefined where
 * building the column is not worth it for these rows.
 */
export function filterByColumn(
  context: ColumnContext,
  rows: Uint32Array,
  { path, holds }: ValueTest,
): Uint32Array | undefined {
  const ready = columnOf(context, path, rows.length);
  if (typeof ready === 'string') return undefined;
  const { column, maker } = ready;
  const verdicts = new Uint8Array(maker.scalars.length + 2);
  const passes = (value: number): boolean => {
    if (value <= noScalar) return false;
    if (verdicts[value] === 0) verdicts[value] = holds(maker.scalars[value - 2]!.scalar) ? 1 : 2;
    return verdicts[value] === 1;
  };
  return rows.filter((row) => {
    const value = column.rows.get(row);
    return value >= 0 ? passes(value) : valuesOf(column, value).some(passes);
  });
}

/** The column of a path, for use with so many rows. */
export function columnOf(
  context: ColumnContext,
  path: Path,
  rows: number,
): ReadyColumn<ValueColumn> | 'unbuilt' | 'tooLarge' {
  const { cache, commits } = context;
  return cache.columns.of(context, commits, `value ${JSON.stringify(path)}`, () => valueColumn(path), rows);
}
