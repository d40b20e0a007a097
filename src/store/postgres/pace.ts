import { setTimeout as pause } from 'node:timers/promises';
import { Cache } from '../../cache/cache.ts';
import {
  goneMs,
  type PublishedPosition,
  publishPositions,
  readPositions,
  removePositions,
} from '../../record/postgres/mirror-positions.ts';
import type { Pool } from '../../record/postgres/open/pool.ts';

/** Writers wait while a mirror lags by more changes, or by more work, than this. */
const [mostBehind, mostBehindMs] = [256, 100];
/** The longest that a batch of writes waits for mirrors. */
const holdMs = 1000;
/** How often positions are published while they move, and read while there are writes; and published while they rest. */
const [tickMs, restMs] = [250, 1000];
/** How many publications later a machine removes again what others left that have ended. */
const removeAfter = 60;
/** Between two looks whether writers may go on. */
const lookMs = 10;
/** The share of its time in which a mirror applies changes, and for how long it is trusted to go on after it has published. */
const [busyShare, trustedMs] = [0.8, 2 * tickMs];
/** Projects whose last changes a process remembers. */
const maxProjects = 10_000;

/** How many more changes may be committed before a mirror that lacks some is too far behind; negative where it is. */
export function roomOf(behind: number, msOfChange: number): number {
  return Math.floor(Math.min(mostBehindMs / msOfChange, mostBehind) - behind);
}

/** Waits for room, for as long as a batch may: by `wait`, which ends the wait where it rejects. Returns how many changes may be committed. */
export async function hold(room: () => number, wait: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  const end = pause(holdMs, undefined, { ref: false }).then(over);
  while (!isOver && room() < 1) await Promise.race([end, wait().catch(over)]);
  return Math.max(room(), 1);
}

/** The share of the last page in what a change is expected to take; that pages of fewer changes are slow says little. */
const [lastShare, leastChanges] = [0.3, 32];

/** What it takes a mirror to apply a change. */
export class ApplySpeed {
  #average = 1;
  #running: { readonly count: number; readonly beganMs: number } | undefined;

  /** By the last pages, or by the one that is being applied if that is slower. */
  get msOfChange(): number {
    const { count, beganMs } = this.#running ?? { count: 1, beganMs: performance.now() };
    return Math.max(this.#average, (performance.now() - beganMs) / count);
  }

  /** Applies a page of changes. */
  async measure(count: number, apply: () => Promise<void>): Promise<void> {
    const beganMs = performance.now();
    if (count >= leastChanges) this.#running = { count, beganMs };
    await apply().finally(() => {
      this.#running = undefined;
    });
    const ms = (performance.now() - beganMs) / count;
    if (ms < this.#average) this.#average += lastShare * (ms - this.#average);
    // At once: writers would be too far ahead before an average says so.
    else if (count >= leastChanges) this.#average = ms;
  }
}

/** Holds writers back. */
export interface Pace {
  /** To be called when changes were committed: `last` is the number of the last one; 0 where it is not known. */
  committed(projectKey: string, last: number): void;
  /** How many changes may be committed now, at least one: a promise where writers have to wait. */
  admit(projectKey: string): number | Promise<number>;
}

interface Written {
  last: number;
  readMs: number;
  isReading: boolean;
  positions: readonly PublishedPosition[];
}

/**
 * Holds writers back for the mirrors of other machines. Their positions are read beside the writes; in between each
 * counts as working at the speed that it published.
 */
export class OthersPace implements Pace {
  readonly #pool: Pool;
  readonly #node: string;
  readonly #projects = new Cache<string, Written>({ maxEntries: maxProjects });

  constructor(pool: Pool, node: string) {
    this.#pool = pool;
    this.#node = node;
  }

  committed(projectKey: string, last: number): void {
    if (last > 0) this.#project(projectKey).last = last;
  }

  admit(projectKey: string): number | Promise<number> {
    const project = this.#project(projectKey);
    this.#refresh(projectKey, project);
    const room = this.#room(project);
    if (room >= 1) return room;
    return hold(
      () => this.#room(project),
      async () => {
        await pause(lookMs);
        this.#refresh(projectKey, project);
      },
    );
  }

  #project(projectKey: string): Written {
    const known = this.#projects.get(projectKey);
    if (known) return known;
    const project = { last: 0, readMs: Number.NEGATIVE_INFINITY, isReading: false, positions: [] };
    this.#projects.set(projectKey, project);
    return project;
  }

  #room({ last, readMs, positions }: Written): number {
    const sinceMs = performance.now() - readMs;
    const rooms = positions
      .filter(({ age_ms }) => age_ms + sinceMs < goneMs)
      .map(({ sequence, ms_of_change, age_ms }) => {
        const applied = (busyShare * Math.min(age_ms + sinceMs, trustedMs)) / ms_of_change;
        return roomOf(Math.max(last - sequence - applied, 0), ms_of_change);
      });
    return Math.min(mostBehind, ...rooms);
  }

  #refresh(projectKey: string, project: Written): void {
    if (!project.isReading && performance.now() - project.readMs > tickMs) void this.#read(projectKey, project);
  }

  async #read(projectKey: string, project: Written): Promise<void> {
    const sentMs = performance.now();
    project.isReading = true;
    try {
      project.positions = await this.#pool.use((connection) => readPositions(connection, projectKey, this.#node));
    } catch {
      // Writes say what is wrong.
      project.positions = [];
    }
    project.readMs = sentMs;
    project.isReading = false;
  }
}

/** What a machine publishes of its mirror. */
interface Published {
  readonly positions: ReadonlyMap<string, number>;
  readonly msOfChange: number;
}

/** Publishes how far a mirror is. Returns the function that ends it. */
export function startPublishing(pool: Pool, node: string, read: () => Published): () => Promise<void> {
  let running: Promise<void> | undefined;
  const remove = (of: string) => pool.use((connection) => removePositions(connection, of));
  let count = 0;
  let last = { moved: '', atMs: 0 };
  async function publish(): Promise<void> {
    const { positions, msOfChange } = read();
    const moved = [...positions, msOfChange].join();
    const now = performance.now();
    if (positions.size === 0 || (moved === last.moved && now - last.atMs < restMs)) return;
    last = { moved, atMs: now };
    await pool.use((connection) => publishPositions(connection, node, positions, msOfChange));
    if (count % removeAfter === 0) await remove('');
    count += 1;
  }
  const timer = setInterval(() => {
    // Writes say what is wrong.
    running ??= publish()
      .catch(() => {})
      .finally(() => {
        running = undefined;
      });
  }, tickMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
    if (count > 0) await remove(node).catch(() => {});
  };
}
