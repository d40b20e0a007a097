import type { JsonArray, JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonArray, isJsonObject } from '../json/values.ts';
import { type ImageType, renditionFileName } from './file-name.ts';
import { type Dimensions, planRenditions } from './rendition.ts';

/**
 * Variants and their images are stored as resources of a companion project (decision 60), so they have versions,
 * projections and durable commits like all resources. Their key is the sku.
 */

/** The companion project with the variants of a project. No path of a request can name it. */
export function variantProjectOf(projectKey: string): string {
  return `${projectKey}~images`;
}

/** Largest number of a variant. */
export const maxVariantNumber = 2_147_483_647;

/** Limit of the images of one variant, so that its document stays small. */
export const maxImagesPerVariant = 200;

/** The id of a variant, by its number. */
export function variantIdOf(number: number): string {
  return `image-variant-${number}`;
}

/** True for an id that a variant can have. */
export function isVariantId(id: string): boolean {
  return /^image-variant-[1-9]\d{0,9}$/.test(id);
}

/** The facts of a stored image. */
export interface ImageFacts {
  readonly file: string;
  readonly type: ImageType;
  readonly dimensions: Dimensions;
  readonly sizeBytes: number;
}

/** The fields of a variant without images. */
export function newVariantFields(number: number): JsonObject {
  return { variant: number, images: [], attributes: {}, imageDetails: [] };
}

/** The fields of a variant with another image. */
export function withImage(own: JsonObject, projectKey: string, facts: ImageFacts): JsonObject {
  return withDetails(own, [...imageDetailsOf(own), imageDetail(projectKey, facts)]);
}

/** The fields of a variant with these images, by their details, instead of those that it has. */
export function withDetails(own: JsonObject, details: readonly JsonObject[]): JsonObject {
  return { ...own, images: details.map(({ url }) => url!), imageDetails: details };
}

/** The details of an image as they are stored. Addresses are paths; `viewVariant` makes them absolute. */
function imageDetail(projectKey: string, { file, type, dimensions, sizeBytes }: ImageFacts): JsonObject {
  const url = (name: string) => addressOf(projectKey, name);
  const renditions = planRenditions(dimensions).map(({ name, dimensions: { w, h }, isOriginal }) => [
    name,
    { url: url(isOriginal ? file : renditionFileName(file, name)), dimensions: { w, h } },
  ]);
  return {
    url: url(file),
    dimensions: { w: dimensions.w, h: dimensions.h },
    mimeType: type,
    sizeBytes,
    renditions: Object.fromEntries(renditions),
  };
}

function addressOf(projectKey: string, file: string): string {
  return `/${projectKey}/images/${file}`;
}

/** A document of a variant moved to another project: its addresses are those of the files there. */
export function inOtherProject(document: JsonObject, projectKey: string): JsonObject {
  const moved = (value: JsonValue) => movedAddresses(value, projectKey);
  const entries = Object.entries(document).map(([name, value]): [string, JsonValue] => {
    return [name, name === 'images' || name === 'imageDetails' ? moved(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The form of an address that an upload wrote. */
const addressForm = /^\/[A-Za-z0-9_-]+\/images\/([^/]+)$/;

function movedAddresses(value: JsonValue, projectKey: string): JsonValue {
  if (typeof value === 'string') {
    const [, file] = addressForm.exec(value) ?? [];
    return file === undefined ? value : addressOf(projectKey, file);
  }
  if (isJsonArray(value)) return value.map((item) => movedAddresses(item, projectKey));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, field]) => [name, movedAddresses(field, projectKey)]));
}

/** The details of all images in a document of a variant. */
export function imageDetailsOf(document: JsonObject): readonly JsonObject[] {
  return itemsOf(document, 'imageDetails').filter(isJsonObject);
}

/** The files of an image by its details, the original first; a file of several renditions comes once. */
export function filesOf(details: JsonObject): readonly string[] {
  const renditions = isJsonObject(details.renditions) ? Object.values(details.renditions).filter(isJsonObject) : [];
  return [...new Set([details, ...renditions].map(fileOf))];
}

/** The file name in an address. */
export function fileOf({ url }: JsonObject): string {
  return String(url).slice(String(url).lastIndexOf('/') + 1);
}

function itemsOf(fields: JsonObject, name: string): JsonArray {
  const items = fields[name];
  return isJsonArray(items) ? items : [];
}
