import { malformedParameter } from '../../../contract/errors.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../contract/json.ts';
import { variantProjectOf } from '../../image/variant.ts';
import { parseStoredJson } from '../../json/parse.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';
import { collectInTurns } from '../../turns.ts';
import type { ExpandSource } from './expand.ts';

/** The images of variants in resources: `expand=images` (decision 131). */

/** Skus of one response. */
const maxSkus = 500;
const lookUpsAtOnce = 50;
/** A longer sku belongs to no variant. */
const maxSkuLength = 512;

/**
 * The documents in which each object with a `sku`, at any depth, has the addresses of the images of the variant with this
 * sku as `images`: unless it has `images` of its own, or the variant has none. Throws 400 above 500 skus.
 */
export async function insertImages(
  documents: readonly JsonObject[],
  source: ExpandSource,
): Promise<readonly JsonObject[]> {
  const skus = new Set<string>();
  for (const document of documents) collectSkus(document, skus);
  if (skus.size > maxSkus) {
    throw malformedParameter('expand', `expected images of at most ${maxSkus} variants: ask for a smaller limit`);
  }
  const found = new Map<string, JsonArray>();
  const wanted = [...skus];
  for (let at = 0; at < wanted.length; at += lookUpsAtOnce) {
    const some = wanted.slice(at, at + lookUpsAtOnce);
    const images = await Promise.all(some.map((sku) => imagesOf(sku, source)));
    for (const [n, own] of images.entries()) if (own.length > 0) found.set(some[n]!, own);
  }
  if (found.size === 0) return documents;
  let charactersLeft = source.maxCharacters;
  const imagesFor = (sku: string) => {
    const images = found.get(sku);
    charactersLeft -= images?.reduce<number>((sum, image) => sum + String(image).length, 0) ?? 0;
    if (charactersLeft < 0) throw malformedParameter('expand', 'too many images: ask for a smaller limit');
    return images;
  };
  return collectInTurns(documents.values().map((document) => withImages(document, imagesFor) as JsonObject));
}

function skuOf({ sku, images }: JsonObject): string | undefined {
  const isOpen = (images ?? null) === null;
  return isOpen && typeof sku === 'string' && sku !== '' && sku.length <= maxSkuLength ? sku : undefined;
}

function collectSkus(value: JsonValue, skus: Set<string>): void {
  if (isJsonArray(value)) for (const item of value) collectSkus(item, skus);
  else if (isJsonObject(value)) {
    const sku = skuOf(value);
    if (sku !== undefined) skus.add(sku);
    for (const member of Object.values(value)) collectSkus(member, skus);
  }
}

async function imagesOf(sku: string, { store, projectKey, staged, baseUrl }: ExpandSource): Promise<JsonArray> {
  const record = await store.getByKey(variantProjectOf(projectKey), sku);
  if (record === undefined) return [];
  const { images } = parseStoredJson((staged ? record.staged : undefined) ?? record.current) as JsonObject;
  const texts = isJsonArray(images ?? null) ? (images as JsonArray) : [];
  return texts.map((image) => (typeof image === 'string' && image.startsWith('/') ? `${baseUrl}${image}` : image));
}

function withImages(value: JsonValue, imagesFor: (sku: string) => JsonArray | undefined): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withImages(item, imagesFor));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, withImages(member, imagesFor)] as const);
  const sku = skuOf(value);
  const images = sku === undefined ? undefined : imagesFor(sku);
  return Object.fromEntries(images === undefined ? entries : [...entries, ['images', images]]);
}
