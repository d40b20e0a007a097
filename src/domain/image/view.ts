import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonObject } from '../json/values.ts';
import type { RenditionState, RenditionStatuses } from './deferred.ts';
import { fileOf, imageDetailsOf } from './variant.ts';

/** A variant in a response: its stored document with absolute addresses and the status of its renditions. */
export function viewVariant(document: JsonObject, baseUrl: string, statuses: RenditionStatuses): JsonObject {
  const { id, version, variant, key, attributes, createdAt, lastModifiedAt, createdBy, lastModifiedBy } = document;
  const details = imageDetailsOf(document);
  const fields = {
    id,
    version,
    variant,
    sku: key,
    images: details.map(({ url }) => `${baseUrl}${url}`),
    attributes,
    imageDetails: details.map((one) => viewDetails(one, baseUrl, statuses.get(fileOf(one)))),
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

function viewDetails(details: JsonObject, baseUrl: string, state: RenditionState | undefined): JsonObject {
  const { deferred: _, renditions, ...others } = details;
  const entries = isJsonObject(renditions) ? Object.entries(renditions) : [];
  const views = entries.map(([name, rendition]): [string, JsonValue] => {
    if (!isJsonObject(rendition)) return [name, rendition];
    // Renditions made during the upload are ready, even if others are not.
    const isReady = name === 'thumb' || rendition.url === details.url;
    const { status = 'ready', reason } = isReady ? {} : (state ?? {});
    const url = `${baseUrl}${rendition.url}`;
    return [name, { ...rendition, url, status, ...(reason !== undefined && { reason }) }];
  });
  return { ...others, url: `${baseUrl}${details.url}`, renditions: Object.fromEntries(views) };
}
