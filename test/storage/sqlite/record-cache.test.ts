import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceRecord } from '../../../src/domain/ports/resource-store.ts';
import { RecordCache } from '../../../src/record/sqlite/read/record-cache.ts';
import { document, record } from '../records.ts';

function recordOf(id: string, version = 1, bytes = 100): ResourceRecord {
  return record('p', document(id, version, { text: 'x'.repeat(bytes) }));
}

describe('The cache of records', () => {
  it('caches a record when it is offered for the second time, not for the first', () => {
    const cache = new RecordCache(1_000_000);
    cache.offer('p/a', recordOf('a'));
    assert.equal(cache.get('p/a'), undefined);
    cache.offer('p/a', recordOf('a'));
    assert.equal(cache.get('p/a')?.id, 'a');
  });

  it('drops a record when a write of it begins, and caches no read of it until that has ended', () => {
    const cache = new RecordCache(1_000_000);
    for (let n = 0; n < 2; n += 1) cache.offer('p/a', recordOf('a'));
    cache.writeBegins('p/a');
    assert.equal(cache.get('p/a'), undefined);
    cache.offer('p/a', recordOf('a'));
    assert.equal(cache.get('p/a'), undefined);
    cache.writeEnded('p/a');
    cache.offer('p/a', recordOf('a', 2));
    assert.equal(cache.get('p/a')?.version, 2);
  });

  it('caches a record again when the last of several writes of it has ended', () => {
    const cache = new RecordCache(1_000_000);
    for (let n = 0; n < 2; n += 1) cache.offer('p/a', recordOf('a'));
    cache.writeBegins('p/a');
    cache.writeBegins('p/a');
    cache.writeEnded('p/a');
    cache.offer('p/a', recordOf('a', 2));
    assert.equal(cache.get('p/a'), undefined);
    cache.writeEnded('p/a');
    cache.offer('p/a', recordOf('a', 3));
    assert.equal(cache.get('p/a')?.version, 3);
  });

  it('keeps within its bytes: the least recently used goes first, what is too large is not cached', () => {
    const cache = new RecordCache(3000);
    for (const id of ['a', 'b', 'a', 'b']) cache.offer(`p/${id}`, recordOf(id, 1, 500));
    assert.ok(cache.get('p/a'));
    for (const id of ['c', 'd', 'c', 'd']) cache.offer(`p/${id}`, recordOf(id, 1, 500));
    assert.ok(cache.get('p/d'));
    assert.equal(cache.get('p/b'), undefined);
    for (let n = 0; n < 2; n += 1) cache.offer('p/large', recordOf('large', 1, 70_000));
    assert.equal(cache.get('p/large'), undefined);
  });
});
