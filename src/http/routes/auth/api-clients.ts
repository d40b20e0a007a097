import {
  createApiClient,
  createPublishableClient,
  getApiClient,
  parseClientDraft,
  viewApiClient,
} from '../../../auth/clients/api-clients.ts';
import { parseRotation, rotateSecret } from '../../../auth/clients/rotate.ts';
import { cursorQuery } from '../../../auth/cursors.ts';
import { maxOverlapSeconds } from '../../../contract/check.ts';
import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { list, object, optionally } from '../../../contract/json.ts';
import { cursorPage } from '../../../contract/pages.ts';
import { scopeNames } from '../../../contract/scopes.ts';
import type { ApiClient } from '../../../domain/ports/client-store.ts';
import type { ApiRequest, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonBody, jsonResponse, noStore } from '../json.ts';
import { cursorParameters, cutPage, limitOf, pageResponse } from '../pages.ts';

const shared = { tag: 'API clients', access: ['manage_api_clients'] } as const satisfies Partial<Route>;
const collectionPath = '/:projectKey/api-clients';
const clientPath = '/:projectKey/api-clients/:clientId';

const text = { type: 'string' };
const scopeList = list(text, { minItems: 1 });
const clientFields = {
  id: text,
  name: text,
  scopes: scopeList,
  scope: text,
  createdAt: { ...text, format: 'date-time' },
};
const optionalFields = {
  publishable: { type: 'boolean', description: 'True for an API client with a publishable key instead of a secret.' },
  key: { ...text, description: 'The publishable key, which pages send as bearer token.' },
  origins: list(text, { description: 'The origins of the pages that may use the publishable key.' }),
  previousSecretUntil: {
    ...text,
    format: 'date-time',
    description: 'Until when the secret before the last rotation is accepted, if it still is.',
  },
  lastUsedAt: {
    ...text,
    format: 'date-time',
    description:
      'When the API client last got a token or used one, to the minute and a few minutes late, if it ever did.',
  },
};
const clientSchema = object('RegisteredApiClient', { ...clientFields, ...optionally(optionalFields) });
const createdSchema = object('CreatedApiClient', {
  ...clientFields,
  ...optionally({ ...optionalFields, secret: { ...text, description: 'Absent for a client with a publishable key.' } }),
});
const rotationSchema = {
  title: 'SecretRotation',
  type: 'object',
  additionalProperties: false,
  properties: {
    overlapSeconds: {
      type: 'integer',
      minimum: 0,
      maximum: maxOverlapSeconds,
      default: 0,
      description: 'How long the previous secret is still accepted.',
    },
  },
};
const draftSchema = object(
  'ApiClientDraft',
  {
    name: { ...text, minLength: 1, maxLength: 256, pattern: '\\S' },
    'scopes?': scopeList,
    'scope?': { ...text, pattern: '\\S', description: 'Instead of `scopes`: the scopes with spaces between them.' },
    'publishable?': {
      type: 'boolean',
      description:
        'True: the client gets a publishable key with view_published, and no secret. `scopes` may be left out.',
    },
    'origins?': list(
      { ...text, format: 'uri' },
      { maxItems: 50, description: 'Of a publishable key: the exact origins of the pages that may use it.' },
    ),
  },
  {
    anyOf: [{ required: ['scopes'] }, { required: ['scope'] }, { required: ['publishable'] }],
    additionalProperties: false,
  },
);
const clientExample = {
  id: 'my-shop.01936f0e-7c1a-7d3e-9a52-0f4b6c8d2e10',
  name: 'Shop front',
  scopes: ['view_test:my-shop'],
  scope: 'view_test:my-shop',
  createdAt: '2026-11-20T12:00:00.000Z',
  lastUsedAt: '2026-11-22T17:05:00.000Z',
};
const pageSchema = cursorPage('ApiClientPage', clientSchema, 'The oldest first.', clientExample);
const rotatedExample = { ...clientExample, previousSecretUntil: '2026-11-22T18:05:00.000Z', secret: 'grs_…' };

const listQuery = {
  ...cursorParameters,
  after: { type: 'string', description: 'The id of the API client after which the list begins, or a `next`.' },
} as const;

function notFound(id: string): ServiceError {
  return new ServiceError('ResourceNotFound', `The API client with ID '${id}' was not found.`);
}

/** The API clients of a project (decision 29). */
export function apiClientRoutes(deps: RouteDeps): readonly Route[] {
  return [...collectionRoutes(deps), ...clientRoutes(deps)];
}

async function viewed({ lastUse, nowMs }: RouteDeps, projectKey: string, found: readonly ApiClient[]) {
  const ids = found.map(({ id }) => id);
  const uses = await lastUse.of(projectKey, ids);
  return found.map((client) => viewApiClient(client, nowMs(), uses.get(client.id)));
}

