import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '../images/pictures.ts';
import { openImages } from './open-images.ts';
import { queryOf } from './open-lists.ts';
import { refusalOf } from './open-resources.ts';

/** What the page of a shop needs beside the results: highlights, suggestions, categories and images. */

const { api, upload, read } = await openImages({ REGION: 'eu-1', CLOUD_PROVIDER: 'aws', DOMAIN: 'example.com' });
const search = (...pairs: readonly (readonly [string, string])[]) =>
  read(`/shop/resource/searchApiPattern?${queryOf(...pairs)}`);
const suggest = (...pairs: readonly (readonly [string, string])[]) =>
  read(`/shop/resource/suggestions?${queryOf(...pairs)}`);

const drafts: readonly object[] = [
  {
    key: 'boots',
    name: { en: 'Winter boots', de: 'Winterstiefel' },
    category: ['clothing > shoes > boots', 'gifts'],
    variants: [{ sku: 'wb-40', size: 40 }, { sku: 'wb-41', size: 41 }, { sku: 'none' }],
    color: 'red',
  },
  { key: 'sandals', name: { en: 'Sandals <b>', de: 'Sandalen' }, category: 'clothing > shoes', color: 'blue' },
  { key: 'shirt', name: { en: 'Winter shirt', de: 'Hemd' }, category: 'clothing > shirts', color: 'blue' },
];
for (const body of drafts) {
  const { status, text } = await api.call({ method: 'POST', path: '/shop/resource', body });
  assert.equal(status, 201, text);
}

test('highlight=true: by the id of each result the texts with the words, as ranges and as HTML', async () => {
  const { results, highlights } = await search(['text.en', 'boot'], ['highlight', 'true']);
  const [{ id }] = results;
  assert.deepEqual(highlights, {
    [id]: [
      { path: 'name.en', locale: 'en', ranges: [[7, 12]], html: 'Winter <mark>boots</mark>' },
      { path: 'category[0]', ranges: [[19, 24]], html: 'clothing &gt; shoes &gt; <mark>boots</mark>' },
      { path: 'key', ranges: [[0, 5]], html: '<mark>boots</mark>' },
    ],
  });
  const typo = await search(['text.en', 'sandlas'], ['fuzzy', 'true'], ['highlight', 'true']);
  assert.equal(typo.highlights[typo.results[0].id][0].html, '<mark>Sandals</mark> &lt;b&gt;');
});

test('without highlight, or without text, there are no highlights', async () => {
  assert.equal('highlights' in (await search(['text.en', 'boot'])), false);
  assert.equal('highlights' in (await search(['highlight', 'true'])), false);
});

test('explain=true: by the id of each result its score, word by word, with where the resource has the word', async () => {
  const { results, explanations } = await search(['text.en', 'the winter boot wb40'], ['explain', 'true']);
  const [boots] = results;
  const { words, ...whole } = explanations[boots.id];
  assert.deepEqual([boots.key, whole.rung, whole.locale, whole.share], ['boots', 'all', 'en', 1]);
  const found = words.map(({ word, matched, form, path, place }: Record<string, string>) => {
    return [word, matched, form, path, place].filter((part) => part !== undefined);
  });
  assert.deepEqual(found, [
    ['the'],
    ['winter', 'winter', 'written', 'name.en', 'name'],
    ['boot', 'boots', 'inflected', 'name.en', 'name'],
    ['wb40', 'wb40', 'written', 'variants[0].sku', 'attribute'],
  ]);
  const sum = words.reduce((all: number, { score }: { score: number }) => all + score, 0);
  assert.ok(sum > 0 && Math.abs(sum - whole.score) < 1e-9);
  assert.equal(words[2].factor, 0.95);
  const partly = await search(['text.en', 'winter sandlas'], ['fuzzy', 'true'], ['explain', 'true'], ['fields', 'key']);
  const sandals = partly.results.find(({ key }: { key: string }) => key === 'sandals');
  const { rung, share, words: two } = partly.explanations[sandals.id];
  assert.equal(rung, 'most');
  assert.ok(share > 0 && share < 1);
  assert.deepEqual([two[0].score, two[0].matched, two[1].form, two[1].factor], [0, undefined, 'typos', 0.5]);
  assert.equal('explanations' in (await search(['text.en', 'boot'])), false);
  assert.equal('explanations' in (await search(['explain', 'true'])), false);
});

