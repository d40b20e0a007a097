import { parsePaging } from '../../../domain/paging.ts';
import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { WriteResponse } from '../../../domain/resource/write/commit.ts';
import { etagOf } from '../../../domain/resource/write/preconditions.ts';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  maxSubscriptions,
  type SubscriptionWrite,
  updateSubscription,
} from '../../../webhooks/subscription/manage.ts';
import { viewSubscription } from '../../../webhooks/subscription/subscription.ts';
import type { ApiRequest, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { conditional, externalUserHeader, ifMatchHeader } from '../headers.ts';
import { jsonResponse, noStore } from '../json.ts';
import { contextOf, targetOf } from '../resources/resource.ts';
import { versionParameter } from '../version-parameter.ts';
import {
  changedSubscription,
  createdSubscription,
  draftBody,
  subscription,
  subscriptionPage,
  updateBody,
} from './schemas.ts';

/** The part that all routes of subscriptions share. */
export const shared = { tag: 'Subscriptions', access: ['manage_subscriptions'] } as const satisfies Partial<Route>;
const collectionPath = '/:projectKey/subscriptions';
export const idPath = '/:projectKey/subscriptions/:id';
export const keyPath = '/:projectKey/subscriptions/key=:key';

const current = { content: subscription, headers: ['ETag'] };
const conditionErrors = ['ConcurrentModification', 'PreconditionFailed'] as const;
const writeErrors = ['InvalidField', 'InvalidOperation', 'DuplicateField', ...conditionErrors] as const;

/** The options of a write. */
function writeOf(request: ApiRequest, deps: RouteDeps, status: number): SubscriptionWrite {
  const responseOf = (record: ResourceRecord, secret: string | undefined): WriteResponse => ({
    status,
    body: JSON.stringify({ ...viewSubscription(record), ...(secret !== undefined && { secret }) }),
    headers: {
      ...noStore,
      etag: etagOf(record),
      ...(status === 201 && { location: `${deps.baseUrl}/${request.projectKey}/subscriptions/${record.id}` }),
    },
  });
  return { ...contextOf(request, deps), responseOf };
}

function collectionRoutes(deps: RouteDeps): readonly Route[] {
  return [
    {
      ...shared,
      operationId: 'createSubscription',
      method: 'POST',
      path: collectionPath,
      summary: 'Create a subscription',
      description: `Every change of the project that it asks for, from this response on, is delivered to its \`url\`. The response is the only one with the secret that signs. A project has at most ${maxSubscriptions} subscriptions.`,
      headers: [externalUserHeader],
      body: draftBody,
      responses: {
        201: {
          description: 'The subscription with its secret.',
          content: createdSubscription,
          headers: ['ETag', 'Location'],
        },
      },
      errors: writeErrors,
      handler: (request) => createSubscription(deps.webhooks.manage, writeOf(request, deps, 201), request.json),
    },
    {
      ...shared,
      operationId: 'listSubscriptions',
      method: 'GET',
      path: collectionPath,
      summary: 'List subscriptions',
      description: 'The oldest comes first.',
      query: {
        limit: { type: 'integer', description: 'Most subscriptions.', default: 20, minimum: 0, maximum: 500 },
        offset: {
          type: 'integer',
          description: 'How many to leave out before.',
          default: 0,
          minimum: 0,
          maximum: 10_000,
        },
      },
      responses: { 200: { description: 'A page of subscriptions, without secrets.', content: subscriptionPage } },
      async handler({ projectKey, query }) {
        const { limit, offset } = parsePaging(query);
        const all = await listSubscriptions(deps.store, projectKey);
        const results = all.slice(offset, offset + limit).map(viewSubscription);
        return jsonResponse(200, { limit, offset, count: results.length, total: all.length, results });
      },
    },
  ];
}

function singleRoutes(deps: RouteDeps, path: string, suffix: 'ById' | 'ByKey', named: string): readonly Route[] {
  return [
    {
      ...shared,
      operationId: `getSubscription${suffix}`,
      method: 'GET',
      path,
      summary: `Get a subscription by its ${named}`,
      responses: { 200: { ...current, description: 'The subscription, without secrets.' } },
      errors: ['PreconditionFailed'],
      async handler(request) {
        const record = await getSubscription(deps.store, request.projectKey, targetOf(request));
        return conditional(request, etagOf(record), jsonResponse(200, viewSubscription(record)));
      },
    },
    {
      ...shared,
      operationId: `updateSubscription${suffix}`,
      method: 'POST',
      path,
      summary: `Update a subscription by its ${named}`,
      description:
        '`rotateSecret` adds a secret, which only this response shows. Deliveries are signed with the previous secrets too, until the overlap ends.',
      query: versionParameter,
      headers: [ifMatchHeader, externalUserHeader],
      body: updateBody,
      responses: {
        200: {
          description: 'The subscription after the update, with a secret that was rotated in.',
          content: changedSubscription,
          headers: ['ETag'],
        },
      },
      errors: writeErrors,
      handler: (request) =>
        updateSubscription(deps.webhooks.manage, writeOf(request, deps, 200), targetOf(request), request.json),
    },
    {
      ...shared,
      operationId: `deleteSubscription${suffix}`,
      method: 'DELETE',
      path,
      summary: `Delete a subscription by its ${named}`,
      description: 'Its dead letters are deleted with it. A delivery in flight may still arrive.',
      query: versionParameter,
      headers: [ifMatchHeader],
      responses: { 200: { ...current, description: 'The deleted subscription.' } },
      errors: conditionErrors,
      handler: (request) => deleteSubscription(deps.webhooks.manage, writeOf(request, deps, 200), targetOf(request)),
    },
  ];
}

/** The subscriptions of a project (decision 122). */
export function subscriptionRoutes(deps: RouteDeps): readonly Route[] {
  return [
    ...collectionRoutes(deps),
    ...singleRoutes(deps, idPath, 'ById', 'id'),
    ...singleRoutes(deps, keyPath, 'ByKey', 'key'),
  ];
}
