import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import type { Documents } from '../../../src/domain/ports.ts';
import { scalarOf } from '../../../src/domain/predicate/scalar.ts';
import { edges, type SortValue, severalSuffix } from '../../../src/storage/sqlite/sort-values.ts';
import { escapeText, spellPath, spellScalar, unescapeText } from '../../../src/storage/sqlite/term-text.ts';
import { indexDifference } from '../../../src/storage/sqlite/terms.ts';
import { openTestIndex } from './open-test-index.ts';

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

test('escapeText and unescapeText are inverse, and no two texts have one spelling', () => {
  const spelled = awkward.map(escapeText);
  assert.deepEqual(spelled.map(unescapeText), awkward);
  assert.equal(new Set(spelled).size, awkward.length);
});

test('every spelling is one token of the term table, found by itself and by no other', () => {
  using index = openTestIndex([]);
  const insert = index.db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  const find = index.db.prepare('SELECT rowid FROM term WHERE term MATCH ?');
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
  const terms = values.map((value) => `p|c|a|${spellScalar(scalarOf(value)!)}`);
  for (const [row, term] of terms.entries()) insert.run(row + 1, term);
  for (const [row, term] of terms.entries()) {
    assert.deepEqual(
      find.all(`"${term}"`).map(({ rowid }) => rowid),
      [row + 1],
      term,
    );
  }
});

test('spellPath tells names with dots, empty names and very long paths apart, and stays short', () => {
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
  const spelled = paths.map((path: string[]) => path.reduce(spellPath, ''));
  assert.equal(new Set(spelled).size, paths.length);
  assert.ok(spelled.every((each) => each !== '' && each.length <= 160));
});

test('spellScalar gives equal scalars one spelling and unequal ones others', () => {
  const spell = (value: JsonValue) => spellScalar(scalarOf(value)!);
  assert.equal(spell('2024-01-01'), spell('2024-01-01T01:00:00.000+01:00'));
  assert.equal(spell(1), spell(1.0));
  assert.equal(spell(-0), spell(0));
  assert.equal(spell(JSON.rawJSON('9007199254740993')), 'n9007199254740993');
  assert.equal(spell(2 ** 62), 'n4611686018427388000');
  assert.equal(new Set([1, '1', true, 'true', '2024-01-01', '2024-01-01x', 1.5, 'b1', 'n1'].map(spell)).size, 9);
});

const document: JsonObject = {
  ...{ id: 'x', key: 'k', version: 1, createdAt: '2024-01-01', lastModifiedAt: '2024-01-01' },
  ...{ name: { en: 'Blue' }, tags: ['a', 'a', ['b'], null], none: [], nulls: [null], nil: null, on: true },
};

const split = (terms: string) => new Set(terms.split(' ').filter((term) => term !== ''));
const difference = (before: Documents | undefined, after: Documents | undefined, declared: readonly string[] = []) =>
  indexDifference('P', before, after, declared);

test('indexDifference of a new document: one term a path and value, arrays one level, columns left out', () => {
  const { removed, added } = difference(undefined, { current: document });
  assert.equal(removed, '');
  const own = [
    'name|o',
    'name.en|v',
    'name.en|s^blue',
    'tags|v',
    'tags|sa',
    'tags|o',
    'none|e',
    'nulls|e',
    'on|v',
    'on|b1',
    'key|v',
  ];
  assert.deepEqual(split(added), new Set(['^p|c', ...own.map((term) => `^p|c|${term}`)]));
  assert.equal(added.split(' ').length, split(added).size);
});

test('indexDifference of an update: only what changed; of equal documents: nothing', () => {
  const next = { ...structuredClone(document), on: false, name: { en: 'Blue', de: 'Blau' }, extra: 1 };
  const { removed, added } = difference({ current: document }, { current: next });
  assert.deepEqual(split(removed), new Set(['^p|c|on|b1']));
  assert.deepEqual(
    split(added),
    new Set(['^p|c|on|b0', '^p|c|name.de|v', '^p|c|name.de|s^blau', '^p|c|extra|v', '^p|c|extra|n1']),
  );
  const same = difference({ current: document }, { current: structuredClone(document) });
  assert.deepEqual(same, { removed: '', added: '', sortRemoved: [], sortAdded: [] });
});

test('indexDifference of a staged projection: terms of its own, gone again when it is published or the document deleted', () => {
  const staged = { ...document, on: false };
  const { removed, added } = difference({ current: document }, { current: document, staged });
  assert.equal(removed, '');
  assert.ok(
    split(added).has('^p|s') &&
      split(added).has('^p|s|on|b0') &&
      ![...split(added)].some((term) => term.startsWith('^p|c')),
  );
  const published = difference({ current: document, staged }, { current: staged });
  assert.deepEqual(split(published.removed), new Set([...split(added), '^p|c|on|b1']));
  const deleted = difference({ current: document, staged }, undefined);
  const created = difference(undefined, { current: document, staged });
  assert.deepEqual([deleted.removed, deleted.added, deleted.sortRemoved], [created.added, '', created.sortAdded]);
});

test('indexDifference survives 100,000 values in one array', () => {
  const { added } = difference(undefined, { current: { many: Array.from({ length: 100_000 }, (_, at) => at) } });
  assert.equal(added.split(' ').length, 100_002);
});

const ofType = edges.leastOfType | edges.greatestOfType;
const whole = edges.least | edges.greatest;
const bothForms = (edge: number) => edge | (edge << 4);
const inOrder = (rows: readonly SortValue[]) => rows.map(({ path, value, edge }) => [path, value, edge]);

test('sort values of a declared path: the least and greatest of each type and of all, points in time marked', () => {
  const rows = (value: JsonValue) => inOrder(difference(undefined, { current: { price: value } }, ['price']).sortAdded);
  assert.deepEqual(rows(5), [['price', 5n, ofType | whole]]);
  assert.deepEqual(rows(true), [['price', Uint8Array.of(1), ofType | whole]]);
  assert.deepEqual(rows('2024-01-01'), [['price', '2024-01-01T00:00:00', ofType | whole | edges.instant]]);
  assert.deepEqual(rows({ a: 1 }), []);
  const several = `price${severalSuffix}`;
  assert.deepEqual(rows([3, 1.5, 2]), [
    ['price', 1.5, edges.leastOfType | edges.least],
    ['price', 3n, edges.greatestOfType | edges.greatest],
    [several, 1.5, edges.leastOfType | edges.least],
  ]);
  assert.deepEqual(rows(['b', 1]), [
    ['price', 'b', ofType | edges.greatest],
    ['price', 1n, ofType | edges.least],
    [several, 1n, ofType | edges.least],
  ]);
});

test("sort values of ArrayTestType's fields: one row for both forms of the path, unless the document has its own", () => {
  const rows = (current: JsonObject) => inOrder(difference(undefined, { current }).sortAdded);
  const path = 'objectTypeProperty.arrayOfIntExample';
  const property = { arrayOfIntExample: [7] };
  assert.deepEqual(rows({ objectTypeProperty: property }), [[path, 7n, bothForms(ofType | whole)]]);
  assert.deepEqual(rows({ objectTypeProperty: property, arrayOfIntExample: 8 }), [
    [path, 7n, ofType | whole],
    [path, 8n, (ofType | whole) << 4],
  ]);
  assert.deepEqual(rows({ objectTypeProperty: property, arrayOfIntExample: [] }), [[path, 7n, ofType | whole]]);
});
