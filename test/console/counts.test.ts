import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalText } from '../../packages/console/src/model/counts.ts';

test('a total that is the least that there are says so', () => {
  assert.equal(totalText(10_000, false), '10,000');
  assert.equal(totalText(10_000, true), 'at least 10,000');
});
