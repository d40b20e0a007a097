import { Configuration, ModelErrorFromJSON, ResourcesApi, type ResponseError, SearchApi } from './generated/index.ts';

/** What a newcomer writes with a client by OpenAPI Generator for TypeScript. */

const { ADDRESS = '', TOKEN = '' } = process.env;
// It sends a token of OAuth as it is.
const configuration = new Configuration({ basePath: ADDRESS, accessToken: `Bearer ${TOKEN}` });
const resources = new ResourcesApi(configuration);
const projectKey = 'judge';

const created = await resources.createOrUpdateResource({
  projectKey,
  resourceDraft: { key: 'shoe-1', name: { en: 'Red shoe' } },
});
const search = await new SearchApi(configuration).searchResources({ projectKey, textEn: 'shoe' });
const read = await resources.getResourceByKey({ projectKey, key: 'shoe-1', fields: ['name.en'] });
const list = await resources.listResourcesSorted({ projectKey, where: ['key = "shoe-1"'] });

const actions = [{ action: 'setField' as const, path: 'size', value: 42 }];
const conflict = await resources
  .updateResourceByKey({ projectKey, key: 'shoe-1', resourceUpdate: { version: 7, actions } })
  .then(() => undefined)
  .catch(async (error: ResponseError) => {
    const [entry] = ModelErrorFromJSON(await error.response.json()).errors;
    return { status: error.response.status, code: entry?.code, currentVersion: entry?.currentVersion };
  });

console.log(
  JSON.stringify({
    created: created.version,
    found: search.results.map(({ key }) => key),
    name: read.name,
    listed: list.results.map(({ key }) => key),
    conflict,
  }),
);
