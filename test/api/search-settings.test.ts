import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf } from './open-lists.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { api, create } = await openResources();

const path = '/shop/settings/search';
const put = (body: unknown, headers: Readonly<Record<string, string>> = {}, at = path) =>
  api.call({
    method: 'PUT',
    path: at,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
const defaults = {
  match: 'auto',
  weights: {},
  excludedPaths: [],
  types: {},
  synonyms: [],
  stopWords: {},
  boosts: [],
  pins: [],
  countSearches: true,
};

const drafts: readonly object[] = [
  { key: 'sofa', name: { en: 'Oak sofa', de: 'Sofa aus Eiche' }, brand: 'Lumen', internalNote: 'ordered from Miller' },
  { key: 'chair', name: { en: 'Chair' }, brand: 'Oak', internalNote: 'cheap' },
  {
    key: 'tv',
    name: { en: 'Television set' },
    description: { en: 'A cheap set by Lumen' },
    media: { url: 'https://cdn/blue.png' },
  },
];
for (const draft of drafts) await create('shop', draft);

async function keys(...pairs: readonly (readonly [string, string])[]): Promise<readonly string[]> {
  const { status, json, text } = await api.call({ path: `/shop/resource/searchApiPattern?${queryOf(...pairs)}` });
  assert.equal(status, 200, text);
  return json.results.map(({ key }: { key: string }) => key);
}

test('settings that nobody wrote are the defaults, in version 0', async () => {
  const { status, json, headers } = await api.call({ path: '/empty/settings/search' });
  assert.deepEqual([status, headers.etag, json], [200, '"0"', { version: 0, ...defaults }]);
});

test('a search that is sent again shows each write and each change of the settings at once', async () => {
  const keysOf = async () => {
    const { json } = await api.call({ path: `/repeated/resource/searchApiPattern?${queryOf(['text.en', 'couch'])}` });
    return json.results.map(({ key }: { key: string }) => key);
  };
  const at = '/repeated/settings/search';
  await create('repeated', { key: 'couch', name: { en: 'Couch' } });
  for (let n = 0; n < 3; n += 1) assert.deepEqual(await keysOf(), ['couch']);
  await create('repeated', { key: 'red', name: { en: 'Red couch' } });
  for (let n = 0; n < 3; n += 1) assert.deepEqual((await keysOf()).toSorted(), ['couch', 'red']);
  await create('repeated', { key: 'sofa', name: { en: 'Sofa' } });
  await put({ version: 0, synonyms: [{ locale: 'en', words: ['couch', 'sofa'] }] }, {}, at);
  for (let n = 0; n < 3; n += 1) assert.deepEqual((await keysOf()).toSorted(), ['couch', 'red', 'sofa']);
  await put({ version: 1 }, {}, at);
  for (let n = 0; n < 3; n += 1) assert.deepEqual((await keysOf()).toSorted(), ['couch', 'red']);
});

test('PUT replaces settings, with version or If-Match, and refuses what is not current', async () => {
  const at = '/versions/settings/search';
  refusalOf(await put({ version: 3 }, {}, at), 409, 'ConcurrentModification');
  const first = await put({ version: 0, excludedPaths: ['note'] }, { 'if-none-match': '*' }, at);
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(
    { ...first.json, lastModifiedAt: '' },
    { version: 1, lastModifiedAt: '', ...defaults, excludedPaths: ['note'] },
  );
  assert.match(first.json.lastModifiedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const read = await api.call({ path: at });
  assert.deepEqual([read.json, read.headers.etag], [first.json, first.headers.etag]);
  refusalOf(await put({ version: 0 }, {}, at), 409, 'ConcurrentModification');
  refusalOf(await put({}, { 'if-match': '"9-0000000000"' }, at), 412, 'ConcurrentModification');
  const next = await put({ match: 'all' }, { 'if-match': first.headers.etag! }, at);
  assert.deepEqual([next.status, next.json.version, next.json.excludedPaths], [200, 2, []]);
  assert.equal((await put({ match: 'all' }, {}, at)).json.version, 2, 'no change, no version');
  const unchanged = await api.call({ path: at, headers: { 'if-none-match': next.headers.etag! } });
  assert.deepEqual([unchanged.status, unchanged.text], [304, '']);
});

test('settings take no parameter but version: another is refused, and changes nothing', async () => {
  const at = '/parameters/settings/search';
  for (const query of ['versoin=7', 'match=all', 'where=a%3D1']) {
    assert.match(
      refusalOf(await put({ match: 'all' }, {}, `${at}?${query}`), 400, 'InvalidInput').message,
      /unknown parameter.* Known parameters: version/,
    );
    refusalOf(await api.call({ path: `${at}?${query}` }), 400, 'InvalidInput');
  }
  assert.equal((await api.call({ path: at })).json.version, 0);
});

test('malformed settings are refused with the place and what is expected, and change nothing', async () => {
  const at = '/refusals/settings/search';
  for (const [body, message] of [
    [[], /expected an object/],
    [{ weight: {} }, /weight: unknown field/],
    [{ match: 'some' }, /match: expected one of auto, all, most/],
    [{ weights: { brand: 0 } }, /weights\.brand: expected a number above 0/],
    [{ weights: { 'a..b': 1 } }, /a dotted path/],
    [{ excludedPaths: ['id'] }, /excludedPaths\[0\]: id is a system field/],
    [{ excludedPaths: ['a b'] }, /a dotted path/],
    [{ types: { shoe: 'size' } }, /types\.shoe: expected one of plain, localised/],
    [{ types: { 'a b': 'plain' } }, /types\.a b: expected a dotted path/],
    [
      { types: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`p${n}`, 'plain'])) },
      /types: expected at most 100/,
    ],
    [{ synonyms: [{ words: ['a', 'b'] }] }, /synonyms\[0\]\.locale/],
    [{ synonyms: [{ locale: 'en', words: ['a'] }] }, /at least 2/],
    [{ synonyms: [{ locale: 'en', words: ['a', 'b'], to: ['c'] }] }, /words \(both ways\)/],
    [{ synonyms: [{ locale: 'en', from: ['!'], to: ['c'] }] }, /1 to 4 words/],
    [{ boosts: [{ where: 'a = :x', factor: 2 }] }, /boosts\[0\]\.where: .*There are no variables here; write a value/],
    [{ stopWords: { english: ['a'] } }, /stopWords\.english: expected a locale/],
    [{ stopWords: { en: ['two words'] } }, /expected one word/],
    [{ boosts: [{ where: 'price >', factor: 2 }] }, /boosts\[0\]\.where: Syntax error .* column 8/],
    [{ boosts: [{ where: 'price > :x', factor: 2 }] }, /boosts\[0\]\.where/],
    [{ boosts: [{ where: `a = "${'x'.repeat(2000)}"`, factor: 2 }] }, /boosts\[0\]\.where: expected at most 2000/],
    [{ boosts: [{ where: 'price > 1', factor: 0 }] }, /boosts\[0\]\.factor: expected a number above 0/],
    [{ boosts: [{ path: 'price', factor: 2 }] }, /boosts\[0\]\.path: unknown field; .*where, .*recent, .*near/],
    [{ boosts: [{ factor: 2 }] }, /boosts\[0\]: expected where, recent or near/],
    [
      { weights: { brand: JSON.rawJSON('9007199254740993') } },
      /weights\.brand: expected a number above 0 and up to 100/,
    ],
    [
      { boosts: [{ near: 'price', origin: 1, scale: JSON.rawJSON('9007199254740993'), factor: 2 }] },
      /boosts\[0\]\.scale: expected a number/,
    ],
    [{ boosts: [{ recent: 'createdAt', factor: 2 }] }, /boosts\[0\]\.halfLifeDays/],
    [{ boosts: [{ recent: 'a b', halfLifeDays: 1, factor: 2 }] }, /boosts\[0\]\.recent: expected a dotted path/],
    [{ boosts: [{ recent: 'a', halfLifeDays: 0, factor: 2 }] }, /halfLifeDays: expected a number above 0/],
    [{ boosts: [{ recent: 'a', halfLifeDays: 1, origin: 2, factor: 2 }] }, /boosts\[0\]\.origin: unknown field/],
    [{ boosts: [{ near: 'price', scale: 1, factor: 2 }] }, /boosts\[0\]\.origin/],
    [{ boosts: [{ near: 'price', origin: 'now', scale: 1, factor: 2 }] }, /boosts\[0\]\.origin: expected a number/],
    [{ boosts: [{ near: 'price', origin: 1, scale: -1, factor: 2 }] }, /boosts\[0\]\.scale: expected a number above 0/],
    [{ boosts: [{ near: 'price', origin: 1, scale: 1, where: 'a = 1', factor: 2 }] }, /unknown field/],
    [{ boosts: Array.from({ length: 11 }, () => ({ where: 'price > 1', factor: 2 })) }, /boosts: expected at most 10/],
    [{ excludedPaths: Array.from({ length: 101 }, (_, n) => `p${n}`) }, /at most 100/],
  ] as const) {
    const { detailedErrorMessage } = refusalOf(await put(body, {}, at), 400, 'InvalidJsonInput');
    assert.match(detailedErrorMessage, message);
  }
  assert.equal((await api.call({ path: at })).json.version, 0);
});

