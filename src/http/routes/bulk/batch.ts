import { batchResultSchema, batchSchema, checkBatch } from '../../../contract/bulk.ts';
import { objectTestTypeDraftSchema } from '../../../contract/resource.ts';
import { runBatch } from '../../../domain/bulk/batch.ts';
import { resourceUpdateSchema } from '../../../domain/resource/actions/define.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { externalUserHeader } from '../headers.ts';
import { answer, jsonBody } from '../json.ts';
import { collectionPath, resourceTag, writeOf } from '../resources/resource.ts';

/** Size limit of a batch as a multiple of the limit of a single write. */
const bodyFactor = 4;

/** Several operations on resources in one commit. */
export function batchRoutes(deps: RouteDeps): readonly Route[] {
  return [
    {
      operationId: 'runBatch',
      method: 'POST',
      path: `${collectionPath}/batch`,
      tag: resourceTag,
      access: ['manage_test'],
      summary: 'Carry out several operations in one commit',
      description:
        'Up to 500 operations are carried out in order, each over the results of those before it, and become durable and visible together. If one is refused, so is the batch: nothing is written, and the error has the index of the operation as `operation`. With `atomic=false` the others are carried out all the same.',
      query: {
        atomic: {
          type: 'boolean',
          default: true,
          description: 'Whether nothing is written if one operation is refused.',
        },
        resources: { type: 'boolean', default: true, description: 'Whether the results have the resources.' },
      },
      headers: [externalUserHeader],
      body: {
        ...jsonBody(batchSchema(objectTestTypeDraftSchema, resourceUpdateSchema(deps.actions))),
        maxBytes: bodyFactor * deps.maxDocumentBytes,
      },
      responses: { 200: answer('The results.', batchResultSchema) },
      errors: ['ResourceSizeLimitExceeded', 'ConcurrentModification', 'InvalidOperation', 'DuplicateField'],
      idempotent: true,
      handler(request) {
        const { store, gate, projectKey, context, idempotency } = writeOf(request, deps);
        const { query, json } = request;
        const batch = {
          store,
          gate,
          projectKey,
          context,
          idempotency,
          actions: deps.actions,
          maxSize: deps.maxPageBytes,
          isAtomic: query.get('atomic') !== false,
          withResources: query.get('resources') !== false,
        };
        return runBatch(batch, checkBatch(json));
      },
    },
  ];
}
