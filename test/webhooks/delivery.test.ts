import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { pruneDeadLetters } from '../../src/webhooks/prune-dead-letters.ts';
import { until } from '../until.ts';
import { openHooks } from './open-hooks.ts';
import { startReceiver, status } from './receiver.ts';

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

test('an event says what the feed says; with include it has the resource, of the version that it is about', async () => {
  const receiver = await startReceiver();
  await hooks.subscribe('included', { url: receiver.url, include: 'resource' });
  // Faster than deliveries: those of earlier versions are rebuilt.
  for (let n = 1; n <= 5; n += 1) await hooks.write('included', { id: 'a', n });
  await until(() => receiver.accepted.length === 5);
  const told = receiver.received.map(({ event }) => [
    event.resource.version,
    event.data.current.version,
    event.data.current.n,
  ]);
  assert.deepEqual(
    told,
    [1, 2, 3, 4, 5].map((n) => [n, n, n]),
  );
  assert.deepEqual(receiver.received[1]!.event.changedFields, { current: ['n'] });
});

test('types and where choose: by the resource after the change, of a deletion by the deleted one', async () => {
  const receiver = await startReceiver();
  await hooks.subscribe('chosen', { url: receiver.url, types: ['updated', 'deleted'], where: 'price > 10' });
  await hooks.write('chosen', { id: 'a', price: 20 });
  await hooks.write('chosen', { id: 'a', price: 21 });
  await hooks.write('chosen', { id: 'a', price: 5 });
  await hooks.send('DELETE', '/chosen/resource/a');
  await hooks.write('chosen', { id: 'b', price: 30 });
  await hooks.send('DELETE', '/chosen/resource/b');
  await until(() => receiver.accepted.length === 2);
  const told = receiver.received.map(({ event }) => [event.type, event.resource.id, event.resource.version]);
  assert.deepEqual(told, [
    ['updated', 'a', 2],
    ['deleted', 'b', 1],
  ]);
});

test('a document of the backend is told in order, with its name; to a subscription with where it is not', async () => {
  const [all, chosen] = [await startReceiver(), await startReceiver()];
  const { id } = await hooks.subscribe('document', { url: all.url });
  await hooks.subscribe('document', { url: chosen.url, where: 'price is not defined' });
  for (let n = 1; n <= 3; n += 1) await hooks.send('POST', '/document/resource/namespace-action', { n });
  await hooks.write('document', { id: 'a' });
  await until(() => all.accepted.length === 4 && chosen.accepted.length === 1);
  const told = all.received.map(({ event }) => event).filter(({ type }) => type === 'backendDocumentWritten');
  assert.deepEqual(
    told.map(({ resource }) => resource),
    [1, 2, 3].map((version) => ({ typeId: 'backend-document', id: 'document', version })),
  );
  assert.deepEqual(
    chosen.received.map(({ event }) => event.resource.id),
    ['a'],
  );
  const deliveries = async () => (await hooks.send('GET', `/document/subscriptions/${id}/deliveries`)).json;
  await until(async () => JSON.stringify(await deliveries()).includes('"resourceId":"document"'), deliveries);
});

test('from: oldest delivers first what is kept', async () => {
  const receiver = await startReceiver();
  for (const id of ['a', 'b', 'c']) await hooks.write('oldest', { id });
  await hooks.subscribe('oldest', { url: receiver.url, from: 'oldest' });
  await until(() => receiver.accepted.length === 3);
});

test('an event that no attempt delivers becomes a dead letter, is listed, read and replayed, and the next one goes on', async () => {
  const receiver = await startReceiver();
  let failing = true;
  receiver.answer(({ event }, response) =>
    response.writeHead(failing && event.resource?.version === 1 ? 503 : 200).end(),
  );
  const { id, secret } = await hooks.subscribe('dead', { url: receiver.url });
  const letters = `/dead/subscriptions/${id}/dead-letters`;
  for (const resource of ['a', 'b', 'c']) await hooks.write('dead', { id: resource });
  await hooks.write('dead', { id: 'a', n: 2 });
  await until(async () => (await hooks.send('GET', letters)).json.count === 3);
  await until(() => receiver.accepted.length === 1);
  const attempts = receiver.received.filter(({ event }) => event.resource.id === 'b');
  assert.equal(attempts.length, 4, 'as many as the schedule has');
  const page = (await hooks.send('GET', `${letters}?limit=2`)).json;
  assert.equal(page.count, 2);
  assert.equal((await hooks.send('GET', `${letters}?limit=2&after=${page.next}`)).json.count, 1);
  const [first] = page.results;
  assert.deepEqual([first.resourceId, first.type, first.attempts, first.lastFailure], ['a', 'created', 4, 'HTTP 503']);
  const read = (await hooks.send('GET', `${letters}/${first.id}`)).json;
  assert.deepEqual([read.event.resource.version, read.event.id], [1, first.messageId]);

  const refused = await hooks.send('POST', `${letters}/${first.id}/replay`);
  assert.deepEqual([refused.status, refused.json.delivered, refused.json.status], [200, false, 503]);
  const stopped = (await hooks.send('POST', `${letters}/replay`)).json;
  assert.deepEqual(stopped, { delivered: 0, failed: { id: first.id, reason: 'HTTP 503' }, more: true });
  failing = false;
  const replayed = await hooks.send('POST', `${letters}/${first.id}/replay`);
  assert.equal(replayed.json.delivered, true);
  const last = receiver.received.at(-1)!;
  assert.equal(last.headers['webhook-id'], first.messageId);
  new Webhook(secret).verify(last.body, last.headers);
  assert.equal((await hooks.send('GET', `${letters}/${first.id}`)).status, 404);
  assert.deepEqual((await hooks.send('POST', `${letters}/replay`)).json, { delivered: 2, more: false });
  assert.equal((await hooks.send('GET', letters)).json.count, 0);
});

