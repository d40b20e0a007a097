import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApi } from '../start-test-api.ts';
import { openLists } from './open-lists.ts';

const { create, get } = await openLists();
const [id, other] = await create(
  'shop',
  '{"key":"a","big":9007199254740993,"name":{"en":"Cup","de":"Tasse"},"lines":[{"n":1,"x":2},{"n":3}],"parent":{"typeId":"resource","key":"b"},"objectTypeProperty":{"arrayOfIntExample":[4]}}',
  '{"key":"b","name":{"en":"Pot"}}',
);

test('a read with fields returns these, id, version and key, digits and order as they are stored', async () => {
  for (const path of [`/shop/resource/${id}`, '/shop/resource/key=a']) {
    const { status, text } = await get(`${path}?fields=lines.n,name.de&fields=big,nothing`);
    assert.equal(status, 200);
    assert.equal(
      text,
      `{"id":"${id}","version":1,"key":"a","big":9007199254740993,"name":{"de":"Tasse"},"lines":[{"n":1},{"n":3}]}`,
    );
  }
});

test('fields reach into references that are expanded', async () => {
  const { json } = await get('/shop/resource/key=a?expand=parent&fields=parent.obj.name.en');
  assert.deepEqual(json, { id, version: 1, key: 'a', parent: { obj: { name: { en: 'Pot' } } } });
});

test('lists and searches return the fields of each resource, and the arrays of E1 of the whole ones', async () => {
  const results = [
    { id, version: 1, key: 'a', name: { en: 'Cup' } },
    { id: other, version: 1, key: 'b', name: { en: 'Pot' } },
  ];
  for (const path of ['/shop/resource', '/shop/resource/sorted-query-parameters', '/shop/resource/searchApiPattern']) {
    const { json } = await get(`${path}?sort=key&fields=name.en`);
    assert.deepEqual(json.results, results, path);
    if (path === '/shop/resource') assert.deepEqual(json.arrayOfIntExample, [4]);
    const first = await get(`${path}?sort=key&limit=1&fields=name.en`);
    const next = await get(`${path}?sort=key&fields=key&cursor=${first.json.next}`);
    assert.deepEqual(next.json.results, [{ id: other, version: 1, key: 'b' }]);
    assert.equal((await get(`${path}?fields=a..b`)).status, 400);
  }
});

test('the tag of a selection is its own in If-None-Match, and that of the resource in If-Match and for writes', async () => {
  const api = await startTestApi();
  try {
    const path = '/p/resource/key=a';
    await api.call({ method: 'POST', path: '/p/resource', body: { key: 'a', n: 1 } });
    const read = (query: string, headers = {}) => api.call({ path: path + query, headers });
    const whole = (await read('')).headers.etag!;
    const some = (await read('?fields=n')).headers.etag!;
    assert.match(some, /^"1-[^;]+;fields=[0-9a-f]{8}"$/);
    assert.notEqual((await read('?fields=key')).headers.etag, some);
    assert.equal((await read('?fields=n,n')).headers.etag, some);
    assert.equal((await read('?fields=n', { 'if-none-match': some })).status, 304);
    assert.equal((await read('', { 'if-none-match': some })).status, 200);
    assert.equal((await read('?fields=n', { 'if-none-match': whole })).status, 200);
    assert.equal((await read('?fields=n', { 'if-match': whole })).status, 200);
    assert.equal((await read('', { 'if-match': some })).status, 200);
    const update = { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'x' }] };
    const write = () => api.call({ method: 'POST', path, body: update, headers: { 'if-match': some } });
    assert.equal((await write()).status, 200);
    assert.equal((await write()).status, 412);
  } finally {
    await api.close();
  }
});

test('a text that is no list of paths is 400 and says what is expected', async () => {
  const { status, json } = await get('/shop/resource/key=a?fields=a[0]');
  assert.equal(status, 400);
  assert.match(
    json.message,
    /Malformed parameter: fields: "a\[0\]": expected dotted paths without indexes, separated by commas/,
  );
});
