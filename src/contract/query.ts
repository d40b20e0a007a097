import { arrayTestTypeExample, arrayTestTypeSchema } from './array-test-type.ts';
import type { JsonSchema } from './check.ts';
import { objectTestTypeSchema } from './resource.ts';

/** Answers of lists: what OpenAPI says of them (decisions 16 and 17). */

/** The schema of a page of such items. */
export function pagedSchema(item: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['limit', 'offset', 'count', 'results'],
    properties: {
      limit: { type: 'integer', minimum: 0, maximum: 500, description: 'As asked for, or 20.' },
      offset: { type: 'integer', minimum: 0, maximum: 10_000, description: 'As asked for, or 0.' },
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
