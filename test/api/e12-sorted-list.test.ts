import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creation, document } from '../storage/records.ts';
import { keysOf, openLists, queryOf } from './open-lists.ts';

const { app, create, stage, get, head, post } = await openLists();
const path = '/shop/resource/sorted-query-parameters';
const drafts = [
  '{"key":"a","n":2,"name":{"en":"Cup"},"parent":{"typeId":"resource","key":"b"}}',
  '{"key":"b","n":9007199254740993,"parent":{"typeId":"resource","key":"c"}}',
  '{"key":"c","n":1,"list":[{"ref":{"typeId":"resource","key":"a"}},{"ref":{"typeId":"resource","id":"nobody"}}]}',
  '{"key":"d"}',
];
const [, idOfB] = await create('shop', ...drafts);

const lists: readonly (readonly [query: string, keys: readonly string[]])[] = [
  ['sort=key', ['a', 'b', 'c', 'd']],
  ['sort=key+desc', ['d', 'c', 'b', 'a']],
  ['sort=n', ['c', 'a', 'b', 'd']],
  ['sort=n+desc&sort=key', ['d', 'b', 'a', 'c']],
  ['sort=name.en&sort=key+desc', ['a', 'd', 'c', 'b']],
  ['sort=key&limit=2', ['a', 'b']],
  ['sort=key&limit=2.0&offset=3.0', ['d']],
  ['sort=key&offset=4', []],
  [queryOf(['sort', 'key'], ['where', 'n > 1'], ['where', 'n < 9007199254740993']), ['a']],
  [queryOf(['sort', 'key'], ['where', 'n = 9007199254740993']), ['b']],
  [queryOf(['sort', 'key'], ['where', 'key in :k'], ['var.k', 'a'], ['var.k', 'd'], ['var.unused', '1']), ['a', 'd']],
  [queryOf(['sort', 'key'], ['where', 'not (n is defined)']), ['d']],
];

test('E12 returns the page of the resources that match, in the requested order', async () => {
  for (const [query, keys] of lists) {
    const response = await get(`${path}?${query}`);
    assert.equal(response.status, 200, `${query}: ${response.text}`);
    assert.deepEqual(keysOf(response), keys, query);
    assert.equal(response.json.count, keys.length, query);
  }
});

test('E12 returns limit, offset, count, total and the resources as they are stored, and nothing else', async () => {
  const response = await get(`${path}?sort=key&limit=1&offset=1`);
  assert.deepEqual(Object.keys(response.json), ['limit', 'offset', 'count', 'total', 'next', 'results']);
  const { next, ...others } = response.json;
  assert.match(next, /^[A-Za-z0-9_-]+$/);
  assert.deepEqual({ ...others, results: [] }, { limit: 1, offset: 1, count: 1, total: 4, results: [] });
  const { text } = await get(`/shop/resource/${idOfB}`);
  assert.ok(response.text.endsWith(`"results":[${text}]}`));
});

test('E12 with limit=0 returns the total only, with withTotal=false none', async () => {
  const none = await get(`${path}?limit=0`);
  assert.deepEqual(none.json, { limit: 0, offset: 0, count: 0, total: 4, results: [] });
  const unknown = await get(`${path}?limit=0&withTotal=false`);
  assert.deepEqual(unknown.json, { limit: 0, offset: 0, count: 0, results: [] });
});

test('E12 counts up to 10,000 matches and says if there are more; with withTotal=true it counts all', async () => {
  const { resources } = app.store;
  const fill = async (from: number, to: number) => {
    const ids = Array.from({ length: to - from }, (_, n) => `n-${from + n}`);
    await Promise.all(ids.map((id) => resources.commit(creation('many', document(id, 1, { big: true })))));
  };
  await fill(0, 10_000);
  const list = '/many/resource/sorted-query-parameters?limit=1';
  const totals = async (query: string) => {
    const { total, totalRelation } = (await get(`${list}${query}`)).json;
    return [total, totalRelation];
  };
  const where = `&${queryOf(['where', 'big = true'])}`;
  for (const query of ['', where]) assert.deepEqual(await totals(query), [10_000, undefined]);
  await fill(10_000, 10_003);
  for (const query of ['', where, `${where}&sort=id`, `${where}&offset=10000`]) {
    assert.deepEqual(await totals(query), [10_000, 'gte'], query);
    assert.deepEqual(await totals(`${query}&withTotal=true`), [10_003, undefined], query);
    assert.deepEqual(await totals(`${query}&withTotal=false`), [undefined, undefined], query);
  }
  const members = ['limit', 'offset', 'count', 'total', 'totalRelation', 'next', 'results'];
  assert.deepEqual(Object.keys((await get(list)).json), members);
  const { json } = await get('/many/resource?limit=1');
  assert.deepEqual([json.total, json.totalRelation], [10_000, 'gte']);
});