test('a tree facet counts categories on each level, and subtree filters by one with all below it', async () => {
  const { facets } = await search(['facet', 'category:tree']);
  const counts = facets.category.terms.map((one: { term: string; level: number; count: number }) => Object.values(one));
  assert.deepEqual(counts, [
    ['clothing', 1, 3],
    ['clothing > shoes', 2, 2],
    ['gifts', 1, 1],
    ['clothing > shirts', 2, 1],
    ['clothing > shoes > boots', 3, 1],
  ]);
  assert.deepEqual([facets.category.missing, facets.category.total, facets.category.other], [0, 3, 0]);
  const below = await search(['facet', 'category:tree("clothing > shoes") as c counting products']);
  assert.deepEqual(below.facets.c.terms, [{ term: 'clothing > shoes > boots', level: 3, count: 1, productCount: 1 }]);
  const keys = async (filter: string) =>
    (await search(['filter', filter], ['sort', 'key'])).results.map(({ key }: { key: string }) => key);
  assert.deepEqual(await keys('category:subtree("clothing > shoes")'), ['boots', 'sandals']);
  assert.deepEqual(await keys('category:subtree("clothing > sho")'), []);
  assert.deepEqual(await keys('category:subtree("gifts", "clothing > shirts")'), ['boots', 'shirt']);
});

test('counts leave the own filter of a facet out: also that of a tree', async () => {
  const chosen = 'category:subtree("clothing > shoes")';
  const { total, facets } = await search(
    ...[['filter', chosen] as const, ['filter.facets', chosen] as const],
    ...[['facet', 'category:tree'] as const, ['facet', 'color'] as const],
  );
  assert.equal(total, 2);
  assert.equal(facets.category.terms[0].count, 3);
  assert.deepEqual(facets.color.terms, [
    { term: 'blue', count: 1 },
    { term: 'red', count: 1 },
  ]);
});

test('malformed trees are refused with what is expected', async () => {
  for (const [name, text] of [
    ['filter', 'category:subtree'],
    ['filter', 'category:subtree(shoes)'],
    ['filter', 'category:subtree("shoes"'],
    ['facet', 'category:tree('],
    ['facet', 'category:tree "x"'],
  ] as const) {
    const path = `/shop/resource/searchApiPattern?${queryOf([name, text])}`;
    assert.match(refusalOf(await api.call({ path }), 400, 'InvalidInput').message, /expected/);
  }
});

test('suggestions complete the last word by what resources have, as they write it, with counts', async () => {
  assert.deepEqual((await suggest(['text.en', 'wint'])).suggestions, [{ text: 'Winter', word: 'winter', count: 2 }]);
  assert.deepEqual((await suggest(['text.en', 'winter b'])).suggestions, [
    { text: 'winter blue', word: 'blue', count: 1 },
    { text: 'winter boots', word: 'boots', count: 1 },
  ]);
  const [code] = (await suggest(['text.en', 'wb4'])).suggestions;
  assert.deepEqual(code, { text: 'wb-40', word: 'wb40', count: 1 });
  assert.deepEqual((await suggest(['text.en', 's'], ['where', 'color = "blue"'])).suggestions, [
    { text: 'Sandals', word: 'sandals', count: 1 },
    { text: 'shirt', word: 'shirt', count: 1 },
    { text: 'shoes', word: 'shoes', count: 1 },
  ]);
  assert.equal((await suggest(['text.en', 'b'], ['limit', '1'])).suggestions.length, 1);
  assert.deepEqual(await suggest(['text.en', '!']), { suggestions: [] });
});

test('what is typed with a typo at its beginning is found, marked, explained and completed', async () => {
  const typed: readonly (readonly [string, string])[] = [
    ['text.de', 'wintrst'],
    ['fuzzy', 'true'],
    ['prefix', 'true'],
  ];
  const { results, match, highlights, explanations } = await search(
    ...typed,
    ['highlight', 'true'],
    ['explain', 'true'],
  );
  assert.deepEqual(
    results.map(({ key }: { key: string }) => key),
    ['boots'],
  );
  assert.deepEqual(match, { rung: 'most', totals: { all: 0, typos: 1, most: 1 }, dropped: [], corrected: {} });
  const [{ id }] = results;
  assert.equal(highlights[id][0].html, '<mark>Winterstiefel</mark>');
  const [{ matched, form, factor }] = explanations[id].words;
  assert.deepEqual({ matched, form, factor }, { matched: 'winterstiefel', form: 'typos', factor: 0.3 });
  assert.deepEqual(await suggest(['text.de', 'Wintrst']), {
    suggestions: [{ text: 'Winterstiefel', word: 'winterstiefel', count: 1 }],
  });
  assert.deepEqual((await suggest(['text.en', 'Winter sandl'])).suggestions, [], 'no resource has both');
  assert.equal((await search(...typed.slice(0, 2))).results.length, 0, 'without prefix=true it is a word');
});

