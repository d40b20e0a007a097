import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideRestart, type EarlyExits, noEarlyExits } from '../../src/workers/restart-policy.ts';

/** The delays after so many exits in a row, each after having served for `servedMs`. */
function delays(count: number, servedMs: number | undefined, exits: EarlyExits = noEarlyExits): (number | undefined)[] {
  if (count === 0) return [];
  const { delayMs, exits: next } = decideRestart(exits, servedMs);
  return [delayMs, ...delays(count - 1, servedMs, next)];
}

describe('When a worker ended', () => {
  it('it is started again after a delay that doubles up to a bound while it exits soon', () => {
    assert.deepEqual(delays(8, 500), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });

  it('the service gives up after six starts in a row that came to nothing', () => {
    assert.deepEqual(delays(6, undefined), [100, 200, 400, 800, 1600, undefined]);
  });

  it('one that had served for a while is started again soon, and earlier exits are forgotten', () => {
    const { exits } = decideRestart({ early: 5, unstarted: 5 }, 60_000);
    assert.deepEqual(exits, noEarlyExits);
    assert.deepEqual(delays(3, 60_000), [100, 100, 100]);
  });

  it('one start that succeeded makes the count of those that did not begin anew', () => {
    const { exits } = decideRestart({ early: 5, unstarted: 5 }, 10);
    assert.equal(exits.unstarted, 0);
  });
});
