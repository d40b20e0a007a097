import { objectTestTypeDraftSchema } from '../../../contract/resource.ts';
import { updateSchema } from '../../../contract/update.ts';
import { isVariantId } from '../../../domain/image/variant.ts';
import { parseNumber } from '../../../domain/json/number.ts';
import { actionSchema } from '../../../domain/resource/actions/define.ts';
import type { Outcome } from '../../../domain/resource/write/decision.ts';
import { deleteResource } from '../../../domain/resource/write/delete.ts';
import type { DraftMode } from '../../../domain/resource/write/draft.ts';
import { writeDraft } from '../../../domain/resource/write/draft.ts';
import { updateByActions } from '../../../domain/resource/write/update.ts';
import type { ApiRequest, HttpResponse, Route, RouteBody } from '../../route.ts';
import { externalUserHeader, ifMatchHeader, ifNoneMatchHeader } from '../headers.ts';
import { findVariant, updateVariant } from '../images/variants.ts';
import {
  collectionPath,
  exampleOf,
  idPath,
  keyPath,
  locationOf,
  type ResourceDeps,
  resourceContent,
  resourceResponse,
  resourceTag,
  targetOf,
  toHttpResponse,
  writeOf,
} from './resource.ts';

const draftBody: RouteBody = {
  kind: 'json',
  contentTypes: ['application/json'],
  required: true,
  schema: objectTestTypeDraftSchema,
  example: exampleOf(objectTestTypeDraftSchema),
};

const writeErrors = [
  'InvalidInput',
  'InvalidJsonInput',
  'ResourceSizeLimitExceeded',
  'ConcurrentModification',
  'PreconditionFailed',
  'InsufficientStorage',
  'OutcomeUnknown',
  'DataCorruption',
] as const;

/** Decision 10: all three answer 201, whether they created or changed. */
function created(deps: ResourceDeps) {
  return (outcome: Outcome) => {
    const answer = resourceResponse(201, outcome);
    return { ...answer, headers: { ...answer.headers, location: locationOf(deps, outcome.record) } };
  };
}

interface DraftRoute {
  readonly method: 'POST' | 'PATCH' | 'PUT';
  readonly mode: DraftMode;
  readonly operationId: string;
  readonly summary: string;
  readonly rule: string;
}

const draftRoutes: readonly DraftRoute[] = [
  {
    method: 'POST',
    mode: 'replaceFields',
    operationId: 'createOrUpdateResource',
    summary: 'Create a resource, or replace the fields given',
    rule: 'replaces the top-level fields that the draft has',
  },
  {
    method: 'PATCH',
    mode: 'merge',
    operationId: 'patchResource',
    summary: 'Create a resource, or merge into it',
    rule: 'is merged with the draft as a JSON merge patch (RFC 7396): `null` removes',
  },
  {
    method: 'PUT',
    mode: 'overwrite',
    operationId: 'overwriteResource',
    summary: 'Create a resource, or overwrite it',
    rule: 'is replaced by the draft, but for the system fields',
  },
];

function draftRoute(deps: ResourceDeps, { method, mode, operationId, summary, rule }: DraftRoute): Route {
  return {
    ...{ operationId, method, summary, path: collectionPath, tag: resourceTag, access: ['manage_test'] },
    description: `The resource is the one of the draft's \`id\`, else of its \`key\`; where there is none it is created. An existing one ${rule}. A \`version\` in the draft must be the current one.`,
    headers: [ifMatchHeader, ifNoneMatchHeader, externalUserHeader],
    body: draftBody,
    responses: {
      201: { description: 'The resource as it is now.', content: resourceContent, headers: ['ETag', 'Location'] },
    },
    errors: [...writeErrors, 'InvalidOperation', 'DuplicateField'],
    // RFC 9110 §9.2.2: PUT is idempotent by itself.
    ...(method === 'PUT' ? {} : { idempotent: true }),
    handler: async (request) =>
      toHttpResponse(await writeDraft(writeOf(request, deps, created(deps)), mode, request.json)),
  };
}

function updateRoutes(deps: ResourceDeps): readonly Route[] {
  const schemas = new Map([...deps.actions].map(([name, definition]) => [name, actionSchema(definition)]));
  const schema = updateSchema(schemas);
  const answer = (outcome: Outcome) => resourceResponse(200, outcome);
  const shared = {
    method: 'POST',
    tag: resourceTag,
    access: ['manage_test'],
    description:
      'The actions are applied in their order, all of them or none. `version` must be the current one, else 409 tells it.',
    headers: [ifMatchHeader, externalUserHeader],
    body: { kind: 'json', contentTypes: ['application/json'], required: true, schema, example: exampleOf(schema) },
    responses: { 200: { description: 'The resource as it is now.', content: resourceContent, headers: ['ETag'] } },
    errors: [...writeErrors, 'ResourceNotFound', 'InvalidOperation', 'DuplicateField'],
    idempotent: true,
    async handler(request: ApiRequest): Promise<HttpResponse> {
      const variant = await variantMeant(deps, request);
      if (variant !== undefined) return updateVariant(deps, request, variant);
      return toHttpResponse(
        await updateByActions(writeOf(request, deps, answer), targetOf(request), request.json, deps.actions),
      );
    },
  } as const satisfies Partial<Route>;
  return [
    { ...shared, operationId: 'updateResourceById', path: idPath, summary: 'Update a resource by actions' },
    {
      ...shared,
      operationId: 'updateResourceByKey',
      path: keyPath,
      summary: 'Update a resource by actions, by its key',
    },
  ];
}

/** The variant of images that an update is for, where no resource has the id (decision 60). */
async function variantMeant({ store }: ResourceDeps, { projectKey, params: { id } }: ApiRequest) {
  if (id === undefined || !isVariantId(id) || (await store.get(projectKey, id))) return undefined;
  return findVariant(store, projectKey, id);
}

function deleteRoutes(deps: ResourceDeps): readonly Route[] {
  const shared = {
    method: 'DELETE',
    tag: resourceTag,
    access: ['manage_test'],
    description: 'With `version` only in that version; another is 409. A body is ignored.',
    query: {
      version: { type: 'integer', exact: true, description: 'The version that the deletion is meant for.', example: 3 },
    },
    headers: [ifMatchHeader],
    responses: { 200: { description: 'What was deleted.', content: resourceContent, headers: ['ETag'] } },
    errors: ['InvalidInput', 'ResourceNotFound', 'ConcurrentModification', 'PreconditionFailed', 'InsufficientStorage'],
    async handler(request: ApiRequest) {
      const version = request.query.get('version');
      const expected = version === undefined ? undefined : BigInt(parseNumber(String(version)));
      const write = writeOf(request, deps, (outcome) => resourceResponse(200, outcome));
      return toHttpResponse(await deleteResource(write, targetOf(request), expected));
    },
  } as const satisfies Partial<Route>;
  return [
    { ...shared, operationId: 'deleteResourceById', path: idPath, summary: 'Delete a resource' },
    { ...shared, operationId: 'deleteResourceByKey', path: keyPath, summary: 'Delete a resource by its key' },
  ];
}

/** Writes of one resource: E6, E7, E8, E10 and E11. */
export function resourceWriteRoutes(deps: ResourceDeps): readonly Route[] {
  return [...draftRoutes.map((route) => draftRoute(deps, route)), ...updateRoutes(deps), ...deleteRoutes(deps)];
}
