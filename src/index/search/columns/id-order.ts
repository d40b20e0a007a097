import type { DatabaseSync } from 'node:sqlite';
import { compareUtf8 } from '../../../domain/predicate/scalar.ts';
import { nthGreatest } from '../../../domain/search/nth-greatest.ts';
import { raw, sql } from '../../plan/sql.ts';
import { eachArray, selectMany, selectNumbers } from '../../query/statements.ts';
import type { SearchScope } from '../query-terms.ts';
import type { SearchStart } from '../search-position.ts';
import type { Followed } from './columns.ts';
import { RowMap } from './row-map.ts';

/** Far from 0 in both directions, since 0 stands for no position. */
const firstPosition = 2 ** 32;

/** FROM and WHERE of the resources of a project by the index of their ids. */
const idsOf = (projectKey: string) =>
  sql`FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ${projectKey}`;

/**
 * The positions of a project's rows in the order of their ids: relevance has many ties, and reading the id of each row for them would
 * cost more than everything else. A row that is added later gets a position halfway between its neighbours.
 */
export class IdOrder implements Followed {
  readonly #db: DatabaseSync;
  readonly #projectKey: string;
  readonly #positions = new RowMap(Float64Array);

  constructor(db: DatabaseSync, projectKey: string) {
    this.#db = db;
    this.#projectKey = projectKey;
  }

  complete(progress: (bytes: number) => void): void {
    const ordered = selectMany(this.#db, sql`SELECT row ${idsOf(this.#projectKey)} ORDER BY id`);
    for (const [at, row] of ordered.entries()) this.#positions.set(row, firstPosition + at);
    progress(this.bytes);
  }

  get bytes(): number {
    return this.#positions.bytes;
  }

  positionOf(row: number): number {
    return this.#positions.get(row);
  }

  /** The positions of rows, in their order: the lower number comes first. */
  positionsOf(rows: Uint32Array): Float64Array {
    return this.#positions.numbersOf(rows);
  }

  /** Positions rows that may be new, or may have the number of an earlier row; false where no position is left between. */
  follow(changed: ReadonlySet<number>): boolean {
    for (const row of changed) this.#positions.set(row, 0);
    let next: readonly [row: number, id: string] | undefined;
    let isEnd = false;
    for (const [row, id] of this.#withIds(changed)) {
      const before = sql`SELECT row ${idsOf(this.#projectKey)} AND id < ${id} ORDER BY id DESC LIMIT 1`;
      const [previous] = selectNumbers(this.#db, before);
      // Consecutive rows share the next row; after the last row there is no next row for any of them.
      if (!isEnd && (!next || compareUtf8(next[1], id) < 0)) {
        next = this.#nextPositioned(id);
        isEnd = next === undefined;
      }
      const [low, high] = [previous && this.positionOf(previous), next && this.positionOf(next[0])];
      const own = between(low, high);
      if (own === low || own === high || own === 0) return false;
      this.#positions.set(row, own);
    }
    return true;
  }

  #withIds(rows: ReadonlySet<number>): readonly (readonly [row: number, id: string])[] {
    const numbers = `[${[...rows].join(',')}]`;
    const ids = sql`SELECT r.row, r.id FROM json_each(${numbers}) n CROSS JOIN resource r ON r.row = n.value AND r.project_key = ${this.#projectKey} ORDER BY r.id`;
    return [...eachArray<readonly [number, string]>(this.#db, ids)];
  }

  /** The first row behind an id that has a position. */
  #nextPositioned(id: string): readonly [row: number, id: string] | undefined {
    const after = sql`SELECT row, id ${idsOf(this.#projectKey)} AND id > ${id} ORDER BY id`;
    for (const next of eachArray<readonly [number, string]>(this.#db, after)) {
      if (this.positionOf(next[0]) !== 0) return next;
    }
    return undefined;
  }
}

function between(low: number | undefined, high: number | undefined): number {
  if (low === undefined) return high === undefined ? firstPosition : high - 1;
  return high === undefined ? low + 1 : (low + high) / 2;
}

interface OfProject extends SearchScope {
  readonly idOrder: (rows: number) => IdOrder | undefined;
}

/** The first rows of a group by id; with `start` of those behind it. */
export function byId(
  ranking: OfProject,
  group: Uint32Array,
  count: number,
  start: SearchStart | undefined,
): Iterable<number> {
  if (group.length === 1 && !start) return group;
  const order = ranking.idOrder(group.length);
  if (!order) return readById(ranking, group, count, start);
  const last = start && lastUpTo(ranking, start.id);
  const from = last === undefined ? Number.NEGATIVE_INFINITY : order.positionOf(last);
  return leastOf(group, order.positionsOf(group), count, from);
}

function readById(
  { db }: SearchScope,
  group: Uint32Array,
  count: number,
  start: SearchStart | undefined,
): readonly number[] {
  const behind = start ? sql`WHERE r.id > ${start.id}` : raw('');
  const query = sql`SELECT r.row AS row FROM json_each(${`[${group.join(',')}]`}) n CROSS JOIN resource r ON r.row = n.value ${behind} ORDER BY r.id LIMIT ${count}`;
  return selectNumbers(db, query);
}

/** The row with the greatest id up to this one, which may be deleted by now. */
function lastUpTo({ db, projectKey }: SearchScope, id: string): number | undefined {
  const query = sql`SELECT row ${idsOf(projectKey)} AND id <= ${id} ORDER BY id DESC LIMIT 1`;
  return selectNumbers(db, query)[0];
}

/** The `count` rows with the lowest positions behind `from`, in order, without sorting the rest of a long list. */
function leastOf(group: Uint32Array, positions: Float64Array, count: number, from: number): readonly number[] {
  const negated = positions.map((position) => (position > from ? -position : Number.NEGATIVE_INFINITY));
  const last = -nthGreatest(negated, count);
  const least: (readonly [row: number, position: number])[] = [];
  for (let at = 0; at < group.length; at += 1) {
    const position = positions[at]!;
    if (position > from && position <= last) least.push([group[at]!, position]);
  }
  return least.sort(([, a], [, b]) => a - b).map(([row]) => row);
}
