import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createDeadline,
  createSignals,
  Interrupted,
  type QueryDeadline,
  signalCancelled,
  signalOthersWait,
  type TimeLimits,
} from '../../../src/storage/sqlite/read/deadline.ts';

const never = Number.POSITIVE_INFINITY;

function begin(limits: Partial<TimeLimits>, signals = createSignals(2), slot = 0): QueryDeadline {
  const deadline = createDeadline(
    { usedMs: never, elapsedMs: never, shareMs: never, buildMs: never, ...limits },
    signals,
  );
  deadline.begin(slot);
  return deadline;
}

/** Waits without using the processor. */
function idle(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function interruptionOf(check: () => void): string {
  try {
    check();
    return 'none';
  } catch (error) {
    assert.ok(error instanceof Interrupted);
    return error.interruption;
  }
}

/** Uses the processor until it is interrupted. */
function work(deadline: QueryDeadline): string {
  return interruptionOf(() => {
    for (;;) deadline.check();
  });
}

describe('The deadline of a query', () => {
  test('ends it when it has used its time', () => {
    assert.equal(work(begin({ usedMs: 20 })), 'outOfTime');
  });

  test('counts no time in which it did not run', () => {
    const deadline = begin({ usedMs: 100 });
    idle(150);
    assert.equal(
      interruptionOf(() => deadline.checkNow()),
      'none',
    );
  });

  test('tells a stalled machine from a query that has used its time', () => {
    const deadline = begin({ usedMs: 1000, elapsedMs: 1001 });
    idle(1100);
    assert.equal(
      interruptionOf(() => deadline.checkNow()),
      'stalled',
    );
  });

  test('makes room after its share, but only where others wait', () => {
    const signals = createSignals(1);
    const deadline = begin({ shareMs: 0 }, signals);
    idle(2);
    const check = () => interruptionOf(() => deadline.checkNow());
    assert.equal(check(), 'none');
    signalOthersWait(signals, true);
    assert.equal(check(), 'yielded');
  });

  test('ends a query that is cancelled, and no other', () => {
    const signals = createSignals(2);
    signalCancelled(signals, 0, true);
    const of = (slot: number) => interruptionOf(() => begin({}, signals, slot).checkNow());
    assert.deepEqual([of(0), of(1)], ['cancelled', 'none']);
    signalCancelled(signals, 0, false);
    assert.equal(of(0), 'none');
  });
});

describe('Between portions of what is built for many searches', () => {
  const endOf = (act: () => void) => {
    try {
      act();
      return 'goes on';
    } catch (error) {
      return (error as Interrupted).interruption;
    }
  };
  const build = (deadline: QueryDeadline) => endOf(() => deadline.checkBuild());

  test('a search leaves it where others wait, and goes on alone', () => {
    const signals = createSignals(2);
    const deadline = begin({ buildMs: 0 }, signals);
    assert.equal(build(deadline), 'goes on');
    signalOthersWait(signals, true);
    assert.equal(build(deadline), 'building');
    assert.equal(
      endOf(() => deadline.checkNow()),
      'goes on',
      'its own work has another limit',
    );
  });

  test('its time is not that of the search; a client that has gone ends it', () => {
    const deadline = begin({ usedMs: 0 });
    idle(2);
    assert.equal(build(deadline), 'building');
    const signals = createSignals(2);
    const left = begin({ buildMs: 0 }, signals);
    signalOthersWait(signals, true);
    signalCancelled(signals, 0, true);
    assert.equal(build(left), 'cancelled');
  });

  test('a search that runs out of time after it has built goes on when that is done', () => {
    const deadline = begin({ usedMs: 40 });
    const until = performance.now() + 20;
    while (performance.now() < until);
    assert.equal(build(deadline), 'goes on');
    assert.equal(work(deadline), 'building');
  });
});
