import { Api, type HttpResponse, type Error as ServiceError } from './api.ts';

/** What a newcomer writes with a client by swagger-typescript-api. */

const { ADDRESS = '', TOKEN = '' } = process.env;
const headers = { Authorization: `Bearer ${TOKEN}` };
const { projectKey: api } = new Api({ baseUrl: ADDRESS, baseApiParams: { headers } });

const created = await api.createOrUpdateResource('judge', { key: 'shoe-1', name: { en: 'Red shoe' } });
const search = await api.searchResources('judge', { 'text.en': 'shoe' });
const read = await api.getResourceByKey('judge', 'shoe-1', { fields: ['name.en'] });
const list = await api.listResourcesSorted('judge', { where: ['key = "shoe-1"'] });

const update = { version: 7, actions: [{ action: 'setField' as const, path: 'size', value: 42 }] };
const conflict = await api
  .updateResourceByKey('judge', 'shoe-1', update)
  .then(() => undefined)
  .catch(({ status, error }: HttpResponse<unknown, ServiceError>) => {
    const [entry] = error.errors;
    return { status, code: entry?.code, currentVersion: entry?.currentVersion };
  });

console.log(
  JSON.stringify({
    created: created.data.version,
    found: search.data.results.map(({ key }) => key),
    name: read.data.name,
    listed: list.data.results.map(({ key }) => key),
    conflict,
  }),
);
