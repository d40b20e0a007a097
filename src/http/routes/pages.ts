import { decodeSequence } from '../../domain/history/cursor.ts';
import type { ApiRequest, HttpResponse, ParameterTable } from '../route.ts';

const defaultLimit = 20;

/** The parameters of pages that continue by a cursor, other than those of resources. */
export const cursorParameters = {
  limit: { type: 'integer', minimum: 1, maximum: 500, default: defaultLimit, description: 'Most items of the page.' },
  cursor: { type: 'string', description: 'The `next` of the page before.' },
} as const satisfies ParameterTable;

/** The most items that a request wants on its page. */
export function limitOf({ query }: Pick<ApiRequest, 'query'>): number {
  return Number(query.get('limit') ?? defaultLimit);
}

/** The sequence that a page begins below, of changes in their reverse order; undefined for the first one. */
export function belowOf({ query }: ApiRequest): number | undefined {
  const cursor = query.get('cursor');
  return cursor === undefined ? undefined : decodeSequence('cursor', String(cursor));
}

/** Cuts a page out of the items that were found; `next` is the cursor of its last one, where more were found than it takes. */
export function cutPage<Item>(found: readonly Item[], limit: number, cursorOf: (last: Item) => string) {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? cursorOf(items.at(-1)!) : undefined };
}

/** The response with a page, and the cursor of the one after it; undefined on the last one. */
export function pageResponse(
  limit: number,
  results: readonly object[],
  next: string | undefined,
  more: Pick<HttpResponse, 'headers' | 'nextBy'> = {},
): HttpResponse {
  return { status: 200, body: JSON.stringify({ limit, count: results.length, results, next }), next, ...more };
}
