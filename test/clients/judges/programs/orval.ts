import {
  createOrUpdateResource,
  getCreateOrUpdateResourceUrl,
  getGetResourceByKeyUrl,
  getResourceByKey,
  listResourcesSorted,
  searchResources,
  updateResourceByKey,
} from './api.ts';

/** What a newcomer writes with a client by orval: its functions call `fetch` with the paths of the document. */

const { ADDRESS = '', TOKEN = '' } = process.env;
const { fetch: send } = globalThis;
globalThis.fetch = (path, options) => send(new URL(String(path), ADDRESS), options);
const options = { headers: { Authorization: `Bearer ${TOKEN}` } };

const draft = { key: 'shoe-1', name: { en: 'Red shoe' } };
const created = await createOrUpdateResource('judge', draft, undefined, options);
if (created.status !== 201) throw new Error(`${getCreateOrUpdateResourceUrl('judge')}: ${created.status}`);
const search = await searchResources('judge', { 'text.en': 'shoe' }, options);
if (search.status !== 200) throw new Error(search.data.message);
const read = await getResourceByKey('judge', 'shoe-1', { fields: ['name.en'] }, options);
if (read.status !== 200) throw new Error(`${getGetResourceByKeyUrl('judge', 'shoe-1')}: ${read.status}`);
const list = await listResourcesSorted('judge', { where: ['key = "shoe-1"'] }, options);
if (list.status !== 200) throw new Error(list.data.message);

const update = { version: 7, actions: [{ action: 'setField' as const, path: 'size', value: 42 }] };
const refused = await updateResourceByKey('judge', 'shoe-1', update, undefined, options);
if (refused.status !== 409) throw new Error(`a conflict was expected, not ${refused.status}`);
const [entry] = refused.data.errors;

console.log(
  JSON.stringify({
    created: created.data.version,
    found: search.data.results.map(({ key }) => key),
    name: read.data.name,
    listed: list.data.results.map(({ key }) => key),
    conflict: { status: refused.status, code: entry?.code, currentVersion: entry?.currentVersion },
  }),
);
