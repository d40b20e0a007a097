import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * How much a thread of bulk work, or of large documents, gives way (nice): where all cores are busy, a thread of requests that
 * wakes up comes first, and the two still share a core at about 1 to 9 if both go on.
 */
const nice = 10;

/** Lets the calling thread give way to the others of the process. Does nothing where threads have no priority of their own. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // The only way to the number of a thread; on Linux it stands for the thread alone.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), nice);
  } catch {
    // Without /proc, or where a sandbox forbids it, the thread works as it is.
  }
}
