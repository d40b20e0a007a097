import { createApiClient, getApiClient, parseClientDraft, viewApiClient } from '../../../auth/api-clients.ts';
import type { TokenService } from '../../../auth/tokens.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { type ScopeName, scopeNames } from '../../../contract/scopes.ts';
import type { ClientStore } from '../../../domain/ports/client-store.ts';
import type { HttpResponse, Route, Schema } from '../../route.ts';

export interface ApiClientDeps {
  readonly clients: ClientStore;
  readonly tokens: TokenService;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

const tag = 'API clients';
const access: readonly ScopeName[] = ['manage_api_clients'];
const text = { type: 'string' };
const scopeList = { type: 'array', items: text, minItems: 1 };
const clientFields = { id: text, name: text, scopes: scopeList, createdAt: { ...text, format: 'date-time' } };
const exampleDraft = { name: 'Shop front', scopes: ['view_test'] };
const exampleClient = {
  id: 'my-shop.01936f0e-7c1a-7d3e-9a52-0f4b6c8d2e10',
  name: 'Shop front',
  scopes: ['view_test:my-shop'],
  createdAt: '2026-11-20T12:00:00.000Z',
};

function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, body: JSON.stringify(value), headers: { 'cache-control': 'no-store', ...headers } };
}

function response(description: string, properties: Schema, example: unknown): Route['responses'][number] {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  return { description, content: { 'application/json': { schema, example } } };
}

function notFound(id: string): ServiceError {
  return new ServiceError('ResourceNotFound', `The API client with ID '${id}' was not found.`);
}

function createRoute(deps: ApiClientDeps): Route {
  return {
    operationId: 'createApiClient',
    method: 'POST',
    path: '/:projectKey/api-clients',
    tag,
    summary: 'Create an API client of the project.',
    description: `The secret is in this answer and nowhere else. Scopes: ${scopeNames.join(', ')}, with or without \`:{projectKey}\`.`,
    access,
    body: {
      kind: 'json',
      contentTypes: ['application/json'],
      required: true,
      schema: {
        type: 'object',
        properties: { name: { ...text, minLength: 1, maxLength: 256 }, scopes: scopeList },
        required: ['name', 'scopes'],
        additionalProperties: false,
      },
      example: exampleDraft,
    },
    responses: {
      201: response(
        'The client with its secret.',
        { ...clientFields, secret: text },
        { ...exampleClient, secret: 'grs_…' },
      ),
    },
    errors: ['InvalidField'],
    async handler({ projectKey, json: body }) {
      const { client, secret } = await createApiClient(deps, projectKey, parseClientDraft(body, projectKey));
      const location = `/${projectKey}/api-clients/${client.id}`;
      return json(201, { ...viewApiClient(client), secret }, { location });
    },
  };
}

function listRoute({ clients }: ApiClientDeps): Route {
  return {
    operationId: 'listApiClients',
    method: 'GET',
    path: '/:projectKey/api-clients',
    tag,
    summary: 'List the API clients of the project, oldest first.',
    description: 'Where there are more, `next` is in the answer: give it as `after` to get them.',
    access,
    query: {
      limit: { type: 'integer', description: 'Clients in the answer.', default: 20, minimum: 1, maximum: 500 },
      after: { type: 'string', description: 'Begin behind the client with this id.' },
    },
    strictQuery: true,
    responses: {
      200: response(
        'The clients, without secrets.',
        {
          limit: { type: 'integer' },
          count: { type: 'integer' },
          results: { type: 'array', items: { type: 'object', properties: clientFields } },
        },
        { limit: 20, count: 1, results: [exampleClient] },
      ),
    },
    async handler({ projectKey, query }) {
      const limit = (query.get('limit') as number | undefined) ?? 20;
      const found = await clients.listClients(projectKey, limit + 1, query.get('after') as string | undefined);
      const results = found.slice(0, limit).map(viewApiClient);
      const more = found.length > limit ? { next: results.at(-1)!.id } : {};
      return json(200, { limit, count: results.length, results, ...more });
    },
  };
}

function getRoute({ clients }: ApiClientDeps): Route {
  return {
    operationId: 'getApiClient',
    method: 'GET',
    path: '/:projectKey/api-clients/:clientId',
    tag,
    summary: 'Get an API client of the project.',
    access,
    responses: { 200: response('The client, without its secret.', clientFields, exampleClient) },
    errors: ['ResourceNotFound'],
    async handler({ projectKey, params }) {
      const client = await getApiClient(clients, projectKey, params.clientId!);
      if (!client) throw notFound(params.clientId!);
      return json(200, viewApiClient(client));
    },
  };
}

function deleteRoute({ clients, tokens }: ApiClientDeps): Route {
  return {
    operationId: 'deleteApiClient',
    method: 'DELETE',
    path: '/:projectKey/api-clients/:clientId',
    tag,
    summary: 'Delete an API client of the project and revoke its tokens.',
    access,
    responses: { 200: response('The client that was deleted.', clientFields, exampleClient) },
    errors: ['ResourceNotFound'],
    async handler({ projectKey, params }) {
      const client = await getApiClient(clients, projectKey, params.clientId!);
      // Of two deletions at a time the store confirms one.
      if (!client || !(await tokens.deleteClient(client.id))) throw notFound(params.clientId!);
      return json(200, viewApiClient(client));
    },
  };
}

/** The API clients of a project (decision 29). */
export function apiClientRoutes(deps: ApiClientDeps): readonly Route[] {
  return [createRoute, listRoute, getRoute, deleteRoute].map((route) => route(deps));
}
