import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '../../../src/contract/json.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { getOwn, isJsonObject, jsonEquals, mergePatch, scalarsOf, setOwn } from '../../../src/domain/json/values.ts';

describe('jsonEquals', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['1', '1.0', true],
    ['100', '1e2', true],
    ['9007199254740993', '9007199254740992', false],
    ['9007199254740993', '9007199254740993', true],
    ['[1,2]', '[2,1]', false],
    ['[]', '{}', false],
    ['null', '{}', false],
    ['0', 'false', false],
    ['"1"', '1', false],
    ['{"a":1,"b":[{}]}', '{"b":[{}],"a":1}', true],
    ['{"a":null}', '{}', false],
    ['{"__proto__":1}', '{"__proto__":2}', false],
    ['{"__proto__":1}', '{"__proto__":1}', true],
    ['{"toString":1}', '{"valueOf":1}', false],
  ];
  for (const [a, b, equal] of cases) {
    test(`${a} and ${b} are ${equal ? 'equal' : 'different'}`, () => {
      assert.equal(jsonEquals(parseJson(a), parseJson(b)), equal);
      assert.equal(jsonEquals(parseJson(b), parseJson(a)), equal);
    });
  }
});

describe('mergePatch', () => {
  // The examples of RFC 7396, appendix A.
  const examples: readonly (readonly [string, string, string])[] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{}', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
    ['{"__proto__":{"x":1}}', '{"__proto__":null}', '{}'],
    ['{"a":9007199254740993}', '{"b":{"c":9007199254740993}}', '{"a":9007199254740993,"b":{"c":9007199254740993}}'],
  ];
  for (const [target, patch, result] of examples) {
    test(`${target} patched by ${patch} is ${result}`, () => {
      const before = parseJson(target);
      assert.equal(stringifyJson(mergePatch(before, parseJson(patch))), result);
      assert.equal(stringifyJson(before), target);
    });
  }

  test('patching with itself changes nothing that has no null', () => {
    const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('null'));
    fc.assert(
      fc.property(value, (json) => {
        const document = parseJson(JSON.stringify(json));
        assert.ok(jsonEquals(mergePatch(document, document), document));
      }),
    );
  });
});

describe('objects with the keys of clients', () => {
  test('setOwn makes a field of every name, and getOwn reads no prototype', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a']) {
      const object: { [key: string]: JsonValue } = {};
      assert.equal(getOwn(object, name), undefined);
      setOwn(object, name, 1);
      assert.deepEqual(Object.keys(object), [name]);
      assert.equal(getOwn(object, name), 1);
      assert.equal(stringifyJson(Object.fromEntries([[name, 1]])), stringifyJson(object));
    }
  });
  test('a number kept as its text is not an object', () => {
    assert.equal(isJsonObject(parseJson('9007199254740993')), false);
    assert.equal(isJsonObject(parseJson('{"rawJSON":"1"}')), true);
  });
});

describe('scalarsOf', () => {
  test('it tells what there is too much of', () => {
    const nested = (depth: number): JsonValue => (depth === 0 ? 1 : [nested(depth - 1)]);
    assert.equal(scalarsOf(nested(64)), 1);
    assert.match(String(scalarsOf(nested(65))), /levels/);
    assert.match(String(scalarsOf({ a: Array(100_001).fill(0) })), /items/);
    assert.match(
      String(scalarsOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}`, 1] as const)))),
      /keys/,
    );
  });
});
