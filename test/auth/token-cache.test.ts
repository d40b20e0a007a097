import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRevocations, createTokenCache } from '../../src/auth/token-validity.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const caller = { clientId: 'p.1', jti: 'j1', scopes: new Set(['view_test:p']) };
const revoke = (kind: 'jti' | 'client', subject: string) =>
  ({ kind, subject, revokedAtMs: 0, expiresAtMs: 1e9 }) as const;

test('a token is cached for a minute, but never past its expiry', () => {
  const cache = createTokenCache(createRevocations(Date.now), Date.now);
  cache.put('long', caller, 1000, 999_000);
  cache.put('short', caller, 1000, 5000);
  cache.put('expired', caller, 1000, 1000);
  assert.equal(cache.get('expired', 1000), undefined);
  assert.equal(cache.get('short', 4999), caller);
  assert.equal(cache.get('short', 5000), undefined);
  assert.equal(cache.get('long', 60_999), caller);
  assert.equal(cache.get('long', 61_000), undefined);
  assert.equal(cache.size(), 0);
});

test('a clock that is set back does not stretch the minute', () => {
  const cache = createTokenCache(createRevocations(Date.now), Date.now);
  cache.put('t', caller, 1000, 999_000);
  assert.equal(cache.get('t', 999), undefined);
  assert.equal(cache.size(), 0);
});

test('a revoked token, and one of a revoked client, is gone at the next look', () => {
  const revocations = createRevocations(Date.now);
  const cache = createTokenCache(revocations, Date.now);
  const other = { ...caller, jti: 'j2' };
  cache.put('one', caller, 0, 1e6);
  cache.put('two', other, 0, 1e6);
  assert.equal(cache.get('one', 1), caller);
  revocations.add(revoke('jti', 'j1'));
  assert.equal(cache.get('one', 2), undefined);
  assert.equal(cache.get('two', 2), other);
  revocations.add(revoke('client', 'p.1'));
  assert.equal(cache.get('two', 3), undefined);
});

test('a token that is revoked between its verification and its caching is not served', () => {
  const revocations = createRevocations(Date.now);
  const cache = createTokenCache(revocations, Date.now);
  revocations.add(revoke('jti', 'j1'));
  cache.put('late', caller, 0, 1e6);
  assert.equal(cache.get('late', 1), undefined);
});

test('the cache holds 10,000 tokens: the one used least recently makes room', () => {
  const cache = createTokenCache(createRevocations(Date.now), Date.now);
  for (let index = 0; index <= 10_000; index += 1) cache.put(`t${index}`, caller, 0, 1e6);
  assert.equal(cache.size(), 10_000);
  assert.equal(cache.get('t0', 1), undefined);
  assert.equal(cache.get('t1', 1), caller);
});

test('the cache is in the metrics', () => {
  const metrics = createMetrics();
  const cache = createTokenCache(createRevocations(Date.now), Date.now, metrics);
  cache.put('t', caller, 0, 1e6);
  cache.get('t', 1);
  cache.get('other', 1);
  for (const result of ['hit', 'miss']) {
    assert.match(metrics.render(), new RegExp(`^grs_cache_requests_total{cache="tokens",result="${result}"} 1$`, 'm'));
  }
});

test('a subject does not stand for another kind', () => {
  const revocations = createRevocations(Date.now);
  revocations.add(revoke('client', 'j1'));
  assert.equal(revocations.isRevoked({ jti: 'j1', clientId: 'p.1' }), false);
  assert.equal(revocations.isRevoked({ jti: '__proto__', clientId: 'constructor' }), false);
  assert.equal(revocations.isRevoked({ jti: 'x', clientId: 'j1' }), true);
});
