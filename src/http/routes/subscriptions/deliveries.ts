import { parseStoredJson, stringifyJson } from '../../../domain/json/parse.ts';
import { readAttempts } from '../../../webhooks/records/attempts.ts';
import {
  type DeadLetter,
  deleteDeadLetter,
  getDeadLetter,
  scanDeadLetters,
} from '../../../webhooks/records/dead-letters.ts';
import { type DeliveryState, readState } from '../../../webhooks/records/delivery-state.ts';
import { replayAll, replayDeadLetter, sendTest } from '../../../webhooks/replay.ts';
import { getSubscription } from '../../../webhooks/subscription/manage.ts';
import { type Subscription, subscriptionOf } from '../../../webhooks/subscription/subscription.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { jsonResponse, noStore } from '../json.ts';
import { cursorParameters, cutPage, limitOf, pageResponse } from '../pages.ts';
import { targetOf } from '../resources/resource.ts';
import { deadLetter, deadLetterPage, deliveries, replayReport, report } from './schemas.ts';
import { idPath, keyPath, shared } from './subscriptions.ts';

/** The deliveries of a subscription: recent attempts, tests, dead letters and their replay. */
export function deliveryRoutes(deps: RouteDeps): readonly Route[] {
  return [...routesOf(deps, idPath, ''), ...routesOf(deps, keyPath, 'ByKey')];
}

function routesOf(deps: RouteDeps, subscriptionPath: string, suffix: '' | 'ByKey'): readonly Route[] {
  const { store } = deps;
  const subscriptionFor = async (request: ApiRequest): Promise<Subscription> =>
    subscriptionOf(request.projectKey, await getSubscription(store, request.projectKey, targetOf(request)));

  const show: Route = {
    ...shared,
    operationId: `getSubscriptionDeliveries${suffix}`,
    method: 'GET',
    path: `${subscriptionPath}/deliveries`,
    summary: 'Show how deliveries go',
    description: 'As it was saved last, a second ago at most while there are deliveries.',
    responses: { 200: { description: 'The state and the last attempts.', content: deliveries } },
    async handler(request) {
      const subscription = await subscriptionFor(request);
      const found = await readState(store, subscription);
      const { last } = await deps.webhooks.manage.changes.bounds(subscription.projectKey);
      const attempts = await readAttempts(store, subscription);
      return jsonResponse(200, { ...viewState(subscription, found?.state, last), attempts });
    },
  };

  const test: Route = {
    ...shared,
    operationId: `testSubscription${suffix}`,
    method: 'POST',
    path: `${subscriptionPath}/test`,
    summary: 'Send a test event',
    description: 'Sends an event of the type `test` at once, once, even while the subscription is disabled.',
    responses: { 200: { description: 'What the receiver answered.', content: report } },
    handler: async (request) => jsonResponse(200, await sendTest(deps.webhooks.replay, await subscriptionFor(request))),
  };

  return [show, test, ...deadLetterRoutes(deps, subscriptionFor, `${subscriptionPath}/dead-letters`, suffix)];
}

function deadLetterRoutes(
  deps: RouteDeps,
  subscriptionFor: (request: ApiRequest) => Promise<Subscription>,
  lettersPath: string,
  suffix: '' | 'ByKey',
): readonly Route[] {
  const { store, webhooks } = deps;
  const letterPath = `${lettersPath}/:deadLetterId`;
  return [
    {
      ...shared,
      operationId: `listDeadLetters${suffix}`,
      method: 'GET',
      path: lettersPath,
      summary: 'List dead letters',
      description: 'Lists events that could not be delivered, oldest first.',
      query: {
        limit: cursorParameters.limit,
        after: { type: 'string', description: 'The id of the dead letter after which the page begins.' },
      },
      responses: {
        200: {
          description: 'A page of dead letters, without their events.',
          content: deadLetterPage,
          headers: ['Link'],
        },
      },
      handler: async (request) => listDeadLetters(deps, await subscriptionFor(request), request),
    },
    {
      ...shared,
      operationId: `getDeadLetter${suffix}`,
      method: 'GET',
      path: letterPath,
      summary: 'Get a dead letter',
      responses: { 200: { description: 'The dead letter with its event.', content: deadLetter } },
      handler: async (request) =>
        letterResponse(await getDeadLetter(store, await subscriptionFor(request), request.params.deadLetterId!)),
    },
    {
      ...shared,
      operationId: `deleteDeadLetter${suffix}`,
      method: 'DELETE',
      path: letterPath,
      summary: 'Delete a dead letter',
      responses: { 200: { description: 'The deleted dead letter.', content: deadLetter } },
      async handler(request) {
        const subscription = await subscriptionFor(request);
        const letter = await getDeadLetter(store, subscription, request.params.deadLetterId!);
        await deleteDeadLetter(store, subscription, letter.id);
        return letterResponse(letter);
      },
    },
    {
      ...shared,
      operationId: `replayDeadLetter${suffix}`,
      method: 'POST',
      path: `${letterPath}/replay`,
      summary: 'Replay a dead letter',
      description:
        'Sends the event again, once and immediately, with its original `webhook-id` and a new signature. A 2xx response of the receiver deletes the dead letter.',
      responses: { 200: { description: 'What the receiver answered.', content: report } },
      handler: async (request) => {
        const subscription = await subscriptionFor(request);
        return jsonResponse(200, await replayDeadLetter(webhooks.replay, subscription, request.params.deadLetterId!));
      },
    },
    {
      ...shared,
      operationId: `replayDeadLetters${suffix}`,
      method: 'POST',
      path: `${lettersPath}/replay`,
      summary: 'Replay all dead letters',
      description:
        'Sends them again, oldest first, until one is not delivered or ten seconds have passed. Repeat while `more` is true.',
      responses: { 200: { description: 'How many were delivered.', content: replayReport } },
      handler: async (request) => jsonResponse(200, await replayAll(webhooks.replay, await subscriptionFor(request))),
    },
  ];
}

async function listDeadLetters(
  { store }: RouteDeps,
  subscription: Subscription,
  request: ApiRequest,
): Promise<HttpResponse> {
  const limit = limitOf(request);
  const after = request.query.get('after') as string | undefined;
  const found = await scanDeadLetters(store, subscription, after, limit + 1);
  const { items, next } = cutPage(found, limit, ({ id }) => id);
  const results = items.map(({ body, ...letter }) => letter);
  return pageResponse(limit, results, next, { headers: noStore, nextBy: 'after' });
}

/** The event keeps its digits. */
function letterResponse({ body, ...letter }: DeadLetter) {
  const text = stringifyJson({ ...letter, event: parseStoredJson(body) });
  return { status: 200, body: text, headers: { ...noStore } };
}

function viewState({ disabled }: Subscription, state: DeliveryState | undefined, last: number) {
  const { held = [], missed = 0, downSinceMs = 0, position = last } = state ?? {};
  const dueMs = Math.min(...held.filter(({ attempts }) => attempts > 0).map((one) => one.dueMs));
  const name = () => {
    if (disabled !== undefined) return 'disabled';
    if (downSinceMs > 0) return 'down';
    if (Number.isFinite(dueMs)) return 'retrying';
    return held.length === 0 && position >= last ? 'upToDate' : 'delivering';
  };
  const nextAttempt = Number.isFinite(dueMs) && { nextAttemptAt: new Date(dueMs).toISOString() };
  return { state: name(), held: held.length, missed, ...nextAttempt };
}
