import { type Call, pathOf } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';

/** A subscription as the API shows it. */
export interface Subscription {
  readonly id: string;
  readonly version: number;
  readonly key?: string;
  readonly url: string;
  readonly types?: readonly string[];
  readonly where?: string;
  readonly include?: 'resource';
  readonly description?: string;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason?: 'byClient' | 'gone';
  readonly secrets: readonly { readonly createdAt: string; readonly expiresAt?: string }[];
}

/** An attempt to deliver an event. */
export interface Attempt {
  readonly at: string;
  readonly messageId: string;
  readonly type: string;
  readonly attempt: number;
  readonly durationMs: number;
  readonly resourceId?: string;
  /** Absent where there was no response; then `failure` says why. */
  readonly status?: number;
  readonly failure?: string;
}

/** How deliveries go. */
export interface Deliveries {
  readonly state: string;
  readonly held: number;
  readonly missed: number;
  readonly nextAttemptAt?: string;
  /** Newest first. */
  readonly attempts: readonly Attempt[];
}

export interface DeadLetter {
  readonly id: string;
  readonly resourceId: string;
  readonly type: string;
  readonly at: string;
  readonly attempts: number;
  readonly lastFailure: string;
}

/** What a receiver answered to a test or a replay. */
export interface Report {
  readonly delivered: boolean;
  readonly status?: number;
  readonly failure?: string;
}

export const listPath = (projectKey: string) => pathOf(projectKey, 'subscriptions');

/** The path of a subscription, or of what is below it. */
export const pathBelow = (projectKey: string, id: string, ...rest: readonly string[]) =>
  pathOf(projectKey, 'subscriptions', id, ...rest);

/** The call that changes a subscription, which must have the version that is shown. */
export function updateCall(projectKey: string, { id, version }: Subscription, actions: readonly JsonMap[]): Call {
  return { method: 'POST', path: pathBelow(projectKey, id), json: { version, actions: actions as readonly Json[] } };
}

/** True for an attempt that the receiver did not accept. */
export const hasFailed = ({ status = 0 }: Attempt): boolean => status < 200 || status > 299;

/** What became of an attempt, in words. */
export const outcomeOf = ({ status, failure }: Pick<Attempt, 'status' | 'failure'>): string =>
  failure ?? `HTTP ${status ?? '?'}`;
