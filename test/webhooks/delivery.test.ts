import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { openHooks } from './open-hooks.ts';
import { startReceiver, until } from './receiver.ts';

const hooks = await openHooks({ retryDelaysMs: [0, 50, 100, 200] });

test('every change after the subscription is delivered, in order, and verified by the library of the standard', async () => {
  const receiver = await startReceiver();
  await hooks.write('plain', { id: 'before', name: 'not told' });
  const { secret } = await hooks.subscribe('plain', { url: receiver.url });
  const written = [];
  for (const id of ['a', 'b', 'a']) written.push(await hooks.write('plain', { id, name: `name ${written.length}` }));
  await hooks.send('DELETE', '/plain/resource/b');
  await until(
    () => receiver.accepted.length === 4,
    () => receiver.received,
  );
  const told = receiver.received.map(({ event }) => [event.type, event.resource.id, event.resource.version]);
  assert.deepEqual(told.toSorted(), [
    ['created', 'a', 1],
    ['created', 'b', 1],
    ['deleted', 'b', 1],
    ['updated', 'a', 2],
  ]);
  for (const { headers, body, event } of receiver.received) {
    assert.deepEqual(new Webhook(secret).verify(body, headers), event);
    assert.equal(headers['webhook-id'], event.id);
    assert.equal('data' in event, false);
    assert.equal(event.actor.clientId, 'test-admin');
  }
});
