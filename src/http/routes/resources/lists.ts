import type { JsonObject } from '../../../contract/json.ts';
import {
  mergedResourcePageExample,
  mergedResourcePageSchema,
  resourcePageExample,
  resourcePageSchema,
} from '../../../contract/pages.ts';
import { maxCounted, parsePaging, parseSortTerms, parseWhere, textsOf } from '../../../domain/paging.ts';
import type { ListPage, ListQuery } from '../../../domain/ports/list-query.ts';
import type { ResourceReads } from '../../../domain/ports/store.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import { existenceDefaults, parseConditions } from '../../../domain/resource/read/conditions.ts';
import { type ExpandPath, expandDocuments, parseExpand } from '../../../domain/resource/read/expand.ts';
import { type Fields, parseFields, selectFieldsInTurns } from '../../../domain/resource/read/fields.ts';
import { mergedPageText, pageBody, parseDocuments, writeDocuments } from '../../../domain/resource/read/page.ts';
import type { ApiRequest, HttpResponse, ResponseDescription, Route, Schema } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { jsonContent } from '../json.ts';
import { nextCursor, readCursor } from './cursors.ts';
import { eventualHeaders, preferHeader, readWhere } from './eventual-reads.ts';
import { formBody, refuseJson } from './forms.ts';
import { existenceParameters, listParameters, sortedListParameters } from './list-parameters.ts';
import type { ReadDeps } from './published.ts';
import { repeatedReads } from './repeated-reads.ts';

const collection = '/:projectKey/resource';
const shared = {
  tag: 'Resources',
  access: ['manage_test', 'view_test'],
  published: true,
  headers: [preferHeader],
  errors: ['QueryTimedOut'],
} as const satisfies Partial<Route>;

/** Lists of resources and the existence check: E1, E5, E12. */
export function listRoutes(deps: RouteDeps): readonly Route[] {
  const readRepeated = repeatedReads<ParsedList>(deps, {
    name: 'lists',
    parse: (request) => parseList(deps, 'sorted', request),
    read: (store, list, request) => listSorted(store, deps, list, request),
    dependsOnProject: ({ expand }) => expand.length === 0,
  });
  const merged = {
    ...shared,
    path: collection,
    query: listParameters,
    responses: { 200: page(mergedResourcePageSchema, mergedResourcePageExample) },
    handler: (request: ApiRequest) => readWhere(deps, request, listMerged),
  };
  const sorted = {
    ...shared,
    path: `${collection}/sorted-query-parameters`,
    query: sortedListParameters,
    responses: { 200: page(resourcePageSchema, resourcePageExample) },
    handler: (request: ApiRequest) =>
      readWhere(deps, request, (store, { hidden }) => readRepeated(store, request, undefined, hidden)),
  };
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
      ...merged,
      operationId: 'listResources',
      method: 'GET',
      summary: 'List resources by conditions',
      description:
        'A resource matches if it meets the conditions of all parameters. The response has a page of resources and, beside it, their seven arrays merged: concatenated in order, `arrayOfUniqueIntExample` without duplicates, and `arrayOfTwonumbersExample` as the smallest and largest of all numbers (absent if there are none). A query that is too long for a URL can be sent to the same path with POST, as a form.',
    },
    {
      ...merged,
      operationId: 'listResourcesByForm',
      method: 'POST',
      summary: 'List resources by conditions in a form',
      undocumented: true,
      body: formBody({ where: 'key in ("a", "b")' }, { refuse: refuseJson }),
    },
    {
      ...sorted,
      operationId: 'listResourcesSorted',
      method: 'GET',
      summary: 'List resources by predicates, sorted',
      description: 'Returns a page of the resources that match all predicates.',
    },
    {
      ...sorted,
      operationId: 'listResourcesSortedByForm',
      method: 'POST',
      summary: 'List resources by predicates in a form, sorted',
      description: 'The same list with the parameters in a form, for queries that are too long for a URL.',
      body: formBody({ where: 'key in ("a", "b")', sort: 'key asc' }),
    },
  ];
}

function page(schema: Schema, example: unknown): ResponseDescription {
  const headers = ['Link', ...eventualHeaders];
  return { description: 'A page of resources.', content: jsonContent(schema, example), headers };
}

async function checkExistence(store: ResourceReads, deps: ReadDeps, request: ApiRequest): Promise<HttpResponse> {
  const { projectKey, query } = request;
  const where = [...parseConditions(query, existenceDefaults), ...parseWhere(query)];
  const exists = await deps.slowQueries.watch(where, 'checkResourcesExist', request, () =>
    store.exists(projectKey, where, query.get('staged') === true, request.signal()),
  );
  return { status: exists ? 200 : 404, body: '' };
}

async function listMerged(store: ResourceReads, deps: ReadDeps, request: ApiRequest): Promise<HttpResponse> {
  const { query, cursor, expand, fields } = parseList(deps, 'merged', request, parseConditions(request.query));
  const page = await deps.slowQueries.watch(query, 'listResources', request, () => store.list(query, request.signal()));
  const documents = await parseDocuments(page.results);
  const shown = await withFields(await expandPage(store, deps, query, page, documents, expand), fields);
  const next = nextCursor(deps, cursor, page.next);
  return { status: 200, body: mergedPageText(query, shown, documents, next), next };
}

async function listSorted(
  store: ResourceReads,
  deps: RouteDeps,
  list: ParsedList,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { query, cursor, expand, fields } = list;
  const page = await deps.slowQueries.watch(query, 'listResourcesSorted', request, () =>
    store.list(query, request.signal()),
  );
  const next = nextCursor(deps, cursor, page.next);
  // The stored texts are sent as they are unless references are expanded.
  const shown =
    expand.length === 0 ? page : await expandPage(store, deps, query, page, await parseDocuments(page.results), expand);
  return { status: 200, body: pageBody(query, await withFields(shown, fields), next), next };
}

type ParsedList = ReturnType<typeof parseList>;

function parseList(
  deps: ReadDeps,
  kind: 'merged' | 'sorted',
  { projectKey, query }: ApiRequest,
  conditions: readonly Predicate[] = [],
) {
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
  };
}

/** A page with the selected fields of its resources. */
export async function withFields<Page extends ListPage>(page: Page, fields: Fields | undefined): Promise<Page> {
  return fields ? { ...page, results: await selectFieldsInTurns(page.results, fields) } : page;
}

/** Puts the referenced resources into a page. */
export async function expandPage<Page extends ListPage>(
  store: ResourceReads,
  { maxPageBytes, baseUrl }: Pick<RouteDeps, 'maxPageBytes' | 'baseUrl'>,
  { projectKey, staged }: Pick<ListQuery, 'projectKey' | 'staged'>,
  page: Page,
  documents: readonly JsonObject[],
  paths: readonly ExpandPath[],
): Promise<Page> {
  if (paths.length === 0) return page;
  const maxCharacters = page.results.reduce((left, { length }) => left - length, maxPageBytes);
  const expanded = await expandDocuments(documents, paths, { store, projectKey, staged, baseUrl, maxCharacters });
  return { ...page, results: await writeDocuments(expanded) };
}
