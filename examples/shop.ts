/**
 * Shows the shop front of shop.html, beside a running service and in its folder: `npx node examples/shop.ts`. Fills the project
 * "shop" with three products, two pictures and a cart, and prints the address to open.
 *
 * The page has a publishable key, by which it reads products. Its cart goes through this server, which keeps the session of
 * each visitor in a cookie that scripts cannot read, and calls with a token for the backend actions alone.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { administrator, ready } from './service.ts';

const base = await ready();
const page = readFileSync(fileURLToPath(new URL('shop.html', import.meta.url)));

async function call(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer>,
) {
  const response = await fetch(`${base}${path}`, { method, headers, body });
  const json = (await response.json()) as {
    readonly message?: string;
    readonly access_token?: string;
    readonly expires_in?: number;
    readonly key?: string;
  };
  if (!response.ok) throw new Error(`${method} ${path}: ${json.message}`);
  return json;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = `Basic ${btoa(administrator())}`;

/** Requests a token, and says until when it is used. */
async function issue(scope: string) {
  const body = `grant_type=client_credentials&scope=${scope}`;
  const { access_token, expires_in = 0 } = await call('POST', '/oauth/token', { authorization: basic, ...form }, body);
  return { authorization: `Bearer ${access_token}`, untilMs: Date.now() + expires_in * 900 };
}

const { authorization } = await issue('manage_test:shop manage_products:shop manage_api_clients:shop');
const json = { authorization, 'content-type': 'application/json' };

let backend = await issue('use_backend:shop');

/** The authorization of backend actions. */
async function backendAuthorization(): Promise<string> {
  if (Date.now() >= backend.untilMs) backend = await issue('use_backend:shop');
  return backend.authorization;
}

/** A picture of a product, drawn here: the ground and the lines. */
async function uploadPicture(sku: string, ground: string, lines: string): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600" fill="${ground}"/>
    <path d="${lines}" fill="none" stroke="#4b4032" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  const path = `/shop/resource/images?sku=${sku}&staged=false&filename=${sku}.png`;
  await call('POST', path, { authorization, 'content-type': 'image/png' }, new Uint8Array(png));
}

const euros = (centAmount: number) => ({ centAmount, currencyCode: 'EUR' });
const cart = {
  shippingAddress: { name: 'Ada Jones', street: 'Hauptplatz 1', city: '8010 Graz' },
  lineItems: [
    {
      ...{ name: 'Oak chair', count: 2, price: euros(12_950) },
      variant: { sku: 'OAK-1', attributes: { colour: { key: 'natural', label: 'Natural oak' }, seat: 'Solid' } },
    },
    { name: 'Linen cloth', price: euros(2490), variant: { sku: 'LIN-7', attributes: { size: '140 × 240 cm' } } },
    { name: 'Wool blanket', count: 3, price: euros(5900), variant: { sku: 'WOL-2' } },
  ],
};

const pictures = (await (
  await fetch(`${base}/shop/resource/images?sku=OAK-1`, { headers: { authorization } })
).json()) as { total?: number };
if (pictures.total !== 1) {
  await uploadPicture(
    'OAK-1',
    '#e3d2b4',
    'M210 120h180v150H210zM210 270h180v40H210zM222 310v170M378 310v170M222 400h156',
  );
  await uploadPicture(
    'LIN-7',
    '#d5dfd8',
    'M150 170q150-60 300 0v240q-150 60-300 0zM150 250q150-60 300 0M150 330q150-60 300 0',
  );
}
await call('POST', '/shop/resource/namespace-action', json, JSON.stringify(cart));
for (const { name, price, variant } of cart.lineItems) {
  await call('PUT', '/shop/resource', json, JSON.stringify({ key: variant.sku, name: { en: name }, price, variant }));
}

/** The session in the cookie of a visitor. */
function sessionOf({ headers: { cookie = '' } }: IncomingMessage): string | undefined {
  return /(?:^|; )session=([\w-]{36})(?:;|$)/.exec(cookie)?.[1];
}

/** Sends the page; a new visitor gets a session, with a cart to look at. */
async function sendPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers: Record<string, string> = { 'content-type': 'text/html; charset=utf-8' };
  if (sessionOf(request) === undefined) {
    const session = randomUUID();
    const own = { ...json, authorization: await backendAuthorization(), 'x-session-id': session };
    await call('POST', '/shop/resource/namespace-action', own, JSON.stringify(cart));
    headers['set-cookie'] = `session=${session}; HttpOnly; SameSite=Strict; Path=/`;
  }
  response.writeHead(200, headers).end(page);
}

/** What a backend action is called with instead of the key of the page; without a session it is about the cart of the project. */
async function backendHeaders(request: IncomingMessage): Promise<Record<string, string>> {
  if (!request.url?.startsWith('/shop/resource/namespace-action')) return {};
  const session = sessionOf(request);
  return { authorization: await backendAuthorization(), ...(session && { 'x-session-id': session }) };
}

/** Passes a request of the page on to the service. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
  const { accept, authorization, 'content-type': type } = request.headers;
  const sent = Object.entries({ accept, authorization, 'content-type': type }).filter(([, value]) => value);
  const answer = await fetch(`${base}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { ...(Object.fromEntries(sent) as Record<string, string>), ...(await backendHeaders(request)) },
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const answered = answer.headers.get('content-type') ?? 'application/json';
  response.writeHead(answer.status, { 'content-type': answered }).end(Buffer.from(await answer.arrayBuffer()));
}

const server = createServer((request, response) => {
  const handle = request.url === '/' ? sendPage : forward;
  handle(request, response).catch((error: Error) => response.destroy(error));
});
const port = Number(process.env.SHOP_PORT ?? 8090);
server.once('error', ({ message }) => {
  console.error(`The page cannot be served on port ${port}: ${message}. Set SHOP_PORT to another port.`);
  process.exit(1);
});
server.listen(port, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The publishable key of the page: that of the last time, if it is for this origin. */
async function pageKey(): Promise<string | undefined> {
  const listed = await fetch(`${base}/shop/api-clients?limit=500`, { headers: { authorization } });
  const { results } = (await listed.json()) as { results: readonly { key?: string; origins?: readonly string[] }[] };
  const known = results.find(({ origins }) => origins?.includes(origin));
  const draft = { name: 'Shop front', publishable: true, origins: [origin] };
  return known?.key ?? (await call('POST', '/shop/api-clients', json, JSON.stringify(draft))).key;
}

const key = await pageKey();
console.log(`Open ${origin}/#base=${encodeURIComponent(origin)}&project=shop&token=${key}\nCtrl-C ends it.`);
