import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idf, impact, type LengthClass, lengthClass, timesClass } from '../../../src/domain/search/relevance.ts';

const lengths: readonly LengthClass[] = [0, 1, 2, 3, 4, 5, 6, 7];

test('timesClass: once, twice, and three times or more', () => {
  assert.deepEqual([1, 2, 3, 4, 1000].map(timesClass), [1, 2, 3, 3, 3]);
});

test('lengthClass: each class ends where the length doubles', () => {
  const ends = [4, 8, 16, 32, 64, 128, 256];
  assert.deepEqual(ends.map(lengthClass), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(
    ends.map((end) => lengthClass(end + 1)),
    [1, 2, 3, 4, 5, 6, 7],
  );
  assert.equal(lengthClass(1), 0);
  assert.equal(lengthClass(1_000_000), 7);
});

test('idf: is the logarithm of BM25, greater the rarer the word, and above 0 even for one that all have', () => {
  assert.equal(idf(10, 3), Math.log(1 + 7.5 / 3.5));
  assert.ok(idf(1000, 1) > idf(1000, 10) && idf(1000, 10) > idf(1000, 1000));
  assert.ok(idf(1000, 1000) > 0);
  assert.ok(idf(1, 1) > 0);
});

test('impact: rises with occurrences, falls with length, and stays within its bounds', () => {
  for (const length of lengths) {
    assert.ok(impact(1, length) < impact(2, length) && impact(2, length) < impact(3, length));
    if (length < 7) assert.ok(impact(1, length) > impact(1, (length + 1) as LengthClass));
    for (const times of [1, 2, 3] as const) assert.ok(impact(times, length) > 0 && impact(times, length) < 2.2);
  }
});

test('impact: is the formula of BM25 for 24 words', () => {
  assert.equal(impact(2, 3), (2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 24) / 32)));
});
