import { createApiClient, getApiClient, parseClientDraft, viewApiClient } from '../../../auth/api-clients.ts';
import { cursorQuery } from '../../../auth/cursors.ts';
import type { TokenService } from '../../../auth/tokens.ts';
import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { scopeNames } from '../../../contract/scopes.ts';
import type { ClientStore } from '../../../domain/ports/client-store.ts';
import type { Route } from '../../route.ts';
import { jsonBody, jsonContent, jsonResponse, objectSchema } from '../json.ts';
import { withLink } from '../resources/cursors.ts';

export interface ApiClientDeps {
  readonly clients: ClientStore;
  readonly tokens: TokenService;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** The public address that links begin with. If it is empty, links are paths. */
  readonly baseUrl: string;
}

const shared = { tag: 'API clients', access: ['manage_api_clients'] } as const satisfies Partial<Route>;
const collectionPath = '/:projectKey/api-clients';
const clientPath = '/:projectKey/api-clients/:clientId';

const text = { type: 'string' };
const scopeList = { type: 'array', items: text, minItems: 1 };
const clientFields = {
  id: text,
  name: text,
  scopes: scopeList,
  scope: text,
  createdAt: { ...text, format: 'date-time' },
};
const clientSchema = objectSchema('ApiClient', clientFields);
const createdSchema = objectSchema('CreatedApiClient', { ...clientFields, secret: text });
const pageSchema = objectSchema(
  'ApiClientPage',
  { limit: { type: 'integer' }, count: { type: 'integer' }, results: { type: 'array', items: clientSchema } },
  { next: { ...text, description: 'Send it as `cursor` for the page that follows. Absent on the last page.' } },
);
const draftSchema = {
  title: 'ApiClientDraft',
  type: 'object',
  properties: {
    name: { ...text, minLength: 1, maxLength: 256 },
    scopes: scopeList,
    scope: { ...text, description: 'Instead of `scopes`: the scopes with spaces between them.' },
  },
  required: ['name'],
  oneOf: [{ required: ['scopes'] }, { required: ['scope'] }],
  additionalProperties: false,
};
const clientExample = {
  id: 'my-shop.01936f0e-7c1a-7d3e-9a52-0f4b6c8d2e10',
  name: 'Shop front',
  scopes: ['view_test:my-shop'],
  scope: 'view_test:my-shop',
  createdAt: '2026-11-20T12:00:00.000Z',
};

function notFound(id: string): ServiceError {
  return new ServiceError('ResourceNotFound', `The API client with ID '${id}' was not found.`);
}

/** The API clients of a project (decision 29). */
export function apiClientRoutes(deps: ApiClientDeps): readonly Route[] {
  const { clients, tokens } = deps;
  return [
    {
      ...shared,
      operationId: 'createApiClient',
      method: 'POST',
      path: collectionPath,
      summary: 'Create an API client',
      description: `The response is the only one that contains the secret. Store it. Scopes: ${scopeNames.join(', ')}, with or without \`:{projectKey}\`.`,
      body: jsonBody(draftSchema, { name: 'Shop front', scopes: ['view_test'] }),
      responses: {
        201: {
          description: 'The API client with its secret.',
          content: jsonContent(createdSchema, { ...clientExample, secret: 'grs_…' }),
        },
      },
      errors: ['InvalidField'],
      async handler({ projectKey, json }) {
        const { client, secret } = await createApiClient(deps, projectKey, parseClientDraft(json, projectKey));
        const location = `/${projectKey}/api-clients/${client.id}`;
        return jsonResponse(201, { ...viewApiClient(client), secret }, { location });
      },
    },
    {
      ...shared,
      operationId: 'listApiClients',
      method: 'GET',
      path: collectionPath,
      summary: 'List API clients',
      description: 'The oldest comes first. If there are more, the response has `next`: send it as `cursor`.',
      query: {
        limit: { type: 'integer', description: 'The number of API clients.', default: 20, minimum: 1, maximum: 500 },
        cursor: { type: 'string', description: 'The `next` of a page, for the page that follows.' },
        after: { type: 'string', description: 'The id of the API client after which the list begins, or a `next`.' },
      },
      strictQuery: true,
      responses: {
        200: {
          description: 'A page of API clients, without secrets.',
          content: jsonContent(pageSchema, { limit: 20, count: 1, results: [clientExample] }),
          headers: ['Link'],
        },
      },
      async handler({ projectKey, query, url }) {
        const limit = (query.get('limit') as number | undefined) ?? 20;
        const sent = {
          cursor: query.get('cursor') as string | undefined,
          after: query.get('after') as string | undefined,
        };
        if (sent.cursor !== undefined && sent.after !== undefined) {
          throw malformedParameter('after', 'nothing expected beside cursor');
        }
        // Until there were cursors, `next` was an id for `after`: what follows it that way still can.
        const isId = sent.after?.includes('.') === true;
        const cursor = sent.cursor ?? (isId ? undefined : sent.after);
        const listed = cursorQuery(JSON.stringify(['api-clients', projectKey]));
        const [after] = cursor === undefined ? [sent.after] : (deps.tokens.cursors.open(listed, cursor) as [string]);
        const found = await clients.listClients(projectKey, limit + 1, after);
        const results = found.slice(0, limit).map(viewApiClient);
        const next = found.length > limit ? tokens.cursors.seal(listed, [results.at(-1)!.id]) : undefined;
        const body = { limit, count: results.length, results, ...(next !== undefined && { next }) };
        return withLink(jsonResponse(200, body), { cursors: tokens.cursors, baseUrl: deps.baseUrl }, url, next);
      },
    },
    {
      ...shared,
      operationId: 'getApiClient',
      method: 'GET',
      path: clientPath,
      summary: 'Get an API client',
      responses: {
        200: {
          description: 'The API client, without its secret.',
          content: jsonContent(clientSchema, clientExample),
        },
      },
      errors: ['ResourceNotFound', 'DataCorruption'],
      async handler({ projectKey, params }) {
        const client = await getApiClient(clients, projectKey, params.clientId!);
        if (!client) throw notFound(params.clientId!);
        return jsonResponse(200, viewApiClient(client));
      },
    },
    {
      ...shared,
      operationId: 'deleteApiClient',
      method: 'DELETE',
      path: clientPath,
      summary: 'Delete an API client and revoke its tokens',
      responses: {
        200: { description: 'The deleted API client.', content: jsonContent(clientSchema, clientExample) },
      },
      errors: ['ResourceNotFound', 'DataCorruption'],
      async handler({ projectKey, params }) {
        const client = await getApiClient(clients, projectKey, params.clientId!);
        // Of two deletions at the same time, the store confirms one.
        if (!client || !(await tokens.deleteClient(client.id))) throw notFound(params.clientId!);
        return jsonResponse(200, viewApiClient(client));
      },
    },
  ];
}