test('types: sizes by country are found in every language once their path is plain, and in no other way', async () => {
  await create('typed', { key: 'boot', name: { en: 'Boot', uk: 'Чобіт' }, shoe: { uk: '7 wide', eu: '41 weit' } });
  await create('typed', {
    key: 'sofa',
    name: { uk: 'wide' },
    attributes: { maker: { it: 'zorblax' }, label: { it: 'x' } },
  });
  const found = async (...pairs: readonly (readonly [string, string])[]) => {
    const { status, json, text } = await api.call({ path: `/typed/resource/searchApiPattern?${queryOf(...pairs)}` });
    assert.equal(status, 200, text);
    return json;
  };
  const keysOf = async (...pairs: readonly (readonly [string, string])[]) =>
    (await found(...pairs)).results.map(({ key }: { readonly key: string }) => key);
  assert.deepEqual(await keysOf(['text.en', 'wide']), []);
  assert.deepEqual(await keysOf(['text.uk', 'wide']), ['sofa', 'boot']);
  const types = { shoe: 'plain', attributes: 'plain', 'attributes.label': 'localised' };
  const saved = await put({ types }, {}, '/typed/settings/search');
  assert.deepEqual([saved.status, saved.json.types], [200, types], saved.text);
  assert.deepEqual(await keysOf(['text.en', 'wide']), ['boot']);
  assert.deepEqual(await keysOf(['text.en', 'weit']), ['boot']);
  assert.deepEqual(await keysOf(['text.de', 'wid'], ['prefix', 'true']), ['boot']);
  assert.deepEqual(await keysOf(['text.uk', 'wide']), ['sofa', 'boot'], 'what is localised stays so');
  assert.deepEqual(await keysOf(['text.en', 'zorblax']), ['sofa']);
  assert.deepEqual(await keysOf(['text.en', 'stivale']), []);
  const { highlights, explanations, results } = await found(
    ...([
      ['text.en', 'wide boot'],
      ['highlight', 'true'],
      ['explain', 'true'],
    ] as const),
  );
  const shoe = { path: 'shoe.uk', ranges: [[2, 6]], html: '7 <mark>wide</mark>' };
  assert.deepEqual(highlights[results[0].id][1], shoe);
  const [wide] = explanations[results[0].id].words;
  assert.deepEqual([wide.matched, wide.path, wide.place], ['wide', 'shoe.uk', 'attribute']);
  const typo = await found(['text.en', 'zorblx'], ['fuzzy', 'true']);
  assert.deepEqual([typo.results[0].key, typo.match.corrected], ['sofa', { zorblx: 'zorblax' }]);
  const { json } = await api.call({ path: `/typed/resource/suggestions?${queryOf(['text.en', 'zorb'])}` });
  assert.deepEqual(json.suggestions, [{ text: 'zorblax', word: 'zorblax', count: 1 }]);
  assert.equal((await put({}, {}, '/typed/settings/search')).status, 200);
  assert.deepEqual(await keysOf(['text.en', 'wide']), []);
});

