import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { runSearch } from '../../../src/index/search/search.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex } from './open-test-index.ts';
import { searchCacheOn } from './parts-on.ts';

test('a search finds words that were added since the one before, in its locale or under none, and forgets those that no document has', () => {
  using index = openTestIndex([]);
  const deadline = { check() {}, checkNow() {} };
  const cache = searchCacheOn(index.db, { leastRows: 0 });
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
  assert.equal(idsOf('kleid', 'de'), 'a');
  assert.equal(idsOf('kleid', 'de', 'q'), '', 'another project has other words');

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
