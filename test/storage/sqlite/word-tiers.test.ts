import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Position, SearchPage } from '../../../src/domain/ports/list-query.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { noSettings } from '../../../src/domain/search/settings.ts';
import { termHead } from '../../../src/storage/index/term-encoding.ts';
import { wordTerm } from '../../../src/storage/index/word-terms.ts';
import { createBuildPolicy } from '../../../src/storage/sqlite/search/build-policy.ts';
import { knownTiersOf, type WordTiers } from '../../../src/storage/sqlite/search/postings/word-tiers.ts';
import { runSearch } from '../../../src/storage/sqlite/search/search.ts';
import { createSearchCache } from '../../../src/storage/sqlite/search/search-cache.ts';
import { openTermReader } from '../../../src/storage/sqlite/terms/term-reader.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex, type TestIndex } from './open-test-index.ts';

const term = wordTerm(termHead('p', 'c'), '', 'oak');
const count = 150;

/** Ids in another order than the rows. */
const idOf = (at: number) => `r${(at * 67) % 1000}`;

function write(index: TestIndex, at: number, description: string, more = {}): void {
  index.write('p', idOf(at), { current: documentOf(idOf(at), { description, rank: at % 4, ...more }) });
}

/** Texts of few lengths, and now and then a repeated word. */
const textOf = (at: number) => `${'oak '.repeat(1 + Number(at % 9 === 0))}${'and so on '.repeat(at % 5)}`;

function openSearches(index: TestIndex) {
  const cache = createSearchCache(
    index.db,
    createBuildPolicy(() => {}, 0),
  );
  const deadline = { check() {}, checkNow() {} };
  // A boost that changes nothing, so that each row is scored by itself.
  const neutral = parseSearch(new Map([['filter', ['rank:range(0 to 9)']]]), 'p', noSettings);
  const boosts = [{ predicate: [...neutral.queryFilters, ...neutral.filters][0]!, factor: 1 }];
  const search = (parameters: object, isScored: boolean, after?: Position): SearchPage => {
    const query = parseSearch(
      new Map<string, never>(Object.entries({ 'text.en': ['oak'], ...parameters }) as never),
      'p',
      noSettings,
    );
    const asked = { ...query, after, ...(isScored && { boosts }) };
    return runSearch(index.db, asked, cache, deadline, { maxPageBytes: 1e9, declaredPaths: [] });
  };
  return {
    tiers(): WordTiers | undefined {
      const reader = openTermReader(index.db);
      return knownTiersOf(reader.read([term])[0]!, reader.stamp);
    },
    /** All pages, each of which is the same where each row is scored by itself; returns how many results they have. */
    walk(parameters: object): number {
      let [after, found]: [Position | undefined, number] = [undefined, 0];
      do {
        const [page, scored]: [SearchPage, SearchPage] = [
          search(parameters, false, after),
          search(parameters, true, after),
        ];
        assert.equal(page.results, scored.results);
        assert.deepEqual(page.next?.slice(2), scored.next?.slice(2));
        assert.deepEqual(page.next?.[0], scored.next?.[0]);
        found += page.count;
        after = page.next;
      } while (after);
      return found;
    },
    same(parameters: object): void {
      assert.equal(search(parameters, false).results, search(parameters, true).results);
    },
  };
}

test('a word of many resources has the same pages by tiers as row by row: by cursor, by offset, in an order, and after writes', () => {
  using index = openTestIndex([]);
  for (let at = 0; at < count; at += 1) write(index, at, textOf(at));
  write(index, count, 'Another wood');
  const { walk, same, tiers } = openSearches(index);
  const walkAll = (expected: number) => {
    for (const limit of [3, 7, 40]) assert.equal(walk({ limit }), expected);
    assert.equal(walk({ limit: 7, sort: ['score desc', 'rank desc'] }), expected);
    for (const offset of [0, 2, 11, 60, 140]) same({ limit: 5, offset });
  };
  walkAll(count);
  const known = tiers();
  assert.ok(known, 'tiers are kept');
  assert.ok(known.tiers.length > 5);
  assert.ok(
    known.tiers.some(({ first }) => first.length > 0),
    'with their first rows',
  );
  index.write('q', 'other', { current: documentOf('other', { description: 'oak' }) });
  walkAll(count);
  const changes: readonly [number, () => void][] = [
    [count, () => write(index, 3, textOf(4))],
    [count, () => write(index, 8, 'oak oak oak')],
    [count - 1, () => index.write('p', idOf(8), undefined)],
    [count, () => write(index, 8, 'oak')],
    [count - 1, () => write(index, 10, 'No wood')],
    [count, () => write(index, count, 'oak in short')],
    // In a name it is worth more, by the length of the name.
    [count, () => write(index, 20, 'Nothing', { name: 'An oak' })],
  ];
  for (const [expected, change] of changes) {
    change();
    walkAll(expected);
    assert.notEqual(tiers(), known);
  }
  const scores = tiers()!.tiers.map(({ score }) => score);
  assert.ok(scores[0]! > 2 * scores[1]!, 'the word in a name is in a tier of its own');
});
