import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JsonMap, parseJson, sameJson, writeJson } from '../../packages/console/src/api/json.ts';
import { mergeLines, remaining } from '../../packages/console/src/model/merge.ts';
import { differences, fieldText, pathText, valueAt, withValue } from '../../packages/console/src/model/paths.ts';
import { changesOf, saveCall } from '../../packages/console/src/resource/write.ts';
import { pathSyntax } from '../../src/domain/json/path-syntax.ts';

const parse = (text: string) => parseJson(text) as JsonMap;

test('numbers keep their digits from parsing to writing', () => {
  const text = '{"a":9007199254740993,"b":1.10,"c":1e400,"d":[-0,0.1,12],"e":{"f":1E2}}';
  assert.equal(writeJson(parse(text)), text);
});

test('two numbers that JavaScript takes for one are different', () => {
  assert.equal(sameJson(parse('[9007199254740993]') as never, parse('[9007199254740992]') as never), false);
  assert.deepEqual(
    differences(parse('{"n":9007199254740993}'), parse('{"n":9007199254740992}')).map(({ path }) => path),
    [['n']],
  );
});

const value = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('x', 'y', 1, 2, true, null),
    fc.array(fc.constantFrom('x', 1), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'a.b'), tie('json'), { maxKeys: 3 }),
  ),
})).json;
const document = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'a.b'), value, { maxKeys: 4 })
  .map((own) => parse(JSON.stringify(own)));

test('the differences of two documents, applied to the first, give the second', () => {
  fc.assert(
    fc.property(document, document, (before, after) => {
      const applied = differences(before, after).reduce((own, { path, after: to }) => withValue(own, path, to), before);
      assert.ok(sameJson(applied, after), writeJson(applied));
    }),
    { numRuns: 500 },
  );
});

test('a merge takes what only one side changed from that side, and asks where both did', () => {
  fc.assert(
    fc.property(document, document, document, (base, mine, theirs) => {
      const lines = mergeLines(base, mine, theirs);
      const rest = remaining(lines, new Set());
      const merged = rest.reduce((own, { path, mine: value }) => withValue(own, path, value), theirs);
      for (const { path, isConflict, base: from, mine: ours, theirs: others } of lines) {
        const expected = isConflict || sameJson(ours, from) ? others : ours;
        assert.ok(sameJson(valueAt(merged, path), expected), pathText(path));
      }
    }),
    { numRuns: 500 },
  );
});

test('a save sends the changed fields; what update actions cannot say is written as a whole', () => {
  const stored = parse('{"id":"1","version":3,"key":"k","name":{"en":"a","de":"b"},"n":1,"createdAt":"…"}');
  const send = (after: string) => {
    const mine = parse(after);
    const changes = changesOf(stored, mine).map(({ path, after: to }) => ({ path, value: to }));
    return saveCall('shop', stored, changes, mine, false);
  };
  const actions = send('{"id":"1","version":3,"key":"k2","name":{"en":"c","de":"b"}}');
  assert.deepEqual(
    [actions.method, actions.path, actions.json],
    [
      'POST',
      '/shop/resource/1',
      {
        version: 3,
        actions: [
          { action: 'setKey', key: 'k2' },
          { action: 'setField', path: 'name.en', value: 'c' },
          { action: 'setField', path: 'n' },
        ],
      },
    ],
  );
  const whole = send('{"id":"1","version":3,"key":"k","name":{"en":"a","de":"b"},"n":null}');
  assert.deepEqual(
    [whole.method, whole.path, whole.json],
    ['PUT', '/shop/resource', { id: '1', version: 3, key: 'k', name: { en: 'a', de: 'b' }, n: null }],
  );
});

test('fields of errors are named as the service names them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), (path) => {
      assert.equal(fieldText(path), pathSyntax(path));
    }),
  );
  assert.equal(fieldText(['size', 'größe', 'b.c', 'back`tick', '']), 'size.`größe`.`b.c`.`back``tick`.``');
});
