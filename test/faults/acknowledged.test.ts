import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareAcknowledged, type State } from './acknowledged.ts';

/** The checker of the crash tests must find what it is there for. */
const states = (...entries: readonly (readonly [string, number, string])[]): ReadonlyMap<string, State> =>
  new Map(entries.map(([id, version, value]) => [id, { version, value }]));
const told = states(['a', 1, 'x'], ['b', 3, 'y']);
const nothing = { lost: [], changed: [], unacknowledged: [] };

test('compareAcknowledged: the same states, or later ones, are nothing to report but what was not acknowledged', () => {
  assert.deepEqual(compareAcknowledged(told, told), nothing);
  const later = states(['a', 1, 'x'], ['b', 4, 'z'], ['c', 1, 'new']);
  assert.deepEqual(compareAcknowledged(told, later), { ...nothing, unacknowledged: ['b', 'c'] });
});

test('compareAcknowledged: an acknowledged resource that is missing is lost', () => {
  assert.deepEqual(compareAcknowledged(told, states(['b', 3, 'y'])), { ...nothing, lost: ['a'] });
});

test('compareAcknowledged: an acknowledged version that is older now is lost', () => {
  assert.deepEqual(compareAcknowledged(told, states(['a', 1, 'x'], ['b', 2, 'y'])), { ...nothing, lost: ['b'] });
});

test('compareAcknowledged: another value in the acknowledged version is a change', () => {
  assert.deepEqual(compareAcknowledged(told, states(['a', 1, 'other'], ['b', 3, 'y'])), { ...nothing, changed: ['a'] });
});
