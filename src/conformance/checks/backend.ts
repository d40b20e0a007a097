import type { Answer } from '../api.ts';
import { type Check, checksOf, expectEqual, expectJson, expectRefused, expectStatus, expectThat } from '../check.ts';

const document = '/namespace-action';
const cart = '/namespace-action-with-example';
const cartWithHeaders = '/namespace-action-with-headers';
const anyValue = '/json-serializable-primitive-type';

/** Throws unless the answer is a cart. */
function expectCart(answer: Answer): void {
  expectStatus(answer, 200);
  expectJson(answer);
  const { lineItems, payments, discountCodes, sum } = answer.json;
  const lists = [lineItems, payments, discountCodes].every(Array.isArray);
  expectThat(answer, 'lineItems, payments and discountCodes as arrays', lists);
  const money = [sum?.fractionDigits, sum?.centAmount, sum?.currencyCode].map((part) => typeof part);
  expectEqual(answer, 'the types of its sum', money, ['number', 'number', 'string']);
}

/** Backend actions (E14–E18). They write the documents of the project's backend. */
export const backendChecks: readonly Check[] = [
  ...checksOf('E14', {
    interface: {
      'writes: 200, JSON': async (api) => {
        const answer = await api.send('POST', document, { body: { lineItems: [] } });
        expectStatus(answer, 200);
        expectJson(answer);
      },
    },
    contract: {
      'a body that is no JSON is 400': async (api) => {
        expectRefused(await api.send('POST', document, { body: '{' }), 400, 'InvalidJsonInput');
      },
    },
  }),
  ...checksOf('E15', {
    interface: {
      'reads: 200, JSON': async (api) => {
        const answer = await api.send('GET', document);
        expectStatus(answer, 200);
        expectJson(answer);
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
      'returns a cart: 200': async (api) => expectCart(await api.send('GET', cart)),
    },
    contract: {
      'adds up the line items that were written': async (api) => {
        const price = { centAmount: 1295, currencyCode: 'EUR' };
        const lineItems = [
          { name: 'Chair', count: 2, price },
          { name: 'Table', price },
        ];
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
        const answer = await api.send('GET', cartWithHeaders, { headers });
        expectThat(answer, `a status of refusal, not ${answer.status}`, answer.status >= 400 && answer.status < 500);
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
          const answer = await api.send('PUT', anyValue, { body });
          expectStatus(answer, 200);
          expectJson(answer);
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
