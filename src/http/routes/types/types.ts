import type { JsonObject } from '../../../contract/json.ts';
import { list, object, text } from '../../../contract/json.ts';
import { typesDraftSchema, typesExample, typesSchema } from '../../../contract/settings/types.ts';
import { parseJson, stringifyJson } from '../../../domain/json/parse.ts';
import { viewSettings, writeSettings } from '../../../domain/settings/stored-settings.ts';
import { builtState, neverBuilt } from '../../../domain/types/built-state.ts';
import { findViolations } from '../../../domain/types/find-violations.ts';
import { compileTypes, ProjectTypes } from '../../../domain/types/project-types.ts';
import { parseTypes, typeSettings } from '../../../domain/types/settings.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { ndjsonType } from '../bulk/import.ts';
import { externalUserHeader, ifMatchHeader, ifNoneMatchHeader } from '../headers.ts';
import { answer, jsonBody } from '../json.ts';
import { writeErrors, writeOf } from '../resources/resource.ts';
import { versionParameter } from '../version-parameter.ts';

const violationSchema = object('TypeViolations', {
  'id?': text('The resource.'),
  'key?': text('Its key.'),
  'version?': { type: 'integer', format: 'int64' },
  'type?': text('Its type.'),
  'errors?': list({ type: 'object' }, { description: 'All that does not fit, at most 50.' }),
  'complete?': { type: 'boolean', description: 'In the last line, which is the summary.' },
  'resources?': { type: 'integer', description: 'How many resources were looked at.' },
  'violating?': { type: 'integer', description: 'How many of them do not fit.' },
  'allUniqueChecked?': {
    type: 'boolean',
    description: 'False where there are more than a million unique values, of which not all were compared.',
  },
});

const violations = {
  description: 'A line for each resource that does not fit, and a summary as the last one.',
  content: { [ndjsonType]: { schema: violationSchema } },
} as const;

const current = answer('The types.', typesSchema, { ...typesExample, unique: [] }, ['ETag']);

const shared = { tag: 'Settings', path: '/:projectKey/settings/types' } as const;

/** The types of a project: schemas, unique values and references. */
export function typeRoutes(deps: RouteDeps): readonly Route[] {
  return [
    {
      ...shared,
      operationId: 'getTypes',
      method: 'GET',
      access: ['manage_test', 'view_test'],
      summary: 'Read the types of the project',
      description: 'A project without types has none, in version 0. `unique` says which unique paths are enforced.',
      responses: { 200: current },
      handler: async ({ projectKey }) => typesResponse(deps, projectKey),
    },
    {
      ...shared,
      operationId: 'replaceTypes',
      method: 'PUT',
      access: ['manage_project'],
      summary: 'Replace the types of the project',
      description:
        'From the response on, every document whose `type` names a declared type has to fit its schema, whichever way it comes. What is stored stays as it is; its next write must fit. If there is a `version`, it must be the current one. With `dryRun=true` nothing is changed: the response has what would not fit.',
      query: {
        ...versionParameter,
        dryRun: { type: 'boolean', default: false, description: 'Whether only to find what would not fit.' },
      },
      headers: [ifMatchHeader, ifNoneMatchHeader, externalUserHeader],
      body: jsonBody(typesDraftSchema, typesExample),
      responses: {
        200: { ...current, content: { ...current.content, ...violations.content } },
      },
      errors: [...writeErrors, 'InvalidOperation'],
      handler: (request) => replaceTypes(deps, request),
    },
    {
      ...shared,
      path: '/:projectKey/settings/types/violations',
      operationId: 'findTypeViolations',
      method: 'GET',
      access: ['manage_test', 'view_test'],
      summary: 'Find what does not fit the types',
      description: 'Looks through all resources of the project, and streams those that would be refused as they are.',
      responses: { 200: violations },
      async handler(request) {
        const types = await deps.types.of(request.projectKey);
        return streamViolations(deps, request, types ?? new ProjectTypes(0, parseTypes({}), new Map(), neverBuilt));
      },
    },
  ];
}

async function replaceTypes(deps: RouteDeps, request: ApiRequest): Promise<HttpResponse> {
  const { projectKey, query, json } = request;
  const declared = parseTypes(json);
  const schemas = await compileTypes(declared, deps.compileSchema);
  // They are stored as JSON within JSON.
  const write = writeOf(request, { ...deps, maxDocumentBytes: 2 * deps.maxDocumentBytes });
  if (query.get('dryRun') === true) {
    return streamViolations(deps, request, new ProjectTypes(0, declared, schemas, neverBuilt));
  }
  try {
    // Values in conflict may have been corrected: a new version has them looked through again.
    const { conflicting } = await deps.settings.of(builtState, projectKey);
    await writeSettings(typeSettings, write, json, conflicting.length > 0);
  } finally {
    deps.types.forget(projectKey);
  }
  const record = await deps.settings.record(typeSettings, projectKey);
  // Whoever still has earlier types commits nothing by them from here on.
  await deps.rules.setRules(projectKey, record!.version);
  deps.marksBuilder.start(projectKey);
  return typesResponse(deps, projectKey);
}

async function typesResponse(deps: RouteDeps, projectKey: string): Promise<HttpResponse> {
  const record = await deps.settings.record(typeSettings, projectKey);
  const { etag, body } = viewSettings(typeSettings, record);
  const { types } = parseTypes((({ version: _, lastModifiedAt: __, ...rest }) => rest)(parseJson(body) as JsonObject));
  const built = await deps.settings.of(builtState, projectKey);
  const isBuilt = built.version === (record?.version ?? 0);
  if (!isBuilt) deps.marksBuilder.start(projectKey);
  const unique = Object.entries(types).flatMap(([type, declared]) =>
    declared.unique.map((path) => {
      const conflict = built.conflicting.find((each) => each.type === type && each.path === path);
      if (!isBuilt || !conflict) return { type, path, state: isBuilt ? 'active' : 'building' };
      const { conflicts, examples } = conflict;
      return { type, path, state: 'conflicting', conflicts, examples };
    }),
  );
  const text = `${body.slice(0, -1)},"unique":${stringifyJson(unique as never)}}`;
  return { status: 200, headers: { etag }, body: text };
}

function streamViolations({ store }: RouteDeps, request: ApiRequest, types: ProjectTypes): HttpResponse {
  const { projectKey, draining } = request;
  request.occupy('exports');
  async function* open(): AsyncGenerator<string> {
    for await (const lines of findViolations(store, projectKey, types)) {
      draining.throwIfAborted();
      yield lines;
    }
  }
  return { status: 200, headers: { 'content-type': ndjsonType }, body: '', stream: { sizeBytes: undefined, open } };
}
