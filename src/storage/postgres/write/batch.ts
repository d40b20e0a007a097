import type { Change, CommitOutcome } from '../../../domain/ports/resource-store.ts';
import type { Write } from './prepare-write.ts';

/** A write that waits for its transaction. */
export interface Waiting {
  /** What the write was prepared from; undefined for a response alone, which maintains no index. */
  readonly change: Change | undefined;
  readonly write: Write;
  /** When it was submitted: `performance.now`. */
  readonly sinceMs: number;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

const maxBatch = 256;

/** The next writes of those that wait, in their order. Two with a response under one scope do not share a transaction. */
export function takeBatch(waiting: readonly Waiting[]): {
  readonly batch: readonly Waiting[];
  readonly rest: Waiting[];
} {
  const scopes = new Set<string>();
  const [batch, rest]: [Waiting[], Waiting[]] = [[], []];
  for (const each of waiting) {
    const scope = each.write.response?.scope;
    const fits = batch.length < maxBatch && (scope === undefined || !scopes.has(scope));
    if (fits && scope !== undefined) scopes.add(scope);
    (fits ? batch : rest).push(each);
  }
  return { batch, rest };
}
