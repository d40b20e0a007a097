import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findViolations, type Operation } from './race-history.ts';

type Row = readonly [
  kind: 'read' | 'write',
  start: number,
  end: number,
  version: number,
  value: string,
  outcome?: Operation['outcome'],
];
const history = (...rows: readonly Row[]): readonly Operation[] =>
  rows.map(([kind, start, end, version, value, outcome = 'acknowledged']): Operation => {
    return { kind, resource: 'r', start, end, version, value, outcome };
  });

test('findViolations: a history that one copy could have produced has none', () => {
  const good = history(
    ['write', 0, 1, 1, 'a'],
    ['write', 2, 6, 2, 'b'],
    ['read', 3, 4, 1, 'a'],
    ['read', 3, 4, 2, 'b'],
    ['read', 7, 8, 2, 'b'],
    ['write', 9, 10, 3, 'c', 'unknown'],
    ['read', 11, 12, 3, 'c'],
    ['write', 13, 14, 4, 'd'],
  );
  assert.deepEqual(findViolations(good), []);
  const other = good.map((operation) => ({ ...operation, resource: 'other', version: operation.version + 5 }));
  assert.deepEqual(findViolations([...good, ...other]), []);
});

const bad: readonly (readonly [name: string, violation: RegExp, operations: readonly Operation[]])[] = [
  ['two writes of one version', /^twice written/, history(['write', 0, 9, 1, 'a'], ['write', 0, 9, 1, 'b'])],
  ['a version that no client wrote', /^gap: .* 2$/, history(['write', 0, 1, 1, 'a'], ['write', 2, 3, 3, 'c'])],
  ['a read of a value of no write', /^never written/, history(['write', 0, 1, 1, 'a'], ['read', 2, 3, 1, 'b'])],
  ['a read of a version of no write', /^never written/, history(['write', 0, 1, 1, 'a'], ['read', 2, 3, 2, 'a'])],
  [
    'a read of another value than the write without response has',
    /^never written/,
    history(['write', 0, 1, 1, 'a'], ['write', 1, 2, 2, 'b', 'unknown'], ['read', 2, 3, 2, 'c']),
  ],
  [
    'a read that began after a write had ended and does not see it',
    /^too old: read/,
    history(['write', 0, 1, 1, 'a'], ['write', 2, 3, 2, 'b'], ['read', 4, 5, 1, 'a']),
  ],
  [
    'two reads of which the later sees less',
    /^too old: read/,
    history(['write', 0, 1, 1, 'a'], ['write', 2, 9, 2, 'b'], ['read', 3, 4, 2, 'b'], ['read', 5, 6, 1, 'a']),
  ],
  [
    'a write under a version that was there before',
    /^too old: write/,
    history(['write', 0, 1, 2, 'b'], ['write', 2, 3, 1, 'a']),
  ],
];

for (const [name, violation, operations] of bad) {
  test(`findViolations: finds ${name}`, () => {
    const found = findViolations(operations);
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0]!, violation);
  });
}
