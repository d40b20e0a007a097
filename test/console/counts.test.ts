import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText, totalText } from '../../packages/console/src/model/counts.ts';

test('a total that is the least that there are says so', () => {
  assert.equal(totalText(10_000, false), '10,000');
  assert.equal(totalText(10_000, true), 'at least 10,000');
});

test('a count of a sample is an estimate of two digits, any other is exact', () => {
  assert.equal(countText(38_016, undefined), '38,016');
  const estimates = [0, 7, 16, 464, 38_016, 1_954_321].map((count) => countText(count, 6250));
  assert.deepEqual(estimates, ['about 0', 'about 7', 'about 16', 'about 460', 'about 38,000', 'about 2,000,000']);
});
