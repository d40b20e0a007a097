import { deletedPageSchema, restoreSchema } from '../../../contract/events.ts';
import { encodeSequence } from '../../../domain/history/cursor.ts';
import type { LoggedChange } from '../../../domain/ports/change-log.ts';
import { etagOf } from '../../../domain/resource/write/preconditions.ts';
import { restoreDeleted } from '../../../domain/resource/write/restore.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';
import { actorNamesFor } from '../actors.ts';
import type { RouteDeps } from '../all.ts';
import { externalUserHeader } from '../headers.ts';
import { answer } from '../json.ts';
import { belowOf, cursorParameters, cutPage, limitOf, pageResponse } from '../pages.ts';
import {
  byIdAndKey,
  collectionPath,
  locationOf,
  resourceContent,
  resourceTag,
  targetOf,
  writeOf,
} from '../resources/resource.ts';

function deletedOf({ id, key, version, origin }: LoggedChange) {
  const { at, clientId, externalUserId, correlationId } = origin;
  return {
    id,
    ...(key !== undefined && { key }),
    version,
    deletedAt: at,
    deletedBy: { clientId, ...(externalUserId !== undefined && { externalUserId }) },
    ...(correlationId !== undefined && { correlationId }),
  };
}

/** Resources that are deleted: which they are, and how they come back. */
export function deletedRoutes(deps: RouteDeps): readonly Route[] {
  async function list(request: ApiRequest): Promise<HttpResponse> {
    const limit = limitOf(request);
    const found = await deps.log.deletions(request.projectKey, belowOf(request), limit + 1);
    const { items, next } = cutPage(found, limit, ({ sequence }) => encodeSequence(sequence));
    const names = actorNamesFor(deps, request);
    const shown = items.map(deletedOf).map(async (each) => {
      return names ? { ...each, deletedBy: await names.named(each.deletedBy) } : each;
    });
    return pageResponse(limit, await Promise.all(shown), next);
  }

  const restoreShared = {
    method: 'POST',
    tag: resourceTag,
    description:
      'Restores a deleted resource under its id, with the content that it had when it was deleted or in an earlier version. Its version numbers continue after the deleted one. If another resource has taken its key, the request is refused; the body can name another key.',
    access: ['manage_test'],
    query: {
      version: {
        type: 'string',
        repeatable: true,
        description: 'Refused here.',
        elsewhere: 'the version to restore belongs into the body: { "version": 3 }',
      },
    },
    headers: [externalUserHeader],
    body: {
      kind: 'json',
      contentTypes: ['application/json'],
      required: false,
      schema: restoreSchema,
      example: { version: 3 },
    },
    responses: {
      201: { description: 'The restored resource.', content: resourceContent, headers: ['ETag', 'Location'] },
    },
    errors: ['InvalidOperation', 'DuplicateField', 'VersionGone', 'PreconditionFailed', 'ResourceSizeLimitExceeded'],
    idempotent: true,
    handler: (request: ApiRequest) => {
      const write = {
        ...writeOf(request, deps),
        log: deps.log,
        responseOf: ({ record }: { readonly record: Parameters<typeof locationOf>[1] }) => ({
          status: 201,
          headers: { etag: etagOf(record), location: locationOf(deps, record) },
          body: record.current,
        }),
      };
      return restoreDeleted(write, targetOf(request), request.json);
    },
  } as const satisfies Partial<Route>;

  return [
    {
      operationId: 'getDeletedResources',
      method: 'GET',
      path: `${collectionPath}/deleted`,
      tag: resourceTag,
      summary: 'List deleted resources',
      description:
        'Lists deleted resources that can be restored: they do not exist now, and the log still has their deletion. `GET …/resource/{id}?version=` shows them.',
      access: ['manage_test', 'view_test'],
      query: cursorParameters,
      responses: {
        200: answer('A page of deleted resources.', deletedPageSchema, undefined, ['Link']),
      },
      handler: list,
    },
    ...byIdAndKey(restoreShared, ['restoreResourceById', 'restoreResourceByKey'], 'Restore a deleted resource by', {
      ...{ end: '/restore', key: 'the key that it had' },
    }),
  ];
}
