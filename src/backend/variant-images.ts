import { variantProjectOf } from '../domain/image/variant.ts';
import { getOwn } from '../domain/json/values.ts';
import type { ResourceRecord, ResourceStore } from '../domain/ports/resource-store.ts';
import { parseRecord } from '../domain/resource/resource.ts';

export type FindImages = ReturnType<typeof createFindImages>;

/**
 * Finds the current images of product variants (decision 25), and a stamp that differs as soon as any of them has changed. `baseUrl`:
 * the public address that precedes their paths; empty without one.
 */
export function createFindImages(store: ResourceStore, baseUrl: string) {
  return async (projectKey: string, skus: readonly string[]) => {
    const records = await Promise.all(skus.map((sku) => findVariant(store, projectKey, sku)));
    return {
      stamp: records.map((record) => record && `${record.id}@${record.version}`).join('\n'),
      bySku: () => new Map(records.flatMap((record, i) => (record ? [[skus[i]!, imagesOf(record, baseUrl)]] : []))),
    };
  };
}

/** A sku that is longer than any key has no variant. */
async function findVariant(store: ResourceStore, projectKey: string, sku: string): Promise<ResourceRecord | undefined> {
  return sku.length > 512 ? undefined : store.getByKey(variantProjectOf(projectKey), sku);
}

/** Stored as paths, so that another public address needs no rewriting (decision 31). */
function imagesOf(record: ResourceRecord, baseUrl: string): readonly string[] {
  const images = getOwn(parseRecord(record).resource.current, 'images');
  const texts = Array.isArray(images) ? images.filter((image) => typeof image === 'string') : [];
  return texts.map((image) => (image.startsWith('/') ? `${baseUrl}${image}` : image));
}
