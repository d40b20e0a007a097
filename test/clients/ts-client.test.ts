import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Client, ClientBuilder } from '@commercetools/ts-client';
import { settingTable } from '../../src/config/settings.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';

/** The SDK of commercetools, unchanged, with the settings that the service has by default (docs/coming-from-commercetools.md). */

const projectKey = 'sdk';

describe('@commercetools/ts-client', () => {
  let api: TestApi;
  let host: string;

  before(async () => {
    const { default: byDefault } = settingTable.tokenRatePerSecond;
    api = await startTestApi({ TOKEN_RATE_PER_SECOND: String(byDefault) });
    host = await api.listen();
  });
  after(() => api.close());

  function open(scopes: readonly string[] = [`manage_project:${projectKey}`]): Client {
    const credentials = { clientId: 'test-admin', clientSecret: 'a secret for tests only' };
    return new ClientBuilder()
      .withProjectKey(projectKey)
      .withClientCredentialsFlow({ host, projectKey, credentials, scopes: [...scopes], httpClient: fetch })
      .withConcurrentModificationMiddleware()
      .withHttpMiddleware({ host, httpClient: fetch })
      .build();
  }

  const post = (client: Client, uri: string, body: object) => client.execute({ uri, method: 'POST', body });

  test('sends 200 first requests of one client in parallel, each of which asks for a token', async () => {
    const client = open();
    const sent = Array.from({ length: 200 }, () => client.execute({ uri: `/${projectKey}`, method: 'GET' }));
    const statuses = (await Promise.allSettled(sent)).map((result) =>
      result.status === 'fulfilled' ? result.value.statusCode : result.reason.statusCode,
    );
    assert.deepEqual(
      Object.fromEntries(
        Map.groupBy(statuses, String)
          .entries()
          .map(([status, all]) => [status, all.length]),
      ),
      { 200: 200 },
    );
  });

  test('creates, reads, updates and deletes, and repeats an update by itself in another version', async () => {
    const client = open();
    const created = await post(client, `/${projectKey}/resource`, { key: 'a', name: { en: 'A' } });
    assert.equal(created.statusCode, 201);
    const { id } = created.body;
    const first = { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'b' }] };
    assert.equal((await post(client, `/${projectKey}/resource/${id}`, first)).body.version, 2);
    // The middleware takes the current version out of the error and sends the request again.
    const late = await post(client, `/${projectKey}/resource/${id}`, first);
    assert.deepEqual([late.statusCode, late.body.version], [200, 3]);
    const listed = await client.execute({
      uri: `/${projectKey}/resource/sorted-query-parameters?where=${encodeURIComponent('key = "a"')}`,
      method: 'GET',
    });
    assert.deepEqual(listed.body.results, [late.body]);
    const deleted = await client.execute({ uri: `/${projectKey}/resource/${id}?version=3`, method: 'DELETE' });
    assert.equal(deleted.body.id, id);
    const gone = await client.execute({ uri: `/${projectKey}/resource/${id}`, method: 'GET' }).catch((error) => error);
    assert.deepEqual([gone.statusCode, gone.body.errors[0].code], [404, 'ResourceNotFound']);
  });

  test('the conflict of a complex path is repeated with a numeric version', async () => {
    const client = open();
    const uri = `/${projectKey}/resource/artificially-complex/path/uri-parameter-one=a/b`;
    assert.equal((await post(client, uri, { key: 'complex', custom: 'a' })).statusCode, 201);
    assert.equal((await post(client, uri, { key: 'complex', version: 7, custom: 'b' })).statusCode, 200);
  });

  test('creates an API client with its scopes in one text', async () => {
    const draft = { name: 'Shop', scope: `view_test:${projectKey} manage_products:${projectKey}` };
    const created = await post(open([`manage_api_clients:${projectKey}`]), `/${projectKey}/api-clients`, draft);
    assert.deepEqual([created.statusCode, created.body.scope], [201, draft.scope]);
    assert.ok(created.body.secret);
  });

  test('secrets that are guessed are still refused early', async () => {
    const guess = async (n: number) => {
      const authorization = `Basic ${btoa(`test-admin:guess-${n}`)}`;
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      return (await fetch(`${host}/oauth/token`, { method: 'POST', headers: { authorization }, body })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(n)));
    const counts = Map.groupBy(statuses, String);
    assert.ok((counts.get('401')?.length ?? 0) <= 11, `${counts.get('401')?.length} guesses were looked at`);
    assert.ok((counts.get('429')?.length ?? 0) >= 89);
  });
});
