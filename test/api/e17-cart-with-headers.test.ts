import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

const { api, get, send } = await openResources();
const path = '/shop/resource/namespace-action-with-headers';
const page = { 'path-header': '/cart' };

test('E17 returns the cart of E16', async () => {
  const lineItems = [{ name: 'Chair', price: { centAmount: 5, currencyCode: 'EUR' }, count: 2 }];
  await send('POST', '/shop/resource/namespace-action', { lineItems });
  const cart = await get(path, page);
  assert.equal(cart.status, 200);
  assert.equal(cart.json.sum.centAmount, 10);
  assert.equal(cart.text, (await get('/shop/resource/namespace-action-with-example')).text);
});

for (const accept of [
  ...['application/json', '*/*', 'application/*', 'text/html, application/json;q=0.1', '', 'text/html, */*;q=0.1'],
  ...['application/json;version=1;q=0, application/json', 'APPLICATION/JSON; charset=utf-8'],
]) {
  test(`E17 with Accept: “${accept}” is 200`, async () => {
    assert.equal((await get(path, { ...page, accept })).status, 200);
  });
}

for (const accept of [
  ...['text/html', 'application/json;q=0', 'application/xml, text/*', 'application/json;q=0, */*', '*/*;q=0'],
  ...['application/json;q=-1', 'application/json ; q = 0', 'application/*;q=abc', 'nonsense'],
]) {
  test(`E17 with Accept: ${accept} is 406`, async () => {
    refusalOf(await get(path, { ...page, accept }), 406, 'NotAcceptable');
  });
}

test('E17 without a Path-Header, or with one that does not begin with /, is 400', async () => {
  for (const headers of [{}, { 'path-header': '' }, { 'path-header': 'cart' }, { 'path-header': 'https://a/b' }]) {
    const { message } = refusalOf(await get(path, headers), 400, 'InvalidInput');
    assert.match(message, /Path-Header/);
  }
  for (const value of ['/', '/a b', '/ü', `/${'x'.repeat(8000)}`]) {
    assert.equal((await get(path, { 'path-header': Buffer.from(value).toString('latin1') })).status, 200, value);
  }
});

for (const value of [
  '{}',
  '{"version":1}',
  '{"version":9007199254740993,"objectTypeProperty":{"arrayOfIntExample":[1]},"more":true}',
  '{"objectTypeProperty":{"arrayOfStringExample":["ü"]}}',
]) {
  test(`E17 with Test-Header: ${value} is 200`, async () => {
    const header = Buffer.from(value).toString('latin1');
    assert.equal((await get(path, { ...page, 'test-header': header })).status, 200);
  });
}

for (const [value, problem] of [
  ['', /Test-Header/],
  ['text', /Test-Header: expected a JSON object/],
  ['[]', /expected an object/],
  ['"{}"', /expected an object/],
  ['{"version":"1"}', /version: expected an integer/],
  ['{"version":1.5}', /version: expected an integer/],
  ['{"objectTypeProperty":[]}', /objectTypeProperty: expected an object/],
  ['{"objectTypeProperty":{"arrayOfIntExample":["6"]}}', /arrayOfIntExample\[0\]: expected an integer/],
  ['{}, {}', /Test-Header/],
] as const) {
  test(`E17 with Test-Header: “${value}” is 400 that says what would be right`, async () => {
    const { message } = refusalOf(await get(path, { ...page, 'test-header': value }), 400, 'InvalidInput');
    assert.match(message, problem);
  });
}

test('E17 is for view_test and manage_test, and scopes are checked before headers', async () => {
  assert.equal((await api.call({ path, headers: page, scope: 'view_test:shop' })).status, 200);
  refusalOf(await api.call({ path, scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ path, scope: 'manage_products:shop' }), 403, 'insufficient_scope');
});
