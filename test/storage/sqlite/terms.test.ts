import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import type { Documents } from '../../../src/domain/ports/resource-store.ts';
import { compareScalars, compareUtf8, type Scalar, scalarOf } from '../../../src/domain/predicate/scalar.ts';
import { termDifference } from '../../../src/index/terms/index-entries.ts';
import { descendingKey, numberKey, textKey, valueClass } from '../../../src/index/terms/order-key.ts';
import { encodePath, encodeScalar, escapeText, unescapeText } from '../../../src/index/terms/term-encoding.ts';
import { splitTerm } from '../../../src/index/terms/word-terms.ts';
import { anyResource, resourceOf } from '../../domain/search/arbitrary-search.ts';

const awkward = [
  ...[
    '',
    ' ',
    'a',
    'A',
    'a b',
    '~',
    '^',
    '%',
    '%41',
    '^a',
    '|',
    '*',
    '"',
    "'",
    '\\',
    '`',
    '.',
    'a.b',
    '\0',
    '\n',
    '\x7f',
  ],
  ...[
    'ä',
    'Ä',
    'a\u0308',
    '😀',
    '\ud83d',
    '\ude00',
    '\ufffd',
    '日本',
    'AND',
    'NEAR(a b)',
    '-',
    '(',
    ')',
    '*a*',
    'ſ',
    'K',
    '\u00a0',
  ],
];

test('escapeText and unescapeText are inverse, and no two texts have the same encoding', () => {
  const encoded = awkward.map(escapeText);
  assert.deepEqual(encoded.map(unescapeText), awkward);
  assert.equal(new Set(encoded).size, awkward.length);
});

test('every encoding is a term of its own, and short', () => {
  const values: JsonValue[] = [
    ...awkward,
    'x'.repeat(70_000),
    'X'.repeat(70_000),
    1,
    1.5,
    -1,
    true,
    false,
    1e300,
    '2024-01-01',
  ];
  const terms = values.map((value) => `p|c|a|${encodeScalar(scalarOf(value)!)}`);
  assert.equal(new Set(terms).size, terms.length);
  assert.ok(terms.every((term) => term.length < 400));
});

test('encodePath tells names with dots, empty names and very long paths apart, and stays short', () => {
  const paths = [
    ['a', 'b'],
    ['a.b'],
    ['', 'a'],
    ['a'],
    ['a', ''],
    [''],
    ['', ''],
    Array(60).fill('name'),
    Array(61).fill('name'),
    ['x'.repeat(9000)],
    ['x'.repeat(9001)],
    ['*'],
  ];
  const encoded = paths.map(encodePath);
  assert.equal(new Set(encoded).size, paths.length);
  assert.ok(encoded.every((each) => each !== '' && each.length <= 160));
});

test('encodeScalar gives equal scalars the same encoding and unequal ones another', () => {
  const encode = (value: JsonValue) => encodeScalar(scalarOf(value)!);
  assert.equal(encode('2024-01-01'), encode('2024-01-01T01:00:00.000+01:00'));
  assert.equal(encode(1), encode(1.0));
  assert.equal(encode(-0), encode(0));
  assert.equal(encode(2 ** 62), encode(JSON.rawJSON('4611686018427388000')));
  assert.notEqual(encode(2 ** 62), encode(JSON.rawJSON('4611686018427387904')));
  assert.equal(new Set([1, '1', true, 'true', '2024-01-01', '2024-01-01x', 1.5, 'b1', 'n1'].map(encode)).size, 9);
});

const document: JsonObject = {
  ...{ id: 'x', key: 'k', version: 1, createdAt: '2024-01-01', lastModifiedAt: '2024-01-01' },
  ...{ name: { en: 'Blue' }, tags: ['a', 'a', ['b'], null], none: [], nulls: [null], nil: null, on: true },
};

const list = (terms: string) => terms.split('\0').filter((term) => term !== '');
const split = (terms: string) => new Set(list(terms));
/** The terms joined by `\0`, which no term has, those of words with their prefixes. */
function difference(before: Documents | undefined, after: Documents | undefined, declared: readonly string[] = []) {
  const terms = termDifference('P', before, after, declared);
  for (const { prefix, removed, added } of terms) {
    for (const rest of [...removed, ...added]) assert.deepEqual(splitTerm(prefix + rest), [prefix, rest]);
  }
  const { text = [], values = [] } = Object.groupBy(terms, ({ prefix }) => (prefix.includes('||') ? 'text' : 'values'));
  const joined = (changes: typeof terms, of: 'removed' | 'added') =>
    changes.flatMap((change) => change[of].map((rest) => change.prefix + rest)).join('\0');
  const texts = { removedText: joined(text, 'removed'), addedText: joined(text, 'added') };
  return { removed: joined(values, 'removed'), added: joined(values, 'added'), ...texts };
}

