import type { ListQuery } from '../../../domain/ports/list-query.ts';
import { normalise } from '../../../index/plan/normalise.ts';
import { raw, type Sql, sql } from '../../../index/plan/sql.ts';
import type { UsablePaths } from '../generations/generation.ts';
import type { Connection } from '../open/connection.ts';
import {
  type BroadRange,
  type BroadRanges,
  type InsideRange,
  noBroadRanges,
  rangeConditions,
} from './range-conditions.ts';
import { runSql } from './run-sql.ts';

/** Which ranges are broad. Another choice gives the same results. */
export interface BroadTuning {
  /** Those with more entries, */
  readonly many: number;
  /** if they have one in so many of the project's resources. */
  readonly part: number;
}

const defaultTuning: BroadTuning = { many: 10_000, part: 4 };

/**
 * The ranges of a query that a good part of the project is in. To gather the ids of hundreds of thousands of
 * entries takes longer than to read documents in the order of an index until the page is full.
 */
export async function findBroadRanges(
  connection: Connection,
  { projectKey, staged, where }: Pick<ListQuery, 'projectKey' | 'staged' | 'where'>,
  usable: UsablePaths,
  tuning: Partial<BroadTuning> = {},
): Promise<BroadRanges> {
  const conditions = rangeConditions(normalise(where), { projectKey, staged, usable, broad: noBroadRanges });
  const broad = new Map<string, BroadRange>();
  for (const { name, inside } of conditions.values()) {
    const atLeast = inside
      ? await leastIfBroad(connection, projectKey, inside, { ...defaultTuning, ...tuning })
      : undefined;
    if (inside && atLeast !== undefined) broad.set(name, { ...inside, atLeast });
  }
  return broad;
}

/** So many entries, or more, are in a broad range; undefined for any other. */
async function leastIfBroad(
  connection: Connection,
  projectKey: string,
  { entries }: InsideRange,
  { many, part }: BroadTuning,
): Promise<number | undefined> {
  const counted = async (rows: Sql, most?: number): Promise<number> => {
    const limit = raw(most === undefined ? '' : `LIMIT ${Math.trunc(most)}`);
    const [row] = await runSql<{ rows: number }>(connection, sql`SELECT count(*) AS rows FROM (${rows} ${limit}) e`);
    return row!.rows;
  };
  if ((await counted(entries, many + 1)) <= many) return undefined;
  const resources = await counted(sql`SELECT 1 FROM resource r WHERE r.project_key = ${projectKey}`);
  const least = Math.max(many + 1, Math.ceil(resources / part));
  return (await counted(entries, least)) < least ? undefined : least;
}
