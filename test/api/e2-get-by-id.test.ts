import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

const { api, send, get, create, update } = await openResources();
const made = await create('shop', { key: 'k', colour: 'red' });
const path = `/shop/resource/${made.id}`;
const tag = String((await get(path)).headers.etag);

test('E2 of a resource is 200 with its fields, and its version in the ETag', async () => {
  const { status, headers, json } = await get(path);
  assert.deepEqual([status, versionIn(headers.etag)], [200, 1]);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(json, made);
});

test('E2 with its two optional parameters, returns the same', async () => {
  const { text } = await get(path);
  for (const query of ['optionalQueryParameter=a&secondOptionalQueryParameter=b', 'optionalQueryParameter=']) {
    assert.equal((await get(`${path}?${query}`)).text, text, query);
  }
});

test('E2 with view_test is 200', async () => {
  assert.equal((await api.call({ path, scope: 'view_test:shop' })).status, 200);
});

test('E2 as HEAD has the headers of the response and no body', async () => {
  const { status, headers, text } = await send('HEAD', path);
  assert.deepEqual([status, headers.etag, text], [200, tag, '']);
  assert.equal(headers['content-length'], String(Buffer.byteLength((await get(path)).text)));
});

test('E2 after an update returns the new version at once', async () => {
  const before = await create('shop', { n: 1 });
  const after = await update('shop', before, { action: 'changeSomeProperty', someProperty: 'x' });
  const { headers, json } = await get(`/shop/resource/${before.id}`);
  assert.deepEqual(json, after);
  assert.equal(versionIn(headers.etag), 2);
});

test('E2 may be cached by the client only, which must revalidate', async () => {
  const { headers } = await get(path);
  assert.match(headers['cache-control'] ?? '', /private/);
  assert.match(headers.vary ?? '', /authorization/i);
});

for (const tags of [tag, `W/${tag}`, `"7", ${tag}`, '*', `"a" , W/${tag},`]) {
  test(`E2 with If-None-Match: ${tags} is 304 with the ETag and no body`, async () => {
    const { status, headers, text } = await get(path, { 'if-none-match': tags });
    assert.deepEqual([status, headers.etag, text], [304, tag, '']);
  });
}

for (const [tags, status] of [
  [tag, 200],
  [`"7", ${tag}`, 200],
  ['*', 200],
  ['"2"', 412],
  ['"1"', 412],
  [`W/${tag}`, 412],
  ['1', 400],
] as const) {
  test(`E2 with If-Match: ${tags} is ${status}`, async () => {
    const response = await get(path, { 'if-match': tags });
    if (status === 200) assert.deepEqual(response.json, made);
    else refusalOf(response, status, status === 412 ? 'PreconditionFailed' : 'InvalidInput');
  });
}

test('E2 with both conditions is 412 before it is 304', async () => {
  assert.equal((await get(path, { 'if-match': '"2"', 'if-none-match': tag })).status, 412);
  assert.equal((await get(path, { 'if-match': tag, 'if-none-match': tag })).status, 304);
});

for (const tags of ['"1"', '"1-"', '""', tag.replace('1-', '2-')]) {
  test(`E2 with If-None-Match: ${tags} is 200`, async () => {
    assert.equal((await get(path, { 'if-none-match': tags })).status, 200);
  });
}

test('E2 with a malformed If-None-Match, staged or path is 400 InvalidInput', async () => {
  refusalOf(await get(path, { 'if-none-match': '1' }), 400, 'InvalidInput');
  refusalOf(await get(`${path}?staged=1`), 400, 'InvalidInput');
  refusalOf(await get('/shop/resource/%zz'), 400, 'InvalidInput');
  refusalOf(await get('/shop/resource/%ff'), 400, 'InvalidInput');
  refusalOf(await get('/shop/resource/a%00b'), 400, 'InvalidInput');
  refusalOf(await get('/shop/resource/a%0Ab'), 400, 'InvalidInput');
});

test('E2 without a token, or with a malformed one, is 401 and says how to authenticate', async () => {
  const none = await api.call({ path, scope: 'none' });
  const { code } = refusalOf(none, 401, 'invalid_token');
  assert.equal(none.headers['www-authenticate'], 'Bearer');
  assert.deepEqual([none.json.error, none.json.error_description], [code, none.json.message]);
  const garbage = await api.call({ path, headers: { authorization: 'Bearer garbage' } });
  refusalOf(garbage, 401, 'invalid_token');
  assert.match(garbage.headers['www-authenticate'] ?? '', /^Bearer error="invalid_token"/);
});

test('E2 with a token of another scope is 403 and names the scopes it takes', async () => {
  const response = await api.call({ path, scope: 'manage_products:shop' });
  const { message } = refusalOf(response, 403, 'insufficient_scope');
  assert.match(message, /manage_test:shop, view_test:shop/);
  assert.match(response.headers['www-authenticate'] ?? '', /error="insufficient_scope"/);
});

test('E2 of an id that there is not is 404 and names it', async () => {
  for (const id of ['none', `${made.id}x`, made.id.toUpperCase(), '..%2Fx', 'keys%3Dk', `x${'y'.repeat(255)}`]) {
    const { message } = refusalOf(await get(`/shop/resource/${id}`), 404, 'ResourceNotFound');
    assert.equal(message, `The Resource with ID '${decodeURIComponent(id)}' was not found.`);
  }
  refusalOf(await get('/shop/resource/'), 404, 'ResourceNotFound');
  refusalOf(await get(`${path}/more`), 404, 'ResourceNotFound');
});

test('E2 with a project key that can be none is 404', async () => {
  for (const key of ['a.b', 'x'.repeat(65), '%C3%BC', 'oauth']) {
    refusalOf(
      await api.call({ path: `/${key}/resource/${made.id}`, scope: 'manage_project:shop' }),
      404,
      'ResourceNotFound',
    );
  }
});

test('E2 with a method that the path has not is 405, and Allow names those it has', async () => {
  for (const method of ['PUT', 'PATCH', 'OPTIONS']) {
    const response = await send(method, path, method === 'OPTIONS' ? undefined : {});
    refusalOf(response, 405, 'MethodNotAllowed');
    assert.equal(response.headers.allow, 'DELETE, GET, HEAD, POST');
  }
});

test('E2 with an id longer than any can be is 414', async () => {
  refusalOf(await get(`/shop/resource/${'x'.repeat(3073)}`), 414, 'UriTooLong');
});
