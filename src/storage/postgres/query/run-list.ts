import type { ListPage } from '../../../domain/ports/list-query.ts';
import { listed, raw, type Sql, sql } from '../../query/sql.ts';
import type { Connection } from '../open/connection.ts';
import { fromMatches, orderBy, selectLacking, selectSorted, selectWalked } from './execute.ts';
import { type PageRow, pageOf, readPage } from './page.ts';
import type { CompiledList, OrderKey, Selection } from './plan-list.ts';
import { render } from './render.ts';

/** When to sort matches and when to walk an order. Another choice gives the same answers, only slower. */
export interface Tuning {
  /** So many matches are gathered and sorted; of more, the index of the order comes first. */
  readonly fewRows: number;
}

export const defaultTuning: Tuning = { fewRows: 5000 };

const run = <Row>(connection: Connection, statement: Sql) => connection.query<Row>(render(statement));

/**
 * Runs a compiled list. Where an index narrows, one statement gathers the matches and reads the page, unless there are
 * many of them; then, and where nothing narrows, the page and the total are asked for apart, in one snapshot.
 */
export async function runList(
  connection: Connection,
  list: CompiledList,
  maxPageBytes: number,
  { fewRows }: Tuning = defaultTuning,
): Promise<ListPage> {
  const page = await gatherFew(connection, list, maxPageBytes, fewRows);
  return page ?? inSnapshot(connection, () => walkPage(connection, list, maxPageBytes));
}

/** The page out of few matches; undefined where no index narrows, or there are more. */
async function gatherFew(connection: Connection, list: CompiledList, maxPageBytes: number, fewRows: number) {
  const mayBeFew = list.isNarrowed && list.offset <= fewRows;
  return mayBeFew ? gatherPage(connection, list, maxPageBytes, fewRows) : undefined;
}

/** Several statements that see one state of the database: in the snapshot that is open, or one of their own. */
export async function inSnapshot<T>(connection: Connection, read: () => Promise<T>): Promise<T> {
  if (connection.inTransaction()) return read();
  await connection.run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
  try {
    return await read();
  } finally {
    if (connection.inTransaction()) await connection.run({ text: 'COMMIT' });
  }
}

/**
 * The matches as a common table. Materialised, it is planned for all of them and so by the index that narrows; with a
 * LIMIT inside, PostgreSQL would hope to find enough along some order.
 */
function gathered(selection: Selection, order: readonly OrderKey[], atMost: number): Sql {
  const keys = order.flatMap(({ expressions }, at) =>
    expressions(`k${at}`).map((each, part) => sql`, ${each} AS ${raw(`s${at}_${part}`)}`),
  );
  const matches = sql`SELECT r.id${listed(keys, '')} ${fromMatches(selection, order)}`;
  return sql`WITH m AS MATERIALIZED (${matches}), few AS MATERIALIZED (SELECT * FROM m LIMIT ${raw(String(atMost))})`;
}

interface GatheredRow extends PageRow {
  readonly matches: number;
}

async function gatherPage(
  connection: Connection,
  list: CompiledList,
  maxPageBytes: number,
  fewRows: number,
): Promise<ListPage | undefined> {
  const { projectKey, staged, order, limit, offset, withTotal } = list;
  const by = orderBy(order, raw('few.id'), ({ expressions }, at) =>
    expressions('').map((_, part) => raw(`few.s${at}_${part}`)),
  );
  const slice = raw(`LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}`);
  const page = readPage(projectKey, staged, sql`SELECT few.id FROM few ORDER BY ${by} ${slice}`, maxPageBytes);
  // Where there are more, no row of the page is read.
  const rows = await run<GatheredRow>(
    connection,
    sql`${gathered(list, order, fewRows + 1)}
      SELECT t.matches, q.* FROM (SELECT count(*) AS matches FROM few) t
      LEFT JOIN (${page}) q ON t.matches <= ${raw(String(fewRows))}`,
  );
  const matches = rows[0]?.matches ?? 0;
  if (matches > fewRows) return undefined;
  const found = pageOf(
    rows.filter(({ id }) => id !== null),
    staged,
    maxPageBytes,
  );
  return withTotal ? { ...found, total: matches } : found;
}

async function walkPage(connection: Connection, list: CompiledList, maxPageBytes: number): Promise<ListPage> {
  const { projectKey, staged, limit, offset, withTotal } = list;
  const rows: PageRow[] = [];
  let seen = 0;
  if (limit > 0) {
    for (const { select, canCount } of await waysOf(connection, list)) {
      const skip = Math.max(0, offset - seen);
      const page = readPage(projectKey, staged, select(limit - rows.length, skip), maxPageBytes);
      const part = await run<PageRow>(connection, page);
      rows.push(...part);
      if (rows.length === limit) break;
      seen += part.length > 0 ? skip + part.length : canCount && skip > 0 ? await countOf(connection, canCount) : 0;
    }
  }
  const found = pageOf(rows, staged, maxPageBytes);
  if (!withTotal) return found;
  const isEnd = limit > 0 && found.count > 0 && found.count < limit;
  return { ...found, total: isEnd ? offset + found.count : await countOf(connection, fromMatches(list)) };
}

interface Way {
  readonly select: (count: number, offset: number) => Sql;
  /** FROM and WHERE of what the way has, where another may follow it. */
  readonly canCount?: Sql;
}

/** How to the matches in their order: at once, or along the entries of the first key and then those without one. */
async function waysOf(connection: Connection, list: CompiledList): Promise<readonly Way[]> {
  const { order } = list;
  const walk = order[0]?.walk;
  const all: Way = { select: (count, offset) => selectSorted(list, order, count, offset) };
  if (!walk) return [all];
  if (walk.unless && (await isAny(connection, { ...list, conditions: [walk.unless] }))) return [all];
  const walked: Way = { select: (count, offset) => selectWalked(list, walk, order, count, offset) };
  const { lacking } = walk;
  if (!lacking) return [walked];
  const without: Way = { select: (count, offset) => selectLacking(list, lacking, order, count, offset) };
  const counted = (condition: Sql) => fromMatches({ ...list, conditions: [...list.conditions, condition] });
  return order[0]!.direction === 'asc'
    ? [{ ...walked, canCount: counted(sql`NOT (${lacking})`) }, without]
    : [{ ...without, canCount: counted(lacking) }, walked];
}

/** The number of rows of a FROM and WHERE. */
export async function countOf(connection: Connection, matches: Sql): Promise<number> {
  const [row] = await run<{ matches: number }>(connection, sql`SELECT count(*) AS matches ${matches}`);
  return row!.matches;
}

/** True if anything matches. */
export async function isAny(connection: Connection, selection: Selection): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(
    connection,
    sql`WITH m AS MATERIALIZED (SELECT 1 ${fromMatches(selection)}) SELECT EXISTS (SELECT 1 FROM m) AS found`,
  );
  return row!.found;
}
