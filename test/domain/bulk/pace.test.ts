import assert from 'node:assert/strict';
import { type MockTracker, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createPace, longestPauseMs, recentMs } from '../../../src/domain/bulk/pace.ts';
import { startTestApi } from '../../start-test-api.ts';

const never = () => false;

/** A pace while others call all the time. */
function busyPace() {
  let requests = 0;
  const pace = createPace(() => ++requests);
  pace.add();
  return pace;
}

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
  const pace = busyPace();
  assert.equal(pace.givesWay(), true);
  const first = await turn(pace, 40);
  const second = await turn(pace, 0);
  const [worked, paused] = [first.endedMs - first.begunMs, second.begunMs - first.endedMs];
  assert.ok(paused >= worked, `${paused} ms of pause after ${worked} ms of work`);
});

test('pace: turns of several imports do not overlap, and come in the order in which they were asked for', async () => {
  const pace = busyPace();
  const turns = await Promise.all([turn(pace, 20), turn(pace, 10), turn(pace, 1)]);
  for (const [at, { begunMs }] of turns.entries()) {
    if (at > 0) assert.ok(begunMs >= turns[at - 1]!.endedMs, `turn ${at} began before the one before it was over`);
  }
});

test('pace: no pause is longer than a second, whatever the turn was', async ({ mock }) => {
  const clock = clockOf(mock);
  const pace = busyPace();
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
  for (const name of ['alone', 'over']) {
    let requests = 0;
    let othersCall = true;
    const pace = createPace(() => (othersCall ? ++requests : requests));
    pace.add();
    assert.equal(pace.givesWay(), true);
    othersCall = name === 'over';
    const end = await pace.takeTurn(never);
    await pass(800);
    end();
    let isOver = false;
    let isTaken = false;
    const next = pace
      .takeTurn(() => isOver)
      .then(() => {
        isTaken = true;
      });
    // It would last 800 ms; others have called for the last time 1000 ms before its 200th.
    for (let looks = 0; looks < 7; looks += 1) await pass(25);
    assert.equal(isTaken, false, name);
    isOver = name === 'over';
    await pass(25);
    assert.equal(isTaken, true, name);
    await next;
    assert.equal(pace.givesWay(), name === 'over');
  }
});

test('pace: others call from their first request until a second after the last one; imports are no callers', async ({
  mock,
}) => {
  const { pass } = clockOf(mock);
  let requests = 7;
  const { add, remove, givesWay } = createPace(() => requests);
  requests += 1;
  add();
  assert.equal(givesWay(), false, 'its own request');
  requests += 1;
  add();
  assert.equal(givesWay(), false, 'that of another import');
  requests += 1;
  assert.equal(givesWay(), true);
  await pass(recentMs - 1);
  assert.equal(givesWay(), true, 'who called may wait for its response');
  await pass(1);
  assert.equal(givesWay(), false);
  remove();
  requests += 1;
  assert.equal(givesWay(), true, 'one import is left');
  remove();
  requests += 1;
  add();
  assert.equal(givesWay(), false, 'others called before this import only');
});

test('pace: requests of clients count, probes of the health of the node do not', async () => {
  const api = await startTestApi();
  try {
    const before = api.app.server.requests();
    for (const path of ['/health/live', '/health/ready'])
      assert.notEqual((await api.call({ path, scope: 'none' })).status, 404);
    assert.equal(api.app.server.requests(), before);
    assert.equal((await api.call({ path: '/shop/resource/key=none', scope: 'none' })).status, 401);
    assert.equal(api.app.server.requests(), before + 1);
  } finally {
    await api.close();
  }
});
