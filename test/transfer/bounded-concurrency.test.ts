import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConcurrencyLimit } from '../../src/transfer/bounded-concurrency.ts';

/** Works that end when they are told to. */
function controlled() {
  const ends: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  return { ends, work };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('limit: no more works begin at once than its number, and the next when one ends', async () => {
  const { ends, work } = controlled();
  const limit = createConcurrencyLimit({ maxCount: 2, maxSize: 100 });
  const all = (async () => {
    for (let n = 0; n < 4; n += 1) await limit.run(1, work);
  })();
  await turn();
  assert.equal(ends.length, 2);
  ends[1]?.resolve();
  await turn();
  assert.equal(ends.length, 3);
  ends[0]?.resolve();
  await all;
  assert.equal(ends.length, 4);
});

test('limit: works that are large together wait for each other, one larger than all room runs alone', async () => {
  const { ends, work } = controlled();
  const limit = createConcurrencyLimit({ maxCount: 10, maxSize: 100 });
  await limit.run(60, work);
  const second = limit.run(500, work);
  await turn();
  assert.equal(ends.length, 1);
  ends[0]?.resolve();
  await second;
  assert.equal(ends.length, 2);
});

test('limit: after a failure nothing begins, and drain tells it when the others have ended', async () => {
  const { ends, work } = controlled();
  const limit = createConcurrencyLimit({ maxCount: 10, maxSize: 100 });
  await limit.run(1, work);
  await limit.run(1, work);
  ends[0]?.reject(new Error('broken'));
  await turn();
  await assert.rejects(limit.run(1, work), /broken/);
  const drained = limit.drain();
  ends[1]?.resolve();
  await assert.rejects(drained, /broken/);
  assert.equal(ends.length, 2);
});
