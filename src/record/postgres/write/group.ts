import type { Change, CommitOutcome, GroupOutcome } from '../../../domain/ports/resource-store.ts';
import type { Connection } from '../open/connection.ts';
import { appendEvents, type ProjectEvents } from './append-events.ts';
import { applyWrites } from './apply.ts';
import type { Write } from './prepare-write.ts';
import type { LeaveToCommit } from './transaction.ts';

/** A change of the group could not be applied: the transaction is to be rolled back. */
export class GroupRefused extends Error {
  readonly result: Exclude<GroupOutcome, 'committed'>;

  constructor(outcome: Exclude<CommitOutcome, 'committed'>, at: number) {
    super(`change ${at} of a group: ${outcome}`);
    this.result = { outcome, at };
  }
}

/**
 * Applies changes of one project in order inside the open transaction, each to what those before it left. `writes` has what
 * each of them is prepared to. Throws `GroupRefused` if one cannot be applied; then nothing may be committed.
 */
export async function applyInOrder(
  connection: Connection,
  changes: readonly Change[],
  writes: readonly Write[],
  nowMs: number,
  leave: LeaveToCommit,
): Promise<void> {
  let first = 0;
  const events: ProjectEvents[] = [];
  for (const wave of wavesOf(changes)) {
    const ofWave = writes.slice(first, first + wave.length);
    const outcomes = await applyWrites(connection, ofWave, nowMs, leave, (found) => events.push(...found));
    ofWave.forEach((write, index) => {
      const outcome = outcomes.get(write)!;
      if (outcome !== 'committed') throw new GroupRefused(outcome, first + index);
    });
    first += wave.length;
  }
  const [{ projectKey } = { projectKey: '' }] = events;
  // The lock of the log comes behind all rows of the group.
  if (events.length > 0) {
    appendEvents(connection, [{ projectKey, events: events.flatMap((each) => each.events) }], leave);
  }
}

/** Runs of changes that share no id and no key, so that within a run the order makes no difference. */
export function wavesOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const waves: Change[][] = [];
  const names = new Set<string>();
  for (const change of changes) {
    const own = namesOf(change);
    if (waves.length === 0 || own.some((name) => names.has(name))) {
      waves.push([]);
      names.clear();
    }
    waves.at(-1)!.push(change);
    for (const name of own) names.add(name);
  }
  return waves;
}

/** Its id, and the keys that it takes, keeps or leaves. */
function namesOf(change: Change): readonly string[] {
  const before = change.kind === 'create' ? undefined : change.before.current.key;
  const [id, key] = change.kind === 'delete' ? [change.id, undefined] : [change.next.id, change.next.key];
  const keys = [before, key].filter((each) => typeof each === 'string');
  return [`id ${id}`, ...keys.map((each) => `key ${each}`)];
}
