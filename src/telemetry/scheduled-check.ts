import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';
import { startBackgroundTask } from './background-task.ts';
import type { Log } from './log.ts';

export type ScheduledCheck = ReturnType<typeof scheduleCheck>;

export interface ScheduledCheckOptions {
  readonly everyMs: number;
  /** Checks the store and returns what is wrong; rejects where it could not be checked. */
  readonly check: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Findings that the log and the result name. */
const [maxLogged, maxShown] = [100, 3];

/** Checks the whole store regularly (setting CHECK_EVERY_HOURS); the first check begins after the first interval. */
export function scheduleCheck({ everyMs, check, nowMs, log }: ScheduledCheckOptions) {
  const stopping = new AbortController();
  let last: string | undefined;

  async function run(): Promise<void> {
    const findings = await check(stopping.signal);
    const at = new Date(nowMs()).toISOString();
    for (const finding of findings.slice(0, maxLogged)) log.write('error', 'check-found', { finding });
    log.write('info', 'checked', { findings: findings.length });
    const shown = findings.slice(0, maxShown).join('; ');
    last = findings.length === 0 ? `ok at ${at}` : `${findings.length} finding(s) at ${at}, see the log: ${shown}`;
  }

  const stop = startBackgroundTask({ everyMs, run, log, failedEvent: 'check-failed' });
  return {
    /** The result of the last check that ended, for /health/ready; undefined before the first one. */
    result: () => last,
    stop(): void {
      stop();
      stopping.abort();
    },
  };
}

const execute = promisify(execFile);

/**
 * Runs `grs check` in a process of its own, which has the lowest priority and one thread, so that requests hardly notice it.
 * `program`: the file of the command line. Its settings are those of this process.
 */
export async function checkInProcess(program: string, signal: AbortSignal): Promise<readonly string[]> {
  const ended = execute(process.execPath, [program, 'check', '--jobs', '1'], { signal, maxBuffer: Infinity });
  try {
    if (ended.child.pid !== undefined) setPriority(ended.child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It may have ended.
  }
  const { code = 0, stdout, stderr } = await ended.catch((error) => error);
  const findings = [...stdout.matchAll(/^FOUND {2}(.*)$/gm)].map(([, finding]) => finding!);
  if (code === 0 || (code === 1 && findings.length > 0)) return findings;
  throw new Error(`grs check ended with exit code ${code}: ${stderr.trim().split('\n').at(-1)}`);
}
