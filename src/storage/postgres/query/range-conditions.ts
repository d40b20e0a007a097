import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { disjointIntervals, type Interval, intervalsOf } from '../../../domain/predicate/intervals.ts';
import { arrayTestField, arrayTestNames, isSamePath } from '../../../domain/predicate/path.ts';
import type { Scalar } from '../../../domain/predicate/scalar.ts';
import { numberKey, textKey, valueClass } from '../../index/order-key.ts';
import { encodePath } from '../../index/term-encoding.ts';
import { systemColumnOf } from '../../query/compile-column.ts';
import { listed, raw, type Sql, sql } from '../../query/sql.ts';
import { createTermCompiler } from '../../query/term-expression.ts';
import type { UsablePaths } from '../generations/generation.ts';
import { keyDigits, keysEnd } from '../index/entry-row.ts';
import { endMarks, hasEntries, isFixedPath, noPaths, severalEntry } from '../index/ordered-entries.ts';
import { atPlace, keyBytes } from './entries.ts';
import { termCondition } from './term-condition.ts';

interface Context {
  readonly projectKey: string;
  readonly staged: boolean;
  readonly usable: UsablePaths;
}

/** A condition that one of the values of a path is in some interval. The ends are included, whatever the condition says. */
interface Ranged {
  /** Index of the conjunct. */
  readonly index: number;
  readonly path: Path;
  readonly intervals: readonly Interval[];
}

/**
 * Conditions that `ordered_value` narrows, by the index of the conjunct: SQL that holds for every match and for few
 * other resources. If two conjuncts are the ends of one range, the first one has both.
 */
export function rangeConditions(conjuncts: readonly Predicate[], context: Context): ReadonlyMap<number, Sql> {
  const conditions = new Map<number, Sql>();
  const ranged = conjuncts
    .map((each, index) => rangedOf(each, index, context.usable))
    .filter((each) => each !== undefined);
  for (const each of ranged) {
    if (conditions.has(each.index)) continue;
    const opposite = ranged.find((other) => !conditions.has(other.index) && isOpposite(each, other));
    if (opposite) conditions.set(opposite.index, raw('TRUE'));
    conditions.set(each.index, conditionOf(opposite ? between(each, opposite) : each, context));
  }
  return conditions;
}

function rangedOf(predicate: Predicate, index: number, usable: UsablePaths): Ranged | undefined {
  if (predicate.kind !== 'compare' && predicate.kind !== 'within') return undefined;
  const { path } = predicate;
  if (systemColumnOf(path) || !hasEntries(path, usable)) return undefined;
  const intervals = predicate.kind === 'within' ? intervalsOf(predicate.ranges) : comparedIntervals(predicate);
  return intervals.length === 0 ? undefined : { index, path, intervals: disjointIntervals(intervals) };
}

function comparedIntervals({ op, value }: Extract<Predicate, { kind: 'compare' }>): readonly Interval[] {
  if (op === '=' || op === '!=') return [];
  return intervalsOf([op.startsWith('>') ? { from: value, to: undefined } : { from: undefined, to: value }]);
}

function isOpposite(left: Ranged, right: Ranged): boolean {
  const [first, second] = [left.intervals[0]!, right.intervals[0]!];
  const areSingle = left.intervals.length === 1 && right.intervals.length === 1 && first.type === second.type;
  const isOpen = (one: Interval, other: Interval) => one.from && !one.to && other.to && !other.from;
  return isSamePath(left.path, right.path) && areSingle && Boolean(isOpen(first, second) || isOpen(second, first));
}

function between(left: Ranged, right: Ranged): Ranged {
  const [first, second] = [left.intervals[0]!, right.intervals[0]!];
  return { ...left, intervals: [{ type: first.type, from: first.from ?? second.from, to: first.to ?? second.to }] };
}

function conditionOf({ path, intervals }: Ranged, context: Context): Sql {
  const { projectKey, staged } = context;
  const paths = arrayTestNames.has(path[0]!) ? [path, [arrayTestField, ...path]] : [path];
  const prefixes = paths.flatMap((each) =>
    (staged ? ['c', 's'] : ['c']).map((projection) => `${projection}|${encodePath(each)}|`),
  );
  const ranges = prefixes.flatMap((prefix) => intervals.flatMap((interval) => entryRanges(prefix, interval)));
  const selects = ranges.map(
    ({ place, from, to }) =>
      sql`SELECT o.id FROM ordered_value o WHERE ${atPlace(projectKey, place)} AND o.key >= ${keyBytes(from)} AND o.key < ${keyBytes(to)}`,
  );
  const isSingle = !intervals.some(({ from, to }) => from && to);
  const all = isSingle ? selects : [...selects, severalValued(path, prefixes, context)];
  return sql`r.id IN (${listed(all, ' UNION ALL ')})`;
}

/**
 * A document with several values may have one inside, though neither its least nor its greatest is. A term says so, or,
 * on declared paths, an entry: the resource may have been written before the path was declared.
 */
function severalValued(path: Path, prefixes: readonly string[], { projectKey, staged }: Context): Sql {
  const several = termCondition(
    (projection) => createTermCompiler(projectKey, projection, noPaths).mayHaveSeveral(path),
    staged,
  );
  const byTerm = sql`SELECT r.id FROM resource r WHERE r.project_key = ${projectKey} AND ${several}`;
  const byEntry = prefixes.map(
    (prefix) => sql`SELECT o.id FROM ordered_value o WHERE ${atPlace(projectKey, prefix + severalEntry)}`,
  );
  return listed(isFixedPath(path) ? [byTerm] : [byTerm, ...byEntry], ' UNION ALL ');
}

interface EntryRange {
  readonly place: string;
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** There is a value above a bound if the greatest is above it, and one below if the least is below it. */
function entryRanges(prefix: string, { type, from, to }: Interval): readonly EntryRange[] {
  const cls = type === 'number' ? valueClass.number : valueClass.text;
  const { only, least, otherLeast, greatest, otherGreatest } = endMarks;
  const marks = from ? [only, greatest, otherGreatest] : [only, least, otherLeast];
  return marks.map((mark) => ({
    place: prefix + mark,
    from: keyDigits(from ? cls + keyOf(from) : cls),
    to: keysEnd(to ? cls + keyOf(to) : cls),
  }));
}

function keyOf(value: Scalar): string {
  return value.type === 'number' ? numberKey(value.value) : textKey(String(value.value));
}
