import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi, type TestResponse } from '../start-test-api.ts';
import { keysOf, queryOf } from './open-lists.ts';
import { refusalOf } from './open-resources.ts';

const api = await startTestApi();
after(() => api.close());
const path = '/shop/resource/searchApiPattern';

async function create(projectKey: string, draft: object): Promise<{ id: string; version: number }> {
  const { status, json, text } = await api.call({
    method: 'POST',
    path: `/${projectKey}/resource`,
    body: JSON.stringify(draft),
  });
  assert.equal(status, 201, text);
  return json;
}

await create('shop', {
  key: 'shoe',
  name: { en: 'Red running shoe', de: 'Roter Laufschuh', 'de-AT': 'Roter Sportpatschen' },
  color: 'red',
  size: [38, 39],
  price: 7900,
});
await create('shop', {
  key: 'shirt',
  name: { en: 'Blue shirts', de: 'Blaue Hemden' },
  color: 'blue',
  size: 36,
  price: 2500,
});
await create('shop', {
  key: 'dress',
  name: { en: 'Summer dress', fr: 'Robe d’été' },
  color: 'blue',
  size: '38',
  price: 6400,
});
await create('shop', { key: 'voucher', name: 'Gift voucher', price: 9007199254740993n.toString() });

async function search(...pairs: readonly (readonly [string, string])[]): Promise<TestResponse> {
  const response = await api.call({ path: `${path}?${queryOf(...pairs)}` });
  assert.equal(response.status, 200, response.text);
  return response;
}

const found: readonly (readonly [
  claim: string,
  pairs: readonly (readonly [string, string])[],
  keys: readonly string[],
])[] = [
  ['one word', [['text.en', 'shoe']], ['shoe']],
  ['another form of the word', [['text.en', 'SHOES']], ['shoe']],
  ['all words of a text, then most of them', [['text.en', 'blue shirt']], ['shirt', 'dress']],
  ['any of its words where none has most', [['text.en', 'shoe shirt dress']], ['dress', 'shoe', 'shirt']],
  [
    'nothing with too few of its words',
    [
      ['text.en', 'shoe shirt dress'],
      ['match', 'most'],
    ],
    [],
  ],
  [
    'not one of its words alone',
    [
      ['text.en', 'blue shoe'],
      ['match', 'all'],
    ],
    [],
  ],
  ['the head of a compound', [['text.de-AT', 'patschen']], ['shoe']],
  [
    'a beginning',
    [
      ['text.de-AT', 's'],
      ['prefix', 'true'],
    ],
    ['shoe', 'shirt'],
  ],
  ['the locale asked for', [['text.de', 'Hemd']], ['shirt']],
  ['not another locale', [['text.en', 'Hemden']], []],
  ['a locale exactly', [['text.de', 'Sportpatschen']], []],
  ['a locale with its country', [['text.de-AT', 'sportpatschen']], ['shoe']],
  ['words without their accents', [['text.fr', 'ete']], ['dress']],
  ['strings under no locale', [['text.fr', 'voucher']], ['voucher']],
  ['forms of words under no locale', [['text.en', 'vouchers']], ['voucher']],
  ['nothing with a slip', [['text.en', 'shrits']], []],
  [
    'a slip with fuzzy',
    [
      ['text.en', 'shrits'],
      ['fuzzy', 'true'],
    ],
    ['shirt'],
  ],
  [
    'a slip not with level 0',
    [
      ['text.en', 'shrits'],
      ['fuzzy', 'true'],
      ['fuzzyLevel', '0'],
    ],
    [],
  ],
  ['a text without words: nothing', [['text.en', '!?']], []],
  ['filters of values', [['filter', 'color:"red"']], ['shoe']],
  [
    'numbers given as texts',
    [
      ['filter', 'size:"38"'],
      ['sort', 'key'],
    ],
    ['dress', 'shoe'],
  ],
  [
    'ranges, inclusive',
    [
      ['filter', 'price:range (2500 to 6400)'],
      ['sort', 'key'],
    ],
    ['dress', 'shirt'],
  ],
  ['missing', [['filter', 'color:missing']], ['voucher']],
  ['predicates', [['filter', 'color = "blue" and price > 3000']], ['dress']],
];

test('E4 finds what the words and filters ask for, and nothing else', async () => {
  for (const [claim, pairs, keys] of found) assert.deepEqual(keysOf(await search(...pairs)), keys, claim);
});

