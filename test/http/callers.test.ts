import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createCallers } from '../../src/http/routes/bulk/callers.ts';
import { startTestApi } from '../start-test-api.ts';

/** Waits for looks, each of which is told. */
function counted() {
  let looks = 0;
  return {
    onLook() {
      looks += 1;
    },
    async after(more: number): Promise<void> {
      for (const until = looks + more; looks < until; ) await pause(5);
    },
  };
}

test('callers: an import has its share from a request of others until a second after the last one', async () => {
  const looks = counted();
  let requests = 7;
  const shares = { besideFew: 25, besideOthers: 5 };
  const { share, add, remove } = createCallers({ requests: () => requests, ...shares, onLook: looks.onLook });
  requests += 1;
  add();
  try {
    await looks.after(2);
    assert.equal(share[0], 100, 'its own request is that of no other');
    requests += 1;
    add();
    await looks.after(2);
    assert.equal(share[0], 100, 'nor that of another import');
    requests += 1;
    await looks.after(2);
    assert.equal(share[0], 25);
    await looks.after(15);
    requests += 1;
    await looks.after(15);
    assert.equal(share[0], 25, 'others went on');
    await looks.after(10);
    assert.equal(share[0], 100);
    remove();
    requests += 1;
    await looks.after(2);
    assert.equal(share[0], 25, 'one import is left');
    requests += 18;
    await looks.after(2);
    assert.equal(share[0], 25, 'nineteen in a second are few');
    requests += 1;
    await looks.after(2);
    assert.equal(share[0], 5);
    await looks.after(30);
    assert.equal(share[0], 100);
    requests += 20;
    await looks.after(2);
    assert.equal(share[0], 5);
    remove();
    add();
    assert.equal(share[0], 100, 'another import begins');
    await looks.after(2);
    assert.equal(share[0], 100, 'and nobody has called since');
  } finally {
    remove();
  }
});

test('callers: requests of clients count, probes of the health of the node do not', async () => {
  const api = await startTestApi();
  try {
    const before = api.app.server.requests();
    // Not ready yet, maybe: what counts is that it was asked.
    for (const path of ['/health/live', '/health/ready'])
      assert.notEqual((await api.call({ path, scope: 'none' })).status, 404);
    assert.equal(api.app.server.requests(), before);
    assert.equal((await api.call({ path: '/shop/resource/key=none', scope: 'none' })).status, 401);
    assert.equal(api.app.server.requests(), before + 1);
  } finally {
    await api.close();
  }
});