test('boosts decay with age and with the distance to a number, on later pages as on the first one', async () => {
  const at = '/decayed/settings/search';
  const dayMs = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
  for (const [key, days, price] of [
    ['old', 400, 100],
    ['fresh', 0, 900],
    ['month', 30, 120],
  ] as const) {
    await create('decayed', { key, name: { en: 'Oak chair' }, soldOn: ago(days), price });
  }
  const find = async (...pairs: readonly (readonly [string, string])[]) => {
    const asked = queryOf(['text.en', 'chair'], ['explain', 'true'], ...pairs);
    return (await api.call({ path: `/decayed/resource/searchApiPattern?${asked}` })).json;
  };
  const order = async () => (await find()).results.map(({ key }: { key: string }) => key);
  const recent = { recent: 'soldOn', halfLifeDays: 30, factor: 3 };
  const stored = await put({ boosts: [recent] }, {}, at);
  assert.deepEqual(stored.json.boosts, [recent]);
  assert.deepEqual(await order(), ['fresh', 'month', 'old']);
  const { results, explanations } = await find();
  const boosts = results.map(({ id }: { id: string }) => explanations[id].boost);
  assert.ok(boosts[0] === 3 && Math.abs(boosts[1] - 2) < 0.01 && boosts[2] < 1.01, String(boosts));
  const first = await find(['limit', '1']);
  const second = await find(['limit', '2'], ['cursor', first.next]);
  assert.deepEqual(
    [...first.results, ...second.results].map(({ key }) => key),
    ['fresh', 'month', 'old'],
  );
  assert.equal(second.explanations[second.results[0].id].boost, boosts[1]);
  await put({ boosts: [{ near: 'price', origin: 100, scale: 20, factor: 3 }] }, {}, at);
  assert.deepEqual(await order(), ['old', 'month', 'fresh']);
  const origin = JSON.rawJSON('9007199254740993');
  assert.equal((await put({ boosts: [{ near: 'price', origin, scale: 20, factor: 3 }] }, {}, at)).status, 200);
  assert.deepEqual((await find()).total, 3);
});

