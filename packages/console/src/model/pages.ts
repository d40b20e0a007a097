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

/** A page of the API: `total` is exact, or the least that there are; absent where the rows that follow were asked for. */
export interface Page<Row = JsonMap> {
  readonly results: readonly Row[];
  readonly total?: number;
  readonly totalRelation?: string;
  readonly next?: string;
}

const pageSize = 100;

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
export function readPage(request: ListRequest, cursor: string | undefined, signal: AbortSignal): Promise<Page> {
  const query = listQuery(request);
  query.append('limit', String(pageSize));
  if (cursor !== undefined) query.append('cursor', cursor);
  return read<Page>(request.projectKey, { path: listPath(request.projectKey), query, signal });
}

/** Counts all matches, however many there are. */
export async function countExactly(request: ListRequest): Promise<number> {
  const query = listQuery(request);
  query.append('limit', '0');
  query.append('withTotal', 'true');
  const { total = 0 } = await read<Page>(request.projectKey, { path: listPath(request.projectKey), query });
  return total;
}
