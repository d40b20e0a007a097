import { list, object } from '../../../contract/json.ts';
import { type CallFilter, callsPerClient, chooseCalls, maxCallingClients } from '../../../telemetry/recent-calls.ts';
import type { ApiRequest, ParameterTable, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonResponse } from '../json.ts';

const defaultLimit = 100;
const maxLimit = 1000;

const text = { type: 'string' } as const;

const callSchema = object('RecentCall', {
  at: { ...text, format: 'date-time', description: 'When it ended.' },
  clientId: text,
  operation: { ...text, description: 'The `operationId`. Neither the path nor parameters are kept.' },
  status: { type: 'integer', description: 'Of the response; 499 if the client was gone before.' },
  durationMs: { type: 'number', minimum: 0, description: 'From its head to the end of its response.' },
  'externalUserId?': { ...text, description: 'The `X-External-User-ID` of the call.' },
  'projectKey?': { ...text, description: 'The project that the call named, if any.' },
});
const listSchema = object('RecentCalls', { results: list(callSchema, { description: 'The last one first.' }) });
const example = {
  results: [
    {
      at: '2026-11-22T17:05:04.120Z',
      clientId: 'my-shop.importer',
      externalUserId: 'jane',
      projectKey: 'my-shop',
      operation: 'updateResourceById',
      status: 200,
      durationMs: 1.4,
    },
  ],
};

const filters: ParameterTable = {
  clientId: { ...text, description: 'Only calls of this client.', example: 'my-shop.importer' },
  externalUserId: { ...text, description: 'Only calls for this user of the calling system.', example: 'jane' },
  operation: { ...text, description: 'Only calls of this `operationId`.', example: 'updateResourceById' },
  status: {
    ...text,
    pattern: /^[1-5](xx|[0-9]{2})$/,
    form: 'a status such as 404, or a class such as 4xx,',
    description: 'Only responses with this status, or of this class.',
    example: '4xx',
  },
  limit: { type: 'integer', description: 'The number of calls.', minimum: 1, maximum: maxLimit, default: defaultLimit },
};

const kept = `The last ${callsPerClient} calls of each of the last ${maxCallingClients} API clients, of each process of the service since it started: in memory only. Calls without an accepted token are not among them.`;

const shared = {
  method: 'GET',
  responses: { 200: answer('The calls.', listSchema, example) },
} as const;

/** Recent API calls: of the whole service for the operator, and of a project for those who manage its clients. */
export function callRoutes({ listCalls }: RouteDeps): readonly Route[] {
  async function answer({ query }: ApiRequest, projectKey: string | undefined) {
    const asked = (name: string) => query.get(name) as string | undefined;
    const status = asked('status');
    const filter: CallFilter = {
      projectKey,
      status,
      clientId: asked('clientId'),
      externalUserId: asked('externalUserId'),
      operation: asked('operation'),
    };
    const limit = (query.get('limit') as number | undefined) ?? defaultLimit;
    return jsonResponse(200, { results: chooseCalls(await listCalls(), filter, limit) });
  }

  return [
    {
      ...shared,
      tag: 'API clients',
      access: ['manage_api_clients'],
      operationId: 'listProjectCalls',
      path: '/:projectKey/api-clients/recent-calls',
      summary: 'List the last calls on the project',
      description: `${kept} Of these, the calls that named this project, refused ones too.`,
      query: filters,
      handler: (request) => answer(request, request.projectKey),
    },
    {
      ...shared,
      tag: 'Service',
      access: 'service',
      operationId: 'listRecentCalls',
      path: '/health/recent-calls',
      summary: 'List the last calls on the service',
      description: kept,
      query: { projectKey: { ...text, description: 'Only calls on this project.', example: 'my-shop' }, ...filters },
      handler: (request) => answer(request, request.query.get('projectKey') as string | undefined),
    },
  ];
}
