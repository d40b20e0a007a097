import type { LoggedChange } from '../../domain/ports/change-log.ts';
import type { HeldResource } from '../records/delivery-state.ts';

/** The changes of one resource that are to be delivered, in their order: one at a time. */
export type Lane = { -readonly [name in keyof HeldResource]: HeldResource[name] } & {
  /** The next change, where it is in memory. */
  change: LoggedChange | undefined;
  /** How many changes wait behind the next one, as far as they were counted. */
  waiting: number;
  /** When the last attempt failed; 0: none did. */
  failedMs: number;
};

const byDueTime = (a: Lane, b: Lane) => a.dueMs - b.dueMs || a.sequence - b.sequence;

/** Longer changes are read again from the log when they are due. */
const maxCachedCharacters = 4096;

function inMemory(change: LoggedChange): LoggedChange | undefined {
  return (change.before?.length ?? 0) <= maxCachedCharacters ? change : undefined;
}

/** The lanes of a subscription, in the order in which they are tried. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes whose next change was not tried yet, in the order of reading. */
  readonly #queue: Lane[] = [];
  /** Lanes whose next change failed, by due time. */
  readonly #failed: Lane[] = [];

  /** Starts with the resources that a saved state held. */
  constructor(held: readonly HeldResource[], nowMs: number) {
    for (const one of held) {
      const lane: Lane = { ...one, change: undefined, waiting: 0, failedMs: one.attempts > 0 ? nowMs : 0 };
      this.#lanes.set(lane.id, lane);
      (lane.failedMs === 0 ? this.#queue : this.#failed).push(lane);
    }
    this.#failed.sort(byDueTime);
  }

  get size(): number {
    return this.#lanes.size;
  }

  /** Changes that wait without having failed. */
  get ready(): number {
    return this.#queue.reduce((count, { waiting }) => count + 1 + waiting, 0);
  }

  /** When the first failed lane is due; undefined without one. */
  get nextDueMs(): number | undefined {
    return this.#failed[0]?.dueMs;
  }

  /** All lanes, including those that are being tried. */
  all(): Iterable<Lane> {
    return this.#lanes.values();
  }

  /** Adds a change, behind those of its resource. */
  add(change: LoggedChange, nowMs: number): void {
    const { id, sequence, origin } = change;
    const known = this.#lanes.get(id);
    if (known !== undefined) {
      known.last = sequence;
      known.waiting += 1;
      return;
    }
    const atMs = Date.parse(origin.at);
    const fresh = { last: sequence, attempts: 0, dueMs: nowMs, waiting: 0, failedMs: 0 };
    const lane: Lane = { id, sequence, ...fresh, change: inMemory(change), atMs };
    this.#lanes.set(id, lane);
    this.#queue.push(lane);
  }

  /** Takes the next due lane until it is put back; `onlyFailed`: takes no new one while a failed one waits. */
  take(nowMs: number, onlyFailed: boolean): Lane | undefined {
    const [first] = this.#failed;
    if (first !== undefined && first.dueMs <= nowMs) return this.#failed.shift();
    return onlyFailed && first !== undefined ? undefined : this.#queue.shift();
  }

  /** Puts a lane back: behind the others if its next change is new, else by its due time. */
  putBack(lane: Lane): void {
    if (lane.failedMs === 0) this.#queue.push(lane);
    else {
      this.#failed.push(lane);
      this.#failed.sort(byDueTime);
    }
  }

  /** Puts a lane back with the next change of its resource, behind the others. */
  moveOn(lane: Lane, change: LoggedChange): void {
    Object.assign(lane, { sequence: change.sequence, atMs: Date.parse(change.origin.at), change: inMemory(change) });
    Object.assign(lane, { attempts: 0, failedMs: 0, waiting: Math.max(0, lane.waiting - 1) });
    this.putBack(lane);
  }

  remove(lane: Lane): void {
    this.#lanes.delete(lane.id);
  }

  /** Makes lanes due that failed since a time. */
  hasten(sinceMs: number, nowMs: number): void {
    for (const lane of this.#failed) if (lane.failedMs >= sinceMs) lane.dueMs = Math.min(lane.dueMs, nowMs);
    this.#failed.sort(byDueTime);
  }
}