test('a dead letter can be deleted, and none of another subscription can be reached', async () => {
  const receiver = await startReceiver();
  receiver.answer(status(500));
  const { id } = await hooks.subscribe('two', { key: 'first', url: receiver.url });
  const { id: other } = await hooks.subscribe('two', { url: receiver.url, types: ['restored'] });
  await hooks.write('two', { id: 'a' });
  const letters = `/two/subscriptions/${id}/dead-letters`;
  await until(async () => (await hooks.send('GET', letters)).json.count === 1);
  const [letter] = (await hooks.send('GET', letters)).json.results;
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/replay'],
  ] as const) {
    const answer = await hooks.send(method, `/two/subscriptions/${other}/dead-letters/${letter.id}${path}`);
    assert.equal(answer.status, 404, method);
  }
  // The same by the key of the subscription.
  const byKey = '/two/subscriptions/key=first';
  assert.deepEqual((await hooks.send('GET', `${byKey}/dead-letters`)).json.results, [letter]);
  assert.equal((await hooks.send('GET', `${byKey}/dead-letters/${letter.id}`)).json.id, letter.id);
  assert.equal((await hooks.send('POST', `${byKey}/dead-letters/${letter.id}/replay`)).json.delivered, false);
  assert.equal((await hooks.send('POST', `${byKey}/dead-letters/replay`)).json.failed.id, letter.id);
  assert.equal((await hooks.send('POST', `${byKey}/test`)).json.status, 500);
  assert.ok((await hooks.send('GET', `${byKey}/deliveries`)).json.attempts.length > 0);
  assert.equal((await hooks.send('DELETE', `${byKey}/dead-letters/${letter.id}`)).json.event.resource.id, 'a');
  assert.equal((await hooks.send('GET', letters)).json.count, 0);
});

test('dead letters that are older than the limit are pruned, in all projects, and no others', async () => {
  // A service of its own: pruning looks at all subscriptions.
  const own = await openHooks({ retryDelaysMs: [0] });
  const receiver = await startReceiver();
  receiver.answer(status(500));
  const lists: string[] = [];
  for (const project of ['old-1', 'old-2']) {
    const { id } = await own.subscribe(project, { url: receiver.url });
    lists.push(`/${project}/subscriptions/${id}/dead-letters`);
    await own.write(project, { id: 'a' });
    await own.write(project, { id: 'b' });
  }
  const counts = () => Promise.all(lists.map(async (list) => (await own.send('GET', list)).json.count));
  await until(async () => (await counts()).every((count) => count === 2));
  const store = own.store.resources;
  assert.equal(await pruneDeadLetters(store, Date.parse('2020-01-01T00:00:00Z')), 0);
  assert.deepEqual(await counts(), [2, 2]);
  assert.equal(await pruneDeadLetters(store, Date.parse('2200-01-01T00:00:00Z')), 4);
  assert.deepEqual(await counts(), [0, 0]);
});

test('what is forgotten is taken out of dead letters', async () => {
  const receiver = await startReceiver();
  receiver.answer(({ event }, response) => response.writeHead(event.type === 'created' ? 500 : 200).end());
  const { id } = await hooks.subscribe('forgotten', { url: receiver.url, include: 'resource' });
  for (const resource of ['a', 'b']) await hooks.write('forgotten', { id: resource, name: 'Jane' });
  const letters = async () => (await hooks.send('GET', `/forgotten/subscriptions/${id}/dead-letters`)).json;
  await until(async () => (await letters()).count === 2);
  await hooks.send('DELETE', '/forgotten/resource/a');
  assert.equal((await hooks.send('DELETE', '/forgotten/resource/a/history')).status, 200);
  await until(() => receiver.received.some(({ event }) => event.type === 'forgotten'));
  await until(async () => (await letters()).count === 1);
  assert.equal((await letters()).results[0].resourceId, 'b');
});

