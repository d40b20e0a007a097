import { type CursorQuery, type Cursors, cursorQuery } from '../../../auth/cursors.ts';
import { malformedParameter } from '../../../contract/errors.ts';
import type { Position } from '../../../domain/ports/list-query.ts';
import type { HttpResponse, QueryValues } from '../../route.ts';

/** Pages that continue one another (decision 128): what a list makes of `cursor`, and what it says of its next page. */

export interface CursorDeps {
  readonly cursors: Cursors;
  /** The public address that links begin with. If it is empty, links are paths. */
  readonly baseUrl: string;
}

/** Parameters that change neither which resources a list has nor their order. */
const indifferent: ReadonlySet<string> = new Set([
  ...['cursor', 'limit', 'offset', 'withTotal', 'expand', 'fields', 'consistency'],
  ...['facet', 'filter.facets'],
]);

/** Where a request is in its list. */
export interface CursorState {
  /** Computed for the first cursor of the list: a page that is the last one has none. */
  readonly query: () => CursorQuery;
  /** Absent on the first page. */
  readonly after: Position | undefined;
}

/** Reads `cursor`. `list` names the kind of the list. Throws `ServiceError` InvalidInput. */
export function readCursor(deps: CursorDeps, list: string, projectKey: string, values: QueryValues): CursorState {
  let known: CursorQuery | undefined;
  const query = () => (known ??= cursorQuery(identityOf(list, projectKey, values)));
  const cursor = values.get('cursor');
  if (cursor === undefined) return { query, after: undefined };
  if (values.get('offset')) throw malformedParameter('offset', 'expected nothing, or 0, beside cursor');
  return { query, after: deps.cursors.open(query(), String(cursor)) };
}

function identityOf(list: string, projectKey: string, values: QueryValues): string {
  const deciding = [...values].filter(([name, value]) => !indifferent.has(name) && value !== false);
  deciding.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([list, projectKey, deciding]);
}

/** A longer link is left out: clients bound the headers that they take. The body has the cursor at any length. */
const maxLinkChars = 4000;

/** The `next` of a page; undefined on the last one. */
export function nextCursor(deps: CursorDeps, { query }: CursorState, next: Position | undefined): string | undefined {
  return next && deps.cursors.seal(query(), next);
}

/** Parameters that say where a page begins. */
const positions = /^(?:cursor|after|offset|tail)(?:=|$)/;

/**
 * Adds the link to the next page (RFC 8288) to a response. `url` is that of the request; none for a form, which no link can
 * repeat. `parameter` is the one that takes `next`.
 */
export function withLink(
  response: HttpResponse,
  { baseUrl }: Pick<CursorDeps, 'baseUrl'>,
  url: string | undefined,
  next: string | undefined,
  parameter: 'cursor' | 'after' = 'cursor',
): HttpResponse {
  if (next === undefined || url === undefined) return response;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const pairs = mark === -1 ? [] : url.slice(mark + 1).split('&');
  const others = pairs.filter((pair) => !positions.test(pair));
  const link = `<${baseUrl}${path}?${[...others, `${parameter}=${next}`].join('&')}>; rel="next"`;
  // A character that a header cannot have, or that would end the link.
  if (link.length > maxLinkChars || /[^\x21-\x7e ]|>.*>/.test(link)) return response;
  return { ...response, headers: { ...response.headers, link } };
}
