import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

const { api, send, get } = await openResources();
const path = '/shop/resource/json-serializable-primitive-type';
const put = (body?: unknown, headers = {}) => send('PUT', path, body, headers);

for (const text of [
  ...['"a bare string"', '""', 'null', 'true', 'false', '0', '-1.5', '[]', '{}', '[[null]]', '{"a":{"b":[1]}}'],
  ...['9007199254740993', '-9223372036854775808', '123456789012345678901234567890', '"ünïcödé \u{1f600}"'],
  ...['{"__proto__":1,"constructor":2}', '"2024-02-29T10:00:00Z"'],
  `${'['.repeat(64)}${']'.repeat(64)}`,
]) {
  test(`E18 of ${text.slice(0, 40)} returns it`, async () => {
    const response = await put(text);
    assert.deepEqual([response.status, response.text], [200, text]);
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  });
}

test('E18 of a value in another notation returns it in its canonical form', async () => {
  assert.equal((await put(' [ 1.0, 1e2, "\\u00e4" ] ')).text, '[1,100,"ä"]');
});

test('E18 of nothing, or of what is not JSON, is 400', async () => {
  refusalOf(await put(), 400, 'InvalidJsonInput');
  for (const text of ['{', "'a'", 'undefined', 'NaN', '{"a":1,"a":2}', '[1,]', ' ']) {
    refusalOf(await put(text), 400, 'InvalidJsonInput');
  }
});

test('E18 of something beyond the limits is 400 or 413', async () => {
  refusalOf(await put(`${'['.repeat(65)}${']'.repeat(65)}`), 400, 'InvalidJsonInput');
  refusalOf(await put('1e400'), 400, 'InvalidJsonInput');
  refusalOf(await put(`"${'x'.repeat(1_048_576)}"`), 413, 'ContentTooLarge');
});

test('E18 of a text of one mebibyte of quotes is stored', async () => {
  const text = JSON.stringify('"'.repeat(500_000));
  assert.equal((await put(text)).text, text);
});

test('E18 leaves the document of E14 alone', async () => {
  await put('{"value":1}');
  assert.equal((await get('/shop/resource/namespace-action')).text, '{}');
});

test('E18 from 50 concurrent requests returns each its own value', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, (_, i) => put(`"v${i}"`)));
  assert.deepEqual(
    responses.map(({ text }) => text),
    Array.from({ length: 50 }, (_, i) => `"v${i}"`),
  );
});

test('E18 is for manage_test; another method is refused with the ones there are', async () => {
  refusalOf(await api.call({ method: 'PUT', path, body: 1, scope: 'view_test:shop' }), 403, 'insufficient_scope');
  refusalOf(await api.call({ method: 'PUT', path, body: 1, scope: 'none' }), 401, 'invalid_token');
  const response = await send('PATCH', path, 1);
  refusalOf(response, 405, 'MethodNotAllowed');
  assert.match(String(response.headers.allow), /PUT/);
});
