import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyRing, createSigningKey, dueActiveFromMs } from '../../src/auth/keys.ts';
import { openTestClients } from './open-test-clients.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2030, 0, 1, 9, 30);
const midnight = Date.UTC(2030, 0, 1);

function ringOver(t: { after(close: () => void): void }, keyRotationDays = 10) {
  const store = openTestClients();
  t.after(store.close);
  const clock = { nowMs: start };
  const ringOf = (clients: typeof store.clients) =>
    createKeyRing({ clients, nowMs: () => clock.nowMs, keyRotationDays });
  return { store, clock, ring: ringOf(store.clients), other: ringOf(store.elsewhere) };
}

test('without rotation there is no key, and signing says so', async (t) => {
  const { ring } = ringOver(t);
  await ring.reload();
  assert.throws(() => ring.signer(), /no signing key/);
});

test('two processes that start together agree on one key', async (t) => {
  const { ring, other, store } = ringOver(t);
  await Promise.all([ring.rotate(), other.rotate()]);
  assert.equal((await store.clients.listSigningKeys()).length, 1);
  assert.equal(ring.signer().kid, other.signer().kid);
});

test('the next key is published a day before it signs, the old one stays until its tokens have expired', async (t) => {
  const { ring, other, clock } = ringOver(t);
  await ring.rotate();
  const first = ring.signer().kid;
  clock.nowMs = midnight + 9 * dayMs - 1;
  await ring.rotate();
  assert.equal(ring.jwks().keys.length, 1);
  clock.nowMs += 1;
  await ring.rotate();
  await other.reload();
  assert.equal(other.jwks().keys.length, 2);
  assert.equal(ring.signer().kid, first);
  clock.nowMs = midnight + 10 * dayMs;
  const second = other.signer().kid;
  assert.notEqual(second, first);
  assert.ok(ring.publicKey(first));
  clock.nowMs = midnight + 12 * dayMs + 3_600_000 + 300_000 - 1;
  assert.ok(ring.publicKey(first));
  clock.nowMs += 1;
  assert.equal(ring.publicKey(first), undefined);
  assert.deepEqual(
    ring.jwks().keys.map(({ kid }) => kid),
    [second],
  );
});

test('daily rotation over thirty days never lacks a signer and never hoards keys', async (t) => {
  const { ring, clock } = ringOver(t, 1);
  const signers = new Set<string>();
  for (let hour = 0; hour < 30 * 24; hour += 6) {
    clock.nowMs = start + hour * 3_600_000;
    await ring.rotate();
    signers.add(ring.signer().kid);
    assert.ok(ring.jwks().keys.length <= 6, `${ring.jwks().keys.length} keys`);
  }
  assert.equal(signers.size, 31);
});

test('after a long pause a new key signs at once', async (t) => {
  const { ring, clock } = ringOver(t);
  await ring.rotate();
  const first = ring.signer().kid;
  clock.nowMs += 400 * dayMs;
  await ring.rotate();
  assert.notEqual(ring.signer().kid, first);
});

test('a clock that was set back by a year still finds a key to sign with', async (t) => {
  const { ring, clock } = ringOver(t);
  await ring.rotate();
  clock.nowMs -= 365 * dayMs;
  await ring.rotate();
  assert.ok(ring.signer().kid);
});

test('the key set has the public members and the thumbprint only', async (t) => {
  const { ring } = ringOver(t);
  await ring.rotate();
  const [jwk] = ring.jwks().keys;
  assert.deepEqual(Object.keys(jwk!).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  assert.match(String(jwk!.kid), /^[A-Za-z0-9_-]{43}$/);
});

test('a key id from a token is looked up as plain text', async (t) => {
  const { ring } = ringOver(t);
  await ring.rotate();
  for (const kid of ['__proto__', 'constructor', '', '../../etc/passwd', "' OR 1=1 --", 'x'.repeat(10_000)]) {
    assert.equal(ring.publicKey(kid), undefined, kid.slice(0, 20));
  }
});

test('a key is due on a whole day, so that proposals of several processes are equal', async () => {
  const key = await createSigningKey(start, midnight, 10 * dayMs);
  assert.equal(dueActiveFromMs([], start, 10 * dayMs), midnight);
  assert.equal(dueActiveFromMs([key], start, 10 * dayMs), undefined);
  assert.equal(dueActiveFromMs([key], midnight + 9 * dayMs, 10 * dayMs), midnight + 10 * dayMs);
  assert.equal(dueActiveFromMs([key], start + 20 * dayMs, 10 * dayMs), midnight + 20 * dayMs);
});
