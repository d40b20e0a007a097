import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { until } from '../until.ts';
import { openHooks } from './open-hooks.ts';
import { startReceiver, status } from './receiver.ts';

/** However long a machine takes: nothing becomes a dead letter. */
const patient = [0, ...Array(10_000).fill(150)];

test('a resource whose event fails holds up its own later events and nobody else; the id of the message stays', async () => {
  const hooks = await openHooks({ retryDelaysMs: patient });
  const receiver = await startReceiver();
  let failing = true;
  receiver.answer(({ event }, response) =>
    response.writeHead(failing && event.resource.id === 'bad' ? 500 : 200).end(),
  );
  const { secret, id } = await hooks.subscribe('held', { url: receiver.url });
  await hooks.write('held', { id: 'bad' });
  await hooks.write('held', { id: 'bad', n: 2 });
  for (let n = 0; n < 20; n += 1) await hooks.write('held', { id: `good-${n}` });
  await until(() => receiver.accepted.length === 20);
  assert.equal(
    receiver.accepted.some(([resource]) => resource === 'bad'),
    false,
  );
  failing = false;
  await until(() => receiver.accepted.length === 22);
  const bad = receiver.received.filter(({ event }) => event.resource.id === 'bad');
  const versions = bad.map(({ event }) => event.resource.version);
  assert.deepEqual([...new Set(versions)], [1, 2], 'the second one waited for the first');
  const first = bad.filter(({ event }) => event.resource.version === 1);
  assert.ok(first.length >= 2);
  assert.equal(new Set(first.map(({ headers }) => headers['webhook-id'])).size, 1);
  for (const { body, headers } of bad) new Webhook(secret).verify(body, headers);
  const deliveries = async () => (await hooks.send('GET', `/held/subscriptions/${id}/deliveries`)).json;
  await until(async () => (await deliveries()).held === 0);
  const { state, attempts } = await deliveries();
  assert.equal(state, 'upToDate');
  assert.equal(attempts.filter(({ status: code }: { status: number }) => code === 500).length, first.length - 1);
  assert.ok(attempts[0].durationMs >= 0 && attempts[0].at <= new Date().toISOString());
});

test('a receiver that is down gets only what failed, one at a time; when it is back it gets everything', async () => {
  const hooks = await openHooks({ retryDelaysMs: patient });
  const receiver = await startReceiver();
  let [now, most] = [0, 0];
  receiver.answer((_, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.writeHead(500).end();
    }, 10);
  });
  const { id } = await hooks.subscribe('down', { url: receiver.url });
  for (let n = 0; n < 60; n += 1) await hooks.write('down', { id: `r-${n}` });
  const deliveries = async () => (await hooks.send('GET', `/down/subscriptions/${id}/deliveries`)).json;
  await until(async () => (await deliveries()).state === 'down', deliveries);
  await until(() => receiver.received.length >= 15);
  const tried = new Set(receiver.received.map(({ event }) => event.resource.id));
  assert.ok(tried.size <= 8, `tried ${tried.size} of 60`);
  assert.equal(most, 1);
  receiver.answer(status(204));
  await until(() => new Set(receiver.accepted.map(([resource]) => resource)).size === 60, deliveries);
  await until(async () => (await deliveries()).state === 'upToDate', deliveries);
});

test('a receiver that was down until everything was a dead letter is tried with what comes next', async () => {
  const hooks = await openHooks({ retryDelaysMs: [0, 20, 20, 20] });
  const receiver = await startReceiver();
  receiver.answer(status(500));
  const { id } = await hooks.subscribe('given-up', { url: receiver.url });
  for (const resource of ['a', 'b', 'c']) await hooks.write('given-up', { id: resource });
  const letters = async () => (await hooks.send('GET', `/given-up/subscriptions/${id}/dead-letters`)).json;
  await until(async () => (await letters()).count === 3, letters);
  const deliveries = async () => (await hooks.send('GET', `/given-up/subscriptions/${id}/deliveries`)).json;
  await until(async () => (await deliveries()).state === 'down' && (await deliveries()).held === 0, deliveries);
  receiver.answer(status(204));
  await hooks.write('given-up', { id: 'd' });
  await until(() => receiver.accepted.length === 1);
  await until(async () => (await deliveries()).state === 'upToDate', deliveries);
});

test('after setUrl what is held is delivered at once, however long its next attempt was to wait', async () => {
  const hooks = await openHooks({ retryDelaysMs: [0, 3_600_000, 3_600_000] });
  const [wrong, right] = [await startReceiver(), await startReceiver()];
  wrong.answer(status(404));
  const { id } = await hooks.subscribe('moving', { url: wrong.url });
  for (let n = 0; n < 12; n += 1) await hooks.write('moving', { id: `r-${n}` });
  const path = `/moving/subscriptions/${id}`;
  const deliveries = async () => (await hooks.send('GET', `${path}/deliveries`)).json;
  await until(async () => (await deliveries()).state === 'down', deliveries);
  const actions = [{ action: 'setUrl', url: right.url }];
  assert.equal((await hooks.send('POST', path, { version: 1, actions })).status, 200);
  await until(() => new Set(right.accepted.map(([resource]) => resource)).size === 12, deliveries);
});

