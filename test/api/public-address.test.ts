import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../start-test-api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi({ REGION: 'eu-central-1', CLOUD_PROVIDER: 'aws', DOMAIN: 'shops.test' });
});
after(() => api.close());

const create = (host: string) =>
  api.call({ method: 'POST', path: '/p/resource', headers: { host }, body: { id: 'a b', colour: 'red' } });

test('with a public address, links are absolute under it, whatever Host was sent', async () => {
  for (const host of ['api.eu-central-1.aws.shops.test', '127.0.0.1:8080']) {
    const response = await create(host);
    assert.equal(response.status, 201);
    assert.equal(response.headers.location, 'https://api.eu-central-1.aws.shops.test/p/resource/a%20b');
  }
});

test('a Host of the domain with another region or provider is 421 MisdirectedRequest', async () => {
  for (const host of ['api.us-east-1.aws.shops.test', 'api.eu-central-1.gcp.shops.test']) {
    const response = await create(host);
    assert.equal(response.status, 421);
    assert.equal(response.json.errors[0].code, 'MisdirectedRequest');
  }
});
