import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createPace, longestRestMs } from '../../../src/domain/bulk/pace.ts';

const never = () => false;

/**
 * Takes a turn that lasts so long. Resolves to how long it waited before, and when it began and ended. Both are read within the
 * turn, so it is no longer here than the pace takes it for, and the rest after it no shorter, however busy the machine is.
 */
async function turn(pace: ReturnType<typeof createPace>, ms: number, isOver = never) {
  const end = await pace.takeTurn(isOver);
  const begunMs = performance.now();
  await pause(ms);
  const endedMs = performance.now();
  end();
  return { begunMs, endedMs };
}

test('pace: a turn is followed by a rest in proportion to it', async () => {
  const pace = createPace(new Int32Array([25]));
  assert.equal(pace.givesWay(), true);
  const first = await turn(pace, 40);
  const second = await turn(pace, 0);
  const [worked, rested] = [first.endedMs - first.begunMs, second.begunMs - first.endedMs];
  assert.ok(rested >= 3 * worked, `${rested} ms of rest after ${worked} ms of work`);
});

test('pace: where it is known what imports took of a core, that counts, with what they took since', async () => {
  let work = 0;
  const pace = createPace(new Int32Array([25]), () => work);
  const end = await pace.takeTurn(never);
  work += 50;
  const endedMs = performance.now();
  end();
  const next = turn(pace, 0);
  await pause(1);
  work += 20;
  const rested = (await next).begunMs - endedMs;
  assert.ok(rested >= 3 * 70, `${rested} ms of rest after 70 ms of work`);
});

test('pace: turns of several imports do not overlap, and come in the order in which they were asked for', async () => {
  const pace = createPace(new Int32Array([90]));
  const turns = await Promise.all([turn(pace, 20), turn(pace, 10), turn(pace, 1)]);
  for (const [at, { begunMs }] of turns.entries()) {
    if (at > 0) assert.ok(begunMs >= turns[at - 1]!.endedMs, `turn ${at} began before the one before it was over`);
  }
});

test('pace: no rest is longer than a second, whatever the turn was', async () => {
  const pace = createPace(new Int32Array([1]));
  const first = await turn(pace, 300);
  const second = await turn(pace, 0);
  const rested = second.begunMs - first.endedMs;
  // In proportion it would be 30 s.
  assert.ok(rested >= longestRestMs && rested < 10 * longestRestMs, `${rested} ms`);
});

test('pace: a rest ends when nobody else calls any more, and when the import is to end', async ({ mock }) => {
  // By a clock of its own: on a real one, a machine that stands still for a second has the rest be over by itself.
  mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  mock.method(performance, 'now', () => nowMs);
  const pass = async (ms: number) => {
    nowMs += ms;
    mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const share = new Int32Array([1]);
  for (const [name, endRest] of [
    ['alone', () => Atomics.store(share, 0, 100)],
    ['over', () => {}],
  ] as const) {
    Atomics.store(share, 0, 1);
    const pace = createPace(share);
    const end = await pace.takeTurn(never);
    await pass(100);
    end();
    let isOver = false;
    let isTaken = false;
    const next = pace
      .takeTurn(() => isOver)
      .then(() => {
        isTaken = true;
      });
    // It would last a second.
    for (let looks = 0; looks < 20; looks += 1) await pass(25);
    assert.equal(isTaken, false, name);
    endRest();
    isOver = name === 'over';
    await pass(25);
    assert.equal(isTaken, true, name);
    await next;
    assert.equal(pace.givesWay(), name === 'over');
  }
});
