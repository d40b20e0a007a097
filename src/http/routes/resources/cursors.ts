import { type CursorQuery, cursorQuery } from '../../../auth/cursors.ts';
import { malformedParameter } from '../../../contract/errors.ts';
import type { Position } from '../../../domain/ports/list-query.ts';
import type { QueryValues } from '../../route.ts';
import type { RouteDeps } from '../all.ts';

/** Pages that continue one another (decision 128): what a list makes of `cursor`, and what it says of its next page. */

/** Parameters that change neither which resources a list has nor their order. */
const indifferent: ReadonlySet<string> = new Set([
  ...['cursor', 'limit', 'offset', 'withTotal', 'expand', 'fields', 'consistency'],
  ...['facet', 'filter.facets'],
]);

export type CursorState = ReturnType<typeof readCursor>;

/**
 * Reads `cursor`: where a request is in its list. `list` names the kind of the list; `after` is absent on the first page. Throws
 * `ServiceError` InvalidInput.
 */
export function readCursor(
  { cursors }: Pick<RouteDeps, 'cursors'>,
  list: string,
  projectKey: string,
  values: QueryValues,
) {
  let known: CursorQuery | undefined;
  // Computed for the first cursor of the list: a page that is the last one has none.
  const query = () => (known ??= cursorQuery(identityOf(list, projectKey, values)));
  const cursor = values.get('cursor');
  if (cursor === undefined) return { query, after: undefined };
  if (values.get('offset')) throw malformedParameter('offset', 'expected nothing, or 0, beside cursor');
  return { query, after: cursors.open(query(), String(cursor)) };
}

function identityOf(list: string, projectKey: string, values: QueryValues): string {
  const deciding = [...values].filter(([name, value]) => !indifferent.has(name) && value !== false);
  deciding.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([list, projectKey, deciding]);
}

/** The `next` of a page; undefined on the last one. */
export function nextCursor(
  { cursors }: Pick<RouteDeps, 'cursors'>,
  { query }: CursorState,
  next: Position | undefined,
): string | undefined {
  return next && cursors.seal(query(), next);
}
