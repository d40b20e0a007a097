import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheCarts } from '../../src/backend/embedded/cart-cache.ts';
import type { ResourceRecord } from '../../src/domain/ports/resource-store.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

test('a cart is cached until its document or one of its images changes, and the metrics tell so', async () => {
  let [image, finds] = ['/a', 0];
  const findImages = async () => {
    finds += 1;
    return { stamp: image, bySku: () => new Map([['blue', [image]]]) };
  };
  const metrics = createMetrics();
  const cartOf = cacheCarts(findImages, metrics);
  const empty = await cartOf('shop', undefined);
  assert.equal(await cartOf('shop', undefined), empty);
  assert.equal(finds, 1);

  const json = JSON.stringify({
    lineItems: [{ variant: { sku: 'blue' }, price: { centAmount: 1, currencyCode: 'EUR' } }],
  });
  const record = { version: 1, current: JSON.stringify({ json, writes: 1 }) } as unknown as ResourceRecord;
  const filled = await cartOf('shop', record);
  assert.equal(await cartOf('shop', record), filled);
  image = '/b';
  const renewed = await cartOf('shop', record);
  assert.ok(filled.text.includes('"/a"') && renewed.text.includes('"/b"'), renewed.text);
  assert.notEqual(renewed.etag, filled.etag);
  assert.match(metrics.render(), /^grs_cache_requests_total\{cache="carts",result="hit"\} 4$/m);
  assert.match(metrics.render(), /^grs_cache_requests_total\{cache="carts",result="miss"\} 1$/m);
  assert.match(metrics.render(), new RegExp(`^grs_cache_bytes\\{cache="carts"\\} ${renewed.text.length}$`, 'm'));
});
