import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeLog } from '../../src/domain/ports/change-log.ts';
import { readState } from '../../src/webhooks/records/delivery-state.ts';
import { until } from '../until.ts';
import { openHooks } from './open-hooks.ts';
import { startReceiver } from './receiver.ts';

test('a lease is renewed while changes come as fast as the log is read', async () => {
  const hooks = await openHooks({ retryDelaysMs: [0], leaseMs: 500 });
  const receiver = await startReceiver();
  const { id } = await hooks.subscribe('busy', { url: receiver.url });
  const fence = async () => (await readState(hooks.store.resources, { projectKey: 'busy', id }))!.fence;
  const changes = hooks.store.changes as { changesAfter: ChangeLog['changesAfter'] };
  const { changesAfter } = changes;
  let reads = 0;
  const fences: number[] = [];
  changes.changesAfter = async (...asked) => {
    const read = await changesAfter(...asked);
    // Those of single resources are not meant.
    if (asked[0] !== 'busy' || asked[3] !== undefined || reads >= 100) return read;
    reads += 1;
    await hooks.write('busy', { id: `r${reads}` });
    await pause(5);
    // Read here and now: beside the reading of the log, the first one could come late.
    if (reads === 10 || reads === 100) fences.push(await fence());
    return read;
  };
  await hooks.write('busy', { id: 'first' });
  await until(() => receiver.accepted.length === 101);
  const [early, late] = fences;
  assert.ok(late! > early! + 3, `written ${late! - early!} times while it was read`);
});
