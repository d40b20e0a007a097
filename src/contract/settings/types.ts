import type { JsonSchema } from '../check.ts';
import { list, object, text } from '../json.ts';

/** Schemas of the types of a project. */

export const typeLimits = {
  types: 100,
  unique: 20,
  references: 50,
  nameUnits: 64,
  pathUnits: 300,
  /** Unique values and references of one document, each. */
  marks: 1000,
} as const;

export const onDeletes = ['restrict', 'keep'] as const;

const reference = object(
  'TypeReference',
  {
    type: text('The type of the resource that the field refers to.'),
    'onDelete?': {
      enum: onDeletes,
      default: 'restrict',
      description: '`restrict`: the resource cannot be deleted while others refer to it. `keep`: it can.',
    },
  },
  { additionalProperties: false },
);

const type = object(
  'ResourceType',
  {
    'name?': text('What people call it.', { maxLength: 200 }),
    'schema?': {
      type: 'object',
      default: {},
      description:
        'JSON Schema 2020-12 of the client’s own fields. `pattern` is an expression of RE2; references stay within the schema. `title`, `description`, `enum`, `format` and `x-widget` are hints for the console.',
    },
    'unique?': list(
      { type: 'string', maxLength: typeLimits.pathUnits },
      {
        maxItems: typeLimits.unique,
        default: [],
        description: 'Paths whose values no other resource of the type has, such as `sku` or `variants[*].sku`.',
      },
    ),
    'references?': {
      type: 'object',
      additionalProperties: reference,
      maxProperties: typeLimits.references,
      default: {},
      description: 'By path: fields that refer to other resources of the project, by `id` or `key`.',
    },
  },
  { additionalProperties: false },
);

const properties = {
  'discriminator?': text('The field that names the type of a document.', { default: 'type', maxLength: 64 }),
  'closed?': {
    type: 'boolean',
    default: false,
    description: 'Whether every document must name a type.',
  },
  'types?': {
    type: 'object',
    additionalProperties: type,
    maxProperties: typeLimits.types,
    default: {},
    description: 'The types, by the name that documents give: letters, digits, `_` and `-`, up to 64.',
  },
} satisfies JsonSchema;

const version = { type: 'integer', format: 'int64', description: 'The version of the types; 0 where there are none.' };

export const typesDraftSchema = object(
  'TypesDraft',
  { 'version?': version, ...properties },
  { additionalProperties: false },
);

const conflict = object('UniqueConflict', {
  value: { description: 'The value.' },
  ids: list({ type: 'string' }, { description: 'Some of the resources that have it.' }),
});

const state = object('UniqueState', {
  type: text('The type.'),
  path: text('The path.'),
  state: {
    enum: ['building', 'active', 'conflicting'],
    description:
      '`building`: the values of existing resources are being looked through. `active`: no two resources have the same value. `conflicting`: some have, so that it is not enforced; correct them, and send the types again.',
  },
  'conflicts?': { type: 'integer', description: 'How many values several resources have.' },
  'examples?': list(conflict, { description: 'The first of them.' }),
});

export const typesSchema = object('Types', {
  version,
  'lastModifiedAt?': text('When they were replaced.', { format: 'date-time' }),
  ...Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  unique: list(state, { description: 'The state of each unique path.' }),
});

export const typesExample = {
  version: 1,
  discriminator: 'type',
  closed: false,
  types: {
    category: { schema: { type: 'object', required: ['name'], properties: { name: { type: 'object' } } } },
    product: {
      name: 'Product',
      schema: {
        type: 'object',
        required: ['name', 'price'],
        properties: { name: { type: 'object' }, price: { type: 'integer', minimum: 0 }, sku: { type: 'string' } },
      },
      unique: ['sku'],
      references: { category: { type: 'category', onDelete: 'restrict' } },
    },
  },
};
