import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { compileList } from '../../../src/index/query/plan-list.ts';
import { runList } from '../../../src/index/query/run-list.ts';
import { runSearch } from '../../../src/index/search/search.ts';
import { encodeScalar } from '../../../src/index/terms/term-encoding.ts';
import { documentOf } from '../document-of.ts';
import { facetsOf } from '../facets-of.ts';
import { addTerm, openTestIndex, type TestIndex } from './open-test-index.ts';
import { searchCacheOn } from './parts-on.ts';

/** One connection reads the same rows again and again. */

const deadline = { check() {} };
const corrupt = { code: 'DataCorruption' };
const everyone = { projectKey: 'p', limit: 20, offset: 0, withTotal: true, staged: false };

function open(): TestIndex {
  const index = openTestIndex([]);
  for (let at = 0; at < 10; at += 1) {
    const id = `r${at}`;
    const staged = at === 3 ? { staged: documentOf(id, { all: true, n: 33 }, at) } : {};
    index.write('p', id, { current: documentOf(id, { all: true, n: at }, at), ...staged });
  }
  return index;
}

function query(where: string, more: Partial<ListQuery> = {}): ListQuery {
  return { ...everyone, where: [parsePredicate(where, { variables: new Map() })], sort: [], ...more };
}

/** The fields `n` of a page, by terms alone and in an order. */
function list({ db }: TestIndex, asked: ListQuery): readonly number[] {
  const terms = runList(db, compileList(asked, []), deadline, 1e9);
  const sorted = runList(db, compileList({ ...asked, sort: [{ path: ['id'], direction: 'asc' }] }, []), deadline, 1e9);
  assert.deepEqual(terms.results, sorted.results);
  return (JSON.parse(`[${sorted.results}]`) as { n: number }[]).map(({ n }) => n);
}

/** Damage to a row, and what undoes it. */
const damages: readonly (readonly [what: string, damage: string, repair: string, staged: boolean])[] = [
  ['the text', `current = replace(current, '"n":4', '"n":5')`, `current = replace(current, '"n":5', '"n":4')`, false],
  ['the staged text', `staged = replace(staged, '33', '34')`, `staged = replace(staged, '34', '33')`, true],
  ['the checksum', 'checksum = checksum + 1', 'checksum = checksum - 1', false],
  ['the checksum, beyond 32 bits', 'checksum = checksum + 4294967296', 'checksum = checksum - 4294967296', false],
];

for (const [what, damage, repair, staged] of damages) {
  test(`a row that was read intact before is not served when ${what} is damaged since`, () => {
    using index = open();
    const asked = query('all = true', { staged });
    const values = staged ? [0, 1, 2, 33, 4, 5, 6, 7, 8, 9] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    for (const _ of [1, 2, 3]) assert.deepEqual(list(index, asked), values);
    index.db.exec(`UPDATE resource SET ${damage} WHERE id = '${staged ? 'r3' : 'r4'}'`);
    for (const _ of [1, 2, 3]) assert.throws(() => list(index, asked), corrupt);
    assert.deepEqual(list(index, query('n = 6')), [6]);
    index.db.exec(`UPDATE resource SET ${repair} WHERE id = '${staged ? 'r3' : 'r4'}'`);
    for (const _ of [1, 2, 3]) assert.deepEqual(list(index, asked), values);
  });
}

test('a row is served as it was written last, however often it was read before', () => {
  using index = open();
  const asked = query('all = true');
  for (let n = 100; n < 110; n += 1) {
    index.write('p', 'r0', { current: documentOf('r0', { all: true, n }, 0) });
    for (const _ of [1, 2]) assert.deepEqual(list(index, asked), [n, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }
});

test('a current and a staged projection are checked each', () => {
  using index = open();
  for (const _ of [1, 2, 3]) {
    assert.deepEqual(list(index, query('n = 3')), [3]);
    assert.deepEqual(list(index, query('n = 33', { staged: true })), [33]);
  }
});

test('a row that was read for its project is refused to another one to which an index leads', () => {
  using index = open();
  for (const _ of [1, 2, 3]) list(index, query('all = true'));
  const term = `q|c|n|${encodeScalar({ type: 'number', value: 7n })}`;
  addTerm(index.db, 1, term);
  const asked = compileList(query('n = 7', { projectKey: 'q' }), []);
  assert.throws(() => runList(index.db, asked, deadline, 1e9), corrupt);
});

for (const [way, minimum] of [
  ['read for it', Number.POSITIVE_INFINITY],
  ['kept as a column', 0],
] as const) {
  for (const [what, damage, repair, staged] of damages) {
    test(`a facet of documents that are ${way} is not counted when ${what} is damaged`, () => {
      using index = open();
      const cache = searchCacheOn(index.db, { leastRows: minimum });
      const values = new Map<string, string | readonly string[]>([['facet', ['n']]]);
      const counted = (from = cache) => {
        const page = runSearch(
          ...([index.db, { ...parseSearch(values, 'p'), staged }, from] as const),
          ...([
            { ...deadline, checkNow() {} },
            { maxPageBytes: 1e6, declaredPaths: [] },
          ] as const),
        );
        const found = facetsOf(page)[0]![1];
        assert.ok(found.type === 'terms');
        return found.terms.map(({ term }) => Number(term)).sort((a, b) => a - b);
      };
      index.db.exec(`UPDATE resource SET ${damage} WHERE id = '${staged ? 'r3' : 'r4'}'`);
      for (const _ of [1, 2]) assert.throws(() => counted(), corrupt);
      index.db.exec(`UPDATE resource SET ${repair} WHERE id = '${staged ? 'r3' : 'r4'}'`);
      assert.deepEqual(counted(), staged ? [0, 1, 2, 4, 5, 6, 7, 8, 9, 33] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  }
}
