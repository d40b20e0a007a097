import type { JsonObject } from '../../../contract/json.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import { unionSchema } from '../../../domain/types/json-schema.ts';
import { parseTypes } from '../../../domain/types/settings.ts';
import { projectDocument } from '../../openapi/project-document.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { conditional, conditionHeaders } from '../headers.ts';
import { answer } from '../json.ts';

const document = answer('The document.', { type: 'object', additionalProperties: true }, undefined, ['ETag']);

const shared = {
  method: 'GET',
  tag: 'Settings',
  access: ['manage_test', 'view_test'],
  headers: conditionHeaders,
  responses: { 200: document, 304: { description: 'What the client has is current.', headers: ['ETag'] } },
  errors: ['PreconditionFailed'],
} as const satisfies Partial<Route>;

const noTypes = parseTypes({});

/** What the types of a project say, for generators of code and for editors. `service`: the OpenAPI document of the service. */
export function typeDocumentRoutes({ types }: Pick<RouteDeps, 'types'>, service: () => JsonObject): readonly Route[] {
  async function respond(request: ApiRequest, make: (declared: typeof noTypes) => JsonObject): Promise<HttpResponse> {
    const found = await types.of(request.projectKey);
    const body = stringifyJson(make({ ...(found?.declared ?? noTypes), version: undefined }));
    return conditional(request, `"${found?.version ?? 0}"`, { status: 200, body });
  }
  return [
    {
      ...shared,
      operationId: 'getProjectOpenApi',
      path: '/:projectKey/openapi.json',
      summary: 'Get the OpenAPI document of the project',
      description:
        'That of the service, with the project in its paths and a schema for each type: generators make a class or interface of each.',
      handler: (request) => respond(request, (declared) => projectDocument(service(), request.projectKey, declared)),
    },
    {
      ...shared,
      operationId: 'getProjectSchema',
      path: '/:projectKey/schema.json',
      summary: 'Get the JSON Schema of the project',
      description:
        'One schema of all documents, which the field that names the type decides on: for editors, and for whoever checks before sending.',
      handler: (request) => respond(request, (declared) => unionSchema(request.projectKey, declared)),
    },
  ];
}
