import type { JsonObject } from '../../contract/json.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import { attemptsOf, readKept, readKeptOrEmpty, type SubscriptionRef, writeKept } from './records.ts';

/** An attempt to deliver, for people who look for what is wrong. */
export interface Attempt {
  /** ISO 8601. */
  readonly at: string;
  readonly messageId: string;
  readonly type: string;
  readonly resourceId?: string | undefined;
  readonly sequence?: number | undefined;
  /** 1 is the first one. */
  readonly attempt: number;
  /** HTTP status; absent where there was no response. */
  readonly status?: number | undefined;
  /** Why there was none. */
  readonly failure?: string | undefined;
  readonly durationMs: number;
}

/** How many are kept of a subscription. */
export const keptAttempts = 100;

/** The last attempts of a subscription, newest first. */
export async function readAttempts(store: ResourceStore, of: SubscriptionRef): Promise<readonly Attempt[]> {
  const kept = await readKept(store, attemptsOf(of.projectKey), of.id);
  return (kept?.value.attempts as unknown as readonly Attempt[] | undefined) ?? [];
}

/** Adds attempts, newest first, and drops the oldest ones. Those that another process adds at the same time stay. */
export async function addAttempts(
  store: ResourceStore,
  { projectKey, id }: SubscriptionRef,
  added: readonly Attempt[],
  nowIso: string,
): Promise<void> {
  for (;;) {
    const kept = await readKeptOrEmpty(store, attemptsOf(projectKey), id);
    const before = (kept?.value.attempts as unknown as readonly Attempt[] | undefined) ?? [];
    const attempts = [...added, ...before].slice(0, keptAttempts) as unknown as JsonObject[];
    const next = { id, version: kept?.version ?? 0, value: { attempts } };
    if ((await writeKept(store, attemptsOf(projectKey), next, nowIso)) !== undefined) return;
  }
}
