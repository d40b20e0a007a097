import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonObject } from '../json/values.ts';
import type { RenditionStatus, RenditionStatuses } from './deferred.ts';
import { fileOf, imageDetailsOf } from './variant.ts';

/** A variant as it is answered: its kept document with absolute addresses and the state of its renditions. */
export function viewVariant(document: JsonObject, baseUrl: string, statuses: RenditionStatuses): JsonObject {
  const { id, version, variant, key, attributes, createdAt, lastModifiedAt, createdBy, lastModifiedBy } = document;
  const details = imageDetailsOf(document);
  const fields = {
    ...{ id, version, variant, sku: key },
    images: details.map(({ url }) => `${baseUrl}${url}`),
    attributes,
    imageDetails: details.map((one) => viewDetails(one, baseUrl, statuses.get(fileOf(one)) ?? 'ready')),
    ...{ createdAt, lastModifiedAt, createdBy, lastModifiedBy, hasStagedChanges: document.hasStagedChanges },
  };
  // What a variant does not have, such as a sku, is left out.
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

function viewDetails(details: JsonObject, baseUrl: string, status: RenditionStatus): JsonObject {
  const { deferred: _kept, renditions, ...others } = details;
  const entries = isJsonObject(renditions) ? Object.entries(renditions) : [];
  const views = entries.map(([name, rendition]): [string, JsonValue] => {
    if (!isJsonObject(rendition)) return [name, rendition];
    // What is made with the upload itself is there, whatever is to come.
    const isThere = name === 'thumb' || rendition.url === details.url;
    return [name, { ...rendition, url: `${baseUrl}${rendition.url}`, status: isThere ? 'ready' : status }];
  });
  return { ...others, url: `${baseUrl}${details.url}`, renditions: Object.fromEntries(views) };
}
