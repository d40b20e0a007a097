import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cache } from '../../src/cache/cache.ts';
import { reportCache } from '../../src/telemetry/cache-metrics.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

test('cache: of more entries than fit, those used least recently are gone', () => {
  const cache = new Cache<string, number>({ maxEntries: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  assert.equal(cache.get('a'), 1);
  cache.set('c', 3);
  assert.equal(cache.get('b'), undefined);
  assert.deepEqual([cache.get('a'), cache.get('c'), cache.size], [1, 3, 2]);
});

test('cache: bytes bound it, and what is too large is not kept, nor what it replaces', () => {
  const cache = new Cache<string, string>({ maxBytes: 10, bytesOf: ({ length }) => length });
  cache.set('a', 'aaaa');
  cache.set('b', 'bbbb');
  assert.equal(cache.bytes, 8);
  cache.set('c', 'cccc');
  assert.deepEqual([cache.peek('a'), cache.peek('b'), cache.bytes], [undefined, 'bbbb', 8]);
  cache.set('b', 'bbbbbbbbbbb');
  assert.deepEqual([cache.peek('b'), cache.bytes], [undefined, 4]);
});

test('cache: makes a value once, and what cannot be made leaves nothing', () => {
  const cache = new Cache<string, number>({ maxEntries: 5 });
  assert.throws(() => cache.getOrMake('a', () => assert.fail('not made')), /not made/);
  assert.equal(
    cache.getOrMake('a', () => 1),
    1,
  );
  assert.equal(
    cache.getOrMake('a', () => 2),
    1,
  );
  assert.equal(cache.delete('a'), true);
  assert.equal(cache.delete('a'), false);
  cache.set('b', 1);
  cache.clear();
  assert.equal(cache.size, 0);
});

test('cache: without a limit there is none', () => {
  assert.throws(() => new Cache({}), /a limit/);
});

test('cache: reports hits, misses, entries and bytes, and a look without asking counts as neither', () => {
  const metrics = createMetrics();
  const cache = new Cache<string, string>({ maxBytes: 100, bytesOf: ({ length }) => length });
  reportCache(metrics, 'pages', cache);
  cache.set('a', 'aaa');
  cache.get('a');
  cache.get('a');
  cache.get('b');
  cache.peek('a');
  const text = metrics.render();
  assert.match(text, /^# TYPE grs_cache_requests_total counter$/m);
  assert.match(text, /^grs_cache_requests_total\{cache="pages",result="hit"\} 2$/m);
  assert.match(text, /^grs_cache_requests_total\{cache="pages",result="miss"\} 1$/m);
  assert.match(text, /^grs_cache_entries\{cache="pages"\} 1$/m);
  assert.match(text, /^grs_cache_bytes\{cache="pages"\} 3$/m);
});