test('termDifference of a new document: one term a path and value, arrays one level, columns left out', () => {
  const { removed, added } = difference(undefined, { current: document });
  assert.equal(removed, '');
  const own = ['name|o', 'name.en|sBlue', 'tags|sa', 'tags|o', 'none|e', 'nulls|e', 'on|b1'];
  assert.deepEqual(split(added), new Set(['P|c', ...own.map((term) => `P|c|${term}`)]));
  assert.equal(added.split('\0').length, split(added).size);
});

test('termDifference of an update: only what changed; of equal documents: nothing', () => {
  const next = { ...structuredClone(document), on: false, name: { en: 'Blue', de: 'Blau' }, extra: 1 };
  const { removed, added } = difference({ current: document }, { current: next });
  assert.deepEqual(split(removed), new Set(['P|c|on|b1']));
  assert.deepEqual(split(added), new Set(['P|c|on|b0', 'P|c|name.de|sBlau', `P|c|extra|n${numberKey(1)}`]));
  const same = difference({ current: document }, { current: structuredClone(document) });
  assert.deepEqual(same, { removed: '', added: '', removedText: '', addedText: '' });
});

test('termDifference of a staged projection: terms of its own, gone again when it is published or the document deleted', () => {
  const staged = { ...document, on: false };
  const { removed, added } = difference({ current: document }, { current: document, staged });
  assert.equal(removed, '');
  assert.ok(
    split(added).has('P|s') &&
      split(added).has('P|s|on|b0') &&
      ![...split(added)].some((term) => term.startsWith('P|c')),
  );
  const published = difference({ current: document, staged }, { current: staged });
  assert.deepEqual(split(published.removed), new Set([...split(added), 'P|c|on|b1']));
  const deleted = difference({ current: document, staged }, undefined);
  const created = difference(undefined, { current: document, staged });
  assert.deepEqual([deleted.removed, deleted.added], [created.added, '']);
});

test('termDifference of random changes: what is left and what is added are the terms of a new document, each once', () => {
  const termsOf = ({ added, addedText }: ReturnType<typeof difference>) => [...list(added), ...list(addedText)];
  const resource = anyResource.map((any) => resourceOf('r', any));
  fc.assert(
    fc.property(
      resource,
      resource,
      fc.subarray(['name', 'description', 'tags', 'color', 'variants']),
      (before, other, kept) => {
        // Some fields stay as they are, as in most updates.
        const fields = Object.fromEntries(
          kept.flatMap((name) => (name in before.current ? [[name, before.current[name]!]] : [])),
        );
        const after = { ...other, current: { ...other.current, ...fields } };
        const { removed, removedText, added, addedText } = difference(before, after);
        const terms = new Set(termsOf(difference(undefined, before)));
        for (const term of [...list(removed), ...list(removedText)]) assert.ok(terms.delete(term), `removed ${term}`);
        for (const term of [...list(added), ...list(addedText)]) {
          assert.ok(!terms.has(term), `added ${term}`);
          terms.add(term);
        }
        const expected = termsOf(difference(undefined, after));
        assert.deepEqual([...terms].sort(), [...expected].sort());
        assert.equal(new Set(expected).size, expected.length);
      },
    ),
    { numRuns: 200 },
  );
});

test('termDifference survives 100,000 values in one array', () => {
  const { added } = difference(undefined, { current: { many: Array.from({ length: 100_000 }, (_, at) => at) } });
  assert.equal(added.split('\0').length, 100_002);
});

/** In their order, from the least to the greatest, equal ones together. */
const orderedNumbers: readonly (readonly JsonValue[])[] = [
  ...[[-1e300], [JSON.rawJSON('-9223372036854775808'), -(2 ** 63)], [JSON.rawJSON('-9223372036854775807')]],
  ...[[JSON.rawJSON('-9007199254740993')], [-(2 ** 53)], [-9007199254740991], [-100], [-2.5], [-1], [-1e-300]],
  ...[[0, -0, JSON.rawJSON('-0.0')], [5e-324], [0.1, JSON.rawJSON('0.10')], [1, JSON.rawJSON('1.0')], [2.5], [10]],
  ...[[9007199254740991], [2 ** 53], [JSON.rawJSON('9007199254740993')], [9007199254740994]],
  ...[[JSON.rawJSON('4611686018427387903')], [JSON.rawJSON('4611686018427387904')], [2 ** 62]],
  ...[[JSON.rawJSON('9223372036854775806')], [JSON.rawJSON('9223372036854775807')], [2 ** 63], [1e300]],
];

test('numberKey orders 64-bit integers and doubles exactly, by bytes, and gives equal numbers one key', () => {
  const keys = orderedNumbers.map((equal) => equal.map((value) => numberKey(scalarOf(value)!.value as number)));
  for (const equal of keys) assert.equal(new Set(equal).size, 1, equal.join());
  const firsts = keys.map(([first]) => first!);
  assert.deepEqual([...firsts].sort(), firsts);
  assert.equal(new Set(firsts).size, firsts.length);
  for (const [at, [value]] of orderedNumbers.entries()) {
    if (at > 0) assert.ok(compareScalars(scalarOf(orderedNumbers[at - 1]![0])!, scalarOf(value)!) < 0);
  }
});

