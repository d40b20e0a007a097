import type { ListQuery } from '../../../domain/ports/list-query.ts';
import { normalise } from '../../query/normalise.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
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

/** Ranges with fewer entries are looked up, whatever part of the project they are. */
export const manyEntries = 10_000;

/** A range is broad if it has one in so many of the project's resources. */
const broadPart = 4;

/**
 * The ranges of a query that a good part of the project is in (decision 203). To gather the ids of hundreds of thousands of
 * entries takes longer than to read documents in the order of an index until the page is full.
 */
export async function findBroadRanges(
  connection: Connection,
  { projectKey, staged, where }: Pick<ListQuery, 'projectKey' | 'staged' | 'where'>,
  usable: UsablePaths,
  many = manyEntries,
): Promise<BroadRanges> {
  const conditions = rangeConditions(normalise(where), { projectKey, staged, usable, broad: noBroadRanges });
  const broad = new Map<string, BroadRange>();
  for (const { name, inside } of conditions.values()) {
    const atLeast = inside ? await leastIfBroad(connection, projectKey, inside, many) : undefined;
    if (inside && atLeast !== undefined) broad.set(name, { ...inside, atLeast });
  }
  return broad;
}

/** So many entries, or more, are in a broad range; undefined for any other. */
async function leastIfBroad(
  connection: Connection,
  projectKey: string,
  { entries }: InsideRange,
  many: number,
): Promise<number | undefined> {
  const counted = async (rows: Sql, most?: number): Promise<number> => {
    const limit = raw(most === undefined ? '' : `LIMIT ${Math.trunc(most)}`);
    const [row] = await runSql<{ rows: number }>(connection, sql`SELECT count(*) AS rows FROM (${rows} ${limit}) e`);
    return row!.rows;
  };
  if ((await counted(entries, many + 1)) <= many) return undefined;
  const resources = await counted(sql`SELECT 1 FROM resource r WHERE r.project_key = ${projectKey}`);
  const least = Math.max(many + 1, Math.ceil(resources / broadPart));
  return (await counted(entries, least)) < least ? undefined : least;
}
