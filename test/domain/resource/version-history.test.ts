import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, historyOf, historyWith, type VersionChange } from '../../../src/domain/resource/resource.ts';

/** Names with all that separates changes in the text. */
const odd = ['a]],[3,["b"]],', '"', '\\', '', 'näme', '[0,['];

test('version history: the last twenty changes, newest first, whatever fields are called', () => {
  let history = '';
  const expected: VersionChange[] = [];
  for (let version = 2; version < 50; version += 1) {
    const change = { version, fields: odd.slice(version % 4, version % 7) };
    expected.unshift(change);
    expected.splice(20);
    history = historyWith(change, history);
    assert.deepEqual(changesOf(history), expected);
    assert.equal(history, historyOf(expected));
  }
});

test('version history: its text has changes with commas between them, and is empty where there are none', () => {
  const before = historyOf([{ version: 2, fields: ['a'] }]);
  assert.equal(before, '[2,["a"]]');
  assert.equal(historyWith({ version: 3, fields: ['b'] }, before), '[3,["b"]],[2,["a"]]');
  assert.equal(historyWith({ version: 3, fields: [] }, before), '[3,[]],[2,["a"]]');
  assert.equal(historyWith({ version: 2, fields: [] }, historyOf([])), '[2,[]]');
  assert.deepEqual(changesOf(historyOf([])), []);
});
