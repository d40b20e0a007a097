/**
 * Loaded by `runner/preload.js` before every test file: ends one that does not end by itself. The time limit of the runner is for single tests,
 * so that a server or a process left open would keep a file, and with it the whole run, waiting for ever.
 */
import { isMainThread } from 'node:worker_threads';

const limitMs = 1_200_000;

function giveUp(): void {
  process.stderr.write(`This file has not ended after ${limitMs / 60_000} minutes.\n`);
  // Ends what the file has started, too: what is killed at exit.
  process.exit(1);
}

if (isMainThread && process.argv[1]?.endsWith('.test.ts')) setTimeout(giveUp, limitMs).unref();
