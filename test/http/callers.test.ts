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

test('callers: others call from their first request until a second after the last one', async () => {
  const looks = counted();
  let requests = 7;
  const { calls, add, remove } = createCallers({ requests: () => requests, onLook: looks.onLook });
  requests += 1;
  add();
  try {
    await looks.after(2);
    assert.equal(calls[0], 0, 'its own request is that of no other');
    requests += 1;
    add();
    await looks.after(2);
    assert.equal(calls[0], 0, 'nor that of another import');
    requests += 1;
    await looks.after(2);
    assert.equal(calls[0], 1);
    await looks.after(15);
    requests += 1;
    await looks.after(15);
    assert.equal(calls[0], 1, 'others went on');
    await looks.after(10);
    assert.equal(calls[0], 0);
    remove();
    requests += 1;
    await looks.after(2);
    assert.equal(calls[0], 1, 'one import is left');
    remove();
    add();
    assert.equal(calls[0], 0, 'another import begins');
    await looks.after(2);
    assert.equal(calls[0], 0, 'and nobody has called since');
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
