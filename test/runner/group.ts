import { after, describe, mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { callAfterFile, callAfterGroup } from './after-file.ts';
import { cpuSeconds, noteCost } from './note-cost.ts';

/** The longest that a file of a group may take; the time limit of the runner is for single tests. */
const fileLimitMs = 600_000;

/**
 * Runs test files in this process, one after another, each as a suite: hooks outside of its suites are its own, and what it
 * opened is closed before the next one starts. Mocks and the environment are then as before. A file that does not end ends
 * the process; the runner names the files that have not run. `mark` follows the names, where files run in several ways.
 */
export async function runGroup(files: readonly (readonly [path: string, name: string])[], mark = ''): Promise<void> {
  for (const [path, name] of files) {
    const environment = { ...process.env };
    const [begunSeconds, begunMs] = [cpuSeconds(), performance.now()];
    const limit = setTimeout(() => giveUp(`${name}${mark}`), fileLimitMs);
    const ended = Promise.withResolvers<void>();
    describe(`${name}${mark}`, async () => {
      after(callAfterFile);
      try {
        await import(pathToFileURL(path).href);
      } finally {
        // Behind all hooks of the file.
        after(() => ended.resolve());
      }
    });
    await ended.promise;
    clearTimeout(limit);
    noteCost(`${path}${mark}`, cpuSeconds() - begunSeconds, performance.now() - begunMs);
    mock.reset();
    for (const key of Object.keys(process.env)) if (!(key in environment)) delete process.env[key];
    Object.assign(process.env, environment);
  }
  const begunSeconds = cpuSeconds();
  const begunMs = performance.now();
  await callAfterGroup();
  noteCost(`${process.argv[1]} (shared by its files)`, cpuSeconds() - begunSeconds, performance.now() - begunMs);
}

function giveUp(name: string): void {
  process.stderr.write(`${name} has not ended after ${fileLimitMs / 60_000} minutes.\n`);
  process.exit(1);
}
