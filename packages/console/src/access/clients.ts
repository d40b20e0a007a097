import type { RegisteredApiClient } from 'generic-resource-service-client/api-types';
import { scopeTable } from '../../../../src/contract/scopes.ts';
import { pathOf } from '../api/client.ts';

export const clientPath = (projectKey: string, { id }: RegisteredApiClient, ...more: readonly string[]): string =>
  pathOf(projectKey, 'api-clients', id, ...more);

const unusedMs = 90 * 24 * 3600 * 1000;

/** True for one that nobody seems to need: neither used nor made in the last 90 days. */
export function isUnused({ createdAt, lastUsedAt }: RegisteredApiClient, nowMs: number): boolean {
  return nowMs - Date.parse(lastUsedAt ?? createdAt) > unusedMs;
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** How long ago something was, such as “3 minutes ago”. */
export function ago(at: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(at)) / 1000;
  if (seconds < 60) return 'just now';
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const [unit, length] = steps.find(([, each]) => seconds >= each) ?? ['minute', 60];
  return format.format(-Math.floor(seconds / length), unit);
}

/** The meaning of each scope, from the table of the service. */
export const scopeMeanings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(scopeTable).map(([name, { meaning }]) => [name, meaning]),
);
