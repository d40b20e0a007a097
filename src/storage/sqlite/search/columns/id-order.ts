import type { DatabaseSync } from 'node:sqlite';
import { compareUtf8 } from '../../../../domain/predicate/scalar.ts';
import { sql } from '../../../query/sql.ts';
import { selectOne } from '../../query/statements.ts';
import { createChangedRows } from '../../write/change-log.ts';
import type { BuildPolicy } from '../build-policy.ts';
import { createRowMap, type RowMap } from './row-map.ts';

/** Where rows of a project are in the order of their ids: the lower number comes first. */
export type IdOrder = (row: number) => number;

export interface IdOrders {
  /**
   * The order as of the snapshot that is open, which is of the commit; undefined where it is not kept yet, and so few
   * rows are sooner read.
   */
  of(projectKey: string, commits: number, rows: number): IdOrder | undefined;
  /** Makes an order that was asked for; true where there are more. */
  advance(commits: number): boolean;
}

interface Kept {
  readonly places: RowMap;
  commits: number;
}

/** Projects whose order is kept; those used longest ago go first. */
const mostKept = 16;

/** Far from 0, which stands for no place, on both sides. */
const firstPlace = 2 ** 32;

const byId = 'FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ?';

/**
 * Keeps the order of ids on a connection: relevance has many ties, and to read the id of each row for them would cost
 * more than all else. A row that comes later gets a place halfway between its neighbours.
 */
export function createIdOrders(db: DatabaseSync, policy: BuildPolicy): IdOrders {
  const wanted = new Set<string>();
  const kept = new Map<string, Kept>();
  const changedSince = createChangedRows(db);
  const place = createPlacing(db);

  function read(projectKey: string, commits: number): Kept {
    const query = sql`SELECT json_group_array(row) AS rows FROM (SELECT row FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ${projectKey} ORDER BY id)`;
    const { rows } = selectOne(db, query) as { rows: string };
    const places = createRowMap('doubles');
    for (const [at, row] of (JSON.parse(rows) as number[]).entries()) places.set(row, firstPlace + at);
    return { places, commits };
  }

  function follow(known: Kept, projectKey: string, commits: number): boolean {
    if (known.commits === commits) return true;
    const changed = changedSince(projectKey, known.commits, commits);
    if (!changed || !place(known.places, projectKey, changed)) return false;
    known.commits = commits;
    return true;
  }

  function keep(projectKey: string, known: Kept): Kept {
    kept.delete(projectKey);
    kept.set(projectKey, known);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    return known;
  }

  return {
    of(projectKey, commits, rows) {
      let known = kept.get(projectKey);
      if (!known || !follow(known, projectKey, commits)) {
        kept.delete(projectKey);
        wanted.add(projectKey);
        if (!policy.isWorth(rows, { db, projectKey })) return undefined;
        wanted.delete(projectKey);
        known = policy.make(() => read(projectKey, commits));
      }
      const { places } = keep(projectKey, known);
      return (row) => places.get(row);
    },
    advance(commits) {
      const [projectKey] = wanted;
      if (projectKey === undefined) return false;
      wanted.delete(projectKey);
      if (!kept.has(projectKey)) keep(projectKey, read(projectKey, commits));
      return true;
    },
  };
}

/** Gives places to rows that may be new, or under a number that another row had; false where there is no room left. */
function createPlacing(db: DatabaseSync) {
  const changedById = db.prepare(
    'SELECT r.row, r.id FROM json_each(?) n CROSS JOIN resource r ON r.row = n.value AND r.project_key = ? ORDER BY r.id',
  );
  const before = db.prepare(`SELECT row ${byId} AND id < ? ORDER BY id DESC LIMIT 1`);
  const after = db.prepare(`SELECT row, id ${byId} AND id > ? ORDER BY id`);
  for (const statement of [changedById, before, after]) statement.setReturnArrays(true);

  /** The first row behind an id that has a place. */
  function nextPlaced(places: RowMap, projectKey: string, id: string): readonly [row: number, id: string] | undefined {
    for (const next of after.iterate(projectKey, id) as unknown as Iterable<[number, string]>) {
      if (places.get(next[0]) !== 0) return next;
    }
    return undefined;
  }

  return (places: RowMap, projectKey: string, changed: ReadonlySet<number>): boolean => {
    for (const row of changed) places.set(row, 0);
    const rows = changedById.all(JSON.stringify([...changed]), projectKey) as unknown as [number, string][];
    let next: readonly [row: number, id: string] | undefined;
    let isEnd = false;
    for (const [row, id] of rows) {
      const previous = before.get(projectKey, id) as unknown as [number] | undefined;
      // Rows in a series have the same next one; behind the end there is nothing for the others either.
      if (!isEnd && (!next || compareUtf8(next[1], id) < 0)) {
        next = nextPlaced(places, projectKey, id);
        isEnd = next === undefined;
      }
      const [low, high] = [previous && places.get(previous[0]), next && places.get(next[0])];
      const own = between(low, high);
      if (own === low || own === high || own === 0) return false;
      places.set(row, own);
    }
    return true;
  };
}

function between(low: number | undefined, high: number | undefined): number {
  if (low === undefined) return high === undefined ? firstPlace : high - 1;
  return high === undefined ? low + 1 : (low + high) / 2;
}
