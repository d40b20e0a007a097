/** When this process began its last query: one number in shared memory, so that the writer thread needs no message. */
export type QueryClock = Float64Array<SharedArrayBuffer>;

export function createQueryClock(): QueryClock {
  return new Float64Array(new SharedArrayBuffer(8));
}

export function noteQuery(clock: QueryClock): void {
  clock[0] = Date.now();
}

/** In ms since the epoch; 0 where there was none. A torn or late value only makes the indexes follow sooner or later. */
export function lastQueryMs(clock: QueryClock): number {
  return clock[0]!;
}

/** Processor time that the writer has taken for groups: one number in shared memory, so that a thread of imports need not ask. */
export type GroupClock = Float64Array<SharedArrayBuffer>;

export function createGroupClock(): GroupClock {
  return new Float64Array(new SharedArrayBuffer(8));
}

/** Runs work of the calling thread, and adds the time that it takes of a core. */
export function addGroupTime(clock: GroupClock, work: () => void): void {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  clock[0]! += (user + system) / 1000;
}

/** In ms. */
export function groupMs(clock: GroupClock): number {
  return clock[0]!;
}
