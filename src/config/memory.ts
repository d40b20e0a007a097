import { totalmem } from 'node:os';

/** The least memory that the service is tested with, for all of its work at once. */
export const leastMemoryBytes = 512 * 1024 * 1024;

/** Measured: a process that imports and answers eight searchers takes so much, its threads and caches included. */
const usualBytes = 384 * 1024 * 1024;

/** Left for large work in any case. */
const leastLeftBytes = 64 * 1024 * 1024;

/** Parts of the memory that is left beside that: to decode images; to read, decide and index requests with large bodies. */
const parts = { images: 1 / 2, bodies: 1 / 8 } as const;

/** The memory that this process may have: that of its container (cgroup), or of the machine. */
function memoryLimitBytes(): number {
  const limit = process.constrainedMemory();
  // 0 or a huge number where there is no limit.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * How much memory work may take at once, in bytes, in one of several processes that have the memory together: beyond it work
 * waits or is refused, so that the process is not killed. Calls `onLittle` where they have too little.
 */
export function memoryShares(
  processes: number,
  onLittle: (found: { readonly memoryBytes: number; readonly leastMemoryBytes: number }) => void,
) {
  const memoryBytes = memoryLimitBytes();
  if (memoryBytes < leastMemoryBytes) onLittle({ memoryBytes, leastMemoryBytes });
  const left = Math.max(memoryBytes / processes - usualBytes, leastLeftBytes);
  return { images: left * parts.images, bodies: left * parts.bodies };
}
