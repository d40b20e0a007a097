import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openResources, refusalOf } from './open-resources.ts';

const folder = fileURLToPath(new URL('../../examples/actions/', import.meta.url));
const { api, send, create, update, read } = await openResources({ ACTIONS_DIR: folder });

test("E10 with an operator's action of ACTIONS_DIR applies it, staged too", async () => {
  const made = await create('shop', { price: { centAmount: 1999, currencyCode: 'EUR' } });
  const staged = await update('shop', made, { action: 'applyDiscount', percent: 50, staged: true });
  assert.equal(staged.price.centAmount, 1999);
  const discounted = await update(
    'shop',
    staged,
    { action: 'revertStagedChanges' },
    { action: 'applyDiscount', percent: 20 },
  );
  assert.deepEqual(discounted.price, { centAmount: 1599, currencyCode: 'EUR' });
  assert.equal(discounted.version, 3);
});

test("E10 with fields that an operator's action does not take is 400 and names the path", async () => {
  const { id } = await create('shop', { price: { centAmount: 1 } });
  for (const [fields, problem] of [
    [{}, /^actions\[0\]\.percent: Missing required value/],
    [{ percent: '20' }, /^actions\[0\]\.percent: expected a number/],
    [{ percent: 20, per: 1 }, /^actions\[0\]\.per: unknown field, applyDiscount takes percent, staged/],
  ] as const) {
    const actions = [{ action: 'applyDiscount', ...fields }];
    const response = await send('POST', `/shop/resource/${id}`, { version: 1, actions });
    assert.match(refusalOf(response, 400, 'InvalidJsonInput').detailedErrorMessage, problem);
  }
});

test("E10 that an operator's action refuses is 400 with its words, and changes nothing", async () => {
  const made = await create('shop', { a: 1 });
  const actions = [
    { action: 'setField', path: 'a', value: 2 },
    { action: 'applyDiscount', percent: 20 },
  ];
  const response = await send('POST', `/shop/resource/${made.id}`, { version: 1, actions });
  assert.match(refusalOf(response, 400, 'InvalidOperation').message, /^actions\[1\]: there is no price\.centAmount/);
  assert.deepEqual(await read('shop', made.id), made);
});

test('E10 with an unknown action names the operator’s among the known ones; the OpenAPI document has it too', async () => {
  const { id } = await create('shop', {});
  const response = await send('POST', `/shop/resource/${id}`, { version: 1, actions: [{ action: 'x' }] });
  assert.match(
    refusalOf(response, 400, 'InvalidInput').message,
    /expected one of .*revertStagedChanges, restore, .*setImageLabel, applyDiscount$/,
  );
  assert.match((await api.call({ path: '/openapi.json', scope: 'none' })).text, /"applyDiscount"/);
});
