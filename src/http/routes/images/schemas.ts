import { list, object, text } from '../../../contract/json.ts';
import { pagedSchema, resourcePageExample } from '../../../contract/pages.ts';
import { authorSchema, shortTextSchema } from '../../../contract/resource.ts';
import { imageTypes } from '../../../domain/image/file-name.ts';
import { planRenditions, renditionSizes } from '../../../domain/image/rendition.ts';
import type { Schema } from '../../route.ts';

/** The bytes of an image. Generators know a file by `format`, which JSON Schema itself would spell differently. */
export const binarySchema: Schema = { type: 'string', format: 'binary' };

const url: Schema = { type: 'string', format: 'uri-reference' };
const dimensionsSchema: Schema = object('Dimensions', { w: { type: 'integer' }, h: { type: 'integer' } });

const renditionSchema: Schema = object('ImageRendition', {
  url: { ...url, description: 'The URL of the rendition. An image that is small enough is its own rendition.' },
  dimensions: dimensionsSchema,
  status: text('An upload is answered when all its renditions are ready.', { enum: ['ready'] }),
});

const imageSchema: Schema = object('Image', {
  url,
  'label?': text('What the image shows, in words (`setImageLabel`).'),
  dimensions: dimensionsSchema,
  mimeType: { type: 'string', enum: imageTypes },
  sizeBytes: { type: 'integer' },
  renditions: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(renditionSizes).map(([name, pixels]) => [
        name,
        { allOf: [renditionSchema], description: `The longer side has at most ${pixels} pixels.` },
      ]),
    ),
  },
});

/** A variant as E13 returns it. */
export const variantSchema: Schema = object('Variant', {
  id: text('Can be used like the id of a resource: to read, update, publish and revert the variant.'),
  version: { type: 'integer', minimum: 1 },
  variant: { type: 'integer', minimum: 1, description: 'The number of the variant in the project.' },
  'sku?': shortTextSchema,
  images: list(url),
  attributes: { type: 'object', additionalProperties: true },
  imageDetails: list(imageSchema, { description: 'Details of the images, in the order of `images`.' }),
  'createdAt?': { type: 'string', format: 'date-time' },
  'lastModifiedAt?': { type: 'string', format: 'date-time' },
  'createdBy?': authorSchema,
  'lastModifiedBy?': authorSchema,
  'hasStagedChanges?': { type: 'boolean' },
});

/** A page of variants. */
export const pageSchema: Schema = pagedSchema('VariantPage', variantSchema);

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
export const pageExample = { ...resourcePageExample, results: [variantExample] };
