import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { noSettings } from '../../../src/domain/search/settings.ts';
import { RowMap } from '../../../src/index/search/columns/row-map.ts';
import { runSearch } from '../../../src/index/search/search.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex } from './open-test-index.ts';
import { searchCacheOn } from './parts-on.ts';

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(2 ** 31 - 1, -(2 ** 31)));
/** Of three pages. */
const row = fc.oneof(fc.nat(6), fc.integer({ min: 4090, max: 4100 }), fc.integer({ min: 20_000, max: 20_003 }));

test('a map of rows has the last number of each', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(row, number), { maxLength: 40 }), (entries) => {
      const map = new RowMap();
      for (const [one, value] of entries) map.set(one, value);
      const expected = new Map(entries);
      const rows = Uint32Array.from([...expected.keys(), 9, 70_000]).sort();
      const numbers = [...rows].map((one) => expected.get(one) ?? 0);
      assert.deepEqual([...map.numbersOf(rows)], numbers);
      assert.deepEqual(
        [...rows].map((one) => map.get(one)),
        numbers,
      );
      const small = rows.filter((_, at) => numbers[at]! < 200);
      const counts = new Int32Array(200);
      assert.deepEqual(
        map.count(small, counts),
        [...small].map((one) => expected.get(one) ?? 0).filter((value) => value < 0),
      );
      for (const value of [1, 3, 127, 128]) {
        assert.equal(counts[value], numbers.filter((one) => one === value).length);
      }
    }),
  );
});

test('all rows of a list that have no number get one, whatever the others are given meanwhile', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), number, number, (listed, value, other) => {
      fc.pre(value !== 0);
      const rows = Uint32Array.from(new Set(listed)).sort();
      const map = new RowMap();
      const taken = rows.filter((_, at) => at % 2 === 0);
      for (const one of taken) map.set(one, 1);
      const met: number[] = [];
      map.setAll(rows, value, (one) => {
        met.push(one);
        map.set(one, other);
      });
      assert.deepEqual(met, [...taken]);
      const expected = [...rows].map((_, at) => (at % 2 === 0 ? other : value));
      assert.deepEqual([...map.numbersOf(rows)], expected);
    }),
  );
});

test('a range finds the numbers in it: of the index in order, written later in any, and beside other values', () => {
  const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ min: -9, max: 9, noNaN: true }));
  const other = fc.constantFrom('5', true, null, [1, 7], '9007199254740993');
  const first = fc.array(fc.oneof({ weight: 9, arbitrary: value }, other), { minLength: 1, maxLength: 20 });
  const later = fc.array(fc.oneof({ weight: 9, arbitrary: value }, other), { maxLength: 5 });
  const bound = fc.integer({ min: -10, max: 10 });
  const onlyNumbers = fc.array(value, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.oneof(first, onlyNumbers), later, bound, bound, (before, after, one, two) => {
      using index = openTestIndex([]);
      const write = (n: unknown, id: string) => {
        index.write('p', id, { current: documentOf(id, { name: { en: 'oak' }, n } as never) });
      };
      const [from, to] = [Math.min(one, two), Math.max(one, two)];
      const cache = searchCacheOn(index.db, { leastRows: 0 });
      const search = () => {
        const parameters = { 'text.en': ['oak'], filter: [`n:range(${from} to ${to})`], facet: ['n'], limit: 100 };
        const query = parseSearch(new Map(Object.entries(parameters)), 'p', noSettings);
        const page = runSearch(
          index.db,
          query,
          cache,
          { check() {}, checkNow() {} },
          { maxPageBytes: 1e9, declaredPaths: [] },
        );
        return (JSON.parse(`[${page.results}]`) as { id: string }[]).map(({ id }) => id).sort();
      };
      const isIn = (n: unknown) => [n].flat().some((each) => typeof each === 'number' && each >= from && each <= to);
      const expected = (all: readonly unknown[]) => all.flatMap((n, at) => (isIn(n) ? [`r${at}`] : [])).sort();
      for (const [at, n] of before.entries()) write(n, `r${at}`);
      // The facet has the column built, by which the next search filters.
      search();
      assert.deepEqual(search(), expected(before));
      for (const [at, n] of after.entries()) write(n, `r${before.length + at}`);
      assert.deepEqual(search(), expected([...before, ...after]));
    }),
  );
});
