import { variantProjectOf } from '../domain/image/variant.ts';
import { getOwn } from '../domain/json/object.ts';
import type { ResourceRecord, ResourceStore } from '../domain/ports/resource-store.ts';
import { keptRecord } from '../domain/resource/resource.ts';

/** How the names end under which the variants of projects are kept. */
const suffix = variantProjectOf('');

/** The images of some skus, and a text that is another one as soon as any of them has changed. */
export interface FoundImages {
  readonly bySku: ReadonlyMap<string, readonly string[]>;
  readonly stamp: string;
}

/** The images of product variants, as they are current (decision 25). */
export interface VariantImages {
  /** Rises with every change of a variant in this process. */
  readonly changes: () => number;
  find(projectKey: string, skus: readonly string[]): Promise<FoundImages>;
}

/**
 * A store that counts the commits of variants, so that what was made with their images knows when it is old. `baseUrl`
 * is the public address, before the paths of images; empty where there is none.
 */
export function watchVariants(
  store: ResourceStore,
  baseUrl: string,
): { readonly store: ResourceStore; readonly images: VariantImages } {
  let changes = 0;
  const watched: ResourceStore = {
    ...store,
    async commit(change) {
      const projectKey = change.kind === 'delete' ? change.projectKey : change.next.projectKey;
      if (!projectKey.endsWith(suffix)) return store.commit(change);
      try {
        return await store.commit(change);
      } finally {
        // Before the commit is answered: who was told of a change sees it in the next cart.
        changes += 1;
      }
    },
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

/** No variant has a sku that could not be a key. */
async function findVariant(store: ResourceStore, projectKey: string, sku: string): Promise<ResourceRecord | undefined> {
  return sku.length > 512 ? undefined : store.getByKey(variantProjectOf(projectKey), sku);
}

/** Addresses are kept as paths, so that a new public address needs no rewriting (decision 31). */
function imagesOf(record: ResourceRecord, baseUrl: string): readonly string[] {
  const images = getOwn(keptRecord(record).resource.current, 'images');
  const texts = Array.isArray(images) ? images.filter((image) => typeof image === 'string') : [];
  return texts.map((image) => (image.startsWith('/') ? `${baseUrl}${image}` : image));
}
