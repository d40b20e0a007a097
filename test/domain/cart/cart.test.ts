import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cartSchema } from '../../../src/contract/backend-actions.ts';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import { cartOf, maxLineItems, skusWithoutImages, withImages } from '../../../src/domain/cart/cart.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';

const defaults = { cartId: 'shop', cartVersion: '7' };
const eur = (centAmount: JsonValue) => ({ centAmount, currencyCode: 'EUR' });
const chair = { name: 'Chair', price: eur(999), variant: { sku: 'C-1' } };
const made = (...lineItems: JsonValue[]) => cartOf({ lineItems }, defaults);

function problemOf(document: JsonValue): string {
  try {
    cartOf(document, defaults);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.deepEqual([error.code, error.status], ['CartConflict', 409]);
    assert.ok(error.message.includes(String(error.details.detailedErrorMessage)));
    return String(error.details.detailedErrorMessage);
  }
  return 'no problem';
}

test('cartOf {} or null: an empty cart with a sum of zero', () => {
  for (const document of [{}, null, { lineItems: [] }, { lineItems: null }]) {
    assert.deepEqual(cartOf(document, defaults), {
      ...{ cartId: 'shop', cartVersion: '7', lineItems: [] },
      sum: { fractionDigits: 2, centAmount: 0, currencyCode: 'EUR' },
      ...{ shippingAddress: {}, billingAddress: {}, payments: [], discountCodes: [] },
    });
  }
});

test('cartOf an empty cart: keeps the currency of a written sum', () => {
  const { sum } = cartOf({ sum: { currencyCode: 'JPY', centAmount: 5 } }, defaults);
  assert.deepEqual(sum, { fractionDigits: 0, centAmount: 0, currencyCode: 'JPY' });
});