test('410 disables the subscription; what comes meanwhile is delivered after it was enabled', async () => {
  const receiver = await startReceiver();
  receiver.answer(status(410));
  const { id } = await hooks.subscribe('gone', { url: receiver.url });
  await hooks.write('gone', { id: 'a' });
  const read = async () => (await hooks.send('GET', `/gone/subscriptions/${id}`)).json;
  await until(async () => (await read()).status === 'disabled');
  assert.equal((await read()).disabledReason, 'gone');
  await hooks.write('gone', { id: 'b' });
  receiver.answer(status(200));
  const { version } = await read();
  const enabled = await hooks.send('POST', `/gone/subscriptions/${id}`, { version, actions: [{ action: 'enable' }] });
  assert.equal(enabled.json.status, 'enabled');
  await until(() => receiver.accepted.length === 2);
  assert.equal(receiver.received.length, 3);
});

test('a redirect is not followed: it is no success', async () => {
  const [receiver, elsewhere] = [await startReceiver(), await startReceiver()];
  receiver.answer(status(302, { location: elsewhere.url }));
  const { id } = await hooks.subscribe('moved', { url: receiver.url });
  await hooks.write('moved', { id: 'a' });
  await until(async () => (await hooks.send('GET', `/moved/subscriptions/${id}/dead-letters`)).json.count === 1);
  assert.equal(elsewhere.received.length, 0);
});

test('a test event is sent at once, signed, whether or not the subscription is enabled', async () => {
  const receiver = await startReceiver();
  const { id, secret } = await hooks.subscribe('tested', { url: receiver.url, enabled: false });
  const report = (await hooks.send('POST', `/tested/subscriptions/${id}/test`)).json;
  assert.deepEqual([report.delivered, report.status], [true, 204]);
  const [{ body, headers, event } = receiver.received[0]!] = receiver.received;
  new Webhook(secret).verify(body, headers);
  assert.deepEqual([event.type, event.subscription.id], ['test', id]);
  receiver.answer(status(500));
  const failed = (await hooks.send('POST', `/tested/subscriptions/${id}/test`)).json;
  assert.deepEqual([failed.delivered, failed.status], [false, 500]);
  const { attempts, state } = (await hooks.send('GET', `/tested/subscriptions/${id}/deliveries`)).json;
  assert.deepEqual(
    attempts.map(({ type, status: code }: { type: string; status: number }) => [type, code]),
    [
      ['test', 500],
      ['test', 204],
    ],
  );
  assert.equal(state, 'disabled');
});

test('a rotated secret signs beside the one before it until the overlap is over', async () => {
  const receiver = await startReceiver();
  const { id, secret } = await hooks.subscribe('rotated', { url: receiver.url });
  const path = `/rotated/subscriptions/${id}`;
  const rotate = (version: number, overlapSeconds: number) =>
    hooks.send('POST', path, { version, actions: [{ action: 'rotateSecret', overlapSeconds }] });
  const second = (await rotate(1, 600)).json;
  assert.equal(second.secrets.length, 2);
  await hooks.write('rotated', { id: 'a' });
  await until(() => receiver.accepted.length === 1);
  const [both] = receiver.received;
  for (const one of [secret, second.secret]) new Webhook(one).verify(both!.body, both!.headers);
  const third = (await rotate(2, 0)).json;
  assert.equal(third.secrets.length, 1);
  await until(async () => {
    await hooks.write('rotated', { id: 'b' });
    const { body, headers } = receiver.received.at(-1)!;
    return headers['webhook-signature']!.split(' ').length === 1 && verifies(third.secret, body, headers);
  });
  const { body, headers } = receiver.received.at(-1)!;
  assert.equal(verifies(secret, body, headers), false);
  assert.equal('secret' in (await hooks.send('GET', path)).json, false);
});

function verifies(secret: string, body: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

test('metrics: attempts by outcome, events, dead letters, and the lag of each subscription', async () => {
  const text = await hooks.metrics();
  assert.match(text, /^grs_webhook_attempts_total\{outcome="delivered"\} [1-9]/m);
  assert.match(text, /^grs_webhook_attempts_total\{outcome="failed"\} [1-9]/m);
  assert.match(text, /^grs_webhook_events_total [1-9]/m);
  assert.match(text, /^grs_webhook_dead_letters_total [1-9]/m);
  assert.match(text, /^grs_webhook_lag_max_seconds /m);
});
