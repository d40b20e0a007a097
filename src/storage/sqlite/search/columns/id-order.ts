import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../../cache/cache.ts';
import { compareUtf8 } from '../../../../domain/predicate/scalar.ts';
import { createChangedRows } from '../../indexing/changed-rows.ts';
import type { BuildPolicy } from '../build-policy.ts';
import { createDoubleMap, type DoubleMap } from './row-map.ts';

/** The positions of a project's rows in the order of their ids, for each of some rows: the lower number comes first. */
export type IdOrder = (rows: Uint32Array) => Float64Array;

export interface IdOrders {
  /**
   * The order as of the open snapshot, which is of the commit; undefined where it is not cached yet and reading the ids
   * of so few rows is faster.
   */
  of(projectKey: string, commits: number, rows: number): IdOrder | undefined;
  /** Builds a portion of an order that was asked for; true if there is more to do. */
  advance(commits: number): boolean;
  /** True if `advance` has something to do. */
  hasUnfinished(): boolean;
}

interface CachedOrder {
  readonly positions: DoubleMap;
  commits: number;
}

/** An order that is built in portions. */
interface UnfinishedOrder extends CachedOrder {
  readonly portions: Generator<void, void>;
  /** Rows of which searches read the ids instead. */
  readRows: number;
}

/** Projects whose order is cached or being built. */
const maxCached = 16;

/** Rows per portion: some milliseconds. */
const portionRows = 20_000;

/** Far from 0 in both directions, since 0 stands for no position. */
const firstPosition = 2 ** 32;

const byId = 'FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ?';

/**
 * Caches the order of ids on a connection: relevance has many ties, and reading the id of each row for them would cost
 * more than everything else. A row that is added later gets a position halfway between its neighbours.
 */
export function createIdOrders(db: DatabaseSync, policy: BuildPolicy): IdOrders {
  const unfinished = new Map<string, UnfinishedOrder>();
  const cache = new Cache<string, CachedOrder>({ maxEntries: maxCached });
  const changedSince = createChangedRows(db);
  const insert = createInsertion(db);

  const portion = db.prepare(
    `SELECT json_group_array(row), max(id) FROM (SELECT row, id ${byId} AND id > ? ORDER BY id LIMIT ${portionRows})`,
  );
  portion.setReturnArrays(true);

  /** Each portion is read in a snapshot of its own: `follow` positions the rows that change meanwhile. */
  function* readInto(positions: DoubleMap, projectKey: string): Generator<void, void> {
    let position = firstPosition;
    for (let last = ''; ; ) {
      const [text, end] = portion.get(projectKey, last) as unknown as [string, string | null];
      const rows = JSON.parse(text) as number[];
      for (const row of rows) {
        positions.set(row, position);
        position += 1;
      }
      if (end === null || rows.length < portionRows) return;
      last = end;
      yield;
    }
  }

  function begin(projectKey: string, commits: number): UnfinishedOrder {
    const positions = createDoubleMap();
    return { positions, commits, portions: readInto(positions, projectKey), readRows: 0 };
  }

  /** Builds the rest of an order, in the open snapshot. */
  function finish(projectKey: string, commits: number): CachedOrder {
    for (;;) {
      const made = unfinished.get(projectKey) ?? begin(projectKey, commits);
      unfinished.set(projectKey, made);
      // Not for…of: if the time runs out, that would close the generator, and the next search could not continue it.
      while (!made.portions.next().done) policy.check();
      unfinished.delete(projectKey);
      // Otherwise it was begun too long ago.
      if (follow(made, projectKey, commits)) return made;
    }
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
        // As with columns: what searches have read instead counts.
        if (!policy.isWorth(rows + (unfinished.get(projectKey)?.readRows ?? 0))) {
          if (unfinished.size < maxCached && !unfinished.has(projectKey)) {
            unfinished.set(projectKey, begin(projectKey, commits));
          }
          const noted = unfinished.get(projectKey);
          if (noted) noted.readRows += rows;
          return undefined;
        }
        order = finish(projectKey, commits);
        cache.set(projectKey, order);
      }
      const { positions } = order;
      return (some) => positions.numbersOf(some);
    },
    hasUnfinished: () => unfinished.size > 0,
    advance(commits) {
      const [next] = unfinished;
      if (!next) return false;
      const [projectKey, made] = next;
      if (made.portions.next().done) {
        unfinished.delete(projectKey);
        if (follow(made, projectKey, commits)) cache.set(projectKey, made);
      }
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
    positions: DoubleMap,
    projectKey: string,
    id: string,
  ): readonly [row: number, id: string] | undefined {
    for (const next of after.iterate(projectKey, id) as unknown as Iterable<[number, string]>) {
      if (positions.get(next[0]) !== 0) return next;
    }
    return undefined;
  }

  return (positions: DoubleMap, projectKey: string, changed: ReadonlySet<number>): boolean => {
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
