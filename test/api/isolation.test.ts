import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

/** Two projects, one of which has something: no response of the other may depend on it (decision 6). */
const { api, send, get, create, read } = await openResources();
const objectTypeProperty = { arrayOfIntExample: [6], arrayOfStringExample: ['red'] };
const mine = await create('mine', { id: 'i', key: 'k', secret: 'treasure', objectTypeProperty });
const update = { version: 1, actions: [{ action: 'doSomeThing' }] };

/** Every request that names the resource, or could find it. */
const requests = [
  ['GET', '/resource/i'],
  ['GET', '/resource/key=k'],
  ['HEAD', '/resource/i'],
  ['GET', '/resource'],
  ['GET', '/resource?integerParameter=6'],
  ['GET', '/resource?where=secret%20%3D%20%22treasure%22'],
  ['HEAD', '/resource'],
  ['HEAD', '/resource?stringParameter=red'],
  ['GET', '/resource/sorted-query-parameters?sort=key'],
  ['GET', '/resource/sorted-query-parameters?where=id%20%3D%20%22i%22&staged=true'],
  ['POST', '/resource/i', update],
  ['POST', '/resource/key=k', update],
  ['POST', '/resource/i', { version: 7, actions: [] }],
  ['DELETE', '/resource/i'],
  ['DELETE', '/resource/key=k?version=1'],
] as const;

test('a request for a resource of another project gets the response of a project that never had anything', async () => {
  for (const [method, path, body] of requests) {
    const [other, empty] = await Promise.all([
      send(method, `/other${path}`, body),
      send(method, `/empty${path}`, body),
    ]);
    assert.equal(other.status, empty.status, `${method} ${path}`);
    assert.equal(other.text, empty.text, `${method} ${path}`);
    assert.ok(!other.text.includes('treasure') && !other.text.includes(mine.createdAt), `${method} ${path}`);
  }
  assert.deepEqual(await read('mine', 'i'), mine);
});

test('an id and a key of one project are free in another', async () => {
  for (const projectKey of ['Mine', 'mine2', 'min', 'mine-', '_mine']) {
    const made = await create(projectKey, { id: 'i', key: 'k', version: 0, a: projectKey });
    assert.deepEqual([made.version, made.a], [1, projectKey]);
    await send('DELETE', `/${projectKey}/resource/i`);
  }
  assert.deepEqual(await read('mine', 'i'), mine);
});

test('a token of one project is 403 in another, whether or not that one has anything', async () => {
  for (const [method, path, body] of requests) {
    const call = (projectKey: string) =>
      api.call({ method, path: `/${projectKey}${path}`, body, scope: 'manage_project:other' });
    const [there, nowhere] = await Promise.all([call('mine'), call('nowhere')]);
    assert.equal(there.status, 403, `${method} ${path}`);
    assert.equal(there.text.replaceAll(':mine', ''), nowhere.text.replaceAll(':nowhere', ''), `${method} ${path}`);
    assert.equal(
      there.headers['www-authenticate']?.replaceAll(':mine', ':nowhere'),
      nowhere.headers['www-authenticate'],
    );
  }
});

test('a scope of a project whose name only begins alike is no scope of it', async () => {
  for (const scope of ['manage_test:min', 'manage_test:mine2', 'manage_test:Mine', 'manage_test:mine-x']) {
    refusalOf(await api.call({ path: '/mine/resource/i', scope }), 403, 'insufficient_scope');
  }
});

test('an Idempotency-Key of one project has no effect in another', async () => {
  const headers = { 'idempotency-key': 'k' };
  const first = await send('POST', '/mine/resource', { a: 1 }, headers);
  const second = await send('POST', '/other/resource', { a: 1 }, headers);
  assert.equal(second.status, 201);
  assert.notEqual(second.json.id, first.json.id);
  refusalOf(await get(`/other/resource/${first.json.id}`), 404, 'ResourceNotFound');
});

test('E9 meets its pair of path parameters in its own project only', async () => {
  const path = '/resource/artificially-complex/path/uri-parameter-one=a/b';
  assert.equal((await send('POST', `/mine${path}`, {})).status, 201);
  assert.equal((await send('POST', `/other${path}`, {})).status, 201);
});

test('a reference in a message of a refusal never names a resource of another project', async () => {
  await create('other', { id: 'x' });
  const setKey = { version: 1, actions: [{ action: 'setKey', key: 'k' }] };
  assert.equal((await send('POST', '/other/resource/x', setKey)).status, 200);
});
