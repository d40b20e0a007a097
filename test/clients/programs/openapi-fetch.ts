import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

/** What a newcomer writes with the types of openapi-typescript and openapi-fetch, without a single cast. */

type Facet = components['schemas']['Facet'];

const { ADDRESS = '', CLIENT_ID = '', CLIENT_SECRET = '', IMAGE = '' } = process.env;
const projectKey = 'generated';
const client = createClient<paths>({ baseUrl: ADDRESS });

const basic = `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`;
const token = await client.POST('/oauth/token', {
  headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
  body: { grant_type: 'client_credentials', scope: `manage_project:${projectKey} manage_api_clients:${projectKey}` },
});
if (token.data === undefined) throw new Error(token.error.message);
const { access_token } = token.data;
client.use({
  onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${access_token}`);
  },
});

const path = { projectKey };
const created = await client.POST('/{projectKey}/resource', {
  params: { path },
  body: { key: 'shoe-1', name: { en: 'Red shoe' }, colour: 'red', objectTypeProperty: { arrayOfIntExample: [42] } },
});
if (created.data === undefined) throw new Error(created.error.message);
const { id, version } = created.data;

const updated = await client.POST('/{projectKey}/resource/{id}', {
  params: { path: { projectKey, id } },
  body: {
    version,
    actions: [
      { action: 'changeSomeProperty', someProperty: 'new' },
      { action: 'setField', path: 'size', value: 42 },
      { action: 'doSomeThing' },
    ],
  },
});
const stale = await client.POST('/{projectKey}/resource/key={key}', {
  params: { path: { projectKey, key: 'shoe-1' } },
  // @ts-expect-error: the compiler knows the fields of each action
  body: { version, actions: [{ action: 'changeSomeProperty', someProprty: 'misspelled' }] },
});

const where = ['key in ("shoe-1")', 'colour = "red"'];
const query = { where, sort: ['key asc'], limit: 10 };
const list = await client.GET('/{projectKey}/resource/sorted-query-parameters', { params: { path, query } });
const search = await client.GET('/{projectKey}/resource/searchApiPattern', {
  params: { path, query: { 'text.en': 'shoe', facet: ['colour', 'size:range (0 to 100)'] } },
});
const conditions = await client.GET('/{projectKey}/resource', {
  params: { path, query: { integerParameter: 42, objectParameter: '{}' } },
});

function counts(facet: Facet | undefined): readonly number[] {
  if (facet === undefined) return [];
  if (facet.type === 'terms' || facet.type === 'tree') return facet.terms.map(({ count }) => count);
  if (facet.type === 'range') return facet.ranges.map(({ count }) => count);
  return [facet.count];
}

const bytes = Uint8Array.from(atob(IMAGE), (character) => character.charCodeAt(0));
const image = await client.POST('/{projectKey}/resource/images', {
  params: { path, query: { sku: 'shoe-1', staged: false } },
  headers: { 'content-type': 'image/png' },
  body: new Blob([bytes], { type: 'image/png' }),
  bodySerializer: (body) => body,
});
const apiClient = await client.POST('/{projectKey}/api-clients', {
  params: { path },
  body: { name: 'Shop', scopes: ['view_test'] },
});

const { colour, facets } = search.data ? { colour: search.data.facets?.colour, facets: search.data.facets } : {};
console.log(
  JSON.stringify({
    version: updated.data?.version,
    stale: [stale.response.status, stale.error?.errors[0]?.code],
    listed: list.data?.results.map(({ key }) => key),
    arrays: conditions.data?.arrayOfIntExample,
    found: search.data?.total,
    colours: counts(colour),
    sizes: counts(facets?.size),
    images: image.data?.images.length,
    scopes: apiClient.data?.scopes,
  }),
);