async function listClients(deps: RouteDeps, request: ApiRequest) {
  const { cursors } = deps;
  const { projectKey, query } = request;
  const limit = limitOf(request);
  const sent = {
    cursor: query.get('cursor') as string | undefined,
    after: query.get('after') as string | undefined,
  };
  if (sent.cursor !== undefined && sent.after !== undefined) {
    throw malformedParameter('after', 'expected nothing beside cursor');
  }
  // Until there were cursors, `next` was an id for `after`: what follows it that way still can.
  const isId = sent.after?.includes('.') === true;
  const cursor = sent.cursor ?? (isId ? undefined : sent.after);
  const listed = cursorQuery(JSON.stringify(['api-clients', projectKey]));
  const [after] = cursor === undefined ? [sent.after] : (cursors.open(listed, cursor) as [string]);
  const found = await deps.clients.listClients(projectKey, limit + 1, after);
  const { items, next } = cutPage(found, limit, ({ id }) => cursors.seal(listed, [id]));
  return pageResponse(limit, await viewed(deps, projectKey, items), next, { headers: noStore });
}

function collectionRoutes(deps: RouteDeps): readonly Route[] {
  return [
    {
      ...shared,
      operationId: 'createApiClient',
      method: 'POST',
      path: collectionPath,
      summary: 'Create an API client',
      description: `The response is the only one that contains the secret. Store it. With \`publishable\` there is no secret, but a key for pages in browsers, which is shown again. Scopes: ${scopeNames.join(', ')}, with or without \`:{projectKey}\`.`,
      body: jsonBody(draftSchema, { name: 'Shop front', scopes: ['view_test'] }),
      responses: {
        201: answer('The API client with its secret.', createdSchema, { ...clientExample, secret: 'grs_…' }),
      },
      errors: ['InvalidField'],
      async handler({ projectKey, json }) {
        const draft = parseClientDraft(json, projectKey);
        const { client, secret } = draft.origins
          ? { client: await createPublishableClient(deps, projectKey, draft), secret: undefined }
          : await createApiClient(deps, projectKey, draft);
        const location = `${deps.baseUrl}/${projectKey}/api-clients/${client.id}`;
        return jsonResponse(201, { ...viewApiClient(client, deps.nowMs()), secret }, { location });
      },
    },
    {
      ...shared,
      operationId: 'listApiClients',
      method: 'GET',
      path: collectionPath,
      summary: 'List API clients',
      description: 'The oldest comes first. If there are more, the response has `next`: send it as `cursor`.',
      query: listQuery,
      responses: {
        200: answer('A page of API clients, without secrets.', pageSchema, undefined, ['Link']),
      },
      handler: (request) => listClients(deps, request),
    },
  ];
}

function clientRoutes(deps: RouteDeps): readonly Route[] {
  const { clients, tokens } = deps;
  return [
    {
      ...shared,
      operationId: 'getApiClient',
      method: 'GET',
      path: clientPath,
      summary: 'Get an API client',
      responses: {
        200: answer('The API client, without its secret.', clientSchema, clientExample),
      },
      async handler({ projectKey, params }) {
        const client = await getApiClient(clients, projectKey, params.clientId!);
        if (!client) throw notFound(params.clientId!);
        return jsonResponse(200, (await viewed(deps, projectKey, [client]))[0]);
      },
    },
    {
      ...shared,
      operationId: 'rotateApiClientSecret',
      method: 'POST',
      path: `${clientPath}/rotate`,
      summary: 'Give an API client a new secret',
      description:
        'The response is the only one that contains the new secret. The previous secret stays valid for `overlapSeconds`, so that programs can switch one after the other; by default it ends at once, as does any older secret. Tokens stay valid until they expire; to end those too, delete the API client.',
      body: { ...jsonBody(rotationSchema, { overlapSeconds: 3600 }), required: false },
      errors: ['InvalidOperation'],
      responses: {
        200: answer('The API client with its new secret.', createdSchema, rotatedExample),
      },
      async handler({ projectKey, params, json }) {
        const rotated = await rotateSecret(deps, projectKey, params.clientId!, parseRotation(json));
        if (!rotated) throw notFound(params.clientId!);
        const [view] = await viewed(deps, projectKey, [rotated.client]);
        return jsonResponse(200, { ...view, secret: rotated.secret });
      },
    },
    {
      ...shared,
      operationId: 'deleteApiClient',
      method: 'DELETE',
      path: clientPath,
      summary: 'Delete an API client and revoke its tokens',
      responses: {
        200: answer('The deleted API client.', clientSchema, clientExample),
      },
      async handler({ projectKey, params }) {
        const client = await getApiClient(clients, projectKey, params.clientId!);
        // The store confirms one of two concurrent deletions.
        if (!client || !(await tokens.deleteClient(client.id))) throw notFound(params.clientId!);
        const [view] = await viewed(deps, projectKey, [client]);
        await deps.lastUse.forget(projectKey, client.id);
        return jsonResponse(200, view);
      },
    },
  ];
}
