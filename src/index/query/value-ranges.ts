import type { Path, Predicate } from '../../domain/predicate/ast.ts';
import { disjointIntervals, type Interval, intervalsOf } from '../../domain/predicate/intervals.ts';
import { literalForms, type Scalar } from '../../domain/predicate/scalar.ts';
import { systemColumnOf } from '../plan/compile-column.ts';
import { descendingKey, isCut, numberKey, textKey, valueClass } from '../terms/order-key.ts';
import { isOrderedPath } from '../terms/ordered-paths.ts';
import { escapeText, textMarks } from '../terms/term-encoding.ts';
import { type TermRange, wholeRange } from './lookup.ts';

export type RangeOperator = '<' | '<=' | '>' | '>=';

/** One end of a range of values that the term index has in order. */
export interface RangeEnd {
  /** The number of the condition. */
  readonly at: number;
  readonly path: Path;
  readonly op: RangeOperator;
  /** The values of the literal, without booleans, which have no order. Never empty. */
  readonly forms: readonly Scalar[];
}

/** The ends that the term index has in order: of numbers and instants on all paths, of texts on ordered paths. */
export function rangeEndsOf(conjuncts: readonly Predicate[], declaredPaths: readonly string[]): readonly RangeEnd[] {
  return conjuncts.map((predicate, at) => rangeEndOf(predicate, at, declaredPaths)).filter((end) => end !== undefined);
}

function rangeEndOf(predicate: Predicate, at: number, declaredPaths: readonly string[]): RangeEnd | undefined {
  if (predicate.kind !== 'compare' || systemColumnOf(predicate.path)) return undefined;
  const { op, path } = predicate;
  if (op === '=' || op === '!=') return undefined;
  const forms = literalForms(predicate.value).filter(({ type }) => type !== 'boolean');
  const isKnown = forms.every(({ type }) => type !== 'string') || isOrderedPath(path, declaredPaths);
  return isKnown && forms.length > 0 ? { at, path, op, forms } : undefined;
}

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

interface Bound {
  readonly op: RangeOperator;
  readonly value: Scalar;
}

/** The terms at an encoded path of values within an interval. */
export function rangeWithin(path: string, { type, from, to }: Interval): TypedRange {
  const bounds: Bound[] = [];
  if (from) bounds.push({ op: '>=', value: from });
  if (to) bounds.push({ op: '<=', value: to });
  return rangeOf(path, bounds, type);
}

/** The terms at an encoded path of values of one type within bounds: at most a lower and an upper one. */
export function rangeOf(path: string, bounds: readonly Bound[], type: Scalar['type']): TypedRange {
  const kind = kindOf(type);
  let { range, isExact }: TypedRange = { range: wholeRange(path, kind), isExact: true };
  for (const { op, value } of bounds) {
    const key = keyOf(value);
    const cut = value.type === 'string' && isCut(textKey(value.value));
    if (cut) isExact = false;
    const end = `${path}|${kind}${key}`;
    if (op.startsWith('>')) range = { ...range, from: end, after: op === '>' && !cut };
    else range = { ...range, to: end, through: op === '<=' || cut };
  }
  return { range: kind === 'u' ? { ...range, plainTexts: true } : range, isExact };
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
  if (direction === 'desc') {
    return [{ ...wholeRange(path, 'd'), from: `${path}|d${descendingKey(cls + key)}`, after: !cut }];
  }
  const ranges = ascendingRanges(path, isOrdered);
  const at = Number(cls);
  const end = cls === valueClass.text && !isOrdered ? escapeText(String(value)) : key;
  // The marks at the ends of texts are different, and sort before any continuation.
  const isMarked = cls === valueClass.text && isOrdered;
  const from = `${ranges[at]!.from}${end}${isMarked && !cut ? afterMarks : ''}`;
  return [{ ...ranges[at]!, from, after: !cut }, ...ranges.slice(at + 1)];
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
