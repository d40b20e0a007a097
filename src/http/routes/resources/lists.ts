import type { JsonObject } from '../../../contract/json.ts';
import {
  mergedResourcePageExample,
  mergedResourcePageSchema,
  resourcePageExample,
  resourcePageSchema,
} from '../../../contract/query.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import { parsePaging, parseSortTerms, parseWhere, textsOf } from '../../../domain/paging.ts';
import type { ListPage, ListQuery } from '../../../domain/ports/list-query.ts';
import type { Store } from '../../../domain/ports/store.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import { existenceDefaults, parseConditions } from '../../../domain/resource/read/conditions.ts';
import { type ExpandPath, expandDocuments, parseExpand } from '../../../domain/resource/read/expand.ts';
import { mergedPageText, pageText, parseDocuments } from '../../../domain/resource/read/page.ts';
import { createRecent } from '../../request/parse-cache.ts';
import type { ApiRequest, HttpResponse, ResponseDescription, Route, Schema } from '../../route.ts';
import { existenceParameters, listParameters, sortedListParameters } from './list-parameters.ts';
import { eventualHeaders, preferHeader, type ResourceReads, readWhere } from './replica-reads.ts';

/** What the list routes need. */
export interface ListDeps {
  readonly store: ResourceReads;
  readonly eventual?: Store['eventual'];
  /** Bound of a list answer; references put into one count too. */
  readonly maxPageBytes: number;
}

const collection = '/:projectKey/resource';
const shared = {
  tag: 'Resources',
  access: ['manage_test', 'view_test'],
  strictQuery: true,
  headers: [preferHeader],
  errors: ['InvalidInput', 'QueryTimedOut', 'DataCorruption'],
} as const satisfies Partial<Route>;

/** Lists of resources and the existence check: E1, E5, E12. HEAD comes first, else GET would answer it too. */
export function listRoutes(deps: ListDeps): readonly Route[] {
  const recent: Recent = createRecent(1000);
  return [
    {
      ...shared,
      operationId: 'checkResourcesExist',
      method: 'HEAD',
      path: collection,
      summary: 'Ask whether a resource matches',
      description:
        'All parameters are conditions that must hold together. A parameter at its default constrains nothing, so that leaving it out and spelling its default out are the same question; without any parameter it is whether there is a resource at all.',
      query: existenceParameters,
      responses: {
        200: { description: 'At least one resource matches.', headers: eventualHeaders },
        404: { description: 'No resource matches.', headers: eventualHeaders },
      },
      handler: (request) => readWhere(deps, request, (store) => answerExistence({ ...deps, store }, request)),
    },
    {
      ...shared,
      operationId: 'listResources',
      method: 'GET',
      path: collection,
      summary: 'List or query resources',
      description:
        'All parameters are conditions that must hold together. The answer is a page of resources and, beside it, their seven arrays merged: concatenated in order, the unique integers as a union, the two numbers as the least and the greatest of all (absent where there is none).',
      query: listParameters,
      responses: { 200: page(mergedResourcePageSchema, mergedResourcePageExample) },
      handler: (request) => readWhere(deps, request, (store) => answerMergedList({ ...deps, store }, request)),
    },
    {
      ...shared,
      operationId: 'listResourcesSorted',
      method: 'GET',
      path: `${collection}/sorted-query-parameters`,
      summary: 'List resources by predicates, sorted',
      query: sortedListParameters,
      responses: { 200: page(resourcePageSchema, resourcePageExample) },
      handler: (request) => readWhere(deps, request, (store) => answerList({ ...deps, store }, recent, request)),
    },
  ];
}

function page(schema: Schema, example: unknown): ResponseDescription {
  const content = { 'application/json': { schema, example } };
  return { description: 'A page of resources.', content, headers: eventualHeaders };
}

async function answerExistence({ store }: ListDeps, { projectKey, query }: ApiRequest): Promise<HttpResponse> {
  const where = [...parseConditions(query, existenceDefaults), ...parseWhere(query)];
  const exists = await store.exists(projectKey, where, query.get('staged') === true);
  return { status: exists ? 200 : 404, body: '' };
}

async function answerMergedList(deps: ListDeps, request: ApiRequest): Promise<HttpResponse> {
  const query = parseListQuery(request, parseConditions(request.query));
  const paths = parseExpand(textsOf(request.query, 'expand'));
  const found = await deps.store.list(query);
  const documents = parseDocuments(found.results);
  const expanded = await expandPage(deps, query, found, documents, paths);
  return { status: 200, body: mergedPageText(query, expanded, documents) };
}

interface SortedList {
  readonly query: ListQuery;
  readonly paths: readonly ExpandPath[];
}
type Recent = (url: string, make: () => SortedList) => SortedList;

async function answerList(deps: ListDeps, recent: Recent, request: ApiRequest): Promise<HttpResponse> {
  // The address says all that the list depends on: project and parameters.
  const { query, paths } = recent(request.url, () => ({
    query: parseListQuery(request, []),
    paths: parseExpand(textsOf(request.query, 'expand')),
  }));
  const found = await deps.store.list(query);
  // The stored texts go out as they are unless something is to be put into them.
  if (paths.length === 0) return { status: 200, body: pageText(query, found) };
  const expanded = await expandPage(deps, query, found, parseDocuments(found.results), paths);
  return { status: 200, body: pageText(query, expanded) };
}

function parseListQuery({ projectKey, query }: ApiRequest, conditions: readonly Predicate[]): ListQuery {
  return {
    projectKey,
    where: [...conditions, ...parseWhere(query)],
    sort: parseSortTerms(query),
    ...parsePaging(query),
    staged: query.get('staged') === true,
  };
}

/** Puts the resources that the page refers to into it. */
export async function expandPage(
  { store, maxPageBytes }: ListDeps,
  { projectKey, staged }: Pick<ListQuery, 'projectKey' | 'staged'>,
  found: ListPage,
  documents: readonly JsonObject[],
  paths: readonly ExpandPath[],
): Promise<ListPage> {
  if (paths.length === 0) return found;
  const maxCharacters = maxPageBytes - found.results.length;
  const expanded = await expandDocuments(documents, paths, { store, projectKey, staged, maxCharacters });
  return { ...found, results: expanded.map(stringifyJson).join(',') };
}
