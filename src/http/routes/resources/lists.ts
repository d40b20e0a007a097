import { Cache } from '../../../cache/cache.ts';
import type { JsonObject } from '../../../contract/json.ts';
import {
  mergedResourcePageExample,
  mergedResourcePageSchema,
  resourcePageExample,
  resourcePageSchema,
} from '../../../contract/pages.ts';
import { maxCounted, parsePaging, parseSortTerms, parseWhere, textsOf } from '../../../domain/paging.ts';
import { joinedTexts, type ListPage, type ListQuery, lengthOf } from '../../../domain/ports/list-query.ts';
import type { Store } from '../../../domain/ports/store.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import { existenceDefaults, parseConditions } from '../../../domain/resource/read/conditions.ts';
import { type ExpandPath, expandDocuments, parseExpand } from '../../../domain/resource/read/expand.ts';
import { type Fields, parseFields, selectFieldsInTurns } from '../../../domain/resource/read/fields.ts';
import { joinDocuments, mergedPageText, pageBody, parseDocuments } from '../../../domain/resource/read/page.ts';
import { reportCache } from '../../../telemetry/cache-metrics.ts';
import type { Metrics } from '../../../telemetry/metrics.ts';
import type { SlowQueries } from '../../../telemetry/slow-queries.ts';
import { prepareParameters } from '../../request/query.ts';
import type { ApiRequest, HttpResponse, ResponseDescription, Route, Schema } from '../../route.ts';
import { jsonContent } from '../json.ts';
import { type CursorDeps, type CursorState, nextCursor, readCursor, withLink } from './cursors.ts';
import { describeQuery } from './described-query.ts';
import { eventualHeaders, preferHeader, type ResourceReads, readWhere } from './eventual-reads.ts';
import { formBody, formValues, refuseJson } from './forms.ts';
import { existenceParameters, listParameters, sortedListParameters } from './list-parameters.ts';

export interface ListDeps extends CursorDeps {
  readonly store: ResourceReads;
  /** For eventual reads. */
  readonly eventual?: Store['eventual'];
  /** Bound of a page; references put into it count too. */
  readonly maxPageBytes: number;
  /** The public address, before the paths of images. */
  readonly baseUrl: string;
  readonly nowMs: () => number;
  readonly metrics: Metrics;
  readonly slowQueries: SlowQueries;
}

const maxCachedQueries = 1000;

/** Longer URLs are not cached: few requests have one, and hardly any has it twice. */
const maxCachedUrlChars = 1024;

/**
 * Caches the parsed queries of lists by URL: clients repeat them, parsing one takes about as long as running it, and the
 * store's cache of pages belongs to the parsed query.
 */
export function cacheParsed<T extends object>(
  metrics: Metrics,
  parse: (request: ApiRequest) => T,
): (request: ApiRequest) => T {
  const cache = new Cache<string, T>({ maxEntries: maxCachedQueries });
  reportCache(metrics, 'queries', cache);
  return (request) => {
    const cached = cache.get(request.url);
    if (cached !== undefined) return cached;
    const parsed = parse(request);
    if (request.url.length <= maxCachedUrlChars) cache.set(request.url, parsed);
    return parsed;
  };
}

const formListParameters = prepareParameters(listParameters);
const formSortedParameters = prepareParameters(sortedListParameters);

const collection = '/:projectKey/resource';
const shared = {
  tag: 'Resources',
  access: ['manage_test', 'view_test'],
  headers: [preferHeader],
  errors: ['InvalidInput', 'QueryTimedOut', 'DataCorruption'],
} as const satisfies Partial<Route>;

