/**
 * A backend as a module: it runs inside the service and calculates the cost of a delivery. `backends.json` assigns it to
 * the project `delivery`; start with `BACKENDS_FILE=examples/backends/backends.json npm start`.
 */
import { defineBackend, type JsonValue } from 'generic-resource-service';

const euros = (centAmount: number) => ({ centAmount, currencyCode: 'EUR' });

/** 4.90 up to two kilograms, 1.20 for each further one. */
function costOf(grams: number): number {
  return 490 + Math.max(0, Math.ceil((grams - 2000) / 1000)) * 120;
}

function gramsOf(json: JsonValue | undefined): number | undefined {
  const grams = typeof json === 'object' && json !== null && 'grams' in json ? json.grams : undefined;
  return typeof grams === 'number' && grams > 0 ? grams : undefined;
}

export default defineBackend({
  handlers: {
    'POST namespace-action': ({ json, projectKey }) => {
      const grams = gramsOf(json);
      // 422 is a refusal that the client gets, with the body as details.
      if (grams === undefined) return { status: 422, body: { grams: 'expected a number above 0' } };
      return { body: { projectKey, price: euros(costOf(grams)) } };
    },
    'GET namespace-action': ({ query }) => {
      const grams = Number(query.get('grams') ?? 1000);
      return { body: { carrier: 'post', price: euros(costOf(grams)) } };
    },
    'GET namespace-action-with-example': () => ({ body: { lineItems: [{ name: 'Parcel', price: euros(490) }] } }),
  },
});
