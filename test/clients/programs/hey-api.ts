import { createClient } from './generated/client/index.ts';
import {
  createApiClient,
  createOrUpdateResource,
  issueToken,
  listResources,
  listResourcesSortedByForm,
  searchResources,
  updateResourceById,
  updateResourceByKey,
  uploadImage,
} from './generated/sdk.gen.ts';
import type { Facet } from './generated/types.gen.ts';

/** What a newcomer writes with a client by @hey-api/openapi-ts, without a single cast. */

const { ADDRESS = '', CLIENT_ID = '', CLIENT_SECRET = '', IMAGE = '' } = process.env;
const projectKey = 'generated';
let accessToken = '';
const client = createClient({
  baseUrl: ADDRESS,
  auth: ({ scheme }) => (scheme === 'basic' ? `${CLIENT_ID}:${CLIENT_SECRET}` : accessToken),
});

const token = await issueToken({
  client,
  body: { grant_type: 'client_credentials', scope: `manage_project:${projectKey} manage_api_clients:${projectKey}` },
});
if (token.data === undefined) throw new Error(token.error?.message);
accessToken = token.data.access_token;

const path = { projectKey };
const created = await createOrUpdateResource({
  client,
  path,
  body: { key: 'shoe-1', name: { en: 'Red shoe' }, colour: 'red', objectTypeProperty: { arrayOfIntExample: [42] } },
});
if (created.data === undefined) throw new Error(created.error?.message);
const { id, version } = created.data;

const updated = await updateResourceById({
  client,
  path: { projectKey, id },
  body: {
    version,
    actions: [
      { action: 'changeSomeProperty', someProperty: 'new' },
      { action: 'setField', path: 'size', value: 42 },
      { action: 'doSomeThing' },
    ],
  },
});
const stale = await updateResourceByKey({
  client,
  path: { projectKey, key: 'shoe-1' },
  // @ts-expect-error: the compiler knows the fields of each action
  body: { version, actions: [{ action: 'changeSomeProperty', someProprty: 'misspelled' }] },
});

const variables = { 'var.keys': ['shoe-1'], 'var.colour': 'red' };
const form = { where: ['key in :keys', 'colour = :colour'], ...variables, sort: 'key asc', limit: 10 };
const list = await listResourcesSortedByForm({ client, path, body: form });
const search = await searchResources({
  client,
  path,
  query: { 'text.en': 'shoe', facet: ['colour', 'size:range (0 to 100)'] },
});
const conditions = await listResources({ client, path, query: { integerParameter: 42, objectParameter: '{}' } });

function counts(facet: Facet | undefined): readonly number[] {
  if (facet === undefined) return [];
  if (facet.type === 'terms' || facet.type === 'tree') return facet.terms.map(({ count }) => count);
  if (facet.type === 'range') return facet.ranges.map(({ count }) => count);
  return [facet.count];
}

const bytes = Uint8Array.from(atob(IMAGE), (character) => character.charCodeAt(0));
const image = await uploadImage({
  client,
  path,
  query: { sku: 'shoe-1', staged: false },
  headers: { 'Content-Type': 'image/png' },
  body: new Blob([bytes], { type: 'image/png' }),
});
const apiClient = await createApiClient({ client, path, body: { name: 'Shop', scopes: ['view_test'] } });

console.log(
  JSON.stringify({
    version: updated.data?.version,
    stale: [stale.response?.status, stale.error?.errors[0]?.code],
    listed: list.data?.results.map(({ key }) => key),
    arrays: conditions.data?.arrayOfIntExample,
    found: search.data?.total,
    colours: counts(search.data?.facets?.colour),
    sizes: counts(search.data?.facets?.size),
    images: image.data?.images.length,
    scopes: apiClient.data?.scopes,
  }),
);
