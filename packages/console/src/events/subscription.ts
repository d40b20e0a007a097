import type { DeliveryAttempt, Subscription } from 'generic-resource-service-client/api-types';
import { type Call, pathOf } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';

export const listPath = (projectKey: string) => pathOf(projectKey, 'subscriptions');

/** The path of a subscription, or of what is below it. */
export const pathBelow = (projectKey: string, id: string, ...rest: readonly string[]) =>
  pathOf(projectKey, 'subscriptions', id, ...rest);

/** The call that changes a subscription, which must have the version that is shown. */
export function updateCall(projectKey: string, { id, version }: Subscription, actions: readonly JsonMap[]): Call {
  return { method: 'POST', path: pathBelow(projectKey, id), json: { version, actions: actions as readonly Json[] } };
}

/** True for an attempt that the receiver did not accept. */
export const hasFailed = ({ status = 0 }: DeliveryAttempt): boolean => status < 200 || status > 299;

/** The outcome of an attempt, in words. */
export const outcomeOf = ({ status, failure }: Pick<DeliveryAttempt, 'status' | 'failure'>): string =>
  failure ?? `HTTP ${status ?? '?'}`;
