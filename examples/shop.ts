/**
 * Shows the shop front of shop.html, beside a running service and in its folder: `npx node examples/shop.ts`. Fills a cart
 * in the project "shop", uploads two pictures, and prints the address to open. The page and the API then have one origin,
 * as behind a proxy, so that the service needs no CORS_ORIGINS.
 */
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
  const json = (await response.json()) as { message?: string; access_token?: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${json.message}`);
  return json;
}

const { access_token: token } = await call(
  'POST',
  '/oauth/token',
  {
    authorization: `Basic ${btoa(administrator())}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  'grant_type=client_credentials&scope=manage_test:shop manage_products:shop',
);
const authorization = `Bearer ${token}`;

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
await call(
  'POST',
  '/shop/resource/namespace-action',
  { authorization, 'content-type': 'application/json' },
  JSON.stringify(cart),
);

/** Passes a request of the page on to the service. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  const answer = await fetch(`${base}${request.url}`, {
    ...{ method: request.method ?? 'GET', headers: headers as Record<string, string> },
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const type = answer.headers.get('content-type') ?? 'application/json';
  response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()));
}

const server = createServer((request, response) => {
  if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  else forward(request, response).catch((error: Error) => response.destroy(error));
});
const port = Number(process.env.SHOP_PORT ?? 8090);
server.once('error', ({ message }) => {
  console.error(`The page cannot be served on port ${port}: ${message}. Set SHOP_PORT to another port.`);
  process.exit(1);
});
server.listen(port, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
console.log(`Open ${origin}/#base=${encodeURIComponent(origin)}&project=shop&token=${token}\nCtrl-C ends it.`);
