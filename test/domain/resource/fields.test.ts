import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import { parseStoredJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { parseFields, selectFields } from '../../../src/domain/resource/read/fields.ts';
import { testSeed } from '../../seed.ts';
import { anyFields } from '../../storage/sqlite/arbitrary-documents.ts';

const select = (text: string, ...fields: string[]) => selectFields(text, parseFields(fields)!);

test('selected fields: digits and order stay, id, version and key are always there', () => {
  const text =
    '{"id":"a","version":9007199254740993,"key":"k","b":{"c":1.5,"d":[1,{"e":"}\\"]","f":2},{"f":3},[{"e":4}]],"":null},"a":"x,y\\\\","g":{}}';
  const cases: readonly (readonly [fields: readonly string[], expected: string])[] = [
    [['nothing'], '{"id":"a","version":9007199254740993,"key":"k"}'],
    [['g,b.c'], '{"id":"a","version":9007199254740993,"key":"k","b":{"c":1.5},"g":{}}'],
    [
      ['b.d.e', 'a'],
      '{"id":"a","version":9007199254740993,"key":"k","b":{"d":[{"e":"}\\"]"},{},[{"e":4}]]},"a":"x,y\\\\"}',
    ],
    [['b', 'b.c'], text.replace(',"a":"x,y\\\\","g":{}', '')],
    [['a.b.c'], '{"id":"a","version":9007199254740993,"key":"k"}'],
    [[' `b` . c '.replaceAll(' ', '')], '{"id":"a","version":9007199254740993,"key":"k","b":{"c":1.5}}'],
  ];
  for (const [fields, expected] of cases) assert.equal(select(text, ...fields), expected, fields.join(' & '));
});

test('a text that is no list of paths is refused, and says what is expected', () => {
  for (const text of ['', ',', 'a,', 'a..b', '.a', 'a b', '`a', 'a[0]', '*', `${'a.'.repeat(40)}a`]) {
    assert.throws(() => parseFields([text]), /Malformed parameter: fields: /, text);
  }
  assert.throws(() => parseFields(Array.from({ length: 201 }, (_, at) => `a${at}`)), /at most 200 paths/);
});

test('the identity is that of the selection, however it is written', () => {
  const identity = (...texts: string[]) => parseFields(texts)!.identity;
  assert.equal(identity('a,b.c'), identity('b.c', ' a ', 'a.x'));
  assert.notEqual(identity('a'), identity('a.b'));
  assert.notEqual(identity('`a.b`'), identity('a.b'));
});

/** The same on values, in the plainest words. */
function reference(value: JsonValue, paths: readonly (readonly string[])[]): string | undefined {
  if (paths.some((path) => path.length === 0)) return stringifyJson(value as JsonObject);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return undefined;
  if (Array.isArray(value)) {
    return `[${value.map((each: JsonValue) => reference(each, paths)).filter((each) => each !== undefined)}]`;
  }
  const members = Object.entries(value).flatMap(([name, member]) => {
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    const selected = below.length === 0 ? undefined : reference(member as JsonValue, below);
    return selected === undefined ? [] : [`${JSON.stringify(name)}:${selected}`];
  });
  return `{${members}}`;
}

test(`random documents and random fields: what is cut out is what the paths select (seed ${testSeed})`, () => {
  const names = [
    'a',
    'b',
    'a-b',
    '__proto__',
    'Ä😀',
    'price',
    'objectTypeProperty',
    'key',
    'arrayOfObjectType',
  ] as const;
  const anyPaths = fc.array(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  });
  const check = fc.property(anyFields, anyPaths, (made, paths) => {
    // As it is stored: -0 is 0.
    const document = parseStoredJson(stringifyJson(made)) as JsonObject;
    const fields = paths.map((path) => path.map((name) => `\`${name}\``).join('.')).join(',');
    const expected = reference(document, [['id'], ['version'], ['key'], ...paths]);
    assert.equal(select(stringifyJson(document), fields), expected);
  });
  fc.assert(check, { seed: testSeed, numRuns: 500 });
});