test('E4 with text in several locales returns what matches one of them', async () => {
  const response = await search(['text.en', 'shoe'], ['text.de', 'hemd'], ['sort', 'key']);
  assert.deepEqual(keysOf(response), ['shirt', 'shoe']);
});

test('E4 without text returns the newest first; facets only where they are requested', async () => {
  const response = await search(['limit', '2']);
  assert.deepEqual(Object.keys(response.json), ['limit', 'offset', 'count', 'total', 'next', 'results']);
  assert.deepEqual(keysOf(response), ['voucher', 'dress']);
  assert.equal(response.json.total, 4);
});

test('E4 counts terms, ranges and values', async () => {
  const { json } = await search(
    ['facet', 'color'],
    ['facet', 'price:range (* to 6400),(6400 to *) as prices counting products'],
    ['facet', 'size:"38" as medium'],
    ['limit', '0'],
  );
  assert.deepEqual(json.facets.color, {
    type: 'terms',
    dataType: 'text',
    missing: 1,
    total: 3,
    other: 0,
    terms: [
      { term: 'blue', count: 2 },
      { term: 'red', count: 1 },
    ],
  });
  const [low, high] = json.facets.prices.ranges;
  const numbers = { total: 2500, min: 2500, max: 2500, mean: 2500 };
  assert.deepEqual(low, { from: 0, fromStr: '', to: 6400, toStr: '6400', count: 1, productCount: 1, ...numbers });
  assert.deepEqual(
    { from: high.from, toStr: high.toStr, count: high.count, min: high.min },
    {
      from: 6400,
      toStr: '',
      count: 2,
      min: 6400,
    },
  );
  assert.deepEqual(json.facets.medium, { type: 'filter', count: 2 });
});

test('E4: filter narrows results, filter.query facets too, filter.facets only the facets of other paths', async () => {
  const facets = [
    ['facet', 'color'],
    ['facet', 'size'],
  ] as const;
  const colors = ({ json }: TestResponse) => json.facets.color.terms.map(({ term }: { term: string }) => term);
  const sizes = ({ json }: TestResponse) => json.facets.size.terms.map(({ term }: { term: string }) => term);
  const filtered = await search(['filter', 'color:"red"'], ...facets);
  assert.deepEqual([keysOf(filtered), colors(filtered)], [['shoe'], ['blue', 'red']]);
  const queried = await search(['filter.query', 'color:"red"'], ...facets);
  assert.deepEqual([keysOf(queried), colors(queried), sizes(queried)], [['shoe'], ['red'], ['38', '39']]);
  const faceted = await search(['filter.facets', 'color:"red"'], ...facets);
  assert.deepEqual([faceted.json.total, colors(faceted), sizes(faceted)], [4, ['blue', 'red'], ['38', '39']]);
});

test('E4 by POST with a form responds like GET; parameters of form and URL count', async () => {
  const response = await api.call({
    method: 'POST',
    path: `${path}?sort=key`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: queryOf(['filter', 'color:"blue"'], ['facet', 'color']),
  });
  assert.equal(response.status, 200, response.text);
  assert.deepEqual(keysOf(response), ['dress', 'shirt']);
  assert.equal(response.json.facets.color.total, 3);
});

test('E4 with staged=true searches staged projections; publish moves them, revert drops them', async () => {
  const { id } = await create('stage', { key: 'a', name: { en: 'kettle' } });
  const run = async (staged: boolean, word: string) =>
    keysOf(await api.call({ path: `/stage/resource/searchApiPattern?text.en=${word}&staged=${staged}` }));
  const act = (version: number, action: object) =>
    api.call({ method: 'POST', path: `/stage/resource/${id}`, body: JSON.stringify({ version, actions: [action] }) });
  await act(1, { action: 'setField', path: 'name.en', value: 'teapot', staged: true });
  assert.deepEqual([await run(false, 'kettle'), await run(false, 'teapot')], [['a'], []]);
  assert.deepEqual([await run(true, 'kettle'), await run(true, 'teapot')], [[], ['a']]);
  await act(2, { action: 'revertStagedChanges' });
  assert.deepEqual([await run(true, 'kettle'), await run(true, 'teapot')], [['a'], []]);
  await act(3, { action: 'setField', path: 'name.en', value: 'teapot', staged: true });
  await act(4, { action: 'publish' });
  assert.deepEqual([await run(false, 'kettle'), await run(false, 'teapot')], [[], ['a']]);
});

