import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecent } from '../../src/http/request/parse-cache.ts';

test('what was made of a text is made once while it is in use', () => {
  const recent = createRecent<number>(2);
  let made = 0;
  const make = () => {
    made += 1;
    return made;
  };
  assert.deepEqual([recent('a', make), recent('b', make), recent('a', make)], [1, 2, 1]);
  // A third text replaces the least recently used one.
  assert.equal(recent('c', make), 3);
  assert.deepEqual([recent('a', make), recent('b', make)], [1, 4]);
});

test('a very long text is made each time', () => {
  const recent = createRecent<object>(2);
  const long = 'x'.repeat(2000);
  assert.notEqual(
    recent(long, () => ({})),
    recent(long, () => ({})),
  );
});
