import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import { rangesResult, termsResult, valuesResult } from '../../../src/domain/search/facet-results.ts';
import {
  commonType,
  type DataType,
  facetScalars,
  isInRange,
  statisticOf,
  textType,
} from '../../../src/domain/search/facet-values.ts';
import { maxFacetTerms } from '../../../src/domain/search/query/limits.ts';
import { parseFacet } from '../../../src/domain/search/query/parse-facet.ts';
import type { Facet, FacetRange } from '../../../src/domain/search/query/query.ts';

const facet = <K extends Facet['kind']>(text: string, kind: K) => {
  const parsed = parseFacet(text);
  assert.equal(parsed.kind, kind);
  return parsed as Extract<Facet, { kind: K }>;
};
const raw = (digits: string) => JSON.rawJSON(digits) as JsonValue;

test('of many equally frequent terms in any order the first ones are listed', () => {
  // 7919 has no divisor in common with 1000, so that each text comes once.
  const texts = Array.from({ length: 1000 }, (_, n) => `${(n * 7919) % 1000}${n % 3 === 0 ? '\u{1f600}' : '\uffee'}`);
  const counts = new Map(texts.map((text, n) => [text, n % 20 === 0 ? 3 : 2]));
  const { terms, other } = termsResult(facet('x', 'terms'), counts, 2050, 0, 'text');
  const bytes = (text: string) => Buffer.from(text);
  const expected = [...counts].sort(([a, m], [b, n]) => n - m || bytes(a).compare(bytes(b))).slice(0, maxFacetTerms);
  assert.deepEqual(
    terms.map(({ term, count }) => [term, count]),
    expected,
  );
  assert.equal(other, 1000 - maxFacetTerms);
});

test('terms are listed by count, then by the bytes of the term', () => {
  const counts = new Map([
    ['b', 2],
    ['\u{1f600}', 1],
    ['\uffee', 1],
    ['a', 2],
    ['z', 3],
  ]);
  const { terms, other, total, missing } = termsResult(facet('x', 'terms'), counts, 7, 4, 'text');
  assert.deepEqual(
    terms.map(({ term, count }) => [term, count]),
    [
      ['z', 3],
      ['a', 2],
      ['b', 2],
      ['\uffee', 1],
      ['\u{1f600}', 1],
    ],
  );
  assert.deepEqual({ other, total, missing }, { other: 0, total: 7, missing: 4 });
});

test('a terms facet lists 200 terms and tells how many others there are', () => {
  const counts = new Map(Array.from({ length: maxFacetTerms + 7 }, (_, at) => [`t${at}`, at]));
  const { terms, other } = termsResult(facet('x', 'terms'), counts, 1, 0, 'text');
  assert.equal(terms.length, maxFacetTerms);
  assert.equal(other, 7);
  assert.equal(terms.at(-1)!.count, 7);
});

test('productCount is told where it is asked for, and nowhere else', () => {
  const counts = new Map([['a', 2]]);
  const counting = termsResult(facet('x counting products', 'terms'), counts, 2, 0, 'text');
  assert.deepEqual(counting.terms, [{ term: 'a', count: 2, productCount: 2 }]);
  assert.deepEqual(termsResult(facet('x', 'terms'), counts, 2, 0, 'text').terms, [{ term: 'a', count: 2 }]);
  const values = valuesResult(facet('x:1 counting products', 'values'), 3);
  assert.deepEqual(values, { type: 'filter', count: 3, productCount: 3 });
  assert.deepEqual(valuesResult(facet('x:1', 'values'), 3), { type: 'filter', count: 3 });
  const [range] = rangesResult(facet('x:range (1 to 2) counting products', 'ranges'), [
    { count: 1, values: new Map([[1, 1]]) },
  ]).ranges;
  assert.equal(range!.productCount, 1);
});

test('a range tells its bounds, and the statistics of its values, repeated ones as often as they occur', () => {
  const asked = facet('x:range (0 to 10.50),(* to "2024-01-01"),(9007199254740993 to *)', 'ranges');
  const none = { count: 0, values: new Map() };
  const found = {
    count: 2,
    values: new Map([
      [10, 1],
      [5, 2],
    ]),
  };
  assert.deepEqual(rangesResult(asked, [found, none, none]), {
    type: 'range',
    ranges: [
      { from: 0, fromStr: '0', to: 10.5, toStr: '10.5', count: 2, total: 20, min: 5, max: 10, mean: 20 / 3 },
      {
        ...{ from: 0, fromStr: '', to: Date.UTC(2024), toStr: '2024-01-01' },
        ...{ count: 0, total: 0, min: 0, max: 0, mean: 0 },
      },
      {
        ...{ from: 9007199254740992, fromStr: '9007199254740993', to: 0, toStr: '' },
        ...{ count: 0, total: 0, min: 0, max: 0, mean: 0 },
      },
    ],
  });
});

