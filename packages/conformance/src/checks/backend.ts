import type { Answer, AnyJson } from '../api.ts';
import {
  type Check,
  checksOf,
  expectEqual,
  expectJson,
  expectRefusal,
  expectRefused,
  expectStatus,
  expectThat,
} from '../check.ts';

const document = '/namespace-action';
const cart = '/namespace-action-with-example';
const cartWithHeaders = '/namespace-action-with-headers';
const anyValue = '/json-serializable-primitive-type';

/** Throws unless the answer is a cart. */
function expectCart(answer: Answer): void {
  expectStatus(answer, 200);
  expectJson(answer);
  expectShape(answer, 'the cart', answer.json, cartShape);
  for (const item of answer.json.lineItems) {
    expectShape(answer, 'a line item', item, lineItemShape);
    expectShape(answer, 'the variant of a line item', item.variant, variantShape);
  }
}

type Shape = Readonly<Record<string, (value: AnyJson) => boolean>>;

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isMoney: Shape[string] = (value) =>
  isObject(value) &&
  Number.isInteger(value.fractionDigits) &&
  Number.isInteger(value.centAmount) &&
  isText(value.currencyCode);

const cartShape: Shape = {
  ...{ cartId: isText, cartVersion: isText, lineItems: Array.isArray, sum: isMoney },
  ...{ shippingAddress: isObject, billingAddress: isObject, payments: Array.isArray, discountCodes: Array.isArray },
};
const lineItemShape: Shape = {
  ...{ lineItemId: isText, productId: isText, name: isText, type: isText, count: Number.isInteger, price: isMoney },
  ...{ discountTexts: Array.isArray, discounts: Array.isArray, totalPrice: isMoney, variant: isObject },
  ...{ isGift: (value) => typeof value === 'boolean', _url: isText },
};
const variantShape: Shape = {
  ...{ id: isText, sku: isText, groupId: isText, attributes: isObject, price: isMoney },
  ...{
    images: (value) => Array.isArray(value) && value.every(isText),
    isOnStock: (value) => typeof value === 'boolean',
  },
};

function expectShape(answer: Answer, what: string, value: unknown, shape: Shape): void {
  for (const [name, isRight] of Object.entries(shape)) {
    const found = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    const shown = found === undefined ? 'without it' : JSON.stringify(found).slice(0, 100);
    expectThat(answer, `${what} with ${name} of its type, not ${shown}`, isRight(found));
  }
}

/** A line item with a price, as a client may write it. */
const chair = { name: 'Chair', count: 2, price: { centAmount: 1295, currencyCode: 'EUR' } };

/** Backend actions (E14–E18). They write the documents of the project's backend. */
export const backendChecks: readonly Check[] = [
  ...checksOf('E14', {
    interface: {
      'writes: 200, JSON': async (api) => {
        expectJson(expectStatus(await api.send('POST', document, { body: { lineItems: [] } }), 200));
      },
    },
    contract: {
      'a body that is not JSON is 400': async (api) => {
        expectRefused(await api.send('POST', document, { body: '{' }), 400, 'InvalidJsonInput');
      },
    },
  }),
  ...checksOf('E15', {
    interface: {
      'reads: 200, JSON': async (api) => {
        expectJson(expectStatus(await api.send('GET', document), 200));
      },
    },
    contract: {
      'returns what E14 merged': async (api) => {
        const note = api.unique('note');
        await api.send('POST', document, { body: { note } });
        await api.send('POST', document, { body: { other: 1 } });
        const answer = await api.send('GET', document);
        expectEqual(answer, 'the document', [answer.json.note, answer.json.other], [note, 1]);
      },
    },
  }),
  ...checksOf('E16', {
    interface: {
      'returns a cart, each of its parts of its type: 200': async (api) => {
        await api.send('POST', document, { body: { lineItems: [chair] } });
        const answer = await api.send('GET', cart);
        expectCart(answer);
        expectEqual(answer, 'its line items', answer.json.lineItems.length, 1);
        await api.send('POST', document, { body: { lineItems: [] } });
      },
    },
    contract: {
      'adds up the line items that were written': async (api) => {
        const price = { centAmount: 1295, currencyCode: 'EUR' };
        const lineItems = [chair, { name: 'Table', price }];
        await api.send('POST', document, { body: { lineItems } });
        const answer = await api.send('GET', cart);
        expectCart(answer);
        const seen = [answer.json.sum, answer.json.lineItems[0].totalPrice.centAmount];
        const sum = { fractionDigits: 2, centAmount: 3885, currencyCode: 'EUR' };
        expectEqual(answer, 'the sums', seen, [sum, 2590]);
        await api.send('POST', document, { body: { lineItems: [] } });
      },
    },
  }),
  ...checksOf('E17', {
    interface: {
      'returns a cart to a request with the headers of the interface': async (api) => {
        const headers = { accept: 'application/json', 'path-header': '/cart' };
        expectCart(await api.send('GET', cartWithHeaders, { headers }));
      },
      'a Path-Header that begins with something else is refused': async (api) => {
        const headers = { accept: 'application/json', 'path-header': 'cart' };
        expectRefusal(await api.send('GET', cartWithHeaders, { headers }));
      },
    },
    contract: {
      'without Path-Header it is 400, without JSON in Accept 406': async (api) => {
        expectRefused(await api.send('GET', cartWithHeaders, { headers: { accept: 'application/json' } }), 400);
        const headers = { accept: 'text/html', 'path-header': '/cart' };
        expectRefused(await api.send('GET', cartWithHeaders, { headers }), 406, 'NotAcceptable');
      },
    },
  }),
  ...checksOf('E18', {
    interface: {
      'takes any JSON value, a bare text too: 200, JSON': async (api) => {
        for (const body of ['"text"', '5', 'true', '[1]', '{"a":1}']) {
          expectJson(expectStatus(await api.send('PUT', anyValue, { body }), 200));
        }
      },
    },
    contract: {
      'returns the value; no value is 400': async (api) => {
        for (const body of ['"ü"', '[{"a":[null]}]']) {
          const answer = await api.send('PUT', anyValue, { body });
          expectEqual(answer, 'the value', answer.json, JSON.parse(body));
        }
        expectRefused(await api.send('PUT', anyValue), 400);
      },
    },
  }),
];
