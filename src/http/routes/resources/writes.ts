import { objectTestTypeDraftSchema } from '../../../contract/resource.ts';
import { isVariantId } from '../../../domain/image/variant.ts';
import type { Eventually } from '../../../domain/ports/eventually.ts';
import { resourceUpdateSchema } from '../../../domain/resource/actions/define.ts';
import type { WriteResponse } from '../../../domain/resource/write/commit.ts';
import type { Outcome } from '../../../domain/resource/write/decision.ts';
import { deleteResource } from '../../../domain/resource/write/delete.ts';
import { writeDraft } from '../../../domain/resource/write/draft.ts';
import { etagOf } from '../../../domain/resource/write/preconditions.ts';
import { updateByActions } from '../../../domain/resource/write/update.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { externalUserHeader, ifMatchHeader, ifNoneMatchHeader } from '../headers.ts';
import { findVariant, restrictActions, updateVariant } from '../images/variants.ts';
import { jsonBody } from '../json.ts';
import { refusedOnWrites, versionParameter } from '../version-parameter.ts';
import { expandParameter, expandPathsOf, expandText, withRecord } from './expand.ts';
import {
  byIdAndKey,
  collectionPath,
  locationOf,
  resourceContent,
  resourceTag,
  targetOf,
  writeErrors,
  writeOf,
} from './resource.ts';

const shared = { tag: resourceTag, access: ['manage_test'] } as const satisfies Partial<Route>;

const currentResource = { description: 'The resource after the write.', content: resourceContent } as const;

/**
 * Makes the function for the responses of a write: the resource as it is stored, its entity tag, and its address if it
 * has one. References that are to be expanded are looked up before the commit, so that one that is refused writes nothing
 * and a repeat gets the same response.
 */
function responsesOf(deps: RouteDeps, { query, projectKey }: ApiRequest, status: number, withLocation: boolean) {
  const expand = query.size === 0 ? [] : expandPathsOf(query);
  return ({ record }: Outcome): Eventually<WriteResponse> => {
    const etag = etagOf(record);
    const headers: WriteResponse['headers'] = withLocation ? { etag, location: locationOf(deps, record) } : { etag };
    if (expand.length === 0) return { status, headers, body: record.current };
    const store = withRecord(deps.store, record);
    const source = { store, projectKey, staged: false, baseUrl: deps.baseUrl };
    return expandText(record.current, expand, source, deps.maxPageBytes).then((body) => ({ status, headers, body }));
  };
}

const draftRoutes = [
  {
    method: 'POST',
    mode: 'replaceFields',
    operationId: 'createOrUpdateResource',
    summary: 'Create a resource, or replace some of its fields',
    rule: 'Of an existing resource, the top-level fields in the draft are replaced; the others stay.',
  },
  {
    method: 'PATCH',
    mode: 'merge',
    operationId: 'patchResource',
    summary: 'Create a resource, or merge into it',
    rule: 'The draft is merged into an existing resource as a JSON merge patch (RFC 7396): `null` removes a field.',
  },
  {
    method: 'PUT',
    mode: 'overwrite',
    operationId: 'overwriteResource',
    summary: 'Create a resource, or overwrite it',
    rule: 'Of an existing resource, all fields except the system fields are replaced by the draft.',
  },
] as const;

function draftRoute(
  deps: RouteDeps,
  { method, mode, operationId, summary, rule }: (typeof draftRoutes)[number],
): Route {
  return {
    ...shared,
    operationId,
    method,
    path: collectionPath,
    summary,
    description: `The \`id\` in the draft names the resource, or else its \`key\`. If there is no such resource, it is created. ${rule} If the draft or the query has a \`version\`, it must be the current one.`,
    query: {
      ...versionParameter,
      ...expandParameter,
      ...refusedOnWrites(
        'a draft changes both projections; to stage a change, send update actions with `"staged": true` to POST /{projectKey}/resource/{id}',
      ),
    },
    headers: [ifMatchHeader, ifNoneMatchHeader, externalUserHeader],
    body: {
      ...jsonBody(objectTestTypeDraftSchema),
      // The media type that RFC 7396 defines.
      ...(method === 'PATCH' && { toleratedTypes: ['application/merge-patch+json'] }),
    },
    responses: { 201: { ...currentResource, headers: ['ETag', 'Location'] } },
    errors: [...writeErrors, 'InvalidOperation', 'DuplicateField'],
    // RFC 9110 §9.2.2: PUT is idempotent by itself.
    ...(method !== 'PUT' && { idempotent: true }),
    // Decision 10: 201 whether the resource was created or changed.
    handler: (request) =>
      writeDraft({ ...writeOf(request, deps), responseOf: responsesOf(deps, request, 201, true) }, mode, request.json),
  };
}

function updateRoutes(deps: RouteDeps): readonly Route[] {
  const variantActions = restrictActions(deps.actions);
  const updateShared = {
    ...shared,
    method: 'POST',
    description:
      'The update actions are applied in order, all or none. `version`, in the body or in the query, must be the current version; otherwise the 409 response has it as `currentVersion`.',
    query: {
      ...versionParameter,
      ...expandParameter,
      ...refusedOnWrites('each update action says it for itself: give it `"staged": true`'),
    },
    headers: [ifMatchHeader, externalUserHeader],
    body: jsonBody(resourceUpdateSchema(deps.actions)),
    responses: { 200: { ...currentResource, headers: ['ETag'] } },
    errors: [...writeErrors, 'InvalidOperation', 'DuplicateField'],
    idempotent: true,
    async handler(request: ApiRequest): Promise<HttpResponse> {
      const { projectKey, params } = request;
      // An id without a resource may be that of a variant of images (decision 60).
      if (params.id !== undefined && isVariantId(params.id) && !(await deps.store.get(projectKey, params.id))) {
        const variant = await findVariant(deps.store, projectKey, params.id);
        if (variant !== undefined) return updateVariant(deps, request, variant, variantActions);
      }
      const write = { ...writeOf(request, deps), responseOf: responsesOf(deps, request, 200, false) };
      return updateByActions(write, targetOf(request), request.json, deps.actions);
    },
  } as const satisfies Partial<Route>;
  return byIdAndKey(updateShared, ['updateResourceById', 'updateResourceByKey'], 'Update a resource by');
}

function deleteRoutes(deps: RouteDeps): readonly Route[] {
  const deleteShared = {
    ...shared,
    method: 'DELETE',
    description: 'With `version`, the resource is deleted only in that version; otherwise 409. A body is ignored.',
    query: {
      ...versionParameter,
      ...expandParameter,
      ...refusedOnWrites(
        'a deletion removes both projections; the update action revertStagedChanges drops what is staged',
      ),
    },
    headers: [ifMatchHeader],
    responses: { 200: { description: 'The deleted resource.', content: resourceContent, headers: ['ETag'] } },
    errors: ['ConcurrentModification', 'PreconditionFailed'],
    handler(request: ApiRequest) {
      const write = { ...writeOf(request, deps), responseOf: responsesOf(deps, request, 200, false) };
      return deleteResource(write, targetOf(request));
    },
  } as const satisfies Partial<Route>;
  return byIdAndKey(deleteShared, ['deleteResourceById', 'deleteResourceByKey'], 'Delete a resource by');
}

/** Writes of a single resource: E6, E7, E8, E10 and E11. */
export function resourceWriteRoutes(deps: RouteDeps): readonly Route[] {
  return [...draftRoutes.map((route) => draftRoute(deps, route)), ...updateRoutes(deps), ...deleteRoutes(deps)];
}