test('boosts multiply the scores of what their predicates hold for, and explanations say by how much', async () => {
  const named = [
    ['one', { popularity: 1 }],
    ['two', { popularity: 3, inStock: true }],
    ['three', { popularity: 2, inStock: true, brand: 'Lumen' }],
  ] as const;
  for (const [key, more] of named) await create('boosted', { key, name: { en: 'Oak desk' }, ...more });
  const asked = async (...more: readonly (readonly [string, string])[]) => {
    const query = queryOf(['text.en', 'desk'], ['sort', 'score desc'], ['sort', 'popularity desc'], ...more);
    const { status, json, text } = await api.call({ path: `/boosted/resource/searchApiPattern?${query}` });
    assert.equal(status, 200, text);
    return json;
  };
  const keysOf = (json: { readonly results: readonly { readonly key: string }[] }) =>
    json.results.map(({ key }) => key);
  assert.deepEqual(keysOf(await asked()), ['two', 'three', 'one']);
  const boosts = [
    { where: 'inStock = true', factor: 2 },
    { where: 'brand = "Lumen" or popularity = 1', factor: 1.5 },
  ];
  assert.equal((await put({ boosts }, {}, '/boosted/settings/search')).status, 200);
  const found = await asked(['explain', 'true']);
  assert.deepEqual(keysOf(found), ['three', 'two', 'one']);
  const explained = found.results.map(({ id }: { readonly id: string }) => found.explanations[id]);
  assert.deepEqual(
    explained.map(({ boost }: { readonly boost: number }) => boost),
    [3, 2, 1.5],
  );
  for (const { score, boost, words } of explained) {
    const [{ weight, factor, field }] = words;
    assert.ok(Math.abs(score - weight * factor * field * boost) < 1e-9);
  }
});

test('settings need the scope manage_project', async () => {
  for (const scope of ['view_test:shop', 'manage_test:shop', 'manage_project:other']) {
    refusalOf(await api.call({ path, scope }), 403, 'insufficient_scope');
    refusalOf(await api.call({ method: 'PUT', path, scope, body: {} }), 403, 'insufficient_scope');
  }
  assert.equal((await api.call({ path, scope: 'manage_project:shop' })).status, 200);
  assert.equal((await api.call({ path: '/shop~settings/resource', scope: 'manage_project:shop' })).status, 404);
});

test('the next search follows the settings: weights, excluded paths, synonyms, stop words and match', async () => {
  assert.deepEqual(await keys(['text.en', 'oak']), ['sofa', 'chair']);
  assert.deepEqual(await keys(['text.en', 'miller']), ['sofa']);
  assert.deepEqual(await keys(['text.en', 'blue']), ['tv']);
  assert.deepEqual(await keys(['text.en', 'couch']), []);
  assert.deepEqual(await keys(['text.en', 'fancy oak sofa'], ['match', 'all']), []);
  const { status, text } = await put({
    weights: { brand: 5 },
    excludedPaths: ['internalNote', 'media.url'],
    synonyms: [
      { locale: 'en', words: ['sofa', 'couch'] },
      { locale: 'en', from: ['telly'], to: ['television set'] },
    ],
    stopWords: { en: ['fancy'] },
    match: 'all',
  });
  assert.equal(status, 200, text);
  assert.deepEqual(await keys(['text.en', 'oak']), ['chair', 'sofa']);
  assert.deepEqual(await keys(['text.en', 'miller']), []);
  assert.deepEqual(await keys(['text.en', 'blue']), []);
  assert.deepEqual(await keys(['text.en', 'couches']), ['sofa']);
  assert.deepEqual(await keys(['text.en', 'telly']), ['tv']);
  assert.deepEqual(await keys(['text.en', 'television'], ['match', 'all']), ['tv']);
  assert.deepEqual(await keys(['text.en', 'fancy oak sofa']), ['sofa']);
  assert.deepEqual(await keys(['text.en', 'oak missing']), [], 'match is all where nothing else is said');
  assert.deepEqual((await keys(['text.en', 'oak missing'], ['match', 'most'])).toSorted(), ['chair', 'sofa']);
});

