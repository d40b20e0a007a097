import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceRecord } from '../../../src/domain/ports/resource-store.ts';
import { createHotRecords } from '../../../src/storage/sqlite/read/record-cache.ts';
import { document, record } from '../records.ts';

function recordOf(id: string, version = 1, bytes = 100): ResourceRecord {
  return record('p', document(id, version, { text: 'x'.repeat(bytes) }));
}

describe('The memory of records read lately', () => {
  it('remembers a record when it is read for the second time, not for the first', () => {
    const hot = createHotRecords(1_000_000);
    hot.remember('p/a', recordOf('a'));
    assert.equal(hot.get('p/a'), undefined);
    hot.remember('p/a', recordOf('a'));
    assert.equal(hot.get('p/a')?.id, 'a');
  });

  it('forgets a record when a write of it begins, and takes in no read of it until that has ended', () => {
    const hot = createHotRecords(1_000_000);
    for (let n = 0; n < 2; n += 1) hot.remember('p/a', recordOf('a'));
    hot.writeBegins('p/a');
    assert.equal(hot.get('p/a'), undefined);
    hot.remember('p/a', recordOf('a'));
    assert.equal(hot.get('p/a'), undefined);
    hot.writeEnded('p/a');
    hot.remember('p/a', recordOf('a', 2));
    assert.equal(hot.get('p/a')?.version, 2);
  });

  it('takes in what an update made only when no other write of the record is under way', () => {
    const hot = createHotRecords(1_000_000);
    for (let n = 0; n < 2; n += 1) hot.remember('p/a', recordOf('a'));
    hot.writeBegins('p/a');
    hot.writeBegins('p/a');
    hot.writeEnded('p/a', recordOf('a', 2));
    assert.equal(hot.get('p/a'), undefined);
    hot.writeEnded('p/a', recordOf('a', 3));
    assert.equal(hot.get('p/a')?.version, 3);
  });

  it('keeps within its bytes: what was used longest ago goes first, what is too large is not taken in', () => {
    const hot = createHotRecords(3000);
    for (const id of ['a', 'b', 'a', 'b']) hot.remember(`p/${id}`, recordOf(id, 1, 500));
    assert.ok(hot.get('p/a'));
    for (const id of ['c', 'd', 'c', 'd']) hot.remember(`p/${id}`, recordOf(id, 1, 500));
    assert.ok(hot.get('p/d'));
    assert.equal(hot.get('p/b'), undefined);
    for (let n = 0; n < 2; n += 1) hot.remember('p/large', recordOf('large', 1, 70_000));
    assert.equal(hot.get('p/large'), undefined);
  });
});
