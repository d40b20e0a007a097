import { list, object, text } from '../../../contract/json.ts';
import { listReferrers } from '../../../domain/types/references.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonResponse } from '../json.ts';
import { byIdAndKey, resourceTag, targetOf } from '../resources/resource.ts';

const referrer = object('Referrer', {
  id: text('The resource that refers to this one.'),
  'key?': text('Its key.'),
  version: { type: 'integer', format: 'int64' },
  'type?': text('Its type.'),
  paths: list({ type: 'string' }, { description: 'The paths of its references, as its type declares them.' }),
});

const schema = object('Referrers', {
  limit: { type: 'integer' },
  count: { type: 'integer', description: 'The number of results.' },
  results: list(referrer, { description: 'By id.' }),
});

const example = {
  limit: 20,
  count: 1,
  results: [{ id: '01935f6e-8f2a-7c31-9d5e-0a4f6b7c8d9e', version: 3, type: 'product', paths: ['category'] }],
};

/** Who refers to a resource. */
export function referenceRoutes(deps: RouteDeps): readonly Route[] {
  return byIdAndKey(
    {
      method: 'GET',
      tag: resourceTag,
      access: ['manage_test', 'view_test'],
      description:
        'References that the types of the project declare, of current and staged projections. With `after`, those with greater ids: the last id of a page leads to the next one.',
      query: {
        limit: { type: 'integer', minimum: 1, maximum: 500, default: 20, description: 'The number of results.' },
        after: { type: 'string', description: 'Only resources with a greater id.' },
      },
      responses: { 200: answer('The resources that refer to it.', schema, example) },
      errors: ['ResourceNotFound'],
      async handler(request) {
        const { projectKey, query } = request;
        const limit = (query.get('limit') as number | undefined) ?? 20;
        const after = query.get('after') as string | undefined;
        const results = await listReferrers(deps, projectKey, targetOf(request), limit, after);
        return jsonResponse(200, { limit, count: results.length, results });
      },
    },
    ['listReferencesById', 'listReferencesByKey'],
    'List who refers to a resource by',
    { end: '/references' },
  );
}
