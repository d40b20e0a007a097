import type { JsonSchema } from './check.ts';
import { resourcePageExample, resourcePageSchema } from './query.ts';

/** The answer to a search: what OpenAPI says of it (decisions 20 and 24). */

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
const bound: JsonSchema = { type: 'string', description: 'As it was asked for; empty where the range is open.' };

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
          description: 'By alias, or path as it was asked for. Absent where no facet was asked for.',
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
