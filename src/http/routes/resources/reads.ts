import { selectedResourceSchema } from '../../../contract/resource.ts';
import { getVersion, type OldVersion } from '../../../domain/history/versions.ts';
import { parseNumber } from '../../../domain/json/number.ts';
import { textsOf } from '../../../domain/paging.ts';
import type { Eventually } from '../../../domain/ports/eventually.ts';
import type { ResourceReads } from '../../../domain/ports/store.ts';
import type { ExpandPath } from '../../../domain/resource/read/expand.ts';
import { type Fields, parseFields, selectFields } from '../../../domain/resource/read/fields.ts';
import { projectionOf, targetNotFound } from '../../../domain/resource/target.ts';
import {
  checkReadMatch,
  etagOf,
  isNotModified,
  parsePreconditions,
  tagOfFields,
} from '../../../domain/resource/write/preconditions.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { entityTagsHeader } from '../headers.ts';
import { findVariant, readVariant } from '../images/variants.ts';
import { answer } from '../json.ts';
import { consistency, eventualHeaders, preferHeader, readWhere } from './eventual-reads.ts';
import { expandParameter, expandPathsOf, expandText, fieldsParameter } from './expand.ts';
import type { ReadDeps } from './published.ts';
import { byIdAndKey, resourceTag, targetOf } from './resource.ts';

/** Reads from the store, or eventually; in the same turn of the event loop if the record is cached. */
function readFrom(store: ResourceReads, deps: ReadDeps, request: ApiRequest): Eventually<HttpResponse> {
  const { projectKey, params } = request;
  const found = params.key === undefined ? store.get(projectKey, params.id!) : store.getByKey(projectKey, params.key);
  if (found instanceof Promise) return found.then((record) => readFound(store, deps, request, record));
  return readFound(store, deps, request, found);
}

function readFound(
  store: ResourceReads,
  deps: ReadDeps,
  request: ApiRequest,
  record: OldVersion | undefined,
): Eventually<HttpResponse> {
  if (record === undefined) {
    // The resource may not be there yet.
    if (store !== deps.store) throw targetNotFound(targetOf(request));
    return readAsVariant(deps, request);
  }
  const staged = request.query.get('staged') === true;
  let fields: Fields | undefined;
  if (request.query.size > 0) {
    const expand = expandPathsOf(request.query);
    if (expand.length > 0) return readExpanded(store, deps, request, record, staged, expand);
    fields = fieldsOf(request);
  }
  const state = etagOf(record);
  const shown = deps.hidden ? `${deps.hidden.identity}${fields?.identity ?? ''}` : fields?.identity;
  const etag = shown === undefined ? state : tagOfFields(state, shown);
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (match !== undefined || noneMatch !== undefined) {
    const { ifMatch, ifNoneMatch } = parsePreconditions(match, noneMatch);
    checkReadMatch(ifMatch, state, { currentVersion: record.version });
    if (isNotModified(ifNoneMatch, etag)) return { status: 304, headers: { etag }, body: '' };
  }
  const body = staged ? projectionOf(record, true) : record.current;
  return { status: 200, headers: { etag }, body: fields ? selectFields(body, fields) : body };
}

function fieldsOf({ query }: ApiRequest): Fields | undefined {
  return query.has('fields') ? parseFields(textsOf(query, 'fields')) : undefined;
}

/** The resource as it was. That never changes, so the store itself is asked, and the entity tag is the one of then. */
async function readVersion(deps: RouteDeps, request: ApiRequest): Promise<HttpResponse> {
  const version = BigInt(parseNumber(String(request.query.get('version'))));
  const old = await getVersion(deps, request.projectKey, targetOf(request), version, request.signal());
  return readFound(deps.store, deps, request, old);
}

/** Without an entity tag: what is put into references changes without a new version of the resource. */
async function readExpanded(
  store: ResourceReads,
  deps: ReadDeps,
  request: ApiRequest,
  record: OldVersion,
  staged: boolean,
  expand: readonly ExpandPath[],
): Promise<HttpResponse> {
  const { headers, projectKey } = request;
  const { ifMatch } = parsePreconditions(headers['if-match'], headers['if-none-match']);
  checkReadMatch(ifMatch, etagOf(record), { currentVersion: record.version });
  const source = { store, projectKey, staged, baseUrl: deps.baseUrl };
  const body = await expandText(projectionOf(record, staged), expand, source, deps.maxPageBytes);
  const fields = fieldsOf(request);
  return { status: 200, body: fields ? selectFields(body, fields) : body };
}

/** An id without a resource may be that of a variant of images (decision 60). */
async function readAsVariant(deps: ReadDeps, request: ApiRequest): Promise<HttpResponse> {
  const variant = await findVariant(deps.store, request.projectKey, request.params.id);
  if (variant === undefined) throw targetNotFound(targetOf(request));
  const response = await readVariant(deps, request, variant);
  const fields = fieldsOf(request);
  return fields && response.status === 200
    ? { status: 200, body: selectFields(String(response.body), fields) }
    : response;
}

/** Reads of a single resource: E2 and E3. They also serve HEAD. */
export function resourceReadRoutes(deps: RouteDeps): readonly Route[] {
  const read: typeof readFrom = (store, own, request) =>
    request.query.size > 0 && request.query.has('version') ? readVersion(deps, request) : readFrom(store, own, request);
  const shared = {
    method: 'GET',
    tag: resourceTag,
    access: ['manage_test', 'view_test'],
    published: true,
    query: {
      staged: { type: 'boolean', default: false, description: 'Return the staged projection (decision 13).' },
      version: {
        type: 'integer',
        format: 'int64',
        exact: true,
        description:
          'Returns this version of the resource, even after its deletion. 410 if the version is no longer stored, 404 if it never existed.',
        example: 3,
      },
      optionalQueryParameter: { type: 'string', description: 'Accepted and ignored.' },
      secondOptionalQueryParameter: { type: 'string', description: 'Accepted and ignored.' },
      ...expandParameter,
      ...fieldsParameter,
      ...consistency,
    },
    headers: [
      entityTagsHeader('If-Match', 'Entity tags. Returns 412 if none of them is that of the current version.'),
      entityTagsHeader('If-None-Match', 'Entity tags. Returns 304 if one of them is that of the current version.'),
      preferHeader,
    ],
    responses: {
      200: answer('The resource.', selectedResourceSchema, undefined, ['ETag', ...eventualHeaders]),
      304: { description: 'The cached version is current.', headers: ['ETag'] },
    },
    errors: ['VersionGone', 'PreconditionFailed'],
    handler: (request: ApiRequest) => readWhere(deps, request, read),
  } as const satisfies Partial<Route>;
  return byIdAndKey(shared, ['getResourceById', 'getResourceByKey'], 'Get a resource by');
}
