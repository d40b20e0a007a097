import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi, type TestResponse } from '../start-test-api.ts';
import { keysOf } from './open-lists.ts';
import { refusalOf } from './open-resources.ts';

const api = await startTestApi();
after(() => api.close());
const formType = 'application/x-www-form-urlencoded';
const collection = '/shop/resource';
const sorted = `${collection}/sorted-query-parameters`;

const ids: string[] = [];
for (const key of ['a', 'b', 'c']) {
  const body = { key, objectTypeProperty: { arrayOfIntExample: [1], arrayOfStringExample: [key] } };
  ids.push((await api.call({ method: 'POST', path: collection, body })).json.id);
}

function post(path: string, body: string, headers = {}, scope = 'view_test:shop'): Promise<TestResponse> {
  return api.call({ method: 'POST', path, body, scope, headers: { 'content-type': formType, ...headers } });
}

test('E12 and E1 by POST take a form, with the scope of a read, and answer as by GET', async () => {
  for (const path of [sorted, collection]) {
    const form = new URLSearchParams({ where: 'key in ("a", "c")', sort: 'key desc', limit: '2' }).toString();
    const posted = await post(path, form);
    assert.equal(posted.status, 200, posted.text);
    assert.deepEqual(keysOf(posted), ['c', 'a']);
    assert.equal(posted.text, (await api.call({ path: `${path}?${form}` })).text);
  }
  const merged = await post(collection, 'stringParameter=b', { 'content-type': `${formType}; charset=UTF-8` });
  assert.deepEqual([keysOf(merged), merged.json.arrayOfStringExample], [['b'], ['b']]);
});

test('E12 by POST finds 500 ids, as one predicate and as the values of a variable', async () => {
  const others = Array.from({ length: 497 }, (_, n) => `01935f6e-8f2a-7c31-9d5e-${String(n).padStart(12, '0')}`);
  const all = [...others, ...ids];
  const predicate = new URLSearchParams({ where: `id in (${all.map((id) => `"${id}"`).join(', ')})`, sort: 'key' });
  assert.ok(predicate.toString().length > 8192, 'too long for a URL');
  const variable = new URLSearchParams([['where', 'id in :ids'], ['sort', 'key'], ...all.map((id) => ['var.ids', id])]);
  for (const form of [predicate, variable]) {
    const response = await post(sorted, form.toString());
    assert.equal(response.status, 200, response.text);
    assert.deepEqual(keysOf(response), ['a', 'b', 'c']);
  }
});

test('E12 and E1 by POST put the parameters of URL and form together', async () => {
  for (const path of [sorted, collection]) {
    assert.deepEqual(keysOf(await post(`${path}?where=key!%3D%22a%22`, 'where=key%20!%3D%20"c"')), ['b']);
    assert.match(refusalOf(await post(`${path}?limit=1`, 'limit=2'), 400, 'InvalidInput').message, /more than once/);
    assert.match(refusalOf(await post(path, 'limt=2'), 400, 'InvalidInput').message, /did you mean `limit`/);
    refusalOf(await post(path, 'limit=1', {}, 'manage_products:shop'), 403, 'insufficient_scope');
  }
});

test('JSON that is sent as a form to the collection is 415, and nothing is written', async () => {
  for (const body of ['{"key":"d"}', ' [1]', '{']) {
    const response = await post(collection, body, {}, 'manage_test:shop');
    assert.match(refusalOf(response, 415, 'UnsupportedMediaType').message, /expected application\/json/);
  }
  assert.deepEqual(keysOf(await api.call({ path: `${sorted}?sort=key` })), ['a', 'b', 'c']);
});

test('E12, E1 and E4 by POST refuse conditions that are too many for one request, however short the form is', async () => {
  const values = Array.from({ length: 500 }, (_, n) => ['var.v', String(n)]);
  const wheres = (count: number, text: string) => Array.from({ length: count }, () => ['where', text]);
  const tooMany = new URLSearchParams([...wheres(21, 'n in :v'), ...values]).toString();
  const tooLong = new URLSearchParams(wheres(5, `n != "${'x'.repeat(7000)}"`)).toString();
  for (const path of [sorted, collection, `${collection}/searchApiPattern`]) {
    const enough = await post(path, new URLSearchParams([...wheres(20, 'n in :v'), ...values]).toString());
    assert.deepEqual([enough.status, enough.json.total], [200, 0], enough.text);
    assert.match(
      refusalOf(await post(path, tooMany), 400, 'InvalidInput').message,
      /where: expected at most 10000 values/,
    );
    assert.match(
      refusalOf(await post(path, tooLong), 400, 'InvalidInput').message,
      /where: expected at most 32768 bytes/,
    );
  }
});
