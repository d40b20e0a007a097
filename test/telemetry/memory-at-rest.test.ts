import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mock, test } from 'node:test';
import { giveMemoryBackAtRest } from '../../src/telemetry/memory-at-rest.ts';

test('memory is given back once when a thread rests after its start and after work, and not again within a minute', () => {
  let utilization = 1;
  let nowMs = 0;
  mock.timers.enable({ apis: ['setInterval'] });
  mock.method(performance, 'now', () => nowMs);
  mock.method(performance, 'eventLoopUtilization', () => ({ idle: 0, active: 0, utilization }));
  const collect = mock.fn();
  try {
    giveMemoryBackAtRest(undefined, collect as unknown as NodeJS.GCFunction);
    /** How many collections there were in 40 s, as busy as that. */
    const during = (share: number): number => {
      utilization = share;
      const before = collect.mock.callCount();
      for (let at = 0; at < 10; at += 1) {
        nowMs += 4000;
        mock.timers.tick(4000);
      }
      return collect.mock.callCount() - before;
    };
    assert.equal(during(0.5), 0, 'it starts');
    assert.equal(during(0.03), 0, 'a few requests are not rest');
    assert.equal(during(0.001), 1);
    assert.deepEqual(collect.mock.calls[0]?.arguments, [{ type: 'major', flavor: 'last-resort' }]);
    assert.equal(during(0.001), 0, 'it has not worked since');
    assert.equal(during(0.03) + during(0.001), 0, 'nor is that work');
    assert.equal(during(0.5) + during(0.001), 1);
    assert.equal(during(0.5) + during(0.001), 1);
    // Work and rest in turns of 4 s.
    for (let at = 0; at < 15; at += 1) {
      utilization = at % 2 === 0 ? 0.5 : 0;
      nowMs += 4000;
      mock.timers.tick(4000);
    }
    const inAMinute = collect.mock.callCount() - 3;
    assert.ok(inAMinute <= 1, `${inAMinute} collections`);
  } finally {
    mock.timers.reset();
    mock.restoreAll();
  }
});

test('with --expose-gc what the last work left is gone when the process and its threads rest', () => {
  const file = new URL('../../src/telemetry/memory-at-rest.ts', import.meta.url).href;
  const program = `
    import { isMainThread, Worker } from 'node:worker_threads';
    import { getHeapStatistics } from 'node:v8';
    import { giveMemoryBackAtRest } from ${JSON.stringify(file)};
    if (isMainThread) new Worker(new URL(import.meta.url));
    // Rest is whatever comes: machines are busy.
    giveMemoryBackAtRest({ windowMs: 50, restingShare: 1, workingShare: 1, apartMs: 60_000 });
    let left = Array.from({ length: 300_000 }, (_, at) => ({ at }));
    const before = getHeapStatistics().total_physical_size;
    left = undefined;
    while (getHeapStatistics().total_physical_size > before * 0.7) await new Promise((then) => setTimeout(then, 20));
    console.log(isMainThread ? 'process' : 'thread');`;
  const url = `data:text/javascript,${encodeURIComponent(program)}`;
  const args = ['--expose-gc', '--input-type=module', '--eval', `await import(${JSON.stringify(url)})`];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 300_000 });
  assert.deepEqual(stdout.trim().split('\n').toSorted(), ['process', 'thread'], stderr);
});
