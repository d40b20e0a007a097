import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

const { api, send } = await openResources();

/** What each literal segment beside `/{id}` has. Its other methods must not reach a resource of that name. */
const allowed = {
  'sorted-query-parameters': 'GET, HEAD, POST',
  searchApiPattern: 'GET, HEAD, POST',
  suggestions: 'GET, HEAD',
  images: 'GET, HEAD, POST',
  batch: 'POST',
  'namespace-action': 'GET, HEAD, POST',
  'namespace-action-with-example': 'GET, HEAD',
  'namespace-action-with-headers': 'GET, HEAD',
  'json-serializable-primitive-type': 'PUT',
  // The same path: an encoded letter is a letter.
  '%69mages': 'GET, HEAD, POST',
} as const;

for (const [segment, allow] of Object.entries(allowed)) {
  test(`/resource/${segment} with a method that it does not have is 405, and Allow is exactly ${allow}`, async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allow.split(', ').includes(method)) continue;
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
      const response = await send(
        method,
        `/shop/resource/${segment}`,
        hasBody ? { version: 1, actions: [] } : undefined,
      );
      refusalOf(response, 405, 'MethodNotAllowed');
      assert.equal(response.headers.allow, allow, method);
    }
  });
}

test('HEAD on a literal segment that has no GET is 405 without a body', async () => {
  const response = await api.call({ method: 'HEAD', path: '/shop/resource/json-serializable-primitive-type' });
  assert.deepEqual([response.status, response.headers.allow, response.text], [405, 'PUT', '']);
});

test('a literal segment with a method that it does not have is 405, whatever the token', async () => {
  const request = { method: 'DELETE', path: '/shop/resource/images' };
  for (const scope of ['none', 'view_test:other', 'view_test:shop'])
    refusalOf(await api.call({ ...request, scope }), 405, 'MethodNotAllowed');
});

test('an id that only begins like a literal segment is that of a resource', async () => {
  await api.call({ method: 'POST', path: '/shop/resource', body: { id: 'images-2' } });
  assert.equal((await api.call({ method: 'DELETE', path: '/shop/resource/images-2' })).status, 200);
});
