/** Loaded before every test file: notes at its end the time of the processor that it has used. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.GRS_TEST_FOLDER;

/** That of child processes that have ended, where the system tells it, as Linux does in hundredths of a second. */
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

function note(file: string, to: string): void {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const seconds = (userCPUTime + systemCPUTime) / 1e6 + secondsOfChildren();
  appendFileSync(to, `${JSON.stringify([file, seconds])}\n`);
}

const [, file = ''] = process.argv;
if (folder && isMainThread && file.endsWith('.test.ts')) process.once('exit', () => note(file, join(folder, 'costs')));
