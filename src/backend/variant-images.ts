import { variantProjectOf } from '../domain/image/variant.ts';
import { getOwn } from '../domain/json/values.ts';
import type { ResourceRecord, ResourceStore } from '../domain/ports/resource-store.ts';
import { parseRecord } from '../domain/resource/resource.ts';

/** The suffix of the companion projects that hold variants. */
const variantSuffix = variantProjectOf('');

/** The images of some skus, and a stamp that differs as soon as any of them has changed. */
export interface FoundImages {
  readonly bySku: ReadonlyMap<string, readonly string[]>;
  readonly stamp: string;
}

/** The current images of product variants (decision 25). */
export interface VariantImages {
  /** Rises with every change of a variant in this process. */
  readonly changes: () => number;
  find(projectKey: string, skus: readonly string[]): Promise<FoundImages>;
}

/**
 * A store that counts the commits of variants, so that a cart with their images knows when it is stale. `baseUrl` is the
 * public address, which precedes the paths of images; empty where there is none.
 */
export function watchVariants(
  store: ResourceStore,
  baseUrl: string,
): { readonly store: ResourceStore; readonly images: VariantImages } {
  let changes = 0;
  const countChange = () => {
    changes += 1;
  };
  const watched: ResourceStore = {
    ...store,
    commit(change) {
      const committed = store.commit(change);
      const projectKey = change.kind === 'delete' ? change.projectKey : change.next.projectKey;
      // Counted before the caller goes on, so that the next cart shows the change.
      return projectKey.endsWith(variantSuffix) ? committed.finally(countChange) : committed;
    },
    // Nobody commits several changes of variants together; should it happen, carts show them.
    commitAll: (changes) => store.commitAll(changes).finally(countChange),
  };
  return {
    store: watched,
    images: { changes: () => changes, find: (key, skus) => findImages(store, key, skus, baseUrl) },
  };
}

async function findImages(
  store: ResourceStore,
  projectKey: string,
  skus: readonly string[],
  baseUrl: string,
): Promise<FoundImages> {
  const records = await Promise.all(skus.map((sku) => findVariant(store, projectKey, sku)));
  const bySku = new Map<string, readonly string[]>();
  const stamps = records.map((record, i) => {
    if (record === undefined) return '';
    bySku.set(skus[i]!, imagesOf(record, baseUrl));
    return `${record.id}@${record.version}`;
  });
  return { bySku, stamp: stamps.join('\n') };
}

/** A sku that is too long for a key belongs to no variant. */
async function findVariant(store: ResourceStore, projectKey: string, sku: string): Promise<ResourceRecord | undefined> {
  return sku.length > 512 ? undefined : store.getByKey(variantProjectOf(projectKey), sku);
}

/** Stored as paths, so that another public address needs no rewriting (decision 31). */
function imagesOf(record: ResourceRecord, baseUrl: string): readonly string[] {
  const images = getOwn(parseRecord(record).resource.current, 'images');
  const texts = Array.isArray(images) ? images.filter((image) => typeof image === 'string') : [];
  return texts.map((image) => (image.startsWith('/') ? `${baseUrl}${image}` : image));
}
