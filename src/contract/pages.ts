import { arrayTestTypeExample, arrayTestTypeSchema } from './array-test-type.ts';
import type { JsonSchema } from './check.ts';
import { objectTestTypeSchema } from './resource.ts';

/** Schemas of the responses of lists and searches (decisions 16, 17, 20 and 24). */

/** The schema of a page of such items. */
function pagedSchema(item: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['limit', 'offset', 'count', 'results'],
    properties: {
      limit: { type: 'integer', minimum: 0, maximum: 500, description: 'As requested; default: 20.' },
      offset: { type: 'integer', minimum: 0, maximum: 10_000, description: 'As requested; default: 0.' },
      count: { type: 'integer', minimum: 0, description: 'Number of resources in `results`.' },
      total: {
        type: 'integer',
        minimum: 0,
        description: 'Exact number of resources that match, on all pages. Absent with `withTotal=false`.',
      },
      results: { type: 'array', items: item },
    },
  };
}

/** A page of resources. */
export const resourcePageSchema: JsonSchema = pagedSchema(objectTestTypeSchema);

/** A page of resources that is an ArrayTestType as well: their arrays merged. */
export const mergedResourcePageSchema: JsonSchema = { allOf: [arrayTestTypeSchema, resourcePageSchema] };

const [resourceExample] = objectTestTypeSchema.examples as readonly unknown[];

/** A page of one resource. */
export const resourcePageExample = { limit: 20, offset: 0, count: 1, total: 1, results: [resourceExample] } as const;

/** The same page with its arrays merged: those of its only resource. */
export const mergedResourcePageExample = { ...arrayTestTypeExample, ...resourcePageExample } as const;

const count: JsonSchema = { type: 'integer', minimum: 0, description: 'Resources.' };
const productCount: JsonSchema = { ...count, description: 'The same, with `counting products`.' };

const termsSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'dataType', 'missing', 'total', 'other', 'terms'],
  properties: {
    type: { const: 'terms' },
    dataType: { enum: ['text', 'number', 'boolean', 'date', 'time', 'datetime'] },
    missing: { ...count, description: 'Resources without a value.' },
    total: { ...count, description: 'Resources with a value.' },
    other: { ...count, description: 'Terms beyond those listed.' },
    terms: {
      type: 'array',
      maxItems: 200,
      description: 'By count, then by term.',
      items: {
        type: 'object',
        required: ['term', 'count'],
        properties: { term: { type: 'string' }, count, productCount },
      },
    },
  },
};

const number: JsonSchema = { type: 'number' };
const bound: JsonSchema = { type: 'string', description: 'As requested; empty where the range is open.' };

const rangesSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'ranges'],
  properties: {
    type: { const: 'range' },
    ranges: {
      type: 'array',
      items: {
        type: 'object',
        required: ['from', 'fromStr', 'to', 'toStr', 'count', 'total', 'min', 'max', 'mean'],
        properties: {
          from: { ...number, description: 'The lower bound, inclusive; 0 where it is open.' },
          fromStr: bound,
          to: { ...number, description: 'The upper bound, exclusive; 0 where it is open.' },
          toStr: bound,
          count,
          productCount,
          total: { ...number, description: 'Sum of the values in the range; of points in time in milliseconds.' },
          min: number,
          max: number,
          mean: number,
        },
      },
    },
  },
};

const valuesSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'count'],
  properties: { type: { const: 'filter' }, count, productCount },
};

/** A page of resources with what the facets counted. */
export const searchPageSchema: JsonSchema = {
  allOf: [
    resourcePageSchema,
    {
      type: 'object',
      properties: {
        facets: {
          type: 'object',
          description: 'By alias, or path as requested. Absent without facets.',
          additionalProperties: { oneOf: [termsSchema, rangesSchema, valuesSchema] },
        },
      },
    },
  ],
};

export const searchPageExample = {
  ...resourcePageExample,
  facets: {
    color: { type: 'terms', dataType: 'text', missing: 0, total: 1, other: 0, terms: [{ term: 'red', count: 1 }] },
  },
} as const;
