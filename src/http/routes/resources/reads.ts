import type { Eventually } from '../../../domain/ports/eventually.ts';
import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import { findResource, projectionOf, targetNotFound } from '../../../domain/resource/target.ts';
import {
  checkReadMatch,
  etagOf,
  isNotModified,
  parsePreconditions,
} from '../../../domain/resource/write/preconditions.ts';
import type { ApiRequest, HttpResponse, ParameterTable, Route } from '../../route.ts';
import { findVariant, readVariant } from '../images/variants.ts';
import { consistency, eventualHeaders, preferHeader, type ResourceReads, readWhere } from './replica-reads.ts';
import { idPath, keyPath, type ResourceDeps, resourceContent, resourceTag, targetOf } from './resource.ts';

const parameters: ParameterTable = {
  staged: { type: 'boolean', default: false, description: 'Answer the staged projection (decision 13).' },
  optionalQueryParameter: { type: 'string', description: 'Accepted; changes nothing.' },
  secondOptionalQueryParameter: { type: 'string', description: 'Accepted; changes nothing.' },
  ...consistency,
};

function recordResponse(request: ApiRequest, record: ResourceRecord): HttpResponse {
  const etag = etagOf(record.version);
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (match !== undefined || noneMatch !== undefined) {
    const { ifMatch, ifNoneMatch } = parsePreconditions(match, noneMatch);
    checkReadMatch(ifMatch, record.version);
    if (isNotModified(ifNoneMatch, record.version)) return { status: 304, headers: { etag }, body: '' };
  }
  return { status: 200, headers: { etag }, body: projectionOf(record, request.query.get('staged') === true) };
}

/** Reads from the store or a replica of it; without a turn of the event loop where the store has the record at hand. */
function readFrom(store: ResourceReads, deps: ResourceDeps, request: ApiRequest): Eventually<HttpResponse> {
  const target = targetOf(request);
  const found = findResource(store, request.projectKey, target);
  if (found instanceof Promise) return found.then((record) => foundResponse(store, deps, request, record));
  return found === undefined ? foundResponse(store, deps, request, found) : recordResponse(request, found);
}

function foundResponse(
  store: ResourceReads,
  deps: ResourceDeps,
  request: ApiRequest,
  record: ResourceRecord | undefined,
): Eventually<HttpResponse> {
  if (record !== undefined) return recordResponse(request, record);
  // A replica may only not have it yet.
  if (store !== deps.store) throw targetNotFound(targetOf(request));
  return variantResponse(deps, request);
}

/** What is no resource may be a variant of images (decision 60). */
async function variantResponse(deps: ResourceDeps, request: ApiRequest): Promise<HttpResponse> {
  const variant = await findVariant(deps.store, request.projectKey, request.params.id);
  if (variant === undefined) throw targetNotFound(targetOf(request));
  return readVariant(deps, request, variant);
}

/** Reads of one resource: E2 and E3. HEAD is answered by the same routes. */
export function resourceReadRoutes(deps: ResourceDeps): readonly Route[] {
  const shared = {
    method: 'GET',
    tag: resourceTag,
    access: ['manage_test', 'view_test'],
    query: parameters,
    headers: [
      { name: 'If-Match', description: 'Entity tags that the client works with; 412 where none is current.' },
      { name: 'If-None-Match', description: 'Entity tags that the client has; 304 where one is current.' },
      preferHeader,
    ],
    responses: {
      200: { description: 'The resource.', content: resourceContent, headers: ['ETag', ...eventualHeaders] },
      304: { description: 'The client has the current version.', headers: ['ETag'] },
    },
    errors: ['InvalidInput', 'ResourceNotFound', 'PreconditionFailed', 'DataCorruption'],
    handler: (request: ApiRequest) =>
      deps.eventual === undefined
        ? readFrom(deps.store, deps, request)
        : readWhere(deps, request, (store) => readFrom(store, deps, request)),
  } as const satisfies Partial<Route>;
  return [
    { ...shared, operationId: 'getResourceById', path: idPath, summary: 'Get a resource by its id' },
    { ...shared, operationId: 'getResourceByKey', path: keyPath, summary: 'Get a resource by its key' },
  ];
}
