import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBackgroundTask } from '../../src/telemetry/background-task.ts';
import { type Log, noLog, withoutRepeats } from '../../src/telemetry/log.ts';

test('a background task runs at its times, one run at a time, and goes on after one that fails', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const logged: string[] = [];
  const log: Pick<Log, 'write'> = { write: (level, event) => logged.push(`${level} ${event}`) };
  const runs: PromiseWithResolvers<void>[] = [];
  const run = () => {
    runs.push(Promise.withResolvers());
    return runs.at(-1)!.promise;
  };
  const stop = startBackgroundTask({ everyMs: 100, firstMs: 10, run, log: log as Log, failedEvent: 'task-failed' });
  mock.timers.tick(9);
  assert.equal(runs.length, 0);
  mock.timers.tick(1);
  assert.equal(runs.length, 1);
  mock.timers.tick(100);
  assert.equal(runs.length, 1, 'the first run has not ended');
  runs[0]!.reject(new Error('refused'));
  await new Promise(setImmediate);
  assert.deepEqual(logged, ['warn task-failed']);
  mock.timers.tick(100);
  assert.equal(runs.length, 2);
  stop();
  runs[1]!.reject(new Error('closed'));
  await new Promise(setImmediate);
  mock.timers.tick(1000);
  assert.deepEqual([runs.length, logged.length], [2, 1], 'nothing runs, and nothing is logged, after the end');
});

test('a log without repeats writes a line again after ten minutes, and one with another message at once', () => {
  const lines: string[] = [];
  let now = 0;
  const write: Log['write'] = (_level, event, fields) => lines.push(`${event} ${(fields!.error as Error).message}`);
  const log = withoutRepeats({ ...noLog, write }, () => now);
  for (now = 0; now <= 600_000; now += 1000) log.write('warn', 'failed', { project: 'p', error: new Error('away') });
  log.write('warn', 'failed', { project: 'p', error: new Error('full') });
  log.write('warn', 'failed', { project: 'q', error: new Error('full') });
  assert.deepEqual(lines, ['failed away', 'failed away', 'failed full', 'failed full']);
});
