import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { disjointIntervals, type Interval, intervalsOf } from '../../../domain/predicate/intervals.ts';
import { arrayTestField, arrayTestNames, isSamePath } from '../../../domain/predicate/path.ts';
import type { Scalar } from '../../../domain/predicate/scalar.ts';
import { systemColumnOf } from '../../../index/plan/compile-column.ts';
import { listed, type Sql, sql } from '../../../index/plan/sql.ts';
import { TermCompiler } from '../../../index/plan/term-expression.ts';
import { numberKey, textKey, valueClass } from '../../../index/terms/order-key.ts';
import { encodePath } from '../../../index/terms/term-encoding.ts';
import type { UsablePaths } from '../generations/generation.ts';
import { keyDigits, keysEnd } from '../index/entry-row.ts';
import { endMarks, hasEntries, isFixedPath, noPaths, severalEntry } from '../index/ordered-entries.ts';
import { atPlace, keyBytes } from './entries.ts';
import { termCondition } from './term-condition.ts';

interface Context {
  readonly projectKey: string;
  readonly staged: boolean;
  readonly usable: UsablePaths;
  /** Left to the documents. */
  readonly broad: BroadRanges;
}

/** Ranges that a good part of the project's resources is in, by their names. */
export type BroadRanges = ReadonlyMap<string, BroadRange>;

export interface BroadRange extends InsideRange {
  /** So many resources are in it, or more. */
  readonly atLeast: number;
}

export const noBroadRanges: BroadRanges = new Map();

/** What the entries inside of a range tell of its matches: each is of another one. */
export interface InsideRange {
  readonly path: Path;
  /** A row for each entry inside, not on an end. */
  readonly entries: Sql;
  /** The keys that matches with a single value have, of entries `o`. */
  readonly keys: Sql;
}

/** A condition that one of the values of a path is in some interval. The ends are included, whatever the condition says. */
interface Ranged {
  /** Index of the conjunct. */
  readonly index: number;
  readonly path: Path;
  readonly intervals: readonly Interval[];
}

/** What `ordered_value` says of a conjunct. */
export interface RangeCondition {
  /** Other conjuncts that it is the condition for as well: the opposite ends of the same range. */
  readonly includes: readonly number[];
  /** Holds for every match, and for few other resources. Absent for a broad range. */
  readonly narrows?: Sql;
  /**
   * Holds for matches alone. `whole` is all of the conjuncts over the document of `resource r`, which few are asked.
   * Absent where documents have to decide about all.
   */
  readonly decides?: (whole: Sql) => Sql;
  /** With `decides`. */
  readonly inside?: InsideRange;
  readonly name: string;
}

/** Conditions that `ordered_value` narrows, by the index of the conjunct; of those that one includes, by its index. */
export function rangeConditions(
  conjuncts: readonly Predicate[],
  context: Context,
): ReadonlyMap<number, RangeCondition> {
  const conditions = new Map<number, RangeCondition>();
  const included = new Set<number>();
  const ranged = conjuncts
    .map((each, index) => rangedOf(each, index, context.usable))
    .filter((each) => each !== undefined);
  for (const each of ranged) {
    if (included.has(each.index)) continue;
    const opposite = ranged.find(
      (other) => other.index > each.index && !included.has(other.index) && isOpposite(each, other),
    );
    const whole = opposite ? between(each, opposite) : each;
    if (opposite) included.add(opposite.index);
    const name = nameOf(whole);
    const includes = opposite ? [opposite.index] : [];
    const narrows = context.broad.has(name) ? undefined : conditionOf(whole, context);
    conditions.set(each.index, { name, includes, ...(narrows && { narrows, ...decidedOf(whole, context) }) });
  }
  return conditions;
}

/** How many resources match at least, as far as broad ranges tell. */
export function leastMatches(conjuncts: readonly Predicate[], { usable, broad }: Context): number {
  const [one, other] = conjuncts.map((each, index) => rangedOf(each, index, usable));
  if (!one || conjuncts.length > 2) return 0;
  if (conjuncts.length === 1) return broad.get(nameOf(one))?.atLeast ?? 0;
  return other && isOpposite(one, other) ? (broad.get(nameOf(between(one, other)))?.atLeast ?? 0) : 0;
}

function nameOf({ path, intervals }: Ranged): string {
  const ends = intervals.flatMap((interval) => entryRanges('', interval).map(({ from, to }) => `${from}-${to}`));
  return `${encodePath(path)} ${ends.join(' ')}`;
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
  const selects = ranges.map((range) => selectIds(projectKey, range));
  const isSingle = !intervals.some(({ from, to }) => from && to);
  const all = isSingle ? selects : [...selects, severalValued(path, prefixes, context)];
  return sql`r.id IN (${listed(all, ' UNION ALL ')})`;
}

