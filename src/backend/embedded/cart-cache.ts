import { hash } from 'node:crypto';
import { Cache } from '../../cache/cache.ts';
import type { JsonValue } from '../../contract/json.ts';
import { type Cart, type CartDefaults, cartOf, skusWithoutImages, withImages } from '../../domain/cart/cart.ts';
import { stringifyJson } from '../../domain/json/parse.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';
import type { ResourceRecord } from '../../domain/ports/resource-store.ts';
import { reportCache } from '../../telemetry/cache-metrics.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { FoundImages, VariantImages } from '../variant-images.ts';
import { storedOf, storedValueOf } from './record.ts';

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
  /** The count of changes and the time before the images were looked up. */
  readonly changes: number;
  readonly checkedMs: number;
}

/** A change of an image by another process is seen within this time, one by this process at once. */
const recheckMs = 1000;
/** Of all carts together. */
const maxCachedChars = 32 * 1024 * 1024;

/** A document as the text of a cart, with the images of its skus. */
export async function makeCartText(
  projectKey: string,
  document: JsonValue,
  defaults: CartDefaults,
  images: VariantImages,
): Promise<string> {
  const cart = cartOf(document, defaults);
  return textWith(cart, await images.find(projectKey, skusWithoutImages(cart)));
}

/** The entity tag of a cart: a digest, since its images change without a write of its document. */
export function cartTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

const textWith = (cart: Cart, { bySku }: FoundImages) => stringifyJson(withImages(cart, bySku));

/** Returns the carts of projects. Each is made once as long as neither its document nor its images change. */
export function cacheCarts(images: VariantImages, nowMs: () => number, metrics: Metrics) {
  const carts = new Cache<string, Made>({ maxBytes: maxCachedChars, bytesOf: ({ text }) => text.length });
  reportCache(metrics, 'carts', carts);

  async function renew(projectKey: string, record: ResourceRecord | undefined, old: Made | undefined): Promise<Made> {
    // Taken before the look-up: a change during it makes the cart stale at once.
    const begun = { changes: images.changes(), checkedMs: nowMs() };
    if (old && sameRecord(old.record, record)) {
      const found = await images.find(projectKey, old.skus);
      if (found.stamp === old.stamp) return { ...old, ...begun };
    }
    const defaults = { cartId: projectKey, cartVersion: String(record ? storedOf(record).writes : 0) };
    const cart = cartOf(record ? storedValueOf(record) : null, defaults);
    const skus = skusWithoutImages(cart);
    const found = await images.find(projectKey, skus);
    const text = textWith(cart, found);
    return { record, skus, stamp: found.stamp, text, etag: cartTag(text), ...begun };
  }

  /** The cart of a project from the record of its document, which is undefined before the first write. */
  return (projectKey: string, record: ResourceRecord | undefined): Eventually<CartText> => {
    const old = carts.get(projectKey);
    const isFresh =
      old !== undefined &&
      old.changes === images.changes() &&
      Math.abs(nowMs() - old.checkedMs) < recheckMs &&
      sameRecord(old.record, record);
    if (isFresh) return old;
    return renew(projectKey, record, old).then((made) => {
      carts.set(projectKey, made);
      return made;
    });
  };
}

/** Versions alone do not suffice: a record may be deleted and created again. */
function sameRecord(a: ResourceRecord | undefined, b: ResourceRecord | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.version === b.version && a.current === b.current);
}
