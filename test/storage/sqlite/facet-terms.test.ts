import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { SearchPage } from '../../../src/domain/ports/list-query.ts';
import { compareUtf8 } from '../../../src/domain/predicate/scalar.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import type { SearchQuery } from '../../../src/domain/search/query/query.ts';
import { runSearch } from '../../../src/index/search/search.ts';
import { documentOf } from '../document-of.ts';
import { facetsOf } from '../facets-of.ts';
import { openTestIndex } from './open-test-index.ts';
import { searchCacheOn } from './parts-on.ts';

/** Searches of an index. Columns are built for any number of rows, and follow the writes. */
function searchesOf(db: DatabaseSync): (query: SearchQuery) => SearchPage {
  const deadline = { check() {}, checkNow() {} };
  const cache = searchCacheOn(db, { leastRows: 0 });
  return (query) => runSearch(db, query, cache, deadline, { maxPageBytes: 1e6, declaredPaths: [] });
}

test('of more terms than are listed, those with equal counts are in the order of their bytes, new ones too', () => {
  using index = openTestIndex([]);
  const searched = searchesOf(index.db);
  const brands = Array.from({ length: 230 }, (_, n) => `${['z', 'a', '😀', '\uff5e'][n % 4]}${(n * 7) % 230}`);
  const counts = new Map<string, number>();
  let written = 0;
  const write = (brand: string) => {
    index.write('p', `r${written}`, { current: documentOf(`r${written}`, { brand, name: { en: 'shoe' } }) });
    written += 1;
    counts.set(brand, (counts.get(brand) ?? 0) + 1);
  };
  const check = () => {
    const values = new Map<string, string | readonly string[]>([
      ['text.en', ['shoe']],
      ['facet', ['brand']],
    ]);
    const query = parseSearch(values, 'p');
    const page = searched(query);
    const expected = [...counts].sort(([a, m], [b, n]) => n - m || compareUtf8(a, b)).slice(0, 200);
    const found = facetsOf(page)[0]![1];
    assert.ok(found.type === 'terms');
    assert.deepEqual(
      found.terms.map(({ term, count }) => [term, count]),
      expected,
    );
    assert.equal(found.other, counts.size - 200);
  };
  for (const [n, brand] of brands.entries()) for (let times = n % 3; times >= 0; times -= 1) write(brand);
  // Not everything matches, so that the counts are not those of the whole column.
  index.write('p', 'other', { current: documentOf('other', { brand: 'other', name: { en: 'hat' } }) });
  check();
  for (const brand of ['a-new', 'zz-new', '😀-new', 'm']) write(brand);
  write('m');
  write('m');
  check();
});

test('of more terms than the order is kept of, the same are listed, new ones too', () => {
  using index = openTestIndex([]);
  const searched = searchesOf(index.db);
  const counts = new Map<string, number>();
  let written = 0;
  const write = (note: string) => {
    index.write('p', `r${written}`, { current: documentOf(`r${written}`, { note }) });
    written += 1;
    counts.set(note, (counts.get(note) ?? 0) + 1);
  };
  const check = () => {
    const query = parseSearch(new Map([['facet', ['note']]]), 'p');
    const page = searched(query);
    const found = facetsOf(page)[0]![1];
    assert.ok(found.type === 'terms');
    assert.deepEqual(
      found.terms.map(({ term, count }) => [term, count]),
      [...counts].sort(([a, m], [b, n]) => n - m || compareUtf8(a, b)).slice(0, 200),
    );
    assert.equal(found.other, counts.size - 200);
  };
  const notes = Array.from({ length: 4500 }, (_, n) => `${['z', 'a', '😀', '\uff5e'][n % 4]}${n}`);
  for (const note of [...notes, ...notes.slice(0, 30)]) write(note);
  check();
  // New terms have the last numbers of the column, and are before others that are listed.
  for (const note of ['a1000', 'a-new', 'a2-new', '0-new', '😀-new']) write(note);
  check();
});
