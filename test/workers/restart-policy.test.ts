import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideRestart, type Ends, noEnds } from '../../src/workers/restart-policy.ts';

/** The delays after so many ends in a row, each after having served for `servedMs`. */
function delays(count: number, servedMs: number | undefined, ends: Ends = noEnds): (number | undefined)[] {
  if (count === 0) return [];
  const { delayMs, ends: next } = decideRestart(ends, servedMs);
  return [delayMs, ...delays(count - 1, servedMs, next)];
}

describe('When a worker ended', () => {
  it('it is started again after a delay that doubles up to a bound while it ends soon', () => {
    assert.deepEqual(delays(8, 500), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });

  it('the service gives up after six starts in a row that came to nothing', () => {
    assert.deepEqual(delays(6, undefined), [100, 200, 400, 800, 1600, undefined]);
  });

  it('one that had served for a while is started again soon, and earlier ends are forgotten', () => {
    const { ends } = decideRestart({ early: 5, unstarted: 5 }, 60_000);
    assert.deepEqual(ends, noEnds);
    assert.deepEqual(delays(3, 60_000), [100, 100, 100]);
  });

  it('one start that succeeded makes the count of those that did not begin anew', () => {
    const { ends } = decideRestart({ early: 5, unstarted: 5 }, 10);
    assert.equal(ends.unstarted, 0);
  });
});
