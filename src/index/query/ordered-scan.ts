import type { DatabaseSync } from 'node:sqlite';
import { compareUtf8 } from '../../domain/predicate/scalar.ts';
import { columns, type SystemColumn } from '../plan/compile-column.ts';
import { joined, listed, raw, type Sql, sql } from '../plan/sql.ts';
import type { TermRange } from '../plan/term-expression.ts';
import { isCut } from '../terms/order-key.ts';
import { type Projection, textMarks } from '../terms/term-encoding.ts';
import type { OpenSelection } from './execute.ts';
import { scanWithin } from './functions.ts';
import { entriesInRange, hasEntries } from './lookup.ts';
import type { OrderKey, TermScan } from './plan-order.ts';
import { resourcesOf } from './resources-of.ts';
import { selectNumbers } from './statements.ts';

/** Rows with the same first key of an order. */
interface Group {
  readonly rows: number[];
  /** The term has only the beginning of a text: the rows may have different keys. */
  readonly isCut: boolean;
}

interface Entry {
  /** The key of the value in the term, without the mark of its type. */
  readonly value: string;
  readonly row: number;
}

/** The ranges to scan, which depend on what is stored now; undefined where they do not have the order. */
export function scannedRanges(
  db: DatabaseSync,
  selection: OpenSelection,
  { ranges, unless, bounded }: TermScan,
): readonly TermRange[] | undefined {
  if (hasEntries(db, selection, unless)) return undefined;
  return bounded && !hasEntries(db, selection, [bounded.unless]) ? bounded.ranges : ranges;
}

/** The first `count` matches along the ranges, each at its first entry; ties by the further keys and id. */
export function scanTerms(
  db: DatabaseSync,
  selection: OpenSelection,
  ranges: readonly TermRange[],
  order: readonly OrderKey[],
  count: number,
): readonly number[] {
  const groups: Group[] = [];
  const seen = new Set<number>();
  // A group that is long is not read to its end only to be sorted.
  const long = Math.max(leastLong, 2 * count);
  for (const range of ranges) {
    let value: string | undefined;
    for (const entry of entriesIn(db, selection, range)) {
      if (entry.value !== value) {
        if (seen.size >= count) break;
        value = entry.value;
        groups.push({ rows: [], isCut: isCut(value.slice(1)) });
      }
      const group = groups.at(-1)!;
      if (!seen.has(entry.row)) group.rows.push(entry.row);
      seen.add(entry.row);
      if (group.rows.length !== long || group.isCut || order.length > 1) continue;
      const before = inOrder(db, groups.slice(0, -1), order, count);
      const tied = firstById(db, selection, order[0]!, entry.row, count - before.length);
      if (tied) return [...before, ...tied];
    }
    if (seen.size >= count) break;
  }
  const last = groups.pop();
  const rows = inOrder(db, groups, order, count);
  return last ? [...rows, ...inOrder(db, [last], order, count - rows.length)] : rows;
}

/** Rows with one value from which on they are looked for along the ids. */
const leastLong = 1000;

/** The first matches by id with the key of a row, where they are frequent enough to be found along the ids. */
function firstById(
  db: DatabaseSync,
  { projectKey, conditions, tuning }: OpenSelection,
  { key }: OrderKey,
  row: number,
  count: number,
): readonly number[] | undefined {
  const same = sql`${key} IS (SELECT ${key} FROM resource r WHERE r.row = ${row})`;
  const from = sql`${resourcesOf(projectKey, 'id')} AND tick(r.row)`;
  const query = sql`SELECT r.row AS row FROM ${from} AND ${joined([...conditions, same], 'AND')} ORDER BY r.id LIMIT ${count}`;
  const found = scanWithin(db, tuning.scanRows, () => selectNumbers(db, query));
  return found?.length === count ? found : undefined;
}

/** The matches' entries in a range, by value; of both projections if the query is for the staged one. */
function* entriesIn(db: DatabaseSync, selection: OpenSelection, range: TermRange): Generator<Entry> {
  if (!selection.staged) {
    yield* entriesOf(db, selection, range, 'c');
    return;
  }
  const [current, staged] = [entriesOf(db, selection, range, 'c'), entriesOf(db, selection, range, 's')];
  try {
    let [left, right] = [current.next(), staged.next()];
    while (!left.done || !right.done) {
      if (right.done || (!left.done && compareUtf8(left.value.value, right.value.value) <= 0)) {
        yield (left as IteratorYieldResult<Entry>).value;
        left = current.next();
      } else {
        yield right.value;
        right = staged.next();
      }
    }
  } finally {
    current.return(undefined);
    staged.return(undefined);
  }
}