/**
 * Entries that lie inside of an interval, and not on its ends, say that the resource matches. An end may be excluded, or
 * its key be that of longer texts: such resources are looked at. Of several values only the least and the greatest are
 * known, which is enough for one end. Undefined where entries say less: texts and points in time have one order, a name
 * of ArrayTestType stands for two paths, and entries of current projections say nothing of staged ones.
 */
function decidedOf(
  { path, intervals }: Ranged,
  context: Context,
): Pick<RangeCondition, 'decides' | 'inside'> | undefined {
  const { projectKey, staged } = context;
  const [interval] = intervals;
  if (staged || !interval || intervals.length > 1 || arrayTestNames.has(path[0]!)) return undefined;
  const { type, from, to } = interval;
  if (type !== 'number' && !(type === 'string' && from && String(from.value) > lastInstant)) return undefined;
  const cls = type === 'number' ? valueClass.number : valueClass.text;
  const prefix = `c|${encodePath(path)}|`;
  const ranges = entryRanges(prefix, interval);
  const isKnown = ({ place }: EntryRange) => !(from && to) || place === prefix + endMarks.only;
  const low = from && keyDigits(cls + keyOf(from));
  const high = to && keyDigits(cls + keyOf(to));
  const inside = ranges
    .filter(isKnown)
    .map((range) => ({ ...range, from: low ? low + justBehind : range.from, to: high ?? range.to }));
  const onEnds = ranges.flatMap((range) => {
    if (!isKnown(range)) return [range];
    return [
      ...(low ? [{ ...range, to: low + justBehind }] : []),
      ...(high ? [{ ...range, from: high, to: high + justBehind }] : []),
    ];
  });
  const open = onEnds.map((range) => selectIds(projectKey, range));
  if (from && to) open.push(severalValued(path, [prefix], context));
  const known = inside.map((range) => selectIds(projectKey, range));
  const decides = (whole: Sql) => {
    // An interval that is open at both ends has none.
    const looked = open.length === 0 ? [] : [lookedAt(projectKey, open, whole)];
    return sql`r.id IN (${listed([...known, ...looked], ' UNION ALL ')})`;
  };
  const entries = listed(
    inside.map((range) => sql`SELECT 1 ${entriesIn(projectKey, range)}`),
    ' UNION ALL ',
  );
  const [{ from: least, to: greatest }] = ranges as readonly [EntryRange];
  const keys = sql`o.key >= ${keyBytes(least)} AND o.key < ${keyBytes(greatest)}`;
  return { decides, inside: { path, entries, keys } };
}

/** Those of some resources whose documents satisfy a condition. */
function lookedAt(projectKey: string, ids: readonly Sql[], whole: Sql): Sql {
  return sql`SELECT r.id FROM resource r WHERE r.project_key = ${projectKey}
    AND r.id IN (${listed(ids, ' UNION ALL ')}) AND ${whole}`;
}

/** With it behind a key, the next one. */
const justBehind = '00';

/** Behind all points in time, which begin with a digit. */
const lastInstant = ':';

/**
 * A document with several values may have one inside, though neither its least nor its greatest is. A term says so, or,
 * on declared paths, an entry: the resource may have been written before the path was declared.
 */
function severalValued(path: Path, prefixes: readonly string[], { projectKey, staged }: Context): Sql {
  const several = termCondition(
    (projection) => new TermCompiler(projectKey, projection, noPaths).mayHaveSeveral(path),
    staged,
  );
  const byTerm = sql`SELECT r.id FROM resource r WHERE r.project_key = ${projectKey} AND ${several}`;
  const byEntry = prefixes.map(
    (prefix) => sql`SELECT grs_id(o.id) FROM ordered_value o WHERE ${atPlace(projectKey, prefix + severalEntry)}`,
  );
  return listed(isFixedPath(path) ? [byTerm] : [byTerm, ...byEntry], ' UNION ALL ');
}

interface EntryRange {
  readonly place: string;
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

function selectIds(projectKey: string, range: EntryRange): Sql {
  return sql`SELECT grs_id(o.id) ${entriesIn(projectKey, range)}`;
}

function entriesIn(projectKey: string, { place, from, to }: EntryRange): Sql {
  return sql`FROM ordered_value o WHERE ${atPlace(projectKey, place)} AND o.key >= ${keyBytes(from)} AND o.key < ${keyBytes(to)}`;
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
