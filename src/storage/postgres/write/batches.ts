import { logOf } from '../event-row.ts';
import type { Write } from './prepare-write.ts';
import { costOf, maxBatchCost } from './take-batch.ts';
import type { Waiting } from './waiting.ts';

/** Waiting writes, by batch: those that may share a transaction. */
export type Batches = Map<string, Waiting[]>;

/** What batches of large writes depend on: they take no more than half of the transactions and connections. */
export const largeGroup = 'large';

/**
 * The batch of a write. On one server all share it, named '', but for the projects of large writes: whatever else these write
 * waits for the large one in the database, and so would the writes of others in the same transaction.
 */
export function batchOf(batches: Batches, write: Write, projectsApart: boolean): string {
  if (projectsApart) return write.projectKey;
  const log = logOf(write.projectKey);
  return batches.has(log) || costOf(write) > maxBatchCost ? log : '';
}

/** Begins a batch: that of a project with what it has in the shared one. */
export function beginBatch(batches: Batches, name: string): void {
  const isOwn = ({ write }: Waiting) => name !== '' && logOf(write.projectKey) === name;
  const shared = batches.get('') ?? [];
  const own = shared.filter(isOwn);
  if (own.length > 0) {
    batches.set(
      '',
      shared.filter((each) => !isOwn(each)),
    );
  }
  batches.set(name, own);
}
