import { objectTestTypeSchema } from '../../../contract/resource.ts';
import { isoOf } from '../../../domain/instant.ts';
import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { Target } from '../../../domain/resource/target.ts';
import type { Write } from '../../../domain/resource/write/commit.ts';
import { noPreconditions, parsePreconditions } from '../../../domain/resource/write/preconditions.ts';
import type { ApiRequest, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { externalUserOf } from '../headers.ts';
import { jsonContent } from '../json.ts';
import { versionOf } from '../version-parameter.ts';

/** The part that the routes of a single resource share. */

export const resourceTag = 'Resources';
export const collectionPath = '/:projectKey/resource';
const idPath = '/:projectKey/resource/:id';
const keyPath = '/:projectKey/resource/key=:key';

/** Errors of a write of one resource, besides those that every write has. */
export const writeErrors = ['ResourceSizeLimitExceeded', 'ConcurrentModification', 'PreconditionFailed'] as const;

export const resourceContent = jsonContent(objectTestTypeSchema);

/** A route for a resource by its id and by its key: two operations at two paths, which end alike. `summary` is followed by what names it. */
export function byIdAndKey(
  route: Omit<Route, 'operationId' | 'path' | 'summary'>,
  [byId, byKey]: readonly [byId: string, byKey: string],
  summary: string,
  { end = '', key = 'its key' } = {},
): readonly Route[] {
  return [
    { ...route, operationId: byId, path: `${idPath}${end}`, summary: `${summary} its id` },
    { ...route, operationId: byKey, path: `${keyPath}${end}`, summary: `${summary} ${key}` },
  ];
}

/** The resource that the path names. */
export function targetOf({ params }: ApiRequest): Target {
  return params.key === undefined ? { id: params.id ?? '' } : { key: params.key };
}

/** The URL of a resource. Ids are percent-encoded: they may contain any character except control characters. */
export function locationOf({ baseUrl }: RouteDeps, { projectKey, id }: ResourceRecord): string {
  return `${baseUrl}/${projectKey}/resource/${encodeURIComponent(id)}`;
}

/** The options of a write, apart from the body. */
export function writeOf(request: ApiRequest, deps: RouteDeps): Omit<Write, 'responseOf'> {
  const { store, log, gate } = deps;
  return { store, log, gate, ...contextOf(request, deps), idempotency: request.idempotency };
}

/** The project of a write, its author and its conditions. */
export function contextOf(request: ApiRequest, { maxDocumentBytes, nowMs, newId }: RouteDeps) {
  const { projectKey, query, headers, caller, correlationId } = request;
  const context = {
    nowIso: isoOf(nowMs()),
    clientId: caller?.clientId ?? '',
    externalUserId: headers['x-external-user-id'] === undefined ? undefined : externalUserOf(request),
    correlationId,
    newId,
    maxDocumentBytes,
  };
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const isConditional = ifMatch !== undefined || ifNoneMatch !== undefined || query.size > 0;
  const preconditions = isConditional
    ? { ...parsePreconditions(ifMatch, ifNoneMatch), version: versionOf(query) }
    : noPreconditions;
  return { projectKey, context, preconditions };
}