test('cartOf a line item with the least that is needed: has every field of the interface', () => {
  const cart = made(chair);
  const [item] = cart.lineItems;
  const schema = cartSchema as { required: string[]; properties: { lineItems: { items: { required: string[] } } } };
  assert.deepEqual(Object.keys(cart), schema.required);
  assert.deepEqual(Object.keys(item!), schema.properties.lineItems.items.required);
  const { count, type, isGift, variant } = item!;
  assert.deepEqual({ count, type, isGift }, { count: 1, type: 'variant', isGift: false });
  assert.deepEqual(Object.keys(variant), ['id', 'sku', 'images', 'groupId', 'attributes', 'price', 'isOnStock']);
  assert.deepEqual(variant.price, { fractionDigits: 2, centAmount: 999, currencyCode: 'EUR' });
  assert.match(String(item!._url), /^\//);
});

test('cartOf a whole cart: what was written stays, unknown fields too, version and totals are ours', () => {
  const written = cartSchema.examples as JsonObject[];
  const example = parseJson(JSON.stringify(written[0])) as JsonObject;
  const document = { ...example, note: 'ring twice', cartVersion: '99', sum: eur(1) };
  const cart = cartOf(document, defaults);
  assert.deepEqual(cart, { ...example, cartVersion: '7', note: 'ring twice' });
});

test('cartOf: totalPrice is price × count and sum adds them up, in integers', () => {
  const cart = made({ ...chair, count: 3 }, { ...chair, price: eur(1), count: 2 }, { ...chair, price: eur(-500) });
  assert.deepEqual(
    cart.lineItems.map(({ totalPrice }) => (totalPrice as JsonObject).centAmount),
    [2997, 2, -500],
  );
  assert.equal((cart.sum as JsonObject).centAmount, 2499);
});

test('cartOf: amounts that a double cannot hold keep every digit', () => {
  const cart = made({ ...chair, price: eur(parseJson('9007199254740993')) }, { ...chair, price: eur(0), count: 1 });
  assert.match(stringifyJson(cart), /"sum":\{"fractionDigits":2,"centAmount":9007199254740993,/);
  const third = made({ ...chair, price: eur(parseJson('3002399751580331')), count: 3 });
  assert.match(stringifyJson(third.sum!), /9007199254740993/);
});

test('cartOf: a count with more than 53 bits is multiplied exactly', () => {
  const cart = made({ ...chair, price: eur(1), count: parseJson('9007199254740993') });
  assert.match(stringifyJson(cart), /"count":9007199254740993,.*"totalPrice":\{[^}]*9007199254740993/);
});

test('cartOf: missing ids are the same at every making, differ between items, and stay when another item goes', () => {
  const [a, b, c] = [chair, { ...chair, name: 'Stool' }, chair];
  const ids = made(a, b, c).lineItems.map(({ lineItemId }) => lineItemId);
  assert.equal(new Set(ids).size, 3);
  assert.deepEqual(
    made(a, b, c).lineItems.map(({ lineItemId }) => lineItemId),
    ids,
  );
  assert.equal(made(b).lineItems[0]!.lineItemId, ids[1]);
  const other = cartOf({ lineItems: [a] }, { ...defaults, cartId: 'other' });
  assert.notEqual(other.lineItems[0]!.lineItemId, ids[0]);
});

test('cartOf: fraction digits that were not written are those of the currency', () => {
  const digits = (currencyCode: string) =>
    (made({ ...chair, price: { centAmount: 1, currencyCode } }).sum as JsonObject).fractionDigits;
  assert.deepEqual(['EUR', 'JPY', 'KWD', 'XXX'].map(digits), [2, 0, 3, 2]);
});

test('cartOf: a price that only the variant has is the price', () => {
  const cart = made({ name: 'Chair', variant: { price: eur(5) } });
  assert.equal((cart.sum as JsonObject).centAmount, 5);
});

test('cartOf: names like __proto__ are plain data', () => {
  const cart = cartOf(parseJson('{"__proto__":{"lineItems":[1]},"lineItems":[]}'), defaults);
  assert.match(stringifyJson(cart), /"__proto__":\{"lineItems":\[1\]\}/);
  assert.deepEqual(cart.lineItems, []);
});

for (const [document, problem] of [
  ['text', /^document: expected an object/],
  [[], /^document: expected an object/],
  [{ cartId: 5 }, /^cartId: expected a string/],
  [{ lineItems: {} }, /^lineItems: expected an array/],
  [{ lineItems: ['x'] }, /^lineItems\[0\]: expected an object/],
  [{ lineItems: [{}] }, /^lineItems\[0\]\.price: expected an object/],
  [{ lineItems: [{ price: eur('5') }] }, /^lineItems\[0\]\.price\.centAmount: expected an integer/],
  [{ lineItems: [{ price: eur(0.5) }] }, /^lineItems\[0\]\.price\.centAmount: expected an integer/],
  [{ lineItems: [{ price: { centAmount: 5 } }] }, /^lineItems\[0\]\.price\.currencyCode: expected a string/],
  [{ lineItems: [{ price: { centAmount: 5, currencyCode: 'euro' } }] }, /currencyCode: expected three capital letters/],
  [{ lineItems: [{ price: { ...eur(5), fractionDigits: 21 } }] }, /fractionDigits: expected an integer from 0 to 20/],
  [{ lineItems: [{ ...chair, count: -1 }] }, /^lineItems\[0\]\.count: expected an integer of at least 0/],
  [{ lineItems: [{ ...chair, count: 1.5 }] }, /^lineItems\[0\]\.count: expected an integer/],
  [{ lineItems: [{ ...chair, name: 5 }] }, /^lineItems\[0\]\.name: expected a string/],
  [{ lineItems: [{ ...chair, isGift: 'no' }] }, /^lineItems\[0\]\.isGift: expected a boolean/],
  [{ lineItems: [{ ...chair, _url: 'x' }] }, /^lineItems\[0\]\._url: expected a path/],
  [{ lineItems: [{ ...chair, discounts: {} }] }, /^lineItems\[0\]\.discounts: expected an array/],
  [{ lineItems: [{ ...chair, variant: [] }] }, /^lineItems\[0\]\.variant: expected an object/],
  [{ lineItems: [{ ...chair, variant: { sku: 1 } }] }, /^lineItems\[0\]\.variant\.sku: expected a string/],
  [{ lineItems: [{ ...chair, variant: { images: [1] } }] }, /variant\.images\[0\]: expected a string/],
  [
    { lineItems: [{ ...chair, variant: { attributes: { size: 1 } } }] },
    /variant\.attributes\.size: expected a string, or an object/,
  ],
  [{ shippingAddress: 'here' }, /^shippingAddress: expected an object/],
  [{ payments: {} }, /^payments: expected an array/],
  [
    { lineItems: [chair, { ...chair, price: { centAmount: 1, currencyCode: 'USD' } }] },
    /^lineItems\[1\]\.price\.currencyCode: expected EUR .* one currency/,
  ],
  [
    { lineItems: [chair, { ...chair, price: { ...eur(1), fractionDigits: 3 } }] },
    /^lineItems\[1\]\.price\.fractionDigits: expected 2/,
  ],
  [{ lineItems: Array(maxLineItems + 1).fill(chair) }, /^lineItems: expected at most 1000/],
] as const) {
  test(`cartOf ${JSON.stringify(document).slice(0, 90)}: 409 CartConflict that names the path`, () => {
    assert.match(problemOf(document as JsonValue), problem);
  });
}

test('cartOf: a total beyond 64 bits is 409, wherever it arises', () => {
  const huge = { ...chair, price: eur(parseJson('9223372036854775807')) };
  assert.match(problemOf({ lineItems: [{ ...huge, count: 2 }] }), /^lineItems\[0\]\.totalPrice: .*64 bits/);
  assert.match(problemOf({ lineItems: [huge, huge] }), /^sum: .*64 bits/);
});

test('withImages: fills the images of a sku where none were written, and only there', () => {
  const cart = made(chair, { ...chair, variant: { sku: 'C-2', images: ['/own.jpg'] } }, { ...chair, variant: {} });
  assert.deepEqual(skusWithoutImages(cart), ['C-1']);
  const filled = withImages(
    cart,
    new Map([
      ['C-1', ['/c1.jpg']],
      ['C-2', ['/c2.jpg']],
    ]),
  );
  assert.deepEqual(
    filled.lineItems.map(({ variant }) => variant.images),
    [['/c1.jpg'], ['/own.jpg'], []],
  );
});