test('the sum of a range does not depend on the order in which its values were found, and is always a number', () => {
  const asked = facet('x:range (* to *)', 'ranges');
  const totalOf = (values: readonly (readonly [number, number])[]) =>
    rangesResult(asked, [{ count: 1, values: new Map(values) }]).ranges[0]!;
  const values = [0.1, 0.2, 0.3, 1e16, -1e16, 1].map((value) => [value, 3] as const);
  assert.equal(totalOf(values).total, totalOf(values.toReversed()).total);
  const huge = totalOf([
    [1.7e308, 9],
    [-1.7e308, 2],
  ]);
  assert.ok(Number.isFinite(huge.total) && Number.isFinite(huge.mean), JSON.stringify(huge));
});

const document: JsonObject = {
  id: '2024-01-01',
  createdAt: '2024-01-01T00:00:00.070Z',
  numbers: [1, raw('1.0'), raw('9007199254740993'), raw('1e21'), 0.1, raw('-0'), '1'],
  mixed: [true, false, 'true', null, {}, [5]],
  list: [{ a: 5 }, { a: [5, 10] }, { b: 1 }],
  object: {},
  empty: [],
  nothing: null,
  objectTypeProperty: { arrayOfIntExample: [6, 6] },
};

for (const [path, terms, hasValue] of [
  ['numbers', ['1', '1', '9007199254740993', '1e+21', '0.1', '0', '1'], true],
  ['mixed', ['true', 'false', 'true'], true],
  ['list.a', ['5', '5', '10'], true],
  ['arrayOfIntExample', ['6', '6'], true],
  ['object', [], true],
  ['list', [], true],
  ['empty', [], false],
  ['nothing', [], false],
  ['nowhere.x', [], false],
] as const) {
  test(`a facet of ${path} counts the scalars there, a number in its canonical form`, () => {
    const seen = facetScalars(document, path.split('.'));
    assert.deepEqual(
      seen.scalars.map(({ term }) => term),
      terms,
    );
    assert.equal(seen.hasValue, hasValue);
  });
}

test('a facet of id sees plain text, one of createdAt a point in time in milliseconds', () => {
  const [id] = facetScalars(document, ['id']).scalars;
  assert.deepEqual(id!.scalar, { type: 'string', value: '2024-01-01' });
  const [createdAt] = facetScalars(document, ['createdAt']).scalars;
  assert.equal(createdAt!.term, '2024-01-01T00:00:00.070Z');
  assert.equal(statisticOf(createdAt!.scalar), Date.UTC(2024) + 70);
});

for (const [text, type] of [
  ['2024-02-29', 'date'],
  ['2024-02-30', 'text'],
  ['2024-02-29T10:00:00+01:00', 'datetime'],
  ['10:30', 'time'],
  ['23:59:59.999', 'time'],
  ['24:00', 'text'],
  ['36', 'text'],
  ['', 'text'],
] as const) {
  test(`the text "${text}" is of data type ${type}`, () => assert.equal(textType(text), type));
}

test('values have the data type that all of them have, else text', () => {
  const typeOf = (...values: JsonValue[]): DataType =>
    commonType(facetScalars({ values }, ['values']).scalars.map(({ dataType }) => dataType));
  assert.equal(typeOf(1, 2.5), 'number');
  assert.equal(typeOf(true, false), 'boolean');
  assert.equal(typeOf('2024-01-01', '2024-01-02'), 'date');
  assert.equal(typeOf('2024-01-01', '2024-01-02T00:00Z'), 'text');
  assert.equal(typeOf(1, '1'), 'text');
  assert.equal(typeOf(), 'text');
});

test('a range holds its lower bound and not its upper one, and values of its own type only', () => {
  const rangeOf = (text: string): FacetRange => facet(`x:range ${text}`, 'ranges').ranges[0]!;
  const holds = (text: string, value: JsonValue) => {
    const [found] = facetScalars({ value }, ['value']).scalars;
    return isInRange(found!.scalar, rangeOf(text));
  };
  assert.equal(holds('(1 to 5)', 1), true);
  assert.equal(holds('(1 to 5)', 5), false);
  assert.equal(holds('(1 to 5)', '3'), false);
  assert.equal(holds('(9007199254740993 to *)', raw('9007199254740992')), false);
  assert.equal(holds('(* to "2024-01-01")', '2023-12-31T23:59:59.999Z'), true);
  assert.equal(holds('(* to "2024-01-01")', '2024-01-01T01:00+01:00'), false);
  assert.equal(holds('("2024-01-01" to *)', 2024), false);
  assert.equal(holds('(* to *)', -1), true);
  assert.equal(holds('(* to *)', '2024-01-01'), true);
  assert.equal(holds('(* to *)', 'text'), false);
  assert.equal(holds('(* to *)', true), false);
});
