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
