import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheCarts } from '../../src/backend/embedded/cart-cache.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

test('a cart is cached until an image changes, or a second has passed, and the metrics tell so', async () => {
  let [changes, nowMs, finds] = [0, 1000, 0];
  const find = async () => {
    finds += 1;
    return { bySku: new Map(), stamp: 'unchanged' };
  };
  const metrics = createMetrics();
  const cartOf = cacheCarts({ changes: () => changes, find }, () => nowMs, metrics);
  const cart = await cartOf('shop', undefined);
  assert.equal(cartOf('shop', undefined), cart);
  changes += 1;
  assert.ok(cartOf('shop', undefined) instanceof Promise);
  nowMs += 1000;
  assert.deepEqual((await cartOf('shop', undefined)).etag, cart.etag);
  assert.ok(!(cartOf('shop', undefined) instanceof Promise));
  assert.equal(finds, 3);
  assert.match(metrics.render(), /^grs_cache_requests_total\{cache="carts",result="hit"\} 4$/m);
  assert.match(metrics.render(), /^grs_cache_requests_total\{cache="carts",result="miss"\} 1$/m);
  assert.match(metrics.render(), new RegExp(`^grs_cache_bytes\\{cache="carts"\\} ${cart.text.length}$`, 'm'));
});
