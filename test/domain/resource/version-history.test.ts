import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type VersionChange, VersionHistory } from '../../../src/domain/resource/version-history.ts';

/** Names with all that separates changes in the text. */
const odd = ['a]],[3,["b"]],', '"', '\\', '', 'näme', '[0,['];

test('version history: the last twenty changes, newest first, whatever fields are called', () => {
  let [kept, stored] = [VersionHistory.none, VersionHistory.none];
  const expected: VersionChange[] = [];
  for (let version = 2; version < 50; version += 1) {
    const change = { version, fields: odd.slice(version % 4, version % 7) };
    expected.unshift(change);
    expected.splice(20);
    kept = kept.with(change);
    // As a store has it after each update.
    stored = VersionHistory.stored(stored.with(change).text);
    assert.deepEqual(kept.changes, expected);
    assert.equal(stored.text, kept.text);
    assert.equal(kept.text, VersionHistory.of(expected).text);
  }
});

test('version history: a change leaves the history before it as it is', () => {
  const before = VersionHistory.of([{ version: 2, fields: ['a'] }]);
  const [left, right] = [before.with({ version: 3, fields: ['b'] }), before.with({ version: 3, fields: [] })];
  assert.equal(before.text, '[2,["a"]]');
  assert.equal(left.text, '[3,["b"]],[2,["a"]]');
  assert.equal(right.text, '[3,[]],[2,["a"]]');
  assert.equal(VersionHistory.of([]), VersionHistory.none);
});
