import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCatalogue } from '../../bench/search/quality/catalogue.ts';
import { judge } from '../../bench/search/quality/judge.ts';
import { createQuestions, type Question } from '../../bench/search/quality/questions.ts';
import { synonymsOf, wordSets } from '../../bench/search/quality/sets.ts';
import type { JsonArray, JsonObject } from '../../src/contract/json.ts';
import { parseSearch } from '../../src/domain/search/query/parse-search.ts';
import { parseSettings, settingsOf } from '../../src/domain/search/settings-draft.ts';
import { createBuildPolicy } from '../../src/storage/sqlite/search/build-policy.ts';
import { runSearch } from '../../src/storage/sqlite/search/search.ts';
import { createSearchCache } from '../../src/storage/sqlite/search/search-cache.ts';
import { documentOf } from './document-of.ts';
import { openTestIndex } from './sqlite/open-test-index.ts';

const productsPerLanguage = 60;
/** Another seed than that of the bench. */
const seed = 11;

for (const set of wordSets.values()) {
  test(`search answers what shops with the vocabulary ${set.name} are asked: floors of recall, top hits, no hits, and for words of descriptions`, async () => {
    const catalogue = createCatalogue(set, productsPerLanguage, seed);
    using index = openTestIndex([]);
    for (const { key, document } of catalogue) {
      index.write('p', key, { current: documentOf(key, document as JsonObject) });
    }
    const policy = createBuildPolicy(() => {}, 0);
    const cache = createSearchCache(index.db, policy);
    const settings = settingsOf(parseSettings({ synonyms: synonymsOf(set) as JsonArray }), 'synonyms');
    const ask = ({ locale, text }: Question): readonly string[] => {
      const values = new Map<string, string | boolean | number>([
        [`text.${locale}`, text],
        ['fuzzy', true],
        ['limit', 10],
      ]);
      const limits = { maxPageBytes: 1e9, declaredPaths: [] };
      const query = parseSearch(values, 'p', settings);
      const { results } = runSearch(index.db, query, cache, { check() {}, checkNow() {} }, limits);
      return (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id);
    };
    const misses: string[] = [];
    const asked = createQuestions(set, catalogue, seed);
    const { all, guards } = await judge(catalogue, asked, ask, ({ kind, locale, text }) => {
      misses.push(`${kind}, ${locale}: ${text}`);
    });
    const said = `${JSON.stringify({ all, guards })}\n${misses.join('\n')}`;
    assert.ok(all.questions >= 300, said);
    assert.ok(all.recall >= 0.95, said);
    assert.ok(all.topHit >= 0.95, said);
    assert.ok(all.noHits <= 0.02, said);
    assert.ok(guards.recall >= 0.9, said);
  });
}