test('E12 read page by page in the order of ids returns every resource exactly once', async () => {
  const ids = ['ü', 'Z', 'a', '\u{1F600}', '\uFFFD', 'B', '0'];
  await create('walked', ...ids.map((id) => JSON.stringify({ id })));
  const seen: string[] = [];
  for (let last: string | undefined = ''; last !== undefined; ) {
    const where = queryOf(['where', `id > ${JSON.stringify(last)}`], ['sort', 'id asc'], ['limit', '2']);
    const { json } = await get(`/walked/resource/sorted-query-parameters?${where}`);
    const page: readonly string[] = json.results.map(({ id }: { id: string }) => id);
    seen.push(...page);
    last = page.at(-1);
  }
  assert.deepEqual(
    seen,
    ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
});

test('E12 expand puts obj into references, two levels deep, and leaves the rest alone', async () => {
  const parents = await get(`${path}?${queryOf(['where', 'key = "a"'], ['expand', 'parent.parent.list[*].ref'])}`);
  const [a] = parents.json.results;
  assert.equal(a.parent.obj.key, 'b');
  assert.equal(a.parent.obj.parent.obj.key, 'c');
  assert.equal('obj' in a.parent.obj.parent.obj.list[0].ref, false);
  assert.match(parents.text, /"n":9007199254740993/);

  const items = await get(`${path}?${queryOf(['where', 'key = "c"'], ['expand', 'list[*].ref'], ['expand', 'n.x'])}`);
  const [c] = items.json.results;
  assert.equal(c.list[0].ref.obj.key, 'a');
  assert.deepEqual(c.list[1].ref, { typeId: 'resource', id: 'nobody' });
});

test('E12 expand never reaches another project', async () => {
  const [id] = await create('other', '{"key":"secret"}');
  const reference = (target: object) => ({ ref: { typeId: 'resource', ...target } });
  await create('referring', JSON.stringify(reference({ id })), JSON.stringify(reference({ key: 'secret' })));
  const { json, text } = await get('/referring/resource/sorted-query-parameters?expand=ref');
  assert.equal(json.count, 2);
  assert.equal(text.includes('"obj"'), false);
});

test('E12 with staged=true matches and returns the staged projections', async () => {
  const list = '/staging/resource/sorted-query-parameters';
  const [id] = await create('staging', ...drafts);
  await stage('staging', id!, 'new');
  const where = queryOf(['where', 'someProperty = "new"']);
  assert.deepEqual(keysOf(await get(`${list}?${where}`)), []);
  assert.deepEqual(keysOf(await get(`${list}?${where}&staged=true`)), ['a']);
  assert.deepEqual(keysOf(await get(`${list}?sort=key&staged=true`)), ['a', 'b', 'c', 'd']);
});

for (const [query, message] of [
  ['wehre=x', /^Malformed parameter: wehre: /],
  ['limit=-1', /^Malformed parameter: limit: /],
  ['limit=501', /^Malformed parameter: limit: /],
  ['limit=1.5', /^Malformed parameter: limit: expected an integer from 0 to 500/],
  ['limit=ten', /^Malformed parameter: limit: /],
  ['limit=1&limit=2', /^Malformed parameter: limit: /],
  ['offset=10001', /^Malformed parameter: offset: /],
  ['withTotal=yes', /^Malformed parameter: withTotal: /],
  ['sort=', /^Malformed parameter: sort: /],
  ['sort=key+down', /^Malformed parameter: sort: /],
  ['where=', /^Malformed parameter: where: /],
  ['where=key+%3D+:nobody', /^Malformed parameter: where: .*nobody/s],
  ['where=key+%3D+1&where=(', /^Malformed parameter: where: /],
  ['expand=a%5B', /^Malformed parameter: expand: /],
  ['var.=1', /^Malformed parameter: var\.: /],
] as const) {
  test(`E12 with ${query} is 400 and names the parameter`, async () => {
    const { status, json } = await get(`${path}?${query}`);
    assert.equal(status, 400);
    assert.equal(json.errors[0].code, 'InvalidInput');
    assert.match(json.message, message);
  });
}

test('an unknown parameter of E1 and E12 is 400 and names the nearest one', async () => {
  for (const path of ['/shop/resource', '/shop/resource/sorted-query-parameters']) {
    for (const [sent, nearest] of [
      ['wher=a', 'where'],
      ['Limit=1', 'limit'],
      ['where%5B%5D=a', 'where'],
      ['vars.a=1', 'var.a'],
    ]) {
      const response = await get(`${path}?${sent}`);
      assert.equal(response.status, 400);
      assert.match(
        response.json.message,
        new RegExp(`unknown parameter; did you mean \`${nearest}\`\\? Known parameters: `),
      );
    }
  }
});

const search = 'GET /{projectKey}/resource/searchApiPattern';
const texts = [
  'text.en=cup',
  'text[de-AT]=cup',
  'text.pt-br=cup',
  'text.=cup',
  'filter=key:"a"',
  'filter.query=key:"a"',
];
const facets = ['filter.facets=key:"a"', 'facet=key'];
const ofTheSearch = [
  ...texts.map((sent) => [sent, `a parameter of ${search}; this endpoint takes \`where\``] as const),
  ...facets.map((sent) => [sent, `a parameter of ${search}, which alone counts facets`] as const),
];
const ofTheList = [
  ...['integerParameter=5', 'stringParameter=n > 1', 'booleanParameter=true', 'floatParameter=1.5', 'unionParameter=x'],
  ...['withMarkdownDescription=1500', 'arrayOfString=a', 'arrayOfStringWithDescription=a', 'stringParameter='],
  ...['objectParameter={"arrayOfString":["a"]}', 'objectParameter[arrayOfString]=a'],
].map((sent) => [sent, 'a parameter of GET /{projectKey}/resource; this endpoint takes `where`'] as const);
const ofImages = ['sku=a', 'variant=1'].map(
  (sent) => [sent, 'a parameter of GET /{projectKey}/resource/images; this endpoint takes `where`'] as const,
);
const searchPath = '/shop/resource/searchApiPattern';

const encodedPair = (pair: string) =>
  queryOf([pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);

for (const [endpoint, url, foreign] of [
  ['E1', '/shop/resource', [...ofTheSearch, ...ofImages]],
  ['E12', path, [...ofTheSearch, ...ofTheList, ...ofImages]],
  ['E4', searchPath, [...ofTheList, ...ofImages]],
] as const) {
  test(`${endpoint} refuses a condition of another endpoint, in a form too, and names the endpoint that has it`, async () => {
    for (const [sent, advice] of foreign) {
      const query = encodedPair(sent);
      const name = sent.slice(0, sent.search(/=|\[arrayOf/)).replace('[de-AT]', '.de-AT');
      // The others of a request do not make up for it.
      for (const answer of [await get(`${url}?where=n%3E1&${query}`), await post(url, query)]) {
        assert.equal(answer.status, 400, `${sent}: ${answer.text}`);
        assert.equal(answer.json.errors[0].code, 'InvalidInput');
        assert.equal(answer.json.message, `Malformed parameter: ${name}: ${advice}`);
      }
    }
    const [, listed = ''] = (await get(`${url}?zzz=1`)).json.message.split('Known parameters: ');
    const known = new Set(listed.split(', ').map((name: string) => name.replace('.*', '')));
    assert.ok(known.has('where'));
    for (const [sent] of foreign) assert.ok(!known.has(sent.split(/[=[]|\.en|\.pt/)[0]), listed);
  });
}

test('E5 refuses a condition of another endpoint: it would be told that something matches', async () => {
  for (const [sent] of [...ofTheSearch, ...ofImages]) {
    const { status, text } = await head(`/shop/resource?${encodedPair(sent)}`);
    assert.deepEqual([status, text], [400, ''], sent);
  }
});

test('E1, E4, E5 and E12 ignore parameters of other endpoints that are no conditions, whatever their values are', async () => {
  const single =
    'optionalQueryParameter=x&secondOptionalQueryParameter=y&queryParameterOne=z&queryParameterTwo=z&filename=f';
  const ofSearch = 'fuzzy=2&fuzzyLevel=9&match=x&prefix=x&highlight=x&explain=x';
  for (const [url, others] of [
    ['/shop/resource', `${single}&${ofSearch}`],
    [path, `${single}&${ofSearch}`],
    [searchPath, single],
  ] as const) {
    const [bare, more] = [await get(`${url}?sort=key`), await get(`${url}?sort=key&${others}`)];
    assert.equal(more.status, 200, more.text);
    assert.deepEqual(more.json, bare.json);
  }
  const paging = 'limit=x&offset=x&cursor=x&withTotal=x&sort=-x&expand=%5B&fields=%5B';
  assert.equal((await head(`/shop/resource?${single}&${ofSearch}&${paging}`)).status, 200);
});

test('a list that is sent again and again has the same response each time, until a write, and then what was written', async () => {
  await create('again', '{"key":"a","name":"Größe"}', '{"key":"b"}', '{"key":"c"}');
  const urls = ['limit=2', 'sort=key&limit=2&fields=key', 'where=key%3D%22a%22', 'sort=key&expand=parent'];
  for (const url of urls.map((query) => `/again/resource/sorted-query-parameters?${query}`)) {
    const first = await get(url);
    assert.equal(first.status, 200, first.text);
    const { 'x-correlation-id': _id, date: _date, ...headers } = first.headers;
    for (let time = 2; time < 7; time += 1) {
      const { status, text, headers: others } = await get(url);
      const { 'x-correlation-id': _otherId, date: _otherDate, ...same } = others;
      assert.deepEqual([status, text, same], [200, first.text, headers], `${url}, time ${time}`);
    }
  }
  const url = '/again/resource/sorted-query-parameters?sort=key';
  for (const key of ['d', 'e', 'f', 'g']) {
    for (let time = 0; time < 4; time += 1) await get(url);
    await create('again', `{"key":"${key}"}`);
    assert.equal(keysOf(await get(url)).at(-1), key);
  }
});
