import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../../cache/cache.ts';
import { compareUtf8 } from '../../../../domain/predicate/scalar.ts';
import { sql } from '../../../query/sql.ts';
import { selectOne } from '../../query/statements.ts';
import { createChangedRows } from '../../write/change-log.ts';
import type { BuildPolicy } from '../build-policy.ts';
import { createRowMap, type RowMap } from './row-map.ts';

/** The positions of a project's rows in the order of their ids: the lower number comes first. */
export type IdOrder = (row: number) => number;

export interface IdOrders {
  /**
   * The order as of the open snapshot, which is of the commit; undefined where it is not cached yet and reading the ids
   * of so few rows is faster.
   */
  of(projectKey: string, commits: number, rows: number): IdOrder | undefined;
  /** Builds an order that a search needed; true if there are more. */
  advance(commits: number): boolean;
}

interface CachedOrder {
  readonly positions: RowMap;
  commits: number;
}

/** Projects whose order is cached. */
const maxCached = 16;

/** Far from 0 in both directions, since 0 stands for no position. */
const firstPosition = 2 ** 32;

const byId = 'FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ?';

/**
 * Caches the order of ids on a connection: relevance has many ties, and reading the id of each row for them would cost
 * more than everything else. A row that is added later gets a position halfway between its neighbours.
 */
export function createIdOrders(db: DatabaseSync, policy: BuildPolicy): IdOrders {
  const wanted = new Set<string>();
  const cache = new Cache<string, CachedOrder>({ maxEntries: maxCached });
  const changedSince = createChangedRows(db);
  const insert = createInsertion(db);

  function build(projectKey: string, commits: number): CachedOrder {
    const query = sql`SELECT json_group_array(row) AS rows FROM (SELECT row FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ${projectKey} ORDER BY id)`;
    const { rows } = selectOne(db, query) as { rows: string };
    const positions = createRowMap('doubles');
    for (const [at, row] of (JSON.parse(rows) as number[]).entries()) positions.set(row, firstPosition + at);
    return { positions, commits };
  }

  function follow(cached: CachedOrder, projectKey: string, commits: number): boolean {
    if (cached.commits === commits) return true;
    const changed = changedSince(projectKey, cached.commits, commits);
    if (!changed || !insert(cached.positions, projectKey, changed)) return false;
    cached.commits = commits;
    return true;
  }

  return {
    of(projectKey, commits, rows) {
      let order = cache.get(projectKey);
      if (!order || !follow(order, projectKey, commits)) {
        cache.delete(projectKey);
        wanted.add(projectKey);
        if (!policy.isWorth(rows, { db, projectKey })) return undefined;
        wanted.delete(projectKey);
        order = policy.build(() => build(projectKey, commits));
        cache.set(projectKey, order);
      }
      const { positions } = order;
      return (row) => positions.get(row);
    },
    advance(commits) {
      const [projectKey] = wanted;
      if (projectKey === undefined) return false;
      wanted.delete(projectKey);
      if (!cache.peek(projectKey)) cache.set(projectKey, build(projectKey, commits));
      return true;
    },
  };
}

/** Positions rows that may be new, or may have the number of an earlier row; false where no position is left between. */
function createInsertion(db: DatabaseSync) {
  const changedById = db.prepare(
    'SELECT r.row, r.id FROM json_each(?) n CROSS JOIN resource r ON r.row = n.value AND r.project_key = ? ORDER BY r.id',
  );
  const before = db.prepare(`SELECT row ${byId} AND id < ? ORDER BY id DESC LIMIT 1`);
  const after = db.prepare(`SELECT row, id ${byId} AND id > ? ORDER BY id`);
  for (const statement of [changedById, before, after]) statement.setReturnArrays(true);

  /** The first row behind an id that has a position. */
  function nextPositioned(
    positions: RowMap,
    projectKey: string,
    id: string,
  ): readonly [row: number, id: string] | undefined {
    for (const next of after.iterate(projectKey, id) as unknown as Iterable<[number, string]>) {
      if (positions.get(next[0]) !== 0) return next;
    }
    return undefined;
  }

  return (positions: RowMap, projectKey: string, changed: ReadonlySet<number>): boolean => {
    for (const row of changed) positions.set(row, 0);
    const rows = changedById.all(JSON.stringify([...changed]), projectKey) as unknown as [number, string][];
    let next: readonly [row: number, id: string] | undefined;
    let isEnd = false;
    for (const [row, id] of rows) {
      const previous = before.get(projectKey, id) as unknown as [number] | undefined;
      // Consecutive rows have the same next one; behind the last one there is none for the others either.
      if (!isEnd && (!next || compareUtf8(next[1], id) < 0)) {
        next = nextPositioned(positions, projectKey, id);
        isEnd = next === undefined;
      }
      const [low, high] = [previous && positions.get(previous[0]), next && positions.get(next[0])];
      const own = between(low, high);
      if (own === low || own === high || own === 0) return false;
      positions.set(row, own);
    }
    return true;
  };
}

function between(low: number | undefined, high: number | undefined): number {
  if (low === undefined) return high === undefined ? firstPosition : high - 1;
  return high === undefined ? low + 1 : (low + high) / 2;
}
