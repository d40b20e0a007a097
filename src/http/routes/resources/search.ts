import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { searchPageExample, searchPageSchema } from '../../../contract/search-pages.ts';
import { parseJson } from '../../../domain/json/parse.ts';
import { textsOf } from '../../../domain/paging.ts';
import type { ResourceReads } from '../../../domain/ports/store.ts';
import { parseExpand } from '../../../domain/resource/read/expand.ts';
import { parseFields } from '../../../domain/resource/read/fields.ts';
import { parseDocuments, searchPageText } from '../../../domain/resource/read/page.ts';
import { hourOf } from '../../../domain/search/boosts.ts';
import { searchedText } from '../../../domain/search/counts/searched-text.ts';
import { explanationsOf } from '../../../domain/search/explanations.ts';
import { highlightsOf } from '../../../domain/search/highlights.ts';
import { parseSearch, typedWords } from '../../../domain/search/query/parse-search.ts';
import type { SearchSettings } from '../../../domain/search/settings.ts';
import { parseSettings, searchSettings, settingsOf } from '../../../domain/search/settings-draft.ts';
import { requireScope } from '../../request/authorize.ts';
import type { ApiRequest, HttpResponse, ParameterTable, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer } from '../json.ts';
import { nextCursor, readCursor } from './cursors.ts';
import { eventualHeaders, preferHeader, readWhere } from './eventual-reads.ts';
import { formBody } from './forms.ts';
import { searchParameters } from './list-parameters.ts';
import { expandPage, withFields } from './lists.ts';
import { repeatedReads } from './repeated-reads.ts';

const path = '/:projectKey/resource/searchApiPattern';

const shared = {
  path,
  tag: 'Search',
  access: ['manage_test', 'view_test'],
  published: true,
  headers: [preferHeader],
  responses: {
    200: answer('A page of resources, and the facets.', searchPageSchema, searchPageExample, [
      'Link',
      ...eventualHeaders,
    ]),
  },
  errors: ['QueryTimedOut'],
} as const satisfies Partial<Route>;

/** Settings that one search follows instead of those of the project, to see what they would do (decision 149). */
const trialParameters: ParameterTable = {
  settings: {
    type: 'string',
    // Not in the document: they are mostly too long for an address.
    ignored: true,
    description: 'JSON of settings that this search follows instead of those of the project, which stay as they are.',
  },
};

/**
 * The settings in a form; undefined if the form has none. A client that may see their effect on the whole project may write
 * them as well. Throws 403 without the scope manage_project, and 400 that names the place.
 */
function trialSettings({ caller, projectKey, query }: ApiRequest): SearchSettings | undefined {
  const text = query.get('settings') as string | undefined;
  if (text === undefined) return undefined;
  if (caller) requireScope(caller, ['manage_project'], projectKey);
  try {
    return settingsOf(parseSettings(parseJson(text)));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw malformedParameter('settings', String(error.details.detailedErrorMessage ?? error.message));
  }
}

/** The search: E4, with its parameters in the query or in a form. */
export function searchRoutes(deps: RouteDeps): readonly Route[] {
  const readRepeated = repeatedReads<ReturnType<typeof parse>, SearchSettings>(deps, {
    name: 'searches',
    parse: (request, settings, hidden) => parse(deps, request, hidden?.restricted(settings) ?? settings),
    read: (store, parsed, request) => search(store, deps, parsed, request),
    // What recency is worth changes without a write.
    dependsOnProject: ({ expand, query }) => expand.length === 0 && !query.boosts.some((boost) => 'recent' in boost),
  });
  async function handler(request: ApiRequest): Promise<HttpResponse> {
    const trial = trialSettings(request);
    const settings = trial ?? (await deps.settings.of(searchSettings, request.projectKey));
    const response = await readWhere(deps, request, (store, { hidden }) =>
      readRepeated(store, request, settings, hidden),
    );
    if (response.searched && !trial && settings.countSearches) {
      deps.searchCounts.note(request.projectKey, response.searched);
    }
    return response;
  }
  return [
    {
      ...shared,
      operationId: 'searchResources',
      method: 'GET',
      summary: 'Search resources',
      description:
        'Full-text search by locale, with typo tolerance, filters and facets. Without `sort`, results are sorted by relevance, or newest first if there is no text.',
      query: searchParameters,
      handler,
    },
    {
      ...shared,
      operationId: 'searchResourcesByForm',
      method: 'POST',
      summary: 'Search resources with a form',
      description:
        'The same search with the parameters in a form, for queries that are too long for a URL. With `settings` in the form, the JSON of settings of the search, it follows these instead of those of the project; this needs the scope manage_project.',
      query: { ...searchParameters, ...trialParameters },
      body: formBody({ 'text.en': 'shoe', facet: 'color' }),
      handler,
    },
  ];
}

function parse(deps: RouteDeps, request: ApiRequest, settings: SearchSettings) {
  const { projectKey, query: values } = request;
  const query = parseSearch(values, projectKey, settings);
  const cursor = readCursor(deps, 'search', projectKey, values);
  const expand = parseExpand(textsOf(values, 'expand'));
  const highlight = values.get('highlight') === true;
  const fields = parseFields(textsOf(values, 'fields'));
  const typed = () => typedWords(values);
  return { query: { ...query, after: cursor.after }, cursor, expand, highlight, fields, typed };
}

async function search(
  store: ResourceReads,
  deps: RouteDeps,
  { query: parsed, cursor, expand, highlight, fields, typed }: ReturnType<typeof parse>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const query = { ...parsed, hour: hourOf(deps.nowMs()) };
  const signal = request.signal();
  const page = await deps.slowQueries.watch(query, 'searchResources', request, () => store.search(query, signal));
  const next = nextCursor(deps, cursor, page.next);
  const searched = searchedText(request.query, query, page);
  const marked = highlight ? page.match : undefined;
  if (expand.length === 0 && !marked && !page.weights) {
    const body = searchPageText(query, await withFields(page, fields), next, { typed });
    return { status: 200, body, next, searched };
  }
  const documents = await parseDocuments(page.results);
  const expanded = await withFields(await expandPage(store, deps, query, page, documents, expand), fields);
  const highlights = marked && (await highlightsOf(query, marked, documents, signal));
  const explanations =
    page.weights && (await explanationsOf({ ...query, hour: page.hour ?? 0 }, page.weights, documents, signal));
  const body = searchPageText(query, expanded, next, { typed, highlights, explanations });
  return { status: 200, body, next, searched };
}
