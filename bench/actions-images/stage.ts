import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draft } from '../documents.ts';
import type { Target } from '../search/requests.ts';
import { load } from '../search/stage.ts';
import { fetchToken, type Running, startCeiling } from '../service.ts';
import { photograph, pngOfBytes } from './pictures.ts';
import { upload, writeJson } from './requests.ts';

/** The servers under measurement: a filled service, and bare node:http with the same bytes. */
export interface Stage {
  readonly service: Running;
  readonly bare: Running;
  readonly target: Target;
  /** Paths of the uploaded images of about 50 KB. */
  readonly images: readonly string[];
  readonly imageBytes: number;
  readonly cartBytes: number;
  /** Ids of resources, to be read while something else goes on. */
  readonly ids: readonly string[];
  readonly photograph: Buffer;
}

/** More than the service keeps in memory, so that most reads of all of them are reads of files. */
const imageCount = 800;
/** A usual number: the document of a variant grows with it. */
export const imagesOfVariant = 10;
export const lineItemCount = 20;
const patience = { ms: 120_000 };

function cartDocument(): string {
  const lineItems = Array.from({ length: lineItemCount }, (_, n) => ({
    name: `Oak chair ${n}`,
    count: 1 + (n % 3),
    price: { fractionDigits: 2, centAmount: 12_950 + n, currencyCode: 'EUR' },
    variant: { sku: `chair-${n}` },
  }));
  return JSON.stringify({ lineItems });
}

/** Paths of the newest images of the variants that uploads returned. */
async function uploadAll(service: Running, target: Target, image: Buffer): Promise<readonly string[]> {
  const paths = new Set<string>();
  const make = upload(target, image, 'image/png', (n) => `variant=${100 + Math.floor(n / imagesOfVariant)}`);
  const onBody = (body: string) => {
    for (const path of (JSON.parse(body) as { images: readonly string[] }).images) paths.add(path);
  };
  await load(service, { ...patience, connections: 4, requests: imageCount, make, onBody }, 200);
  return [...paths];
}

async function fillCart(service: Running, target: Target): Promise<void> {
  const image = await pngOfBytes(3000);
  const skus = upload(target, image, 'image/png', (n) => `sku=chair-${n}&variant=${n + 1}`);
  await load(service, { ...patience, connections: 1, requests: lineItemCount, make: skus }, 200);
  const make = writeJson(target, 'POST', '/resource/namespace-action', cartDocument);
  await load(service, { ...patience, connections: 1, requests: 1, make }, 200);
}

async function createResources(service: Running, target: Target): Promise<readonly string[]> {
  const ids: string[] = [];
  const make = writeJson(target, 'POST', '/resource', (n) => JSON.stringify(draft(n, `r-${n}`)));
  const onBody = (body: string) => ids.push((JSON.parse(body) as { id: string }).id);
  await load(service, { ...patience, connections: 20, requests: 1000, make, onBody }, 201);
  return ids;
}

async function bytesAt(service: Running, path: string, token?: string): Promise<Buffer> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}

/** Fills a service that runs, and starts the bare server with what the service returns. */
export async function prepareStage(service: Running, folder: string): Promise<Stage> {
  const project = 'bench';
  const target = { project, token: await fetchToken(service.port, `manage_project:${project}`) };
  const ids = await createResources(service, target);
  await fillCart(service, target);
  const images = await uploadAll(service, target, await pngOfBytes(50_000));
  const cart = await bytesAt(service, `/${project}/resource/namespace-action-with-example`, target.token);
  const image = await bytesAt(service, images[0]!);
  writeFileSync(join(folder, 'cart.json'), cart);
  writeFileSync(join(folder, 'image.png'), image);
  const bare = await startCeiling('bench/actions-images/bare.ts', [
    `/cart=application/json=${join(folder, 'cart.json')}`,
    `/image=image/png=${join(folder, 'image.png')}`,
  ]);
  const sizes = { imageBytes: image.length, cartBytes: cart.length };
  return { service, bare, target, ids, images, ...sizes, photograph: await photograph(1732, 1155) };
}