test('suggestions say what was probably meant where no resource has a word', async () => {
  const meant = { suggestions: [], didYouMean: 'Winter boots!' };
  assert.deepEqual(await suggest(['text.en', 'Wintre boots!']), meant);
  assert.deepEqual(await suggest(['text.en', 'Wintre boots!'], ['where', 'key="boots"']), meant);
  const elsewhere = await suggest(['text.en', 'Wintre boots!'], ['where', 'key="sandals"']);
  assert.deepEqual(elsewhere, { suggestions: [] }, 'not what finds nothing within the conditions');
  const body = {
    name: { de: 'Sömmermantel', ar: 'الحقيبة' },
    ean: 4006381333931,
    limit: JSON.rawJSON('9223372036854775807'),
  };
  assert.equal((await api.call({ method: 'POST', path: '/accents/resource', body })).status, 201);
  const { didYouMean } = await read(`/accents/resource/suggestions?${queryOf(['text.de', 'sommermantle'])}`);
  assert.equal(didYouMean, 'Sömmermantel', 'with its accents');
  const search = (locale: string, text: string) =>
    read(`/accents/resource/searchApiPattern?${queryOf([`text.${locale}`, text], ['fuzzy', 'true'])}`);
  assert.deepEqual((await search('de', 'Sömmermantle')).match.corrected, { Sömmermantle: 'Sömmermantel' });
  assert.deepEqual((await search('de', 'Größe GRÖSSE größe')).match.dropped, ['Größe'], 'as it was typed first');
  assert.deepEqual((await search('ar', 'الحقيبة الشتوية')).match.dropped, ['الشتوية'], 'with its article');
  for (const [locale, text] of [
    ['de', '4006381333931'],
    ['en', '9223372036854775807'],
    ['ar', 'حقيبة'],
    ['ar', 'وبالحقيبة'],
  ] as const) {
    assert.equal((await search(locale, text)).match.totals.all, 1, text);
  }
  assert.equal((await search('en', '9223372036854775806')).match.totals.all, 0, 'exact');
});

test('suggestions follow the staged projection', async () => {
  const draft = { name: { en: 'Old lamp' } };
  const { json } = await api.call({ method: 'POST', path: '/staged/resource', body: draft });
  const actions = [{ action: 'setField', path: 'name', value: { en: 'New lantern' }, staged: true }];
  const { status, text } = await api.call({
    ...{ method: 'POST', path: `/staged/resource/${json.id}` },
    body: { version: 1, actions },
  });
  assert.equal(status, 200, text);
  const words = async (query: string) =>
    (await read(`/staged/resource/suggestions?text.en=la${query}`)).suggestions.map(
      ({ word }: { word: string }) => word,
    );
  assert.deepEqual(await words(''), ['lamp']);
  assert.deepEqual(await words('&staged=true'), ['lantern']);
});

test('suggestions need one text, and refuse parameters that they do not know', async () => {
  for (const query of ['', 'text.en=a&text.de=b', 'text.en=a&limit=0', 'text.en=a&limit=51', 'text.en=a&fuzy=true']) {
    refusalOf(await api.call({ path: `/shop/resource/suggestions?${query}` }), 400, 'InvalidInput');
  }
  const ask = (scope: string) => api.call({ path: '/shop/resource/suggestions?text.en=a', scope });
  assert.equal((await ask('view_test:shop')).status, 200);
  refusalOf(await ask('none'), 401, 'invalid_token');
});

test('expand=images puts the images of a sku into results of searches and lists, and into single resources', async () => {
  const { images } = await upload('?sku=wb-40&staged=false', await png(20, 10));
  assert.equal(images.length, 1);
  await upload('?sku=wb-41&staged=true', await png(10, 20));
  const variantsOf = async (path: string) => {
    const answer = await read(path);
    return (answer.results?.[0] ?? answer).variants;
  };
  const expected = [{ sku: 'wb-40', size: 40, images }, { sku: 'wb-41', size: 41 }, { sku: 'none' }];
  const found = '/shop/resource/searchApiPattern?text.en=boots&expand=images';
  assert.deepEqual(await variantsOf(found), expected);
  assert.deepEqual(
    await variantsOf('/shop/resource/sorted-query-parameters?where=key%3D%22boots%22&expand=images'),
    expected,
  );
  assert.deepEqual(await variantsOf('/shop/resource/key=boots?expand=images'), expected);
  const staged = await variantsOf(`${found}&staged=true`);
  assert.deepEqual(
    staged.map((one: { images?: string[] }) => one.images?.length ?? 0),
    [1, 1, 0],
  );
});
