import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import type { WordPlan } from '../../../src/storage/query/plan-words.ts';
import { createBuildPolicy } from '../../../src/storage/sqlite/search/build-policy.ts';
import { runSearch } from '../../../src/storage/sqlite/search/search.ts';
import { createSearchCache, plansIn } from '../../../src/storage/sqlite/search/search-cache.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex } from './open-test-index.ts';

test('what finds a word is kept until a word is added in its locale, or under none', () => {
  using index = openTestIndex([]);
  const deadline = { check() {}, checkNow() {} };
  const cache = createSearchCache(
    index.db,
    createBuildPolicy(() => {}, 0),
  );
  const write = (id: string, fields: JsonObject) => index.write('p', id, { current: documentOf(id, fields) });
  const idsOf = (text: string, locale: string, project = 'p') => {
    const query = parseSearch(new Map([[`text.${locale}`, [text]]]), project);
    const { results } = runSearch(index.db, query, cache, deadline, { maxPageBytes: 1e6, declaredPaths: [] });
    const ids = (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id);
    return ids.sort().join(' ');
  };
  write('a', { name: { de: 'Kleid', en: 'pot' } });
  assert.equal(idsOf('kleid', 'de'), 'a');
  assert.equal(idsOf('teapot', 'en'), '');
  assert.equal(cache.plans.size, 2);
  const plans = cache.plans.hits;
  assert.equal(idsOf('kleid', 'de'), 'a');
  assert.equal(idsOf('kleid', 'de', 'q'), '', 'another project has other words');
  assert.ok(cache.plans.hits > plans);

  write('b', { name: { de: 'Kleider' } });
  assert.equal(idsOf('kleid', 'de'), 'a b', 'a form');
  write('c', { name: { de: 'Sommerkleid' } });
  assert.equal(idsOf('kleid', 'de'), 'a b c', 'a compound');
  write('d', { sku: 'kleides' });
  assert.equal(idsOf('kleid', 'de'), 'a b c d', 'under no locale');
  write('e', { name: { en: 'pot of tea' } });
  assert.equal(idsOf('teapot', 'en'), 'e', 'in parts');
  index.write('p', 'c', undefined);
  assert.equal(idsOf('kleid', 'de'), 'a b d', 'a word that no document has any more');
  write('f', { name: { de: 'Sommerkleid' } });
  assert.equal(idsOf('kleid', 'de'), 'a b d f', 'it is back');
});

test('plans are kept as they are, ten thousand of them', () => {
  using index = openTestIndex([]);
  const cache = createSearchCache(
    index.db,
    createBuildPolicy(() => {}, 0),
  );
  const plans = plansIn(cache.plans);
  const planOf = (n: number): WordPlan => ({
    forms: [
      { locale: 'de', word: `kleid${n}` },
      { locale: 'de', word: `kleider${n}` },
      { locale: '', word: `kleid${n}` },
      { locale: 'de', word: n % 100 === 0 ? '服"' : 'kleidchen' },
    ],
    compounds: n % 2 === 0 ? [] : [{ locale: '=uk', word: `sommerkleid${n}` }],
    inParts:
      n % 3 === 0
        ? []
        : [
            [[{ locale: 'de', word: 'klei' }], [{ locale: '', word: `d${n}` }]],
            [[], []],
          ],
  });
  for (let n = 0; n < 10_000; n += 1) plans.set(`1 2 de kleid${n}`, planOf(n));
  for (let n = 0; n < 10_000; n += 1) assert.deepEqual(plans.get(`1 2 de kleid${n}`), planOf(n));
  assert.equal(plans.get('1 3 de kleid0'), undefined);
});
