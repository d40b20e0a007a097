import type { LoggedChange } from '../../domain/ports/change-log.ts';
import type { HeldResource } from '../records/delivery-state.ts';

/** The changes of one resource that are to be delivered, in their order: one at a time. */
export interface Lane {
  readonly id: string;
  /** The change to be delivered next. */
  sequence: number;
  /** The last change that was read. */
  last: number;
  /** Failed attempts of the next one. */
  attempts: number;
  dueMs: number;
  /** The next change, where it is in memory. */
  change: LoggedChange | undefined;
  /** How many changes wait behind the next one, as far as they were counted. */
  waiting: number;
  /** When the last attempt failed; 0: none did. */
  failedMs: number;
  /** When the next change was made. */
  atMs: number;
}

/** The lanes of a subscription, and which of them is next. */
export interface Lanes {
  readonly size: number;
  /** Changes that wait without having failed. */
  ready(): number;
  /** Adds a change, behind those of its resource. */
  add(change: LoggedChange, nowMs: number): void;
  /** The next lane that is due, taken out of the queue until it is put back; `onlyFailed`: among those that failed. */
  take(nowMs: number, onlyFailed: boolean): Lane | undefined;
  /** Puts a lane back: behind the others if its next change is new, else until it is due. */
  putBack(lane: Lane): void;
  /** Puts a lane back with the next change of its resource, behind the others. */
  moveOn(lane: Lane, change: LoggedChange): void;
  remove(lane: Lane): void;
  /** When the first of those that failed is due; undefined if there is none. */
  nextDueMs(): number | undefined;
  /** Makes those due that failed since a time. */
  hasten(sinceMs: number, nowMs: number): void;
  /** All lanes, those that are taken included. */
  all(): Iterable<Lane>;
}

/** Changes longer than this are not kept in memory while they wait. */
const maxKeptCharacters = 4096;

function inMemory(change: LoggedChange): LoggedChange | undefined {
  return (change.before?.length ?? 0) <= maxKeptCharacters ? change : undefined;
}

/** The lanes of resources that were held when the state was saved. */
export function createLanes(held: readonly HeldResource[], openedMs: number): Lanes {
  const lanes = new Map<string, Lane>();
  /** Those whose next change was not tried yet, in the order of reading. */
  let queue: Lane[] = [];
  let taken = 0;
  /** Those that failed, by the time when they are due. */
  const failed: Lane[] = [];

  for (const one of held) {
    const lane: Lane = { ...one, change: undefined, waiting: 0, failedMs: one.attempts > 0 ? openedMs : 0 };
    lanes.set(lane.id, lane);
    putBack(lane);
  }

  function putBack(lane: Lane): void {
    if (lane.failedMs === 0) {
      queue.push(lane);
      return;
    }
    // Binary search: there may be thousands.
    let [low, high] = [0, failed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (failed[middle]!.dueMs <= lane.dueMs) low = middle + 1;
      else high = middle;
    }
    failed.splice(low, 0, lane);
  }

  function takeQueued(): Lane | undefined {
    const lane = queue[taken];
    if (lane === undefined) return undefined;
    taken += 1;
    if (taken >= 256 || taken === queue.length) {
      queue = queue.slice(taken);
      taken = 0;
    }
    return lane;
  }

  return {
    get size() {
      return lanes.size;
    },
    ready() {
      let count = 0;
      for (let at = taken; at < queue.length; at += 1) count += 1 + queue[at]!.waiting;
      return count;
    },
    add(change, nowMs) {
      const { id, sequence, origin } = change;
      const known = lanes.get(id);
      if (known !== undefined) {
        known.last = sequence;
        known.waiting += 1;
        return;
      }
      const lane: Lane = {
        ...{ id, sequence, last: sequence, attempts: 0, dueMs: nowMs, waiting: 0, failedMs: 0 },
        ...{ change: inMemory(change), atMs: Date.parse(origin.at) },
      };
      lanes.set(id, lane);
      queue.push(lane);
    },
    take(nowMs, onlyFailed) {
      const [first] = failed;
      if (first !== undefined && first.dueMs <= nowMs) return failed.shift();
      return onlyFailed && first !== undefined ? undefined : takeQueued();
    },
    putBack,
    moveOn(lane, change) {
      Object.assign(lane, { sequence: change.sequence, atMs: Date.parse(change.origin.at), change: inMemory(change) });
      Object.assign(lane, { attempts: 0, failedMs: 0, waiting: Math.max(0, lane.waiting - 1) });
      putBack(lane);
    },
    remove: (lane) => lanes.delete(lane.id),
    nextDueMs: () => failed[0]?.dueMs,
    hasten(sinceMs, nowMs) {
      for (const lane of failed) if (lane.failedMs >= sinceMs) lane.dueMs = Math.min(lane.dueMs, nowMs);
      failed.sort((a, b) => a.dueMs - b.dueMs || a.sequence - b.sequence);
    },
    all: () => lanes.values(),
  };
}
