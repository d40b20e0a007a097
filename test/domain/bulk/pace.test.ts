import assert from 'node:assert/strict';
import { type MockTracker, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createPace, longestPauseMs } from '../../../src/domain/bulk/pace.ts';

const never = () => false;

/**
 * Takes a turn that lasts so long. Resolves to how long it waited before, and when it began and ended. Both are read within the
 * turn, so it is no longer here than the pace takes it for, and the pause after it no shorter, however busy the machine is.
 */
async function turn(pace: ReturnType<typeof createPace>, ms: number, isOver = never) {
  const end = await pace.takeTurn(isOver);
  const begunMs = performance.now();
  await pause(ms);
  const endedMs = performance.now();
  end();
  return { begunMs, endedMs };
}

/** A clock of its own: on a real one, a machine that stands still for a second has a pause be over by itself. */
function clockOf(mock: MockTracker) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  mock.method(performance, 'now', () => nowMs);
  return {
    async pass(ms: number): Promise<void> {
      nowMs += ms;
      mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('pace: a turn is followed by a pause as long', async () => {
  const pace = createPace(new Int32Array([1]));
  assert.equal(pace.givesWay(), true);
  const first = await turn(pace, 40);
  const second = await turn(pace, 0);
  const [worked, paused] = [first.endedMs - first.begunMs, second.begunMs - first.endedMs];
  assert.ok(paused >= worked, `${paused} ms of pause after ${worked} ms of work`);
});

test('pace: turns of several imports do not overlap, and come in the order in which they were asked for', async () => {
  const pace = createPace(new Int32Array([1]));
  const turns = await Promise.all([turn(pace, 20), turn(pace, 10), turn(pace, 1)]);
  for (const [at, { begunMs }] of turns.entries()) {
    if (at > 0) assert.ok(begunMs >= turns[at - 1]!.endedMs, `turn ${at} began before the one before it was over`);
  }
});

test('pace: no pause is longer than a second, whatever the turn was', async ({ mock }) => {
  const clock = clockOf(mock);
  const pace = createPace(new Int32Array([1]));
  const end = await pace.takeTurn(never);
  await clock.pass(30_000);
  end();
  let isTaken = false;
  const next = pace.takeTurn(never).then(() => {
    isTaken = true;
  });
  await clock.pass(0);
  for (let passed = 25; passed < longestPauseMs; passed += 25) await clock.pass(25);
  assert.equal(isTaken, false);
  await clock.pass(25);
  await next;
});

test('pace: a pause ends when nobody else calls any more, and when the import is to end', async ({ mock }) => {
  const { pass } = clockOf(mock);
  const calls = new Int32Array([1]);
  for (const [name, endRest] of [
    ['alone', () => Atomics.store(calls, 0, 0)],
    ['over', () => {}],
  ] as const) {
    Atomics.store(calls, 0, 1);
    const pace = createPace(calls);
    const end = await pace.takeTurn(never);
    await pass(1000);
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