test('a weight of 1 is one within a path that is excluded or has another weight', async () => {
  const supplier = { name: 'Miller', note: 'miller', terms: { delivery: 'weekly', payment: 'monthly' } };
  await create('within', { key: 'one', supplier });
  const fieldsOf = async (settings: object, text: string) => {
    const written = await put(settings, {}, '/within/settings/search');
    assert.equal(written.status, 200, written.text);
    const query = queryOf(['text.en', text], ['explain', 'true']);
    const { json } = await api.call({ path: `/within/resource/searchApiPattern?${query}` });
    return Object.values(json.explanations ?? {}).map((one) => (one as typeof json).words[0].field);
  };
  const [plain] = await fieldsOf({}, 'weekly');
  const excluded = { excludedPaths: ['supplier'], weights: { 'supplier.terms': 1 } };
  assert.deepEqual(await fieldsOf(excluded, 'miller'), []);
  assert.deepEqual(await fieldsOf(excluded, 'weekly'), [plain]);
  const heavy = { weights: { supplier: 2, 'supplier.terms.delivery': 1, brand: 1 } };
  assert.deepEqual(await fieldsOf(heavy, 'monthly'), [2 * plain]);
  assert.deepEqual(await fieldsOf(heavy, 'weekly'), [plain]);
});

test('suggestions and highlights follow the settings as well', async () => {
  const suggestions = await api.call({ path: '/shop/resource/suggestions?text.en=mill' });
  assert.deepEqual(suggestions.json.suggestions, []);
  const { json } = await api.call({ path: '/shop/resource/searchApiPattern?text.en=couch&highlight=true' });
  assert.deepEqual(Object.values(json.highlights), [
    [
      { path: 'name.en', locale: 'en', ranges: [[4, 8]], html: 'Oak <mark>sofa</mark>' },
      { path: 'key', ranges: [[0, 4]], html: '<mark>sofa</mark>' },
    ],
  ]);
});

test('settings of one project say nothing of another', async () => {
  await create('other', { name: { en: 'Sofa' } });
  const { json } = await api.call({ path: '/other/resource/searchApiPattern?text.en=couch' });
  assert.equal(json.total, 0);
});

test('a search on trial follows the settings in its form, which change nothing', async () => {
  const trial = (settings: unknown, scope = 'manage_project:shop', at = '') =>
    api.call({
      method: 'POST',
      path: `/shop/resource/searchApiPattern${at}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: queryOf(
        ['text.en', 'recliner'],
        ['settings', typeof settings === 'string' ? settings : JSON.stringify(settings)],
      ),
      scope,
    });
  const before = (await api.call({ path })).json;
  const synonyms = [{ locale: 'en', words: ['recliner', 'chair'] }];
  const found = await trial({ synonyms });
  assert.equal(found.status, 200, found.text);
  assert.deepEqual(
    found.json.results.map(({ key }: { key: string }) => key),
    ['chair'],
  );
  assert.deepEqual((await trial({ synonyms, excludedPaths: ['name', 'key'] })).json.results, []);
  assert.deepEqual(await keys(['text.en', 'recliner']), []);
  assert.deepEqual((await api.call({ path })).json, before);
  refusalOf(await trial({ synonyms }, 'view_test:shop'), 403, 'insufficient_scope');
  for (const [settings, place] of [
    [{ weights: { name: -1 } }, /settings: weights\.name: expected a number above 0/],
    ['{', /settings: .*line 1/],
  ] as const) {
    const { status, json } = await trial(settings);
    assert.equal(status, 400);
    assert.match(json.message, place);
  }
  const inUrl = await api.call({ path: '/shop/resource/searchApiPattern?text.en=a&settings=%7B%7D' });
  refusalOf(inUrl, 400, 'InvalidInput');
});