test('E4 finds what was written by the request before, and not what was deleted', async () => {
  for (let at = 0; at < 20; at += 1) {
    const { id } = await create('fresh', { key: `k${at}`, name: { en: `gadget number ${at}` }, kind: 'gadget' });
    const before = await api.call({ path: '/fresh/resource/searchApiPattern?text.en=gadget&facet=kind' });
    assert.deepEqual(keysOf(before), [`k${at}`]);
    assert.deepEqual(before.json.facets.kind.terms, [{ term: 'gadget', count: 1 }]);
    await api.call({ method: 'DELETE', path: `/fresh/resource/${id}` });
    const gone = await api.call({ path: '/fresh/resource/searchApiPattern?text.en=gadgte&fuzzy=true&facet=kind' });
    assert.deepEqual([gone.json.total, gone.json.facets.kind.total], [0, 0]);
  }
});

test('E4 keeps projects apart: the words, filters and facets of one say nothing of another', async () => {
  await create('mine', { name: { en: 'secret lantern' }, color: 'green' });
  const response = await api.call({ path: '/yours/resource/searchApiPattern?text.en=lantrn&fuzzy=true&facet=color' });
  assert.equal(response.json.total, 0);
  assert.deepEqual(response.json.facets.color.terms, []);
});

test('E4 puts exact matches before fuzzy ones, rare words before common ones, and equal ones in order of their ids', async () => {
  for (const [id, en] of [
    ['b', 'short walk'],
    ['a', 'shirt'],
    ['d', 'short story'],
    ['c', 'short story'],
  ]) {
    await create('rank', { id, name: { en } });
  }
  const ids = async (query: string) => {
    const { json } = await api.call({ path: `/rank/resource/searchApiPattern?${query}` });
    return json.results.map(({ id }: { id: string }) => id);
  };
  assert.deepEqual(await ids('text.en=shirt&fuzzy=true'), ['a', 'b', 'c', 'd']);
  assert.deepEqual(await ids('text.en=story'), ['c', 'd']);
});

test('E4 expands references and returns 64-bit integers digit by digit', async () => {
  const [one] = [await create('links', { key: 'one', parent: { typeId: 'resource', key: 'two' }, name: 'child' })];
  await api.call({
    method: 'POST',
    path: '/links/resource',
    body: '{"key":"two","n":9007199254740993,"name":"parent"}',
  });
  const { text } = await api.call({ path: '/links/resource/searchApiPattern?text.en=child&expand=parent' });
  assert.match(text, new RegExp(`"id":"${one.id}"`));
  assert.match(text, /"n":9007199254740993/);
  const facet = await api.call({ path: '/links/resource/searchApiPattern?facet=n' });
  assert.equal(facet.json.facets.n.terms[0].term, '9007199254740993');
});

const refused: readonly (readonly [query: string, message: RegExp])[] = [
  ['text.english=shoe', /text\.english: expected a name such as text\.en, text\.de-AT or text\.zh-Hant/],
  ['text.EN=shoe', /text\.EN: .* did you mean `text\.en`\?/],
  ['text.zh-hant_tw=shoe', /did you mean `text\.zh-Hant-TW`\?/],
  ['text.pt-br=shoe', /did you mean `text\.pt-BR`\?/],
  ['filter.fields=color', /filter\.fields: unknown parameter; did you mean `filter`\?/],
  ['fuzzyLevel=3', /fuzzyLevel.*from 0 to 2/],
  ['fuzzyLevel=-1', /fuzzyLevel/],
  ['fuzzyLevel=1.5', /fuzzyLevel/],
  ['fuzzy=yes', /fuzzy/],
  ['filter=color%3A', /line 1, column 7/],
  ['filter=color%3Arange+(1+to', /filter/],
  ['facet=color%3Arange+(*+to+"x")', /facet/],
  ['facet=color+as', /facet.*alias/],
  ['facet=color&facet=color', /two facets/],
  ['limit=501', /limit/],
  ['offset=10001', /offset/],
  [Array.from({ length: 51 }, (_, at) => `facet=f${at}`).join('&'), /at most 50 facets/],
  [Array.from({ length: 51 }, () => 'filter=a').join('&'), /at most 50 filters/],
];

test('E4: what is malformed or too much is 400 InvalidInput that names the position and what is expected', async () => {
  for (const [query, message] of refused) {
    const { status, json } = await api.call({ path: `${path}?${query}` });
    assert.equal(status, 400, query);
    assert.equal(json.errors[0].code, 'InvalidInput', query);
    assert.match(json.message, message, query);
  }
});

