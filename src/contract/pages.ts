import { arrayTestTypeExample, arrayTestTypeSchema } from './array-test-type.ts';
import type { JsonSchema } from './check.ts';
import { list, object, text } from './json.ts';
import { objectTestTypeSchema, selectedResourceSchema } from './resource.ts';

/** Schemas of the responses of lists (decisions 16 and 17). */

/** The schema of a page of such items. */
export function pagedSchema(title: string, item: JsonSchema): JsonSchema {
  return object(title, {
    limit: { type: 'integer', minimum: 0, maximum: 500, description: 'As requested; default: 20.' },
    offset: { type: 'integer', minimum: 0, maximum: 10_000, description: 'As requested; default: 0.' },
    count: { type: 'integer', minimum: 0, description: 'Number of resources in `results`.' },
    'total?': {
      type: 'integer',
      minimum: 0,
      description:
        'Number of resources that match, on all pages: exact unless `totalRelation` says otherwise. Absent with `withTotal=false`.',
    },
    'totalRelation?': {
      enum: ['gte'],
      description:
        'There are more resources than `total`: without `withTotal` a list counts no further than 10,000. Left out if `total` is exact.',
    },
    'next?': text('Send it as `cursor` for the page that follows. Absent on the last page.'),
    results: list(item),
  });
}

/** The schema of a page that has no offset: `next` continues it, as the parameter `by`. With an example of an item. */
export function cursorPage(title: string, item: JsonSchema, order: string, example: unknown, by = 'cursor') {
  return object(
    title,
    {
      limit: { type: 'integer', minimum: 1, description: 'As requested; default: 20.' },
      count: { type: 'integer', minimum: 0 },
      results: list(item, { description: order }),
      'next?': text(`Send it as \`${by}\` for the page that follows. Absent on the last page.`),
    },
    { examples: [{ limit: 20, count: 1, results: [example] }] },
  );
}

/** A page of resources. */
export const resourcePageSchema: JsonSchema = pagedSchema('ResourcePage', selectedResourceSchema);

/** A page of resources that is an ArrayTestType as well: their arrays merged. */
export const mergedResourcePageSchema: JsonSchema = {
  title: 'MergedResourcePage',
  allOf: [arrayTestTypeSchema, resourcePageSchema],
};

const [resourceExample] = objectTestTypeSchema.examples as readonly unknown[];

/** A page of one resource. */
export const resourcePageExample = { limit: 20, offset: 0, count: 1, total: 1, results: [resourceExample] } as const;

/** The example page in merged form: its arrays are those of its only resource. */
export const mergedResourcePageExample = { ...arrayTestTypeExample, ...resourcePageExample } as const;
