import { serialize } from 'node:v8';
import { errorOfCopy } from '../../domain/error-copy.ts';
import type { OpenThreadStore } from '../../domain/ports/bulk-threads.ts';
import type { Change, GroupOutcome, ResourceStore } from '../../domain/ports/resource-store.ts';
import { createDamageLog } from '../../record/row/checked-table.ts';
import { createPointReads } from '../../record/sqlite/read/point-reads.ts';
import { charactersOf } from '../../record/sqlite/write/write-queue.ts';
import { nameOf, operationOf, targetOf } from '../../record/sqlite/write-operation.ts';
import { openReadConnection } from '../../sqlite/connection.ts';
import { lowerPriority } from '../../threads/lower-priority.ts';
import type { GroupReply, GroupRequest } from './serve-bulk.ts';
import { manyChanges } from './write/writer-handle.ts';

/** What a thread of bulk work needs to know of the store. */
export interface ThreadStoreData {
  readonly file: string;
  readonly keepsHistory: boolean;
}

/** The cache of its connection: of the upper pages of two indexes, mostly. */
const cacheKiB = 4096;

/**
 * Opens the store in a thread of bulk work (decision 179): it reads by a connection of its own, and serialises the changes
 * that it has decided into bytes, which nobody looks into before the writer.
 */
export const openThreadStore: OpenThreadStore = (data, port) => {
  const { file, keepsHistory } = data as ThreadStoreData;
  lowerPriority();
  // Reads of resources alone, and of these no damage is counted.
  const reads = createPointReads(
    openReadConnection(file, cacheKiB),
    createDamageLog(() => {}),
  );
  const waiting = new Map<number, PromiseWithResolvers<GroupOutcome>>();
  let last = 0;
  let groupSize = manyChanges;
  /** How long groups took in all, which is what is known of a writer elsewhere. */

  port.on('message', (message) => {
    const { number, outcome, groupSize: next } = message as GroupReply;
    const { resolve, reject } = waiting.get(number)!;
    waiting.delete(number);
    groupSize = next;
    if (typeof outcome === 'object' && 'message' in outcome) reject(errorOfCopy(outcome));
    else resolve(outcome);
  });

  let isLeaving = false;
  /** What is read together shares a snapshot, and nothing that is read later: a line sees what came before it. */
  function leaveSoon(): void {
    if (isLeaving) return;
    isLeaving = true;
    queueMicrotask(() => {
      isLeaving = false;
      reads.leaveSnapshot();
    });
  }

  const reading =
    (read: typeof reads.byId): ResourceStore['getByKey'] & typeof reads.byId =>
    (projectKey, name) => {
      leaveSoon();
      return read(projectKey, name);
    };

  async function commitAll(changes: readonly Change[]): Promise<GroupOutcome> {
    const { projectKey } = targetOf(changes[0]!);
    const operations = changes.map((change) => operationOf(change, keepsHistory));
    const characters = charactersOf(['group', operations]);
    const names = [...new Set(changes.map(nameOf))];
    // Copied, since the buffer that it is a part of may be longer.
    const bytes = new Uint8Array(serialize(operations));
    last += 1;
    const committed = Promise.withResolvers<GroupOutcome>();
    waiting.set(last, committed);
    port.postMessage({ number: last, projectKey, names, characters, bytes } satisfies GroupRequest, [bytes.buffer]);
    return committed.promise;
  }

  return {
    store: { get: reading(reads.byId), getByKey: reading(reads.byKey), commitAll, groupSize: () => groupSize },
    async close() {
      port.close();
      reads.close();
    },
  };
};
