import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf } from './open-lists.ts';
import { openResources } from './open-resources.ts';

const { api, create } = await openResources();

const drafts: readonly object[] = [
  { key: 'tw', name: { 'zh-Hant-TW': '便當盒', 'zh-Hant': '飯盒', 'zh-Hans': '饭盒' }, color: { 'zh-Hans': '红色' } },
  { key: 'zh', name: { zh: '水壶', 'pt-BR': 'Garrafa térmica', pt: 'Garrafa-termo' } },
  { key: 'latin', name: { 'sr-Latn': 'Cipele', 'sr-Cyrl': 'Ципеле', 'es-419': 'Zapatillas deportivas' } },
];
for (const draft of drafts) await create('shop', draft);

async function get(what: string, ...pairs: readonly (readonly [string, string])[]) {
  const { status, json, text } = await api.call({ path: `/shop/resource/${what}?${queryOf(...pairs)}` });
  assert.equal(status, 200, text);
  return json;
}

const found: readonly (readonly [locale: string, text: string, keys: readonly string[]])[] = [
  ['zh-Hant-TW', '便當盒', ['tw']],
  ['zh-Hant-TW', '飯盒', ['tw']],
  ['zh-Hant-TW', '水壶', ['zh']],
  ['zh-Hant', '便當盒', []],
  ['zh-Hans', '饭盒', ['tw']],
  ['zh-Hans', '水壶', ['zh']],
  ['zh', '饭盒', []],
  ['pt-BR', 'termica', ['zh']],
  ['pt', 'termica', []],
  ['sr-Latn', 'cipele', ['latin']],
  ['sr-Latn-RS', 'cipele', ['latin']],
  ['sr', 'cipele', []],
  ['es-419', 'zapatilla', ['latin']],
  ['es', 'zapatilla', []],
  ['en', 'zapatillas', []],
];

for (const [locale, text, keys] of found) {
  test(`text.${locale}=${text} finds ${keys.join() || 'nothing'}`, async () => {
    const { results } = await get('searchApiPattern', [`text.${locale}`, text], ['match', 'all']);
    assert.deepEqual(
      results.map(({ key }: { key: string }) => key),
      keys,
    );
  });
}

test('highlights, facets, filters, sorts and suggestions know locales with a script', async () => {
  const page = await get(
    'searchApiPattern',
    ...([
      ['text.zh-Hans', '饭盒'],
      ['highlight', 'true'],
      ['facet', 'color.zh-Hans as colors'],
      ['filter', 'name.zh-Hant-TW:exists'],
      ['where', 'color(zh-Hans = "红色")'],
    ] as const),
  );
  assert.equal(page.total, 1);
  assert.deepEqual(page.facets.colors.terms, [{ term: '红色', count: 1 }]);
  const [highlight] = Object.values<{ path: string; locale: string; html: string }[]>(page.highlights).flat();
  assert.deepEqual(
    [highlight?.path, highlight?.locale, highlight?.html],
    ['name.zh-Hans', 'zh-Hans', '<mark>饭盒</mark>'],
  );
  const { suggestions } = await get('suggestions', ['text.es-419', 'zapa']);
  assert.equal(suggestions[0].text, 'Zapatillas');
  const sorted = await get('sorted-query-parameters', ['sort', 'name.pt-BR asc'], ['limit', '1']);
  assert.equal(sorted.results[0].key, 'zh');
});

test('settings: synonyms and stop words of a locale with a script hold for narrower ones, not for wider ones', async () => {
  const settings = {
    version: 0,
    synonyms: [{ locale: 'zh-Hant', words: ['食盒', '飯盒'] }],
    stopWords: { 'es-419': ['deportivas'] },
  };
  const put = (body: object) => api.call({ method: 'PUT', path: '/shop/settings/search', body: JSON.stringify(body) });
  const { status, text } = await put(settings);
  assert.equal(status, 200, text);
  const total = async (name: string, asked: string) => {
    return (await get('searchApiPattern', [`text.${name}`, asked], ['match', 'all'])).total;
  };
  assert.equal(await total('zh-Hant-TW', '食盒'), 1);
  assert.equal(await total('zh-Hans', '食盒'), 0);
  assert.equal(await total('es-419', 'zapatillas rojas'), 0);
  assert.equal(await total('es-419', 'zapatillas deportivas'), 1);
  const refused = await put({ version: 1, stopWords: { 'ZH-hans': ['x'] } });
  assert.equal(refused.status, 400);
  assert.match(refused.json.message, /did you mean zh-Hans\?/);
});

test('CSV: columns under locales with a script are localised texts, in imports and exports', async () => {
  const body = 'key,name.zh-Hant-TW,name.es-419\ncsv,保溫瓶,Termo\n';
  const headers = { 'content-type': 'text/csv' };
  const { status, text } = await api.call({ method: 'POST', path: '/csv/resource/import', headers, body });
  assert.equal(status, 200, text);
  const search = await api.call({ path: `/csv/resource/searchApiPattern?${queryOf(['text.zh-Hant-TW', '保溫瓶'])}` });
  assert.deepEqual(search.json.results[0].name, { 'zh-Hant-TW': '保溫瓶', 'es-419': 'Termo' });
  const csv = await api.call({ path: '/csv/resource/export?format=csv&fields=key,name.zh-Hant-TW' });
  assert.match(csv.text, /csv,保溫瓶/);
});

test('a word that no resource had on the first page of a search in two locales is found on the next one', async () => {
  for (let n = 0; n < 4; n += 1) await create('pages', { key: `chair-${n}`, name: { en: 'Oak chair' } });
  const page = async (...more: readonly (readonly [string, string])[]) => {
    const query = queryOf(['text.en', 'chair'], ['text.de', 'Truhe'], ['limit', '2'], ['withTotal', 'true'], ...more);
    return (await api.call({ path: `/pages/resource/searchApiPattern?${query}` })).json;
  };
  const first = await page();
  assert.deepEqual([first.total, first.match.rung], [4, 'most']);
  await create('pages', { key: 'chest', name: { de: 'Truhe' } });
  const { total, results, match, next } = await page(['cursor', first.next]);
  assert.deepEqual([total, results.length, match.totals], [5, 2, { all: 5, most: 5 }]);
  const last = await page(['cursor', next]);
  assert.deepEqual(
    last.results.map(({ key }: { key: string }) => key),
    ['chest'],
  );
});
