import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * How much threads give way to the first one of the process (nice): those of the store alike, so that none of them comes
 * before another, and bulk work to these, at about 1 to 3 where both want a core (decision 192).
 */
const steps = { store: 5, bulk: 10 } as const;

/**
 * Lets the calling thread give way. It keeps a lower priority that it has from the thread that started it. Does nothing
 * where threads have no priority of their own.
 */
export function lowerPriority(work: keyof typeof steps): void {
  if (process.platform !== 'linux') return;
  try {
    // The only way to the number of a thread; on Linux it stands for the thread alone, and that of the first is the process's.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    const nice = Math.min(19, getPriority(process.pid) + steps[work]);
    if (getPriority(thread) < nice) setPriority(thread, nice);
  } catch {
    // Without /proc, or where a sandbox forbids it, the thread works as it is.
  }
}