/** Lists of resources and the existence check: E1, E5, E12. */
export function listRoutes(deps: ListDeps): readonly Route[] {
  const parseSorted = cacheParsed(deps.metrics, (request) => parseList(deps, 'sorted', request));
  return [
    {
      ...shared,
      operationId: 'checkResourcesExist',
      method: 'HEAD',
      path: collection,
      summary: 'Check whether a resource matches',
      description:
        'A resource matches if it meets the conditions of all parameters. A parameter with its default value adds no condition: omitting it and sending the default are the same. Without parameters, checks whether the project has any resource.',
      query: existenceParameters,
      responses: {
        200: { description: 'At least one resource matches.', headers: eventualHeaders },
        404: { description: 'No resource matches.', headers: eventualHeaders },
      },
      handler: (request) => readWhere(deps, request, checkExistence),
    },
    {
      ...shared,
      operationId: 'listResources',
      method: 'GET',
      path: collection,
      summary: 'List resources by conditions',
      description:
        'A resource matches if it meets the conditions of all parameters. The response has a page of resources and, beside it, their seven arrays merged: concatenated in order, `arrayOfUniqueIntExample` without duplicates, and `arrayOfTwonumbersExample` as the smallest and largest of all numbers (absent if there are none). A query that is too long for a URL can be sent to the same path with POST, as a form.',
      query: listParameters,
      responses: { 200: page(mergedResourcePageSchema, mergedResourcePageExample) },
      handler: (request) => readWhere(deps, request, (store) => listMerged(store, deps, request, request.url)),
    },
    {
      ...shared,
      operationId: 'listResourcesByForm',
      method: 'POST',
      path: collection,
      summary: 'List resources by conditions in a form',
      undocumented: true,
      query: listParameters,
      body: formBody({ where: 'key in ("a", "b")' }),
      responses: { 200: page(mergedResourcePageSchema, mergedResourcePageExample) },
      handler(sent) {
        refuseJson(sent);
        const request = { ...sent, query: formValues(sent, formListParameters) };
        return readWhere(deps, request, (store) => listMerged(store, deps, request));
      },
    },
    {
      ...shared,
      operationId: 'listResourcesSorted',
      method: 'GET',
      path: `${collection}/sorted-query-parameters`,
      summary: 'List resources by predicates, sorted',
      description: 'Returns a page of the resources that match all predicates.',
      query: sortedListParameters,
      responses: { 200: page(resourcePageSchema, resourcePageExample) },
      handler(request) {
        const list = parseSorted(request);
        return readWhere(deps, request, (store) => listSorted(store, deps, list, request, request.url));
      },
    },
    {
      ...shared,
      operationId: 'listResourcesSortedByForm',
      method: 'POST',
      path: `${collection}/sorted-query-parameters`,
      summary: 'List resources by predicates in a form, sorted',
      description: 'The same list with the parameters in a form, for queries that are too long for a URL.',
      query: sortedListParameters,
      body: formBody({ where: 'key in ("a", "b")', sort: 'key asc' }),
      responses: { 200: page(resourcePageSchema, resourcePageExample) },
      handler(sent) {
        const request = { ...sent, query: formValues(sent, formSortedParameters) };
        const list = parseList(deps, 'sorted', request);
        return readWhere(deps, request, (store) => listSorted(store, deps, list, request));
      },
    },
  ];
}

function page(schema: Schema, example: unknown): ResponseDescription {
  const headers = ['Link', ...eventualHeaders];
  return { description: 'A page of resources.', content: jsonContent(schema, example), headers };
}

async function checkExistence(store: ResourceReads, deps: ListDeps, request: ApiRequest): Promise<HttpResponse> {
  const { projectKey, query } = request;
  const where = [...parseConditions(query, existenceDefaults), ...parseWhere(query)];
  const exists = await deps.slowQueries.watch(where, describeQuery('checkResourcesExist', request), () =>
    store.exists(projectKey, where, query.get('staged') === true, request.signal()),
  );
  return { status: exists ? 200 : 404, body: '' };
}

async function listMerged(
  store: ResourceReads,
  deps: ListDeps,
  request: ApiRequest,
  url?: string,
): Promise<HttpResponse> {
  const { query, cursor, expand, fields } = parseList(deps, 'merged', request, parseConditions(request.query));
  const page = await deps.slowQueries.watch(query, describeQuery('listResources', request), () =>
    store.list(query, request.signal()),
  );
  const documents = await parseDocuments(page.results);
  const shown = await withFields(await expandPage(store, deps, query, page, documents, expand), fields);
  const next = nextCursor(deps, cursor, page.next);
  return withLink({ status: 200, body: mergedPageText(query, shown, documents, next) }, deps, url, next);
}

