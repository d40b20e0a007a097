import type { Literal, ValueRange } from './ast.ts';
import { compareScalars, compares, literalForms, type Scalar } from './scalar.ts';

/** A range of values of one ordered type, ends included. An undefined end is open; with both open, all of the type. */
export interface Interval {
  readonly type: Scalar['type'];
  readonly from: Scalar | undefined;
  readonly to: Scalar | undefined;
  /** True if its only end is excluded. */
  readonly isOpen?: boolean;
}

/** The intervals of ranges: one for each type that their ends can be read as. */
export function intervalsOf(
  ranges: readonly ValueRange[],
  formsOf: (literal: Literal) => readonly Scalar[] = literalForms,
): readonly Interval[] {
  const ordered = (literal: Literal) => formsOf(literal).filter(({ type }) => type !== 'boolean');
  return ranges.flatMap(({ from, to, isOpen = false }) => {
    if (from && to) return ordered(from).flatMap((low) => closedIntervals(low, ordered(to)));
    if (from) return ordered(from).map((low) => ({ type: low.type, from: low, to: undefined, isOpen }));
    return to ? ordered(to).map((high) => ({ type: high.type, from: undefined, to: high, isOpen })) : [];
  });
}

function closedIntervals(from: Scalar, ends: readonly Scalar[]): readonly Interval[] {
  return ends.filter((to) => compares(from, '<=', to)).map((to) => ({ type: from.type, from, to }));
}

/** True if there is a scalar, and it lies in one of the intervals. */
export function liesWithin(scalar: Scalar | undefined, intervals: readonly Interval[]): boolean {
  return intervals.some(({ type, from, to, isOpen }) => {
    if (scalar?.type !== type) return false;
    return (!from || compares(scalar, isOpen ? '>' : '>=', from)) && (!to || compares(scalar, isOpen ? '<' : '<=', to));
  });
}

/**
 * The values of some intervals as intervals that do not overlap, so that an index scan along them meets no value twice. One that is open is
 * the only one of its type.
 */
export function disjointIntervals(intervals: readonly Interval[]): readonly Interval[] {
  return [...Map.groupBy(intervals, ({ type }) => type).values()].flatMap((ofType) => {
    const merged: Interval[] = [];
    for (const each of ofType.toSorted(byLowerEnd)) {
      const last = merged.at(-1);
      if (last && meets(last, each)) merged[merged.length - 1] = { ...last, to: upperOf(last, each) };
      else merged.push(each);
    }
    return merged;
  });
}

function byLowerEnd(left: Interval, right: Interval): number {
  if (left.from && right.from) return compareScalars(left.from, right.from);
  return Number(left.from !== undefined) - Number(right.from !== undefined);
}

/** The second begins no lower than the first. */
function meets(first: Interval, second: Interval): boolean {
  return !first.to || !second.from || compareScalars(second.from, first.to) <= 0;
}

function upperOf(left: Interval, right: Interval): Scalar | undefined {
  if (!left.to || !right.to) return undefined;
  return compareScalars(left.to, right.to) < 0 ? right.to : left.to;
}
