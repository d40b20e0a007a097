import { pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { read } from '../app/session.ts';

export interface ListRequest {
  readonly projectKey: string;
  readonly where: string;
  /** Such as `createdAt desc`. */
  readonly sort: string;
  readonly staged: boolean;
}

export interface ListPage {
  readonly rows: readonly JsonMap[];
  /** Absent where the rows that follow were asked for. */
  readonly total?: number;
  /** There are more than `total`. */
  readonly isMore: boolean;
  /** Where the next page begins; undefined on the last one. */
  readonly next?: string;
}

export const pageSize = 100;

interface Body {
  readonly results: readonly JsonMap[];
  readonly total?: number;
  readonly totalRelation?: string;
  readonly next?: string;
}

export const listPath = (projectKey: string) => pathOf(projectKey, 'resource', 'sorted-query-parameters');

/** The query of a list, without paging. */
export function listQuery({ where, sort, staged }: ListRequest): URLSearchParams {
  const query = new URLSearchParams();
  if (where !== '') query.append('where', where);
  if (sort !== '') query.append('sort', sort);
  if (staged) query.append('staged', 'true');
  return query;
}

/** Reads a page: the first one, or the one after a cursor. The number of matches is exact up to some thousands. */
export async function readPage(
  request: ListRequest,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListPage> {
  const query = listQuery(request);
  query.append('limit', String(pageSize));
  if (cursor !== undefined) query.append('cursor', cursor);
  const { results, total, totalRelation, next } = await read<Body>(request.projectKey, {
    path: listPath(request.projectKey),
    query,
    signal,
  });
  return {
    rows: results,
    isMore: totalRelation === 'gte',
    ...(total !== undefined && cursor === undefined && { total }),
    ...(next !== undefined && { next }),
  };
}

/** Counts all matches, however many there are. */
export async function countExactly(request: ListRequest): Promise<number> {
  const query = listQuery(request);
  query.append('limit', '0');
  query.append('withTotal', 'true');
  const { total = 0 } = await read<Body>(request.projectKey, { path: listPath(request.projectKey), query });
  return total;
}