test('a receiver that never answers is timed out, and holds up nobody else', async () => {
  // Long enough for the good one, however much else the machine does.
  const hooks = await openHooks({ retryDelaysMs: [0, 100, 100], timeoutMs: 2000 });
  const [silent, good] = [await startReceiver(), await startReceiver()];
  silent.answer(() => {});
  const { id } = await hooks.subscribe('slow', { url: silent.url });
  await hooks.subscribe('slow', { url: good.url });
  for (let n = 0; n < 30; n += 1) await hooks.write('slow', { id: `r-${n}` });
  // One that was accepted too late for its sender comes once more.
  await until(() => new Set(good.accepted.map(([resource]) => resource)).size === 30);
  const letters = async () => (await hooks.send('GET', `/slow/subscriptions/${id}/dead-letters`)).json;
  await until(async () => (await letters()).count > 0);
  assert.equal((await letters()).results[0].lastFailure, 'no response within 2000 ms');
});

test('429 with Retry-After: nothing at all is sent before', async () => {
  const hooks = await openHooks({ retryDelaysMs: patient });
  const receiver = await startReceiver();
  receiver.answer((_, response) => {
    receiver.answer(status(204));
    response.writeHead(429, { 'retry-after': '2' }).end();
  });
  await hooks.subscribe('limited', { url: receiver.url });
  for (let n = 0; n < 5; n += 1) await hooks.write('limited', { id: `r-${n}` });
  await until(() => receiver.accepted.length === 5);
  const [first, second] = receiver.received;
  assert.ok(second!.atMs - first!.atMs >= 1900, `${second!.atMs - first!.atMs} ms`);
});

test('what was deleted from the log before it was delivered is told, and the rest goes on', async () => {
  const hooks = await openHooks({});
  const receiver = await startReceiver();
  const { id } = await hooks.subscribe('pruned', { url: receiver.url, enabled: false });
  for (let n = 0; n < 10; n += 1) await hooks.write('pruned', { id: `r-${n}` });
  await hooks.store.changes.prune(Date.now() + 60_000, Number.MAX_SAFE_INTEGER);
  const enable = { version: 1, actions: [{ action: 'enable' }] };
  assert.equal((await hooks.send('POST', `/pruned/subscriptions/${id}`, enable)).status, 200);
  await hooks.write('pruned', { id: 'after' });
  await until(() => receiver.accepted.some(([resource]) => resource === 'after'));
  const deliveries = async () => (await hooks.send('GET', `/pruned/subscriptions/${id}/deliveries`)).json;
  await until(async () => (await deliveries()).missed > 0, deliveries);
  assert.match(await hooks.metrics(), /^grs_webhook_missed_events_total [1-9]/m);
});

test('only addresses that the operator allows, and public ones by https, are receivers', async () => {
  const hooks = await openHooks({}, { WEBHOOK_ADDRESSES: '127.0.0.1' });
  const strict = await openHooks({}, { WEBHOOK_ADDRESSES: '' });
  const cases = [
    ['http://receiver.example.com/hook', strict],
    ['https://127.0.0.1/hook', strict],
    ['https://[::1]/hook', strict],
    ['https://169.254.169.254/latest', hooks],
    ['http://8.8.8.8/', hooks],
    ['https://user:secret@example.com/', hooks],
    ['https://example.com:5432/', hooks],
    ['https://example.com/#part', hooks],
    ['ftp://example.com/', hooks],
    ['nonsense', hooks],
  ] as const;
  for (const [url, service] of cases) {
    const { status: code, json } = await service.send('POST', '/guarded/subscriptions', { url });
    assert.deepEqual([code, json.errors[0].code, json.errors[0].field], [400, 'InvalidField', 'url'], url);
  }
  // A name is looked up when something is sent.
  const { id } = await strict.subscribe('guarded', { url: 'https://localhost/hook' });
  const report = (await strict.send('POST', `/guarded/subscriptions/${id}/test`)).json;
  assert.deepEqual([report.delivered, report.status], [false, undefined]);
  assert.match(report.failure, /^no connection: the name is unknown, its address is neither public nor allowed, or/);
  // Nobody can tell by this which names and ports there are in the network of the service.
  const closed = await hooks.send('POST', '/guarded/subscriptions', { url: 'http://127.0.0.1:59999/hook' });
  const unknown = await hooks.send('POST', '/guarded/subscriptions', { url: 'https://no-such-name.invalid/hook' });
  for (const { json } of [closed, unknown]) {
    assert.ok(json.id, JSON.stringify(json));
    assert.equal((await hooks.send('POST', `/guarded/subscriptions/${json.id}/test`)).json.failure, report.failure);
  }
});