async function listSorted(
  store: ResourceReads,
  deps: ListDeps,
  list: ParsedList,
  request: ApiRequest,
  url?: string,
): Promise<HttpResponse> {
  const { query, cursor, expand, fields } = list;
  const page = await deps.slowQueries.watch(query, describeQuery('listResourcesSorted', request), () =>
    store.list(query, request.signal()),
  );
  if (expand.length === 0) {
    // The stored texts are sent as they are unless references are expanded.
    return repeated(list, page, deps.cursors.sealedWith(), async () => {
      const next = nextCursor(deps, cursor, page.next);
      return withLink({ status: 200, body: pageBody(query, await withFields(page, fields), next) }, deps, url, next);
    });
  }
  const next = nextCursor(deps, cursor, page.next);
  const shown = await expandPage(store, deps, query, page, await parseDocuments(page.results), expand);
  return withLink({ status: 200, body: pageBody(query, await withFields(shown, fields), next) }, deps, url, next);
}

/**
 * The response with a page. The store's cache hands in the same page again: from the third time on its response is ready
 * as bytes, instead of being joined, encoded and its cursor sealed each time.
 */
async function repeated(
  list: ParsedList,
  page: ListPage,
  sealedWith: object,
  make: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  // Most queries are sent once, and their pages need not be remembered.
  if (!list.isRepeated) {
    list.isRepeated = true;
    return make();
  }
  const known = ready.get(page);
  if (known?.response && known.sealedWith === sealedWith) return known.response;
  const response = await make();
  const { body } = response;
  const bytes = known && { ...response, body: typeof body === 'string' ? Buffer.from(body) : body };
  ready.set(page, { sealedWith, response: bytes });
  return bytes ?? response;
}

/** Pages that were sent, with the response from the second time on. */
const ready = new WeakMap<ListPage, { readonly sealedWith: object; readonly response: HttpResponse | undefined }>();

interface ParsedList {
  readonly query: ListQuery;
  readonly cursor: CursorState;
  readonly expand: readonly ExpandPath[];
  readonly fields: Fields | undefined;
  /** It has been sent before. */
  isRepeated: boolean;
}

function parseList(
  deps: ListDeps,
  kind: 'merged' | 'sorted',
  { projectKey, query }: ApiRequest,
  conditions: readonly Predicate[] = [],
): ParsedList {
  const where = [...conditions, ...parseWhere(query)];
  const sort = parseSortTerms(query);
  const countUpTo = query.has('withTotal') ? undefined : maxCounted;
  const cursor = readCursor(deps, kind, projectKey, query);
  const { after } = cursor;
  return {
    query: { projectKey, where, sort, ...parsePaging(query), after, countUpTo, staged: query.get('staged') === true },
    cursor,
    expand: parseExpand(textsOf(query, 'expand')),
    fields: parseFields(textsOf(query, 'fields')),
    isRepeated: false,
  };
}

/** A page with the selected fields of its resources. */
export async function withFields<Page extends ListPage>(page: Page, fields: Fields | undefined): Promise<Page> {
  return fields ? { ...page, results: await selectFieldsInTurns(joinedTexts(page.results), fields) } : page;
}

/** Puts the referenced resources into a page. */
export async function expandPage<Page extends ListPage>(
  store: ResourceReads,
  { maxPageBytes, baseUrl }: ListDeps,
  { projectKey, staged }: Pick<ListQuery, 'projectKey' | 'staged'>,
  page: Page,
  documents: readonly JsonObject[],
  paths: readonly ExpandPath[],
): Promise<Page> {
  if (paths.length === 0) return page;
  const maxCharacters = maxPageBytes - lengthOf(page.results);
  const expanded = await expandDocuments(documents, paths, { store, projectKey, staged, baseUrl, maxCharacters });
  return { ...page, results: await joinDocuments(expanded) };
}
