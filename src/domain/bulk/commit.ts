import type { IdempotentResponse, ResourceStore } from '../ports/resource-store.ts';
import { serialized } from '../resource/write/serialize-writes.ts';
import { decideOperations, type Given, type OperationResult, type Rules } from './decide.ts';
import { createView } from './view.ts';

/** The part of a store that bulk operations use. */
export type BulkStore = Pick<ResourceStore, 'get' | 'getByKey' | 'commitAll'>;

/** Operations that are committed together. */
export interface Group extends Rules {
  readonly store: BulkStore;
  /** Stores the response of `onDecided` where nothing changes. */
  readonly storeResponse?: ResourceStore['storeResponse'];
  /** False: everything is checked, and nothing is written. */
  readonly writes: boolean;
  /**
   * Called with each decision, before it is committed: what it throws refuses the group. The response that it returns is
   * stored in the same commit, or alone where nothing changes.
   */
  readonly onDecided?: (results: readonly OperationResult[]) => IdempotentResponse | undefined;
  /** Maximum number of attempts: each one decides again. */
  readonly maxAttempts: number;
}

/** `contested`: other writes were in the way each time. `responseExists`: there is a response of this scope by now. */
export type GroupResult = readonly OperationResult[] | 'contested' | 'responseExists';

/** Decides and commits operations until a commit succeeds: what can be applied, in one transaction. */
export async function commitGroup(given: readonly Given[], group: Group): Promise<GroupResult> {
  const first = await attempt(given, group);
  if (!('contested' in first)) return first.result;
  // Behind the writes of this process that are waiting for the same resource.
  return serialized(group.store, `${group.projectKey}\n${first.contested}`, async () => {
    for (let attempts = 1; attempts < group.maxAttempts; attempts += 1) {
      const next = await attempt(given, group);
      if (!('contested' in next)) return next.result;
    }
    return 'contested';
  });
}

/** One attempt: the result, or the id or key that another write changed meanwhile. */
async function attempt(
  given: readonly Given[],
  group: Group,
): Promise<{ readonly result: GroupResult } | { readonly contested: string }> {
  const { store, projectKey } = group;
  const results = await decideOperations(given, createView(store, projectKey), group);
  const response = group.onDecided?.(results);
  const changes = results.flatMap((result) => ('change' in result && result.change ? [result.change] : []));
  if (!group.writes || (changes.length === 0 && response === undefined)) return { result: results };
  const [first, ...others] = changes;
  if (first === undefined) {
    const stored = await group.storeResponse!(projectKey, response!);
    return { result: stored === 'committed' ? results : stored };
  }
  const outcome = await store.commitAll([response ? { ...first, idempotency: response } : first, ...others]);
  if (outcome === 'committed') return { result: results };
  if (outcome.outcome === 'responseExists') return { result: outcome.outcome };
  const change = changes[outcome.at]!;
  const { id, key } = change.kind === 'delete' ? { id: change.id, key: undefined } : change.next;
  return { contested: outcome.outcome === 'keyTaken' ? `key ${key}` : `id ${id}` };
}
