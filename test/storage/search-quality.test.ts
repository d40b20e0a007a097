import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from '../../bench/search/quality/judge.ts';
import type { Question } from '../../bench/search/quality/questions.ts';
import { vocabularies } from '../../bench/search/quality/sets.ts';
import { everydayWords } from '../../bench/search/quality/words/everyday.ts';
import { below, type Random, seededRandom } from '../../bench/search/random.ts';
import type { JsonArray, JsonObject } from '../../src/contract/json.ts';
import { parseSearch } from '../../src/domain/search/query/parse-search.ts';
import { parseSettings, settingsOf } from '../../src/domain/search/settings-draft.ts';
import { wordsOf } from '../../src/domain/search/words/words.ts';
import { createBuildPolicy } from '../../src/storage/sqlite/search/build-policy.ts';
import { runSearch } from '../../src/storage/sqlite/search/search.ts';
import { createSearchCache } from '../../src/storage/sqlite/search/search-cache.ts';
import { documentOf } from './document-of.ts';
import { openTestIndex } from './sqlite/open-test-index.ts';

const productsPerLanguage = 60;
/** Another seed than that of the bench. */
const seed = 11;
const limits = { maxPageBytes: 1e9, declaredPaths: [] };

for (const { name, stock } of vocabularies.values()) {
  test(`search answers what shops with the vocabulary ${name} are asked: floors of recall, top hits, no hits, and for words of descriptions`, async () => {
    const { catalogue, questions, synonyms } = stock(productsPerLanguage, seed);
    using index = openTestIndex([]);
    for (const { key, document } of catalogue) {
      index.write('p', key, { current: documentOf(key, document as JsonObject) });
    }
    const policy = createBuildPolicy(() => {}, 0);
    const cache = createSearchCache(index.db, policy);
    const settings = settingsOf(parseSettings({ synonyms: synonyms as unknown as JsonArray }), 'synonyms');
    const ask = ({ locale, text }: Question): readonly string[] => {
      const values = new Map<string, string | boolean | number>([
        [`text.${locale}`, text],
        ['fuzzy', true],
        ['limit', 10],
      ]);
      const query = parseSearch(values, 'p', settings);
      const { results } = runSearch(index.db, query, cache, { check() {}, checkNow() {} }, limits);
      return (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id);
    };
    const misses: string[] = [];
    const { all, guards } = await judge(questions, ask, ({ kind, locale, text }) => {
      misses.push(`${kind}, ${locale}: ${text}`);
    });
    const said = `${JSON.stringify({ all, guards })}\n${misses.join('\n')}`;
    assert.ok(all.questions >= 250, said);
    assert.ok(all.recall >= 0.95, said);
    assert.ok(all.topHit >= 0.95, said);
    assert.ok(all.noHits <= 0.02, said);
    assert.ok(guards.recall >= 0.9, said);
  });
}

test('while a word is typed with a typo, the product that has it is among the hits from the fourth letter on', () => {
  const { uses, kinds } = everydayWords.find(({ locale }) => locale === 'de')!;
  const compounds = uses.flatMap((use) => kinds.map(([kind]) => `${use}${kind.toLowerCase()}`));
  const names = [...compounds, ...kinds.map(([kind]) => kind)].map((name, at) => ({ id: `p${at}`, name }));
  using index = openTestIndex([]);
  for (const { id, name } of names) index.write('p', id, { current: documentOf(id, { name: { de: name } }) });
  const cache = createSearchCache(
    index.db,
    createBuildPolicy(() => {}, 0),
  );
  const find = (text: string): readonly string[] => {
    const asked = { 'text.de': text, prefix: true, fuzzy: true, limit: 500 };
    const query = parseSearch(new Map(Object.entries(asked)), 'p');
    const { results } = runSearch(index.db, query, cache, { check() {}, checkNow() {} }, limits);
    return (JSON.parse(`[${results}]`) as { id: string }[]).map((each) => each.id);
  };
  const random = seededRandom(seed);
  let typed = 0;
  for (const { id, name } of names) {
    const word = wordsOf(name)[0]!;
    const wrong = withSlip(word, random);
    for (let letters = 4; letters <= wrong.length; letters += 1) {
      const text = wrong.slice(0, letters);
      assert.ok(find(text).includes(id), `${text}, of ${wrong}, for ${word}`);
      typed += 1;
    }
  }
  assert.ok(names.length >= 60 && typed >= 5 * names.length, `${names.length} words, ${typed} keystrokes`);
});

/** One letter more, less, other or swapped with the next one, behind the first. */
function withSlip(word: string, random: Random): string {
  const letters = [...word];
  const at = 1 + below(random, letters.length - 1);
  const letter = String.fromCharCode(97 + below(random, 26));
  const slips = [
    () => letters.splice(at, 1),
    () => letters.splice(at, 0, letter),
    () => letters.splice(at, 1, letter),
    () => letters.splice(at, 2, ...letters.slice(at, at + 2).reverse()),
  ];
  slips[below(random, slips.length)]!();
  return letters.join('');
}