test('E4 without a token is 401; with view_test it is 200; with another scope it is 403', async () => {
  assert.equal((await api.call({ path, scope: 'none' })).status, 401);
  assert.equal((await api.call({ path, scope: 'view_test:shop' })).status, 200);
  assert.equal((await api.call({ path, scope: 'view_test:other' })).status, 403);
});

test('E4 with where: narrows results and facets, with variables, beside text and filters', async () => {
  const get = (...pairs: [string, string][]) => api.call({ path: `${path}?${queryOf(...pairs)}` });
  const blue = await get(['where', 'color = :c'], ['var.c', 'blue'], ['facet', 'color'], ['sort', 'key asc']);
  assert.deepEqual([keysOf(blue), blue.json.total], [['dress', 'shirt'], 2]);
  assert.deepEqual(blue.json.facets.color.terms, [{ term: 'blue', count: 2 }]);
  const both = await get(['where', 'color = "blue"'], ['where', 'price > 3000'], ['facet', 'color']);
  assert.deepEqual([keysOf(both), both.json.facets.color.total], [['dress'], 1]);
  const beside = await get(['text.en', 'shirt dress'], ['match', 'all'], ['where', 'key = "shirt"']);
  assert.equal(beside.json.total, 0);
  const text = await get(['text.en', 'dress'], ['where', 'color = "blue"'], ['filter', 'price:range (1 to 9999)']);
  assert.deepEqual(keysOf(text), ['dress']);
  const form = await api.call({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: queryOf(['where', 'color = "red"']),
  });
  assert.deepEqual(keysOf(form), ['shoe']);
  const { message } = refusalOf(await get(['where', 'color =']), 400, 'InvalidInput');
  assert.match(message, /^Malformed parameter: where: /);
});

test('E4 refuses a parameter that no endpoint knows and names the nearest one, in a form too', async () => {
  for (const [name, nearest] of [
    ['limt', 'limit'],
    ['wheer', 'where'],
    ['facets', 'facet'],
    ['Fuzzy', 'fuzzy'],
    ['sortBy', 'sort'],
  ] as const) {
    const expected = `Malformed parameter: ${name}: unknown parameter; did you mean \`${nearest}\`? Known parameters: `;
    const { message } = refusalOf(await api.call({ path: `${path}?${name}=1` }), 400, 'InvalidInput');
    assert.ok(message.startsWith(expected), message);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await api.call({ method: 'POST', path, headers, body: `${name}=1` });
    assert.ok(refusalOf(form, 400, 'InvalidInput').message.startsWith(expected));
  }
  const { message } = refusalOf(await api.call({ path: `${path}?zzz=1` }), 400, 'InvalidInput');
  for (const name of ['__proto__', '__proto__[a]', 'constructor', 'toString']) {
    refusalOf(await api.call({ path: `${path}?${name}=1` }), 400, 'InvalidInput');
  }
  assert.match(
    message,
    /^Malformed parameter: zzz: unknown parameter\. Known parameters: text\.\*, match, prefix, fuzzy, /,
  );
});

test('E4 and E12 find what has no staged changes by hasStagedChanges = false', async () => {
  const plain = await create('flags', { key: 'plain', n: 1 });
  const other = await create('flags', { key: 'staged', n: 2 });
  const actions = [{ action: 'setField', path: 'n', value: 3, staged: true }];
  await api.call({ method: 'POST', path: `/flags/resource/${other.id}`, body: { version: other.version, actions } });
  assert.ok(plain.id);
  const lists = ['/flags/resource', '/flags/resource/sorted-query-parameters', '/flags/resource/searchApiPattern'];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['hasStagedChanges = false', ['plain']],
    ['hasStagedChanges = true', ['staged']],
    ['hasStagedChanges != false', ['staged']],
    ['hasStagedChanges != true', ['plain']],
    ['not (hasStagedChanges = false)', ['staged']],
    ['hasStagedChanges in (false)', ['plain']],
    ['hasStagedChanges in (true, false)', ['plain', 'staged']],
    ['hasStagedChanges not in (false)', ['staged']],
    ['hasStagedChanges = false and n > 0', ['plain']],
    ['hasStagedChanges = :f', ['plain']],
  ];
  for (const [where, keys] of rows) {
    for (const list of lists) {
      for (const staged of ['false', 'true']) {
        const query = queryOf(['where', where], ['sort', 'key'], ['var.f', 'false'], ['staged', staged]);
        assert.deepEqual(keysOf(await api.call({ path: `${list}?${query}` })), keys, `${where} ${list} ${staged}`);
      }
    }
  }
  for (const filter of ['hasStagedChanges:false', 'hasStagedChanges:"false"', 'hasStagedChanges = false']) {
    for (const name of ['filter', 'filter.query']) {
      const query = queryOf([name, filter]);
      assert.deepEqual(
        keysOf(await api.call({ path: `/flags/resource/searchApiPattern?${query}` })),
        ['plain'],
        filter,
      );
    }
  }
});

