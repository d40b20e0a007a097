import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonObject } from '../json/values.ts';
import { imageDetailsOf } from './variant.ts';

/** A variant in a response: its stored document with absolute addresses. */
export function viewVariant(document: JsonObject, baseUrl: string): JsonObject {
  const { id, version, variant, key, attributes, createdAt, lastModifiedAt, createdBy, lastModifiedBy } = document;
  const details = imageDetailsOf(document);
  const fields = {
    id,
    version,
    variant,
    sku: key,
    images: details.map(({ url }) => `${baseUrl}${url}`),
    attributes,
    imageDetails: details.map((one) => viewDetails(one, baseUrl)),
    createdAt,
    lastModifiedAt,
    createdBy,
    lastModifiedBy,
    hasStagedChanges: document.hasStagedChanges,
  };
  // Absent fields, such as a sku, are left out.
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

function viewDetails(details: JsonObject, baseUrl: string): JsonObject {
  const { renditions, ...others } = details;
  const entries = isJsonObject(renditions) ? Object.entries(renditions) : [];
  const views = entries.map(([name, rendition]): [string, JsonValue] => {
    if (!isJsonObject(rendition)) return [name, rendition];
    return [name, { ...rendition, url: `${baseUrl}${rendition.url}`, status: 'ready' }];
  });
  return { ...others, url: `${baseUrl}${details.url}`, renditions: Object.fromEntries(views) };
}
