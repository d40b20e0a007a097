/** Loaded by `preload.js`: notes at its end the CPU time and the time that it has taken. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.GRS_TEST_FOLDER;

/** CPU seconds of child processes that have ended, where the system tells them, as Linux does in hundredths of a second. */
function secondsOfChildren(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(13, 15);
    return (Number(user) + Number(system)) / 100;
  } catch {
    return 0;
  }
}

/** CPU seconds of this process, and of its children that have ended. */
export function cpuSeconds(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return (userCPUTime + systemCPUTime) / 1e6 + secondsOfChildren();
}

/** Notes what a test file has taken, for the table at the end of the run. */
export function noteCost(file: string, seconds: number, ms: number): void {
  if (folder) appendFileSync(join(folder, 'costs'), `${JSON.stringify([file, seconds, ms])}\n`);
}

const [, file = ''] = process.argv;
// Files that are run by their name alone need not be called `.test.ts`.
if (isMainThread && /\/test\/.*\.ts$/.test(file)) {
  process.once('exit', () => noteCost(file, cpuSeconds(), performance.now()));
}
