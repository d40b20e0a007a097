import { type ListPage, type Position, totalOf } from '../../../domain/ports/list-query.ts';
import { listed, raw, type Sql, sql } from '../../../index/plan/sql.ts';
import { isIntact, pageTooLarge, recordOf, type StoredRow } from '../../row/stored-row.ts';
import type { Connection } from '../open/connection.ts';
import { isBehind, keysAsText, partsAfter, positionOf, selectKeys } from './keyset.ts';
import type { CompiledList, OrderKey, Selection } from './plan-list.ts';
import { countMatches, hasMatches, inSnapshot, runSql } from './run-sql.ts';
import { fromMatches, orderBy, selectByEntries, selectPage, selectSorted, slice } from './select.ts';

/** When to sort the matches and when to scan an order. Another choice gives the same results, only slower. */
export interface Tuning {
  /** So many matches are gathered and sorted; with more, the index of the order is tried first. */
  readonly fewRows: number;
}

const defaultTuning: Tuning = { fewRows: 5000 };

/** Takes the column `ready` of the project's generation, from the snapshot of a query; throws if the plan needs others. */
export type CheckReady = (ready: string | null) => void;

/** The paths that are ready, of the newest generation of a project. */
function readyOf(projectKey: string): Sql {
  return sql`SELECT g.ready FROM index_generation g WHERE g.project_key = ${projectKey} ORDER BY g.generation DESC LIMIT 1`;
}

/** Checks a plan that uses entries in the snapshot that is open. */
export async function checkSnapshot(connection: Connection, projectKey: string, check: CheckReady): Promise<void> {
  const [row] = await runSql<{ ready: string }>(connection, readyOf(projectKey));
  check(row?.ready ?? null);
}

/**
 * Runs a compiled list. If an index narrows it, one statement gathers the matches and reads the page, unless there are
 * too many of them. Then, or if nothing narrows it, page and total are separate statements in one snapshot.
 */
export async function runList(
  connection: Connection,
  list: CompiledList,
  maxPageBytes: number,
  { fewRows }: Tuning = defaultTuning,
  check: CheckReady = () => {},
): Promise<ListPage> {
  // The total of a page that continues another one takes a statement of its own.
  const isMany = list.known?.of === list.conditions && list.known.atLeast > fewRows;
  const mayBeFew = list.isNarrowed && !isMany && list.offset <= fewRows && !(list.after && list.withTotal);
  const page = mayBeFew ? await gatherPage(connection, list, maxPageBytes, fewRows, check) : undefined;
  if (page) return page;
  return inSnapshot(connection, async () => {
    if (list.usesEntries) await checkSnapshot(connection, list.projectKey, check);
    return scanPage(connection, list, maxPageBytes);
  });
}

/** A row of a page; without texts if the rows before it fill the page. */
export type PageRow = { readonly [column in keyof StoredRow]: StoredRow[column] | null };

/** The page of such rows. Throws `DamagedResource`, or InvalidInput if the texts do not fit. */
export function pageOf(rows: readonly PageRow[], staged: boolean, maxBytes: number): Omit<ListPage, 'total'> {
  const fitting = rows.findIndex(({ current }) => current === null);
  if (fitting !== -1) throw pageTooLarge(maxBytes, fitting);
  const texts = (rows as readonly StoredRow[]).map((row) => {
    if (!isIntact(row)) recordOf(row);
    return staged ? (row.staged ?? row.current) : row.current;
  });
  return { results: texts.join(','), count: texts.length };
}

/**
 * The matches, at most so many, as a common table. Materialised, it is planned for all of them and so by the index that
 * narrows; with a LIMIT inside, PostgreSQL would hope to find enough along some order.
 */
function gathered({ order, ...selection }: Selection & Pick<CompiledList, 'order'>, atMost: number): Sql {
  const keys = order.flatMap(({ expressions }, index) =>
    expressions(`k${index}`).map((each, part) => sql`, ${each} AS ${raw(`s${index}_${part}`)}`),
  );
  const matches = sql`SELECT r.id${listed(keys, '')} ${fromMatches(selection, order)}`;
  return sql`WITH m AS MATERIALIZED (${matches}), few AS MATERIALIZED (SELECT * FROM m LIMIT ${raw(String(atMost))})`;
}

