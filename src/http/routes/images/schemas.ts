import { imageTypes } from '../../../domain/image/format.ts';
import { planRenditions, renditionSizes } from '../../../domain/image/rendition.ts';
import type { Schema } from '../../route.ts';

const address: Schema = { type: 'string', format: 'uri-reference' };
const dimensionsSchema: Schema = {
  type: 'object',
  required: ['w', 'h'],
  properties: { w: { type: 'integer' }, h: { type: 'integer' } },
};

const renditionSchema: Schema = {
  type: 'object',
  required: ['url', 'dimensions', 'status'],
  properties: {
    url: { ...address, description: 'That of the image itself where it is no larger.' },
    dimensions: dimensionsSchema,
    status: { enum: ['ready', 'pending', 'failed'], description: 'What is pending is 404 until it is ready.' },
  },
};

const imageSchema: Schema = {
  type: 'object',
  required: ['url', 'dimensions', 'mimeType', 'sizeBytes', 'renditions'],
  properties: {
    url: address,
    dimensions: dimensionsSchema,
    mimeType: { enum: imageTypes },
    sizeBytes: { type: 'integer' },
    renditions: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(renditionSizes).map(([name, pixels]) => [
          name,
          { ...renditionSchema, description: `At most ${pixels} pixels on the longer side.` },
        ]),
      ),
    },
  },
};

/** A variant as E13 answers it. */
export const variantSchema: Schema = {
  title: 'Variant',
  type: 'object',
  required: ['id', 'version', 'variant', 'images', 'attributes', 'imageDetails'],
  properties: {
    id: { type: 'string', description: 'Works where the id of a resource does: to read, publish and revert.' },
    version: { type: 'integer', minimum: 1 },
    variant: { type: 'integer', minimum: 1, description: 'The number of the variant.' },
    sku: { type: 'string' },
    images: { type: 'array', items: address },
    attributes: { type: 'object' },
    imageDetails: { type: 'array', items: imageSchema, description: 'In the order of `images`.' },
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
