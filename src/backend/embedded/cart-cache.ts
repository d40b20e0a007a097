import { hash } from 'node:crypto';
import { Cache } from '../../cache/cache.ts';
import type { JsonValue } from '../../contract/json.ts';
import { type Cart, type CartDefaults, cartOf, skusWithoutImages, withImages } from '../../domain/cart/cart.ts';
import { parseStoredJson, stringifyJson } from '../../domain/json/parse.ts';
import type { ResourceRecord } from '../../domain/ports/resource-store.ts';
import { reportCache } from '../../telemetry/cache-metrics.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { FindImages } from '../variant-images.ts';
import { ofProject, type Place, storedOf } from './record.ts';

/** A cart as it is sent. */
export interface CartText {
  readonly text: string;
  readonly etag: string;
}

/** A cart, and what it was made from. */
interface Made extends CartText {
  readonly record: ResourceRecord | undefined;
  readonly skus: readonly string[];
  readonly stamp: string;
}

/** Limit for all carts together. */
const maxCachedChars = 32 * 1024 * 1024;

/** A document as the text of a cart, with the images of its skus. */
export async function makeCartText(
  projectKey: string,
  document: JsonValue,
  defaults: CartDefaults,
  findImages: FindImages,
): Promise<string> {
  const cart = cartOf(document, defaults);
  return textWith(cart, await findImages(projectKey, skusWithoutImages(cart)));
}

/** The entity tag of a cart: a digest, since its images change without a write of its document. */
export function cartTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

const textWith = (cart: Cart, { bySku }: Awaited<ReturnType<FindImages>>) => stringifyJson(withImages(cart, bySku()));

/** Returns the carts of projects. Each is made once as long as neither its document nor its images change. */
export function cacheCarts(findImages: FindImages, metrics: Metrics) {
  const carts = new Cache<string, Made>({ maxBytes: maxCachedChars, bytesOf: ({ text }) => text.length });
  reportCache(metrics, 'carts', carts);

  async function make(projectKey: string, record: ResourceRecord | undefined, place: Place): Promise<Made> {
    const { text: json, writes } = storedOf(record, place) ?? { text: 'null', writes: 0 };
    const { session } = place;
    // What opens the session is not in the cart.
    const cartId = session === undefined ? projectKey : hash('sha256', session, 'base64url').slice(0, 22);
    const cart = cartOf(parseStoredJson(json), { cartId, cartVersion: String(writes) });
    const skus = skusWithoutImages(cart);
    const found = await findImages(projectKey, skus);
    const text = textWith(cart, found);
    const made = { record, skus, stamp: found.stamp, text, etag: cartTag(text) };
    carts.set(nameOf(projectKey, place), made);
    return made;
  }

  /** The cart of a project, or of a session, from the record of its document, which is undefined before the first write. */
  return async (projectKey: string, record: ResourceRecord | undefined, place = ofProject): Promise<CartText> => {
    const old = carts.get(nameOf(projectKey, place));
    if (old === undefined || !sameRecord(old.record, record)) return make(projectKey, record, place);
    if (old.skus.length === 0) return old;
    const { stamp } = await findImages(projectKey, old.skus);
    return stamp === old.stamp ? old : make(projectKey, record, place);
  };
}

const nameOf = (projectKey: string, { session = '' }: Place) => `${projectKey}/${session}`;

/** Versions alone do not suffice: a record may be deleted and created again. */
function sameRecord(a: ResourceRecord | undefined, b: ResourceRecord | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.version === b.version && a.current === b.current);
}
