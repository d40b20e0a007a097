import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { LoggedChange } from '../../src/domain/ports/change-log.ts';
import { failuresToBeDown, Health, maxConcurrency } from '../../src/webhooks/delivery/health.ts';
import { Lanes } from '../../src/webhooks/delivery/lanes.ts';
import { parseRetryAfter, retryDelayMs, retryDelaysMs, throttleMs } from '../../src/webhooks/delivery/schedule.ts';
import { createSlots } from '../../src/webhooks/delivery/slots.ts';
import { createSecret, secretProblem, signedHeaders } from '../../src/webhooks/message/signature.ts';

const ok = { ok: true, status: 200, durationMs: 1 };
const failed = (status: number, retryAfterMs?: number) => ({ ok: false, status, retryAfterMs, durationMs: 1 });

test('retries: ten attempts over 75.6 hours, each up to a tenth later, never before a Retry-After', () => {
  const delays = retryDelaysMs.map((_, failures) => retryDelayMs(retryDelaysMs, failures, undefined, 0));
  assert.equal(
    (delays as number[]).reduce((sum, ms) => sum + ms),
    272_105_000,
  );
  assert.equal(retryDelayMs(retryDelaysMs, 10, undefined, 0), undefined);
  assert.equal(retryDelayMs(retryDelaysMs, 10, 60_000, 0), undefined);
  assert.equal(retryDelayMs(retryDelaysMs, 1, undefined, 1), 5500);
  assert.equal(retryDelayMs(retryDelaysMs, 1, 60_000, 0.5), 60_000);
});

test('Retry-After: seconds or a date, at most a day; anything else counts as none', () => {
  const now = Date.parse('2026-05-04T09:00:00Z');
  assert.equal(parseRetryAfter('120', now), 120_000);
  assert.equal(parseRetryAfter('Mon, 04 May 2026 09:01:00 GMT', now), 60_000);
  assert.equal(parseRetryAfter('999999999', now), 86_400_000);
  for (const text of [undefined, '', '0', '-5', 'soon', 'Mon, 04 May 2026 08:00:00 GMT', '1e3x']) {
    assert.equal(parseRetryAfter(text, now), undefined, String(text));
  }
});

test('429, 502 and 504 slow down, longer each time up to a minute; 503 with Retry-After too; others do not', () => {
  assert.deepEqual(
    [0, 1, 2, 6, 99].map((inRow) => throttleMs(429, undefined, inRow)),
    [1000, 2000, 4000, 60_000, 60_000],
  );
  assert.equal(throttleMs(502, 90_000, 0), 90_000);
  assert.equal(throttleMs(503, 5000, 0), 5000);
  for (const status of [400, 500, 503]) assert.equal(throttleMs(status, undefined, 3), undefined);
});

test('a receiver gets more at a time while it answers, half after a failure, and is down after several in a row', () => {
  const health = new Health(0);
  assert.equal(health.concurrency, 1);
  for (let n = 0; n < 20; n += 1) health.settled(ok, n);
  assert.equal(health.concurrency, maxConcurrency);
  health.settled(failed(500), 100);
  assert.equal(health.concurrency, maxConcurrency / 2);
  for (let n = 1; n < failuresToBeDown; n += 1) health.settled(failed(500), 100 + n);
  assert.deepEqual([health.isDown, health.concurrency, health.failingSinceMs], [true, 1, 100]);
  health.settled(ok, 200);
  assert.deepEqual([health.isDown, health.failingSinceMs], [false, 0]);
  health.settled(failed(429, 30_000), 300);
  assert.equal(health.waitsUntilMs, 30_300);
  assert.equal(new Health(50).isDown, true, 'as another process left it');
});

const change = (id: string, sequence: number): LoggedChange => ({
  ...{ id, sequence, key: undefined, version: 1, incarnation: undefined, before: null },
  origin: { type: 'updated', cause: 'draft', at: '2026-05-04T09:00:00Z', clientId: 'c' },
});

test('lanes: one change of a resource at a time, in order; what failed waits until it is due', () => {
  const lanes = new Lanes([], 0);
  for (const [id, sequence] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    lanes.add(change(id, sequence), 0);
  assert.deepEqual([lanes.size, lanes.ready], [2, 3]);
  const a = lanes.take(0, false)!;
  const b = lanes.take(0, false)!;
  assert.deepEqual([a.sequence, b.sequence, lanes.take(0, false)], [1, 2, undefined]);
  Object.assign(b, { failedMs: 10, dueMs: 100, attempts: 1 });
  lanes.putBack(b);
  assert.deepEqual([lanes.nextDueMs, lanes.take(99, false)], [100, undefined]);
  lanes.moveOn(a, change('a', 3));
  assert.equal(lanes.take(99, true), undefined, 'nothing new while something failed');
  assert.equal(lanes.take(99, false), a);
  assert.equal(lanes.take(100, true), b);
  lanes.remove(a);
  Object.assign(b, { dueMs: 5000 });
  lanes.putBack(b);
  lanes.hasten(11, 200);
  assert.equal(lanes.nextDueMs, 5000, 'it failed before');
  lanes.hasten(10, 200);
  assert.equal(lanes.nextDueMs, 200);
});

test('lanes: thousands that failed are taken in the order in which they are due', () => {
  const held = Array.from({ length: 10_000 }, (_, n) => {
    return { id: `r${n}`, sequence: n + 1, last: n + 1, attempts: 1, dueMs: (n * 7919) % 10_000, atMs: 0 };
  });
  const lanes = new Lanes(held, 1);
  let last = -1;
  for (let n = 0; n < held.length; n += 1) {
    const lane = lanes.take(10_000, false)!;
    assert.ok(lane.dueMs >= last);
    last = lane.dueMs;
  }
  assert.equal(lanes.take(10_000, false), undefined);
});

test('slots: who found none free is told when one is', () => {
  const slots = createSlots(1);
  let told = 0;
  assert.equal(
    slots.take(() => {}),
    true,
  );
  assert.equal(
    slots.take(() => (told += 1)),
    false,
  );
  slots.free();
  assert.equal(told, 1);
  assert.equal(
    slots.take(() => {}),
    true,
  );
});

test('signatures: by several secrets, verified by the library of the standard; old and future ones are refused by it', () => {
  const secrets = [1, 2].map((fill) => createSecret((size) => new Uint8Array(size).fill(fill)));
  const body = '{"name":"Größe","n":9007199254740993}';
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = signedHeaders({ id: 'm1', timestampSeconds, body }, secrets);
  for (const secret of secrets) new Webhook(secret).verify(body, headers);
  assert.throws(() => new Webhook(secrets[0]!).verify(`${body} `, headers));
  const old = signedHeaders({ id: 'm1', timestampSeconds: timestampSeconds - 400, body }, secrets);
  assert.throws(() => new Webhook(secrets[0]!).verify(body, old));
});

test('secrets: whsec_ and base64 of 24 to 64 bytes, in the one form that all receivers read', () => {
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 5).toString('base64')}`;
  for (const bytes of [24, 25, 26, 64]) assert.equal(secretProblem(of(bytes)), undefined);
  const bad = [
    of(23),
    of(65),
    'whsec_',
    of(32).slice(6),
    of(25).replace(/=+$/, ''),
    `${of(24)}\n`,
    `whsec_${'_'.repeat(32)}`,
  ];
  for (const text of bad) assert.notEqual(secretProblem(text), undefined, String(text));
});
