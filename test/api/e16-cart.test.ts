import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ResourceStore } from '../../src/domain/ports/resource-store.ts';
import { parseRecord } from '../../src/domain/resource/resource.ts';
import { decideCreate, decideUpdate } from '../../src/domain/resource/write/decision.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { api, get, send } = await openResources();
const cartOf = (projectKey: string) => get(`/${projectKey}/resource/namespace-action-with-example`);
const write = (projectKey: string, document: unknown) =>
  send('POST', `/${projectKey}/resource/namespace-action`, document);
const item = (sku: string, centAmount: unknown, more = {}) => ({
  ...{ name: `Item ${sku}`, price: { centAmount, currencyCode: 'EUR' }, variant: { sku } },
  ...more,
});

/** Writes the variant of a sku as an upload does, past the routes. */
async function putVariant(store: ResourceStore, projectKey: string, sku: string, images: readonly string[]) {
  const nowIso = new Date().toISOString();
  const context = { nowIso, clientId: 'test', newId: () => sku, maxDocumentBytes: 100_000 };
  const edit = { key: sku, current: { sku, images } as JsonObject, staged: undefined };
  const found = await store.getByKey(`${projectKey}~images`, sku);
  const decision = found
    ? decideUpdate(parseRecord(found), edit, context)
    : decideCreate(`${projectKey}~images`, `id-${sku}`, edit, context);
  assert.equal(await store.commit(decision.change!), 'committed');
}

test('E16 before the first write is an empty cart of version 0', async () => {
  const { status, json } = await cartOf('empty');
  assert.equal(status, 200);
  assert.deepEqual([json.cartVersion, json.lineItems, json.sum.centAmount], ['0', [], 0]);
});

test('E16 after a write: totals, sum and version, ids made the same way each time', async () => {
  await write('sums', { lineItems: [item('A', 250, { count: 3 }), item('B', 1)] });
  const first = await cartOf('sums');
  const { lineItems, sum, cartVersion } = first.json;
  assert.deepEqual(
    lineItems.map(({ totalPrice }: { totalPrice: { centAmount: number } }) => totalPrice.centAmount),
    [750, 1],
  );
  assert.deepEqual([sum, cartVersion], [{ fractionDigits: 2, centAmount: 751, currencyCode: 'EUR' }, '1']);
  await write('sums', { note: 'more' });
  const { json } = await cartOf('sums');
  assert.equal(json.cartVersion, '2');
  assert.deepEqual(json.lineItems, lineItems);
});

test('E16 keeps amounts of 64 bits digit by digit', async () => {
  await write('digits', '{"lineItems":[{"name":"a","price":{"centAmount":9007199254740993,"currencyCode":"EUR"}}]}');
  assert.match((await cartOf('digits')).text, /"sum":\{"fractionDigits":2,"centAmount":9007199254740993,/);
});

test('E16 of mixed currencies, or of a document that is no cart, is 409 that names the path', async () => {
  await write('mixed', {
    lineItems: [item('A', 1), { ...item('B', 1), price: { centAmount: 1, currencyCode: 'USD' } }],
  });
  const mixed = refusalOf(await cartOf('mixed'), 409, 'CartConflict');
  assert.match(mixed.detailedErrorMessage, /^lineItems\[1\]\.price\.currencyCode: expected EUR/);
  await write('mixed', { lineItems: 'none' });
  refusalOf(await cartOf('mixed'), 409, 'CartConflict');
  await write('mixed', '"text"');
  refusalOf(await cartOf('mixed'), 409, 'CartConflict');
  await write('mixed', '{"lineItems":[]}');
  assert.equal((await cartOf('mixed')).status, 200);
});

test('E16 fills in the images of a sku, and sees at once that they changed', async () => {
  const { resources } = api.app.store;
  const imagesIn = async () => (await cartOf('pictured')).json.lineItems[0].variant.images;
  await write('pictured', { lineItems: [item('P', 5)] });
  assert.deepEqual(await imagesIn(), []);
  await putVariant(resources, 'pictured', 'P', ['/p/1.png']);
  assert.deepEqual(await imagesIn(), ['/p/1.png']);
  await putVariant(resources, 'pictured', 'P', ['/p/1.png', '/p/2.png']);
  assert.deepEqual(await imagesIn(), ['/p/1.png', '/p/2.png']);
  await write('pictured', { lineItems: [item('P', 5, { variant: { sku: 'P', images: ['/own.png'] } })] });
  assert.deepEqual(await imagesIn(), ['/own.png']);
});

test('E16 does not show the images of another project', async () => {
  await putVariant(api.app.store.resources, 'theirs', 'S', ['/theirs.png']);
  await write('ours', { lineItems: [item('S', 5)] });
  assert.deepEqual((await cartOf('ours')).json.lineItems[0].variant.images, []);
});

test('E16 read often while it is written never returns an older cart than before', async () => {
  let seen = 0;
  for (let n = 1; n <= 5; n += 1) {
    const [, ...carts] = await Promise.all([
      write('moving', { lineItems: [item('A', n)] }),
      ...Array(5)
        .fill(0)
        .map(() => cartOf('moving')),
    ]);
    for (const { json } of carts) {
      assert.ok(Number(json.cartVersion) >= seen && Number(json.cartVersion) <= n);
    }
    seen = n;
    assert.equal((await cartOf('moving')).json.sum.centAmount, n);
  }
});

test('E16 is for view_test and manage_test', async () => {
  const path = '/shop/resource/namespace-action-with-example';
  assert.equal((await api.call({ path, scope: 'view_test:shop' })).status, 200);
  refusalOf(await api.call({ path, scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ path, scope: 'manage_products:shop' }), 403, 'insufficient_scope');
});
