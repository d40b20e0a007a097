import { copyError, type ErrorCopy } from '../../domain/error-copy.ts';
import type { ThreadPort } from '../../domain/ports/bulk-threads.ts';
import type { GroupOutcome } from '../../domain/ports/resource-store.ts';

/** A group of changes that a thread of bulk work has decided. */
export interface PackedGroup {
  readonly projectKey: string;
  /** Of its resources, as the cache of records has them. */
  readonly names: readonly string[];
  /** Of the texts of its changes. */
  readonly characters: number;
  /** Its changes: see `PackedOperation`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Commits a group, all or nothing. */
export type CommitPacked = (group: PackedGroup) => Promise<GroupOutcome>;

/** The outcome of a group, in the order of the groups; and how many changes the next one should have. */
export interface GroupReply {
  readonly number: number;
  readonly outcome: GroupOutcome | ErrorCopy;
  readonly groupSize: number;
}

export type GroupRequest = PackedGroup & { readonly number: number };

/** Commits for a thread (thread-store.ts), on the thread of the store. */
export function serveBulk(port: ThreadPort, commitPacked: CommitPacked, groupSize: () => number): void {
  port.on('message', async (message) => {
    const group = message as GroupRequest;
    const outcome = await commitPacked(group).catch(copyError);
    port.postMessage({ number: group.number, outcome, groupSize: groupSize() } satisfies GroupReply, []);
  });
  port.unref();
}