test('textKey orders texts by their first 24 UTF-8 bytes, whatever characters these are of', () => {
  const texts = [
    ...awkward.filter((text) => text.isWellFormed()),
    'z'.repeat(23),
    'z'.repeat(25),
    `${'z'.repeat(23)}😀`,
  ];
  for (const left of texts) {
    for (const right of texts) {
      const [a, b] = [textKey(left), textKey(right)];
      const order = Math.sign(compareUtf8(left, right));
      assert.ok(a === b ? left === right || a.length === 48 : (a < b ? -1 : 1) === order, `${left} ${right}`);
    }
  }
  assert.equal(textKey(`${'z'.repeat(23)}😀`), `${'7a'.repeat(23)}f0`);
});

test('descendingKey reverses the order of classes and keys, longer texts before their beginnings', () => {
  const scalars: Scalar[] = [
    ...orderedNumbers.map(([value]) => scalarOf(value)!),
    ...['', 'a', 'ab', 'b', 'ä', '😀'].map((value) => ({ type: 'string' as const, value })),
    ...[false, true].map((value) => ({ type: 'boolean' as const, value })),
  ];
  const keys = scalars.map(({ type, value }) => {
    if (type === 'number') return valueClass.number + numberKey(value);
    return type === 'boolean' ? valueClass.boolean + (value ? '1' : '0') : valueClass.text + textKey(value);
  });
  assert.deepEqual([...keys].sort(), keys);
  const descending = keys.map(descendingKey);
  assert.deepEqual([...descending].sort(), descending.toReversed());
});

const ends = (current: JsonObject, path: string, declared: readonly string[] = ['price']) =>
  [...split(difference(undefined, { current }, declared).added)]
    .filter((term) => term.startsWith(`P|c|${escapeText(path)}|`))
    .map((term) => term.slice(`P|c|${escapeText(path)}|`.length))
    .sort();
const n = (value: number) => `n${numberKey(value)}`;
const d = (key: string) => `d${descendingKey(key)}`;

test('terms of a declared path: the keys of its texts, that it has a value, and the greatest one in descending order', () => {
  const prices = (price: JsonValue) => ends({ price }, 'price');
  assert.deepEqual(prices(5), [d(`0${numberKey(5)}`), n(5), 'v']);
  assert.deepEqual(prices(true), ['b1', d('21'), 'v']);
  assert.deepEqual(prices('Ab'), [d('14162'), 'sAb', 'u4162+', 'v'].sort());
  const instant = '2024-01-01T00:00:00';
  const expected = [d(`1${textKey(instant)}`), `t${escapeText(instant)}`, `u${textKey(instant)}-`, 'v'];
  assert.deepEqual(prices('2024-01-01'), expected.sort());
  assert.deepEqual(prices({ a: 1 }), ['o']);
  assert.deepEqual(prices([3, 1.5, 2, 3]), [d(`0${numberKey(3)}`), 'm', ...[n(1.5), n(2), n(3)].sort(), 'r', 'v']);
  assert.deepEqual(prices(['b', 1]), [d('162'), 'm', n(1), 'sb', 'u62+', 'v']);
});

test('terms of a path that is not declared: whether numbers and instants may be several, and numbers repeated, but nothing of mere texts', () => {
  const others = (other: JsonValue) => ends({ other }, 'other');
  assert.deepEqual(others(5), [n(5)]);
  assert.deepEqual(others([5, 5]), ['m', n(5), 'r']);
  assert.deepEqual(others([5, 6]), ['m', n(5), n(6)]);
  assert.deepEqual(others(['b', 'a', true]), ['b1', 'sa', 'sb']);
  assert.deepEqual(others(['2024-01-01', '2024-01-01T00:00Z']), ['m', 't2024-01-01T00:00:00']);
  assert.deepEqual(ends({ list: [{ x: 1 }, { x: 1 }] }, 'list.x'), ['m', n(1), 'r']);
  assert.deepEqual(ends({ list: [{ x: 1 }] }, 'list.x'), [n(1)]);
  assert.deepEqual(ends({ list: [{ x: [1, 2] }, { x: [2, 3] }] }, 'list.x'), ['m', n(1), n(2), n(3), 'r']);
  assert.deepEqual(ends({ list: [{ x: [2] }], more: { x: [{ y: 'a' }, { y: 'a' }] } }, 'more.x.y'), ['sa']);
});

test("terms of ArrayTestType's fields are in order in both forms of the path, each where the value is stored", () => {
  const property = { arrayOfIntExample: [7] };
  const seven = [d(`0${numberKey(7)}`), n(7), 'v'];
  const both = { objectTypeProperty: property, arrayOfIntExample: 8 };
  assert.deepEqual(ends(both, 'objectTypeProperty.arrayOfIntExample', []), seven);
  assert.deepEqual(ends(both, 'arrayOfIntExample', []), [d(`0${numberKey(8)}`), n(8), 'v']);
  assert.deepEqual(ends({ objectTypeProperty: property }, 'arrayOfIntExample', []), []);
});