/** Rows whose conditions are tested together. */
const rowsAtOnce = 512;

function* entriesOf(
  db: DatabaseSync,
  { projectKey, staged, conditions }: OpenSelection,
  range: TermRange,
  projection: Projection,
): Generator<Entry> {
  const skip = range.from.lastIndexOf('|') + 1;
  const open = staged && projection === 'c' ? [raw('r.staged IS NULL'), ...conditions] : conditions;
  let some: Entry[] = [];
  for (const [end, rows] of entriesInRange(db, projectKey, projection, range)) {
    const isMarked = end.endsWith(textMarks.string) || end.endsWith(textMarks.instant);
    const value = isMarked ? end.slice(skip, -1) : end.slice(skip);
    for (const row of rows) {
      some.push({ value, row });
      if (some.length < rowsAtOnce) continue;
      yield* matching(db, some, open);
      some = [];
    }
  }
  yield* matching(db, some, open);
}

/** The entries whose resources satisfy the conditions, in their order. */
function matching(db: DatabaseSync, entries: readonly Entry[], conditions: readonly Sql[]): readonly Entry[] {
  if (entries.length === 0) return entries;
  const rows = `[${entries.map(({ row }) => row).join(',')}]`;
  const query = sql`SELECT r.row AS row FROM json_each(${rows}) n CROSS JOIN resource r ON r.row = n.value WHERE ${holding(conditions)}`;
  const found = new Set(selectNumbers(db, query));
  return entries.filter(({ row }) => found.has(row));
}

/**
 * The rows of groups, each group by the further keys and id: of one group the first `count`, of several all of them. Ids
 * are read only where there are ties.
 */
function inOrder(
  db: DatabaseSync,
  groups: readonly Group[],
  [first, ...rest]: readonly OrderKey[],
  count: number,
): readonly number[] {
  const tied = groups.filter(({ rows }) => rows.length > 1);
  if (tied.length === 0) return groups.flatMap(({ rows }) => rows).slice(0, count);
  const keys = [...(tied.some((group) => group.isCut) ? [first!] : []), ...rest];
  const by = listed([...keys.map(sorted), raw('r.id')], ', ');
  const numbers = JSON.stringify(tied.flatMap(({ rows }) => rows));
  const limit = groups.length === 1 ? sql` LIMIT ${count}` : raw('');
  const ordered = selectNumbers(
    db,
    sql`SELECT r.row AS row FROM json_each(${numbers}) n CROSS JOIN resource r ON r.row = n.value WHERE tick(r.row) ORDER BY ${by}${limit}`,
  );
  if (groups.length === 1) return ordered;
  const positions = new Map(ordered.map((row, position) => [row, position]));
  return groups.flatMap(({ rows }) => rows.sort((a, b) => positions.get(a)! - positions.get(b)!));
}

/** A key of ORDER BY: missing last in asc, first in desc (decision 16). */
export function sorted({ key, direction }: Pick<OrderKey, 'key' | 'direction'>): Sql {
  return sql`${key} ${raw(direction === 'asc' ? 'ASC NULLS LAST' : 'DESC NULLS FIRST')}`;
}

/** The conditions, after the check of the deadline, which must run for rows that fail them too. */
export function holding(conditions: readonly Sql[]): Sql {
  return sql`tick(r.row) AND ${joined(conditions, 'AND')}`;
}

/** Scans the resources in the order of a column. Its key is never NULL here; NULLS FIRST or LAST would make SQLite sort. */
export function columnScan(
  { projectKey, conditions }: OpenSelection,
  column: SystemColumn,
  direction: OrderKey['direction'],
  rest: readonly OrderKey[],
): Sql {
  const present = column === 'key' ? raw(' AND r.key IS NOT NULL') : raw('');
  const from = sql`${resourcesOf(projectKey, column)}${present}`;
  const first = sql`${columns[column]} ${raw(direction)}`;
  // Ids and keys are unique, so no further key matters.
  const by = column === 'id' || column === 'key' ? [first] : [first, ...rest.map(sorted), raw('r.id')];
  return sql`SELECT r.row AS row FROM ${from} AND ${holding(conditions)} ORDER BY ${listed(by, ', ')}`;
}
