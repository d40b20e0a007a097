import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonPatch } from '../../../src/domain/history/json-patch.ts';
import { parseStoredJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { jsonEquals } from '../../../src/domain/json/values.ts';
import { applied } from './apply-patch.ts';

const leaf = fc.constantFrom('1', '1.5', '9007199254740993', '-9007199254740995', 'null', 'true', '"x"', '{}', '[]');
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('tree'), { maxLength: 5 }).map((items) => `[${items}]`),
    object(tie('tree')),
  ),
}));

function object(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const name = fc.constantFrom('a', 'b', 'c/d', 'e~f', '~1', '', '__proto__', 'constructor', '0');
  return fc.array(fc.tuple(name, value), { maxLength: 5 }).map((members) => {
    const texts = [...new Map(members)].map(([key, text]) => `${JSON.stringify(key)}:${text}`);
    return `{${texts.join(',')}}`;
  });
}

test('a patch, applied to the value before, gives the one after; with the old values it says what was there', () => {
  fc.assert(
    fc.property(tree, tree, (before, after) => {
      const [from, to] = [parseStoredJson(before), parseStoredJson(after)];
      for (const oldValues of [false, true]) {
        const patch = jsonPatch(from, to, oldValues);
        assert.ok(jsonEquals(applied(from, patch), to), stringifyJson(patch as never));
        assert.equal(patch.length === 0, jsonEquals(from, to));
        for (const { op, ...members } of patch) assert.equal('oldValue' in members, oldValues && op !== 'add');
      }
    }),
    { numRuns: 1000 },
  );
});

test('a patch is small: long integers exact, items that moved up not repeated, names escaped', () => {
  const patch = (before: string, after: string) =>
    stringifyJson(jsonPatch(parseStoredJson(before), parseStoredJson(after), true) as never);
  assert.equal(
    patch('{"n":9007199254740993}', '{"n":9007199254740994}'),
    '[{"op":"replace","path":"/n","value":9007199254740994,"oldValue":9007199254740993}]',
  );
  assert.equal(patch('{"a":[1,2,3,4,5]}', '{"a":[1,2,4,5]}'), '[{"op":"remove","path":"/a/2","oldValue":3}]');
  assert.equal(
    patch('{"a":[1,4]}', '{"a":[1,2,3,4]}'),
    '[{"op":"add","path":"/a/1","value":2},{"op":"add","path":"/a/2","value":3}]',
  );
  assert.equal(patch('{"a/b~c":{"x":1}}', '{"a/b~c":{}}'), '[{"op":"remove","path":"/a~1b~0c/x","oldValue":1}]');
  assert.equal(patch('{"a":1,"b":2}', '{"b":2,"a":1}'), '[]');
  assert.deepEqual(jsonPatch(undefined, { a: 1 }), [{ op: 'add', path: '', value: { a: 1 } }]);
  assert.deepEqual(jsonPatch({ a: 1 }, undefined), [{ op: 'remove', path: '' }]);
});

test('an item taken out of a long array of objects is one small operation', () => {
  const items = Array.from({ length: 20_000 }, (_, sku) => ({ sku, text: 'some text' }));
  const patch = jsonPatch({ items }, { items: items.toSpliced(10, 1) });
  assert.deepEqual(patch, [{ op: 'remove', path: '/items/10' }]);
});
