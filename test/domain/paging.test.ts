import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import {
  type ParameterValue,
  parsePaging,
  parseSort,
  parseSortTerms,
  parseWhere,
  variablesOf,
} from '../../src/domain/paging.ts';

const values = (entries: Readonly<Record<string, ParameterValue>>) => new Map(Object.entries(entries));
const refused = (start: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === 'InvalidInput' && error.message.startsWith(start);

test('paging left out is the first twenty with total', () => {
  assert.deepEqual(parsePaging(new Map()), { limit: 20, offset: 0, withTotal: true });
});

test('paging takes its bounds', () => {
  const least = parsePaging(values({ limit: 0, offset: 0, withTotal: false }));
  assert.deepEqual(least, { limit: 0, offset: 0, withTotal: false });
  const most = parsePaging(values({ limit: 500, offset: 10_000, withTotal: true }));
  assert.deepEqual(most, { limit: 500, offset: 10_000, withTotal: true });
});

for (const [name, value] of [
  ['limit', -1],
  ['limit', 501],
  ['limit', 2.5],
  ['limit', Number.NaN],
  ['offset', -1],
  ['offset', 10_001],
  ['offset', 0.5],
] as const) {
  test(`paging with ${name}=${value} is 400`, () => {
    assert.throws(
      () => parsePaging(values({ [name]: value })),
      refused(`Malformed parameter: ${name}: expected an integer from 0`),
    );
  });
}

for (const [text, path, direction] of [
  ['id', ['id'], 'asc'],
  ['createdAt desc', ['createdAt'], 'desc'],
  ['  name.en-US   ASC ', ['name', 'en-US'], 'asc'],
  ['a.0.b_c Desc', ['a', '0', 'b_c'], 'desc'],
  ['desc', ['desc'], 'asc'],
  ['asc desc', ['asc'], 'desc'],
  ['`größe (cm)`.`a.b` desc', ['größe (cm)', 'a.b'], 'desc'],
  ['__proto__.x', ['__proto__', 'x'], 'asc'],
] as const) {
  test(`sort=${text} is ${path.join(' → ')}, ${direction}`, () => {
    assert.deepEqual(parseSort(text), { path, direction });
  });
}

for (const text of [
  '',
  ' ',
  '.',
  'a.',
  '.a',
  'a..b',
  'a down',
  'a desc desc',
  'a,b',
  'a"b',
  "a'; DROP TABLE resource; --",
  '$.a',
  'a[0]',
  'größe',
  '`',
  '`a',
  'a\u0000',
  '`a\u0000`',
  Array(33).fill('a').join('.'),
]) {
  test(`sort=${JSON.stringify(text).slice(0, 40)} is 400`, () => {
    assert.throws(() => parseSort(text), refused('Malformed parameter: sort: '));
  });
}

test('a sort that begins with - is 400 and told how to sort backwards; in backticks it is a name', () => {
  for (const [text, instead] of [
    ['-price', 'price desc'],
    ['-name.en', 'name.en desc'],
  ] as const) {
    assert.throws(() => parseSort(text), refused(`Malformed parameter: sort: "${text}": write "${instead}"`));
  }
  assert.deepEqual(parseSort('`-price` desc'), { path: ['-price'], direction: 'desc' });
});

test('several sorts keep their order, and more than ten are 400', () => {
  const terms = parseSortTerms(values({ sort: ['b desc', 'a'] }));
  assert.deepEqual(
    terms.map(({ path }) => path),
    [['b'], ['a']],
  );
  assert.equal(parseSortTerms(values({ sort: Array(10).fill('a') })).length, 10);
  assert.throws(() => parseSortTerms(values({ sort: Array(11).fill('a') })), refused('Malformed parameter: sort: '));
});

test('variables are the parameters of the family var.*, by name, with all their texts', () => {
  const variables = variablesOf(values({ 'var.a': ['1'], 'var.B2': ['x', 'y'], where: ['a = :a'], 'var.': ['z'] }));
  assert.deepEqual(
    [...variables],
    [
      ['a', ['1']],
      ['B2', ['x', 'y']],
    ],
  );
});

test('every where is a predicate of its own and takes the variables', () => {
  const predicates = parseWhere(values({ where: ['a = :v', 'b = 2'], 'var.v': ['1'] }));
  assert.deepEqual(predicates, [
    { kind: 'compare', path: ['a'], op: '=', value: { type: 'untyped', value: '1' } },
    { kind: 'compare', path: ['b'], op: '=', value: { type: 'number', value: 2n } },
  ]);
});

test('one bad where among several is 400, and an empty one too', () => {
  assert.throws(() => parseWhere(values({ where: ['a = 1', 'b =='] })), refused('Malformed parameter: where: '));
  assert.throws(() => parseWhere(values({ where: [''] })), refused('Malformed parameter: where: '));
});
