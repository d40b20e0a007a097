/**
 * A backend behind HTTP, in plain Node: a warehouse that reserves items. All that it knows of the service is in the
 * request: method, path, JSON body and some headers. `PORT=8181 node examples/backends/warehouse.ts`
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const stock = new Map([
  ['OAK-1', 3],
  ['LIN-7', 20],
]);
const price = { centAmount: 12_950, currencyCode: 'EUR' };
let reserved: { readonly sku: string; readonly count: number }[] = [];
/** Responses by Idempotency-Key and client: a repeated request does not reserve again. */
const answered = new Map<string, { readonly status: number; readonly value: unknown }>();

function reserve(sku: string, count: number): { readonly status: number; readonly value: unknown } {
  const left = stock.get(sku);
  if (left === undefined) return { status: 404, value: { reason: `no ${sku} here` } };
  // 409 is passed on to the client, with this value as the details of the error.
  if (left < count) return { status: 409, value: { reason: 'sold out', left } };
  stock.set(sku, left - count);
  reserved = [...reserved, { sku, count }];
  return { status: 200, value: { sku, count, left: left - count } };
}

function cart() {
  return { cartId: 'warehouse', lineItems: reserved.map(({ sku, count }) => ({ count, price, variant: { sku } })) };
}

async function answer(request: IncomingMessage) {
  if (request.headers['x-backend-key'] !== 'the two of us know it') return { status: 403, value: {} };
  if (request.method === 'GET') return { status: 200, value: request.url?.includes('-with-') ? cart() : reserved };
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const { sku, count } = JSON.parse(text) as { sku: string; count: number };
  const key =
    request.headers['idempotency-key'] && `${request.headers['x-client-id']} ${request.headers['idempotency-key']}`;
  const known = key === undefined ? undefined : answered.get(key);
  const made = known ?? reserve(sku, count);
  if (key !== undefined) answered.set(key, made);
  return made;
}

function send(response: ServerResponse, { status, value }: { readonly status: number; readonly value: unknown }): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const server = createServer((request, response) => {
  answer(request).then(
    (made) => send(response, made),
    () => send(response, { status: 500, value: {} }),
  );
});
server.listen(Number(process.env.PORT ?? 8181), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
