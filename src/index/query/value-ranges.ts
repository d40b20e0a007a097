import type { Path, Predicate } from '../../domain/predicate/ast.ts';
import { disjointIntervals, type Interval, intervalsOf } from '../../domain/predicate/intervals.ts';
import type { Scalar } from '../../domain/predicate/scalar.ts';
import { systemColumnOf } from '../plan/compile-column.ts';
import { behind, type TermRange } from '../plan/term-expression.ts';
import { descendingKey, isCut, numberKey, textKey, valueClass } from '../terms/order-key.ts';
import { isOrderedPath } from '../terms/ordered-paths.ts';
import { escapeText, textMarks } from '../terms/term-encoding.ts';
import { wholeRange } from './lookup.ts';

/** The condition that a value lies within one of these intervals, which the term index has in order. */
export interface Intervals {
  /** The number of the condition. */
  readonly at: number;
  readonly path: Path;
  /** Without overlaps. Never empty. */
  readonly intervals: readonly Interval[];
}

/** Conditions with more intervals have no access path: SQLite bounds the number of SELECTs in a compound. */
const maxIntervals = 100;

/** The conditions `within` that the term index has in order. */
export function intervalsAmong(
  conjuncts: readonly Predicate[],
  declaredPaths: readonly string[],
): readonly Intervals[] {
  return [...conjuncts.entries()].flatMap(([at, predicate]) => {
    if (predicate.kind !== 'within' || systemColumnOf(predicate.path)) return [];
    const { path } = predicate;
    const intervals = disjointIntervals(intervalsOf(predicate.ranges));
    const isKnown = intervals.every(({ type }) => type !== 'string') || isOrderedPath(path, declaredPaths);
    return isKnown && intervals.length > 0 && intervals.length <= maxIntervals ? [{ at, path, intervals }] : [];
  });
}

/** A range of values of one type, and whether all of them satisfy the bounds. */
export interface TypedRange {
  readonly range: TermRange;
  readonly isExact: boolean;
}

/** The terms at an encoded path of values within all of some intervals of one type, no two of which have the same end. */
export function rangeWithin(path: string, intervals: readonly Interval[]): TypedRange {
  const kind = kindOf(intervals[0]!.type);
  let { range, isExact }: TypedRange = { range: wholeRange(path, kind), isExact: true };
  for (const { from, to, isOpen = false } of intervals) {
    const endAt = (value: Scalar, isBehind: boolean) => `${path}|${kind}${keyOf(value)}${isBehind ? behind : ''}`;
    if (from) range = { ...range, from: endAt(from, isOpen && !isCutText(from)) };
    if (to) range = { ...range, to: endAt(to, !isOpen || isCutText(to)) };
    if ([from, to].some((end) => end && isCutText(end))) isExact = false;
  }
  return { range: kind === 'u' ? { ...range, plainTexts: true } : range, isExact };
}

/** True if the key of a value has only its beginning. */
function isCutText({ type, value }: Scalar): boolean {
  return type === 'string' && isCut(textKey(value));
}

function kindOf(type: Scalar['type']): string {
  return type === 'number' ? 'n' : type === 'instant' ? 't' : 'u';
}

function keyOf(value: Scalar): string {
  if (value.type === 'number') return numberKey(value.value);
  if (value.type === 'instant') return escapeText(value.value);
  return textKey(String(value.value)) + textMarks.string;
}

/** The ranges that, one after another, have the documents in the order of their least values. */
export function ascendingRanges(path: string, isOrdered: boolean): readonly TermRange[] {
  const texts = isOrdered ? 'u' : 't';
  return [wholeRange(path, 'n'), wholeRange(path, texts), wholeRange(path, 'b')];
}

/** The part of these ranges, or of the descending one, behind a value in the order; that of the value itself if it is cut. */
export function rangesAfter(
  path: string,
  isOrdered: boolean,
  direction: 'asc' | 'desc',
  value: string | bigint | number | boolean,
): readonly TermRange[] {
  const [cls, key] = classAndKey(value);
  const cut = cls === valueClass.text && isCut(key);
  const after = cut ? '' : behind;
  if (direction === 'desc') {
    return [{ ...wholeRange(path, 'd'), from: `${path}|d${descendingKey(cls + key)}${after}` }];
  }
  const ranges = ascendingRanges(path, isOrdered);
  const at = Number(cls);
  const end = cls === valueClass.text && !isOrdered ? escapeText(String(value)) : key;
  // The marks at the ends of texts are different, and sort before any continuation.
  const isMarked = cls === valueClass.text && isOrdered;
  const from = `${ranges[at]!.from}${end}${isMarked && !cut ? afterMarks : after}`;
  return [{ ...ranges[at]!, from }, ...ranges.slice(at + 1)];
}

/** Sorts after the marks at the ends of texts and before any digit. */
const afterMarks = '.';

function classAndKey(value: string | bigint | number | boolean): readonly [cls: string, key: string] {
  if (typeof value === 'string') return [valueClass.text, textKey(value)];
  if (typeof value === 'boolean') return [valueClass.boolean, value ? '1' : '0'];
  return [valueClass.number, numberKey(value)];
}

/** The part of these ranges, or of the descending one, with the documents whose only value is beyond a bound. */
export function rangesBeyond(path: string, direction: 'asc' | 'desc', value: Scalar): readonly TermRange[] {
  const isNumber = value.type === 'number';
  const kind = isNumber ? 'n' : 'u';
  const key = isNumber ? numberKey(value.value) : textKey(String(value.value));
  if (direction === 'asc') return [{ ...wholeRange(path, kind), from: `${path}|${kind}${key}` }];
  if (isNumber) return [{ ...wholeRange(path, 'd'), from: `${path}|d${descendingKey(valueClass.number + key)}` }];
  // Without its end mark: a key may be cut, and longer texts that begin with it sort before it.
  const from = descendingKey(valueClass.text + key).slice(0, -1);
  return [{ from: `${path}|d${from}`, to: `${path}|d${descendingKey(valueClass.number)}` }];
}