/** The page out of few matches; undefined if there are more. */
async function gatherPage(
  connection: Connection,
  list: CompiledList,
  maxPageBytes: number,
  fewRows: number,
  check: CheckReady,
): Promise<ListPage | undefined> {
  const { projectKey, staged, order, after, limit, offset, withTotal, countUpTo } = list;
  const gatheredKeys = ({ expressions }: OrderKey, index: number) =>
    expressions('').map((_, part) => raw(`few.s${index}_${part}`));
  const by = orderBy(order, raw('few.id'), gatheredKeys);
  const ids = sql`SELECT few.id FROM few ORDER BY ${by} ${slice(withNext(limit), offset)}`;
  const behind = after ? [isBehind(order, after.keys, after.id)] : [];
  const keys =
    order.length === 0 ? raw("'[]'") : sql`(SELECT ${keysAsText(order, gatheredKeys)} FROM few WHERE few.id = q.id)`;
  // If there are more, no row of the page is read.
  const ready = list.usesEntries ? sql`(${readyOf(projectKey)})` : raw('NULL');
  const rows = await runSql<Gathered>(
    connection,
    sql`${gathered({ ...list, conditions: [...list.conditions, ...behind] }, fewRows + 1)}
      SELECT t.matches, ${ready} AS ready, ${keys} AS keys, q.* FROM (SELECT count(*) AS matches FROM few) t
      LEFT JOIN (${selectPage(projectKey, staged, ids, maxPageBytes)}) q ON t.matches <= ${raw(String(fewRows))}`,
  );
  if (list.usesEntries) check(rows[0]!.ready);
  const matches = rows[0]!.matches;
  if (matches > fewRows) return undefined;
  const ofPage = rows.filter(({ id }) => id !== null);
  const page = pageOf(ofPage.slice(0, limit), staged, maxPageBytes);
  const last = hasNext(ofPage, limit) ? ofPage[limit - 1]! : undefined;
  const next = last && positionOf(order, last.keys, last.id!);
  return { ...page, ...(next && { next }), ...(withTotal && totalOf(matches, countUpTo)) };
}

interface Gathered extends PageRow {
  readonly matches: number;
  readonly ready: string | null;
  /** Of `positionOf`. */
  readonly keys: string;
}

/** One more row than the page shows whether another page follows. */
function withNext(limit: number): number {
  return limit === 0 ? 0 : limit + 1;
}

function hasNext(rows: readonly unknown[], limit: number): boolean {
  return limit > 0 && rows.length > limit;
}

/** The page along an order, from one part of the matches after another. */
async function scanPage(connection: Connection, list: CompiledList, maxPageBytes: number): Promise<ListPage> {
  const { projectKey, staged, order, after, limit, offset, withTotal, countUpTo } = list;
  const wanted = withNext(limit);
  const rows: PageRow[] = [];
  let seen = 0;
  for (const { select, selection } of limit > 0 ? await orderedParts(connection, list) : []) {
    const skip = Math.max(0, offset - seen);
    const ids = select(wanted - rows.length, skip);
    const found = await runSql<PageRow>(connection, selectPage(projectKey, staged, ids, maxPageBytes));
    rows.push(...found);
    if (rows.length === wanted) break;
    if (found.length > 0) seen += skip + found.length;
    else if (selection && skip > 0) seen += await countMatches(connection, selection);
  }
  const page = { ...pageOf(rows.slice(0, limit), staged, maxPageBytes), ...(await nextOf()) };
  if (!withTotal) return page;
  const isEnd = page.count > 0 && page.count < limit && after === undefined;
  const most = countUpTo === undefined ? undefined : countUpTo + 1;
  const counted = isEnd ? offset + page.count : await countMatches(connection, list, most);
  return { ...page, ...totalOf(counted, countUpTo) };

  async function nextOf(): Promise<Pick<ListPage, 'next'>> {
    if (!hasNext(rows, limit)) return {};
    return { next: await positionBehind(connection, projectKey, (rows[limit - 1] as StoredRow).id, order) };
  }
}

/** The first ids of a list, wherever its page begins. */
export async function firstIdsOf(
  connection: Connection,
  list: CompiledList,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { select } of await orderedParts(connection, list)) {
    for (const { id } of await runSql<{ id: string }>(connection, select(count - ids.length, 0))) ids.push(id);
    if (ids.length >= count) break;
  }
  return ids;
}

/** The position behind a resource in an order, of the snapshot that is open. */
export async function positionBehind(
  connection: Connection,
  projectKey: string,
  id: string,
  order: readonly OrderKey[],
): Promise<Position> {
  if (order.length === 0) return [id];
  const [last] = await runSql<{ readonly keys: string }>(connection, selectKeys(projectKey, id, order));
  return positionOf(order, last!.keys, id);
}

/** Matches that come one after another in the order. */
interface OrderedPart {
  /** Their ids. */
  readonly select: (count: number, offset: number) => Sql;
  /** Which they are, if another part may follow. */
  readonly selection?: Selection;
}

/** All matches in one part; or those with an entry of the first key, and those without a value for it. */
async function orderedParts(connection: Connection, list: CompiledList): Promise<readonly OrderedPart[]> {
  const { order, after } = list;
  const scan = order[0]?.scan;
  const isScanned = scan && !(scan.unless && (await hasMatches(connection, { ...list, conditions: [scan.unless] })));
  if (after) return partsAfter(list, after, isScanned === true).map((select) => ({ select }));
  const all: OrderedPart = { select: (count, offset) => selectSorted(list, order, count, offset) };
  if (!isScanned) return [all];
  const withEntry: OrderedPart = { select: (count, offset) => selectByEntries(list, scan, order, count, offset) };
  const { lacking } = scan;
  if (!lacking) return [withEntry];
  const narrowed = (condition: Sql) => ({ ...list, conditions: [...list.conditions, condition] });
  const without: OrderedPart = {
    select: (count, offset) => selectSorted(narrowed(lacking), order.slice(1), count, offset),
  };
  return order[0]!.direction === 'asc'
    ? [{ ...withEntry, selection: narrowed(sql`NOT (${lacking})`) }, without]
    : [{ ...without, selection: narrowed(lacking) }, withEntry];
}
