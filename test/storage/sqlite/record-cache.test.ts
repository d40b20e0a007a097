import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceRecord } from '../../../src/domain/ports/resource-store.ts';
import { StoreRefused } from '../../../src/record/engine.ts';
import { createRecordCache } from '../../../src/record/sqlite/read/record-cache.ts';
import { document, record } from '../records.ts';
import { fileOf, openTestStore } from './open-test-store.ts';

function recordOf(id: string, version = 1, bytes = 100): ResourceRecord {
  return record('p', document(id, version, { text: 'x'.repeat(bytes) }));
}

describe('The cache of records', () => {
  it('caches a record when it is offered for the second time, not for the first', () => {
    const cache = createRecordCache(1_000_000);
    cache.offer('p/a', recordOf('a'));
    assert.equal(cache.get('p/a'), undefined);
    cache.offer('p/a', recordOf('a'));
    assert.equal(cache.get('p/a')?.id, 'a');
  });

  it('drops a record when a write of it begins, and caches no read of it until that has ended', () => {
    const cache = createRecordCache(1_000_000);
    for (let n = 0; n < 2; n += 1) cache.offer('p/a', recordOf('a'));
    cache.writeBegins('p/a');
    assert.equal(cache.get('p/a'), undefined);
    cache.offer('p/a', recordOf('a'));
    assert.equal(cache.get('p/a'), undefined);
    cache.writeEnded('p/a');
    cache.offer('p/a', recordOf('a', 2));
    assert.equal(cache.get('p/a')?.version, 2);
  });

  it('caches what an update made only when no other write of the record is under way', () => {
    const cache = createRecordCache(1_000_000);
    for (let n = 0; n < 2; n += 1) cache.offer('p/a', recordOf('a'));
    cache.writeBegins('p/a');
    cache.writeBegins('p/a');
    cache.writeEnded('p/a', recordOf('a', 2));
    assert.equal(cache.get('p/a'), undefined);
    cache.writeEnded('p/a', recordOf('a', 3));
    assert.equal(cache.get('p/a')?.version, 3);
  });

  it('keeps within its bytes: the least recently used goes first, what is too large is not cached', () => {
    const cache = createRecordCache(3000);
    for (const id of ['a', 'b', 'a', 'b']) cache.offer(`p/${id}`, recordOf(id, 1, 500));
    assert.ok(cache.get('p/a'));
    for (const id of ['c', 'd', 'c', 'd']) cache.offer(`p/${id}`, recordOf(id, 1, 500));
    assert.ok(cache.get('p/d'));
    assert.equal(cache.get('p/b'), undefined);
    for (let n = 0; n < 2; n += 1) cache.offer('p/large', recordOf('large', 1, 70_000));
    assert.equal(cache.get('p/large'), undefined);
  });

  it('is filled by reads that are spread over as many records as it holds', () => {
    const names = Array.from({ length: 60_000 }, (_, at) => `p/${at}`);
    const hitsOf = (maxBytes: number) => {
      const cache = createRecordCache(maxBytes);
      for (let round = 0; round < 2; round += 1) for (const name of names) cache.offer(name, recordOf('a'));
      return names.filter((name) => cache.get(name)).length;
    };
    const hits = hitsOf(256 * 1_048_576);
    assert.ok(hits > 40_000, `${hits} of 60,000`);
  });
});

it('a start with a cache that V8 could not hold is refused, and says what to do', async (t) => {
  const opening = openTestStore(fileOf(t), { cacheBytes: 2 ** 40 });
  await assert.rejects(opening, (error: Error) => {
    assert.ok(error instanceof StoreRefused);
    assert.match(
      error.message,
      /^CACHE_BYTES=1099511627776 is more than a third .* NODE_OPTIONS=--max-old-space-size=3145728$/,
    );
    return true;
  });
});