test('E4 with range(* to *): any value, in filters and facets', async () => {
  const get = (...pairs: [string, string][]) => api.call({ path: `${path}?${queryOf(['sort', 'key'], ...pairs)}` });
  for (const filter of ['size:range(* to *)', 'size:range (* to *)', 'size:range(1 to 2),(* to *)']) {
    assert.deepEqual(keysOf(await get(['filter', filter])), ['dress', 'shirt', 'shoe']);
  }
  assert.equal((await get(['filter.query', 'nothing:range(* to *)'])).json.total, 0);
  const { ranges } = (await get(['facet', 'price:range(* to *)'])).json.facets.price;
  assert.deepEqual([ranges[0].count, ranges[0].min, ranges[0].max], [3, 2500, 7900]);
});

test('E4 finds a key as it finds a sku, with and without its dashes, and follows it when it changes', async () => {
  const shelf = '/keys/resource/searchApiPattern';
  const { id, version } = await create('keys', { key: 'WH-loc-12', name: { en: 'Shelf' } });
  await create('keys', { key: 'loc1', name: { en: 'Rack loc1' } });
  const found = async (...pairs: readonly (readonly [string, string])[]) =>
    keysOf(await api.call({ path: `${shelf}?${queryOf(...pairs)}` }));
  assert.deepEqual(await found(['text.en', 'loc1'], ['match', 'all']), ['loc1']);
  for (const text of ['WH-loc-12', 'whloc12', 'wh loc 12'])
    assert.deepEqual(await found(['text.fr', text]), ['WH-loc-12']);
  const actions = [
    { action: 'setField', path: 'note', value: 'x', staged: true },
    { action: 'setKey', key: 'bay-7' },
  ];
  const changed = await api.call({ method: 'POST', path: `/keys/resource/${id}`, body: { version, actions } });
  assert.equal(changed.status, 200, changed.text);
  for (const staged of ['false', 'true']) {
    assert.deepEqual(await found(['text.en', 'bay7'], ['staged', staged]), ['bay-7'], staged);
    assert.deepEqual(await found(['text.en', 'whloc12'], ['staged', staged]), [], staged);
  }
  const shown = queryOf(['text.en', 'bay'], ['highlight', 'true'], ['explain', 'true']);
  const { highlights, explanations } = (await api.call({ path: `${shelf}?${shown}` })).json;
  assert.deepEqual(highlights, { [id]: [{ path: 'key', ranges: [[0, 5]], html: '<mark>bay-7</mark>' }] });
  const [{ matched, path: at, place }] = explanations[id].words;
  assert.deepEqual([matched, at, place], ['bay', 'key', 'attribute']);
  const suggestions = await api.call({ path: '/keys/resource/suggestions?text.en=she' });
  assert.deepEqual(suggestions.json.suggestions[0].text, 'Shelf');
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ excludedPaths: ['key'] });
  assert.equal((await api.call({ method: 'PUT', path: '/keys/settings/search', body, headers })).status, 200);
  assert.deepEqual(await found(['text.en', 'bay7']), []);
  assert.deepEqual(await found(['text.en', 'loc1']), ['loc1'], 'it is in the name as well');
});

test('E4 finds what an identifier says in every language, and Indonesian by its own', async () => {
  await create('ids', { key: 'a1', maker: { id: 'zorblax' }, name: { en: 'Boot', id: 'Sepatu' } });
  const found = async (name: string, text: string) =>
    keysOf(await api.call({ path: `/ids/resource/searchApiPattern?${queryOf([name, text])}` }));
  for (const locale of ['en', 'de', 'id']) assert.deepEqual(await found(`text.${locale}`, 'zorblax'), ['a1'], locale);
  assert.deepEqual([await found('text.id', 'sepatu'), await found('text.en', 'sepatu')], [['a1'], []]);
});
