import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createSignals,
  Interrupted,
  QueryDeadline,
  signalCancelled,
  signalOthersWait,
  type TimeLimits,
} from '../../../src/index/threads/deadline.ts';

const never = Number.POSITIVE_INFINITY;

interface Begun extends Partial<TimeLimits> {
  readonly slot?: number;
  readonly isLong?: boolean;
}

function begin({ slot = 0, isLong = false, ...limits }: Begun, signals = createSignals(2)): QueryDeadline {
  const deadline = new QueryDeadline({ usedMs: never, shareMs: never, ...limits }, signals);
  deadline.begin(slot, isLong);
  return deadline;
}

/** Waits without using the processor. */
function idle(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Uses the processor. */
function compute(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
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

  test('makes room after its share, but only where others wait, and if it is a short one', () => {
    const signals = createSignals(1);
    const deadline = begin({ shareMs: 0 }, signals);
    compute(2);
    const check = (of: QueryDeadline) => interruptionOf(() => of.checkNow());
    assert.equal(check(deadline), 'none');
    signalOthersWait(signals, true);
    assert.equal(check(deadline), 'yielded');
    const long = begin({ shareMs: 0, isLong: true }, signals);
    compute(2);
    assert.equal(check(long), 'none');
  });

  test('ends a query that is cancelled, and no other', () => {
    const signals = createSignals(2);
    signalCancelled(signals, 0, true);
    const of = (slot: number) => interruptionOf(() => begin({ slot }, signals).checkNow());
    assert.deepEqual([of(0), of(1)], ['cancelled', 'none']);
    signalCancelled(signals, 0, false);
    assert.equal(of(0), 'none');
  });

  test('does not count what it builds for many searches; that yields to others, and ends with its client', () => {
    const signals = createSignals(2);
    const deadline = begin({ usedMs: 5, shareMs: 5 }, signals);
    const build = () =>
      interruptionOf(() => {
        compute(20);
        deadline.checkBuild();
      });
    assert.equal(build(), 'none');
    signalOthersWait(signals, true);
    assert.equal(build(), 'yielded');
    signalCancelled(signals, 0, true);
    assert.equal(build(), 'cancelled');
    signalCancelled(signals, 0, false);
    signalOthersWait(signals, false);
    assert.equal(work(deadline), 'outOfTime');
  });
});
