import { imageTypes } from '../../../domain/image/file-name.ts';
import { planRenditions, renditionSizes } from '../../../domain/image/rendition.ts';
import type { Schema } from '../../route.ts';

const url: Schema = { type: 'string', format: 'uri-reference' };
const dimensionsSchema: Schema = {
  type: 'object',
  required: ['w', 'h'],
  properties: { w: { type: 'integer' }, h: { type: 'integer' } },
};

const renditionSchema: Schema = {
  type: 'object',
  required: ['url', 'dimensions', 'status'],
  properties: {
    url: { ...url, description: 'The URL of the image itself if the image is no larger than the rendition.' },
    dimensions: dimensionsSchema,
    status: {
      enum: ['ready', 'pending', 'failed'],
      description: 'The URL of a rendition that is not `ready` returns 404.',
    },
  },
};

const imageSchema: Schema = {
  type: 'object',
  required: ['url', 'dimensions', 'mimeType', 'sizeBytes', 'renditions'],
  properties: {
    url,
    dimensions: dimensionsSchema,
    mimeType: { enum: imageTypes },
    sizeBytes: { type: 'integer' },
    renditions: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(renditionSizes).map(([name, pixels]) => [
          name,
          { ...renditionSchema, description: `The longer side has at most ${pixels} pixels.` },
        ]),
      ),
    },
  },
};

/** A variant as E13 returns it. */
export const variantSchema: Schema = {
  title: 'Variant',
  type: 'object',
  required: ['id', 'version', 'variant', 'images', 'attributes', 'imageDetails'],
  properties: {
    id: {
      type: 'string',
      description: 'Can be used like the id of a resource: to read, publish and revert the variant.',
    },
    version: { type: 'integer', minimum: 1 },
    variant: { type: 'integer', minimum: 1, description: 'The number of the variant in the project.' },
    sku: { type: 'string' },
    images: { type: 'array', items: url },
    attributes: { type: 'object' },
    imageDetails: {
      type: 'array',
      items: imageSchema,
      description: 'Details of the images, in the order of `images`.',
    },
    createdAt: { type: 'string', format: 'date-time' },
    lastModifiedAt: { type: 'string', format: 'date-time' },
    createdBy: { type: 'object' },
    lastModifiedBy: { type: 'object' },
    hasStagedChanges: { type: 'boolean' },
  },
};

/** A page of variants. */
export const pageSchema: Schema = {
  type: 'object',
  required: ['limit', 'offset', 'count', 'results'],
  properties: {
    limit: { type: 'integer' },
    offset: { type: 'integer' },
    count: { type: 'integer' },
    total: { type: 'integer' },
    results: { type: 'array', items: variantSchema },
  },
};

const exampleBase = '/my-project/images/front-0197f3c26d107a539c412f6b8e0d9a11';
const exampleDimensions = { w: 800, h: 600 };
const exampleUrl = `${exampleBase}.jpg`;

export const variantExample = {
  id: 'image-variant-1',
  version: 1,
  variant: 1,
  sku: 'shoe-1-blue',
  images: [exampleUrl],
  attributes: {},
  imageDetails: [
    {
      url: exampleUrl,
      dimensions: exampleDimensions,
      mimeType: 'image/jpeg',
      sizeBytes: 73_214,
      renditions: Object.fromEntries(
        planRenditions(exampleDimensions).map(({ name, dimensions, isOriginal }) => [
          name,
          { url: isOriginal ? exampleUrl : `${exampleBase}-${name}.jpg`, dimensions, status: 'ready' },
        ]),
      ),
    },
  ],
  createdAt: '2026-05-04T09:12:33.120Z',
  lastModifiedAt: '2026-05-04T09:12:33.120Z',
  createdBy: { clientId: 'my-shop.importer' },
  lastModifiedBy: { clientId: 'my-shop.importer' },
  hasStagedChanges: true,
};
