import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestResponse } from '../start-test-api.ts';
import { queryOf } from './open-lists.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { api, create, send, update } = await openResources();
const published = 'view_published:shop';

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  api.call({ path, headers, scope: published });
const search = (...pairs: readonly (readonly [string, string])[]) =>
  get(`/shop/resource/searchApiPattern?${queryOf(...pairs)}`);
const list = (...pairs: readonly (readonly [string, string])[]) =>
  get(`/shop/resource/sorted-query-parameters?${queryOf(...pairs)}`);
const ok = async (request: Promise<TestResponse>) => {
  const response = await request;
  assert.equal(response.status, 200, response.text);
  return response;
};

assert.equal(
  (
    await send('PUT', '/shop/settings/access', {
      privatePaths: ['supplier', 'variants.purchasePrice', 'arrayOfIntExample', 'place.lat', '`Ω.ü`'],
    })
  ).status,
  200,
);
await create('shop', { key: 'material', name: { en: 'Oak' }, supplier: { name: 'Secretwood' } });
const chair = await create('shop', {
  key: 'chair',
  name: { en: 'Oak chair' },
  material: { typeId: 'resource', key: 'material' },
  supplier: { name: 'Zanzibarian', rating: 5 },
  'Ω.ü': 'Hidden',
  variants: [
    { sku: 'c-1', price: 10, purchasePrice: 4, notes: [[{ supplier: 'shown' }]] },
    { sku: 'c-2', price: 20, purchasePrice: 9 },
  ],
  place: { lat: 52.520008, lon: 13.4 },
  objectTypeProperty: { arrayOfIntExample: [41414141], arrayOfStringExample: ['shown'] },
});
await create('shop', { key: 'table', name: { en: 'Oak table' }, supplier: { rating: 1 }, stock: 3 });

const secrets =
  /Zanzibarian|Secretwood|purchasePrice|Hidden|rating|41414141|52\.520008|createdBy|lastModifiedBy|hasStaged/;

test('nothing but the reads of what is published answers a token with view_published', async () => {
  const admitted = [];
  for (const route of api.app.routes) {
    if (!Array.isArray(route.access) && route.access !== 'service') continue;
    const { status } = await api.call({
      method: route.method,
      path: route.path.replace(':projectKey', 'shop').replace(/:\w+/g, 'x'),
      scope: published,
      headers: route.body?.kind === 'form' ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
      ...(route.body?.kind === 'json' ? { body: '[]' } : {}),
    });
    if (status !== 403) admitted.push(route.operationId);
  }
  assert.deepEqual(admitted.toSorted(), [
    'checkResourcesExist',
    'getResourceById',
    'getResourceByKey',
    'listImages',
    'listResources',
    'listResourcesByForm',
    'listResourcesSorted',
    'listResourcesSortedByForm',
    'searchResources',
    'searchResourcesByForm',
    'suggestWords',
  ]);
  assert.equal((await get('/shop2/resource')).status, 403);
});

test('a response has no private field, wherever it comes from', async () => {
  for (const path of [
    `/shop/resource/${chair.id}`,
    '/shop/resource/key=chair',
    '/shop/resource/key=chair?expand=material',
    '/shop/resource/key=chair?fields=supplier,variants,material,createdBy&expand=material',
    '/shop/resource?expand=material',
    '/shop/resource?where=key%3D%22chair%22',
    '/shop/resource/sorted-query-parameters?sort=key&expand=material&expand=supplier.ref',
    `/shop/resource/searchApiPattern?${queryOf(['text.en', 'oak'], ['expand', 'material'], ['highlight', 'true'], ['explain', 'true'], ['facet', 'supplier2'])}`,
    '/shop/resource/searchApiPattern?consistency=eventual',
  ]) {
    // The third response of a URL may be a repeated one.
    for (let times = 0; times < 3; times += 1) {
      const { text } = await ok(get(path));
      assert.doesNotMatch(text, secrets, path);
      assert.match(text, /Oak/, path);
    }
    assert.match((await api.call({ path })).text, /Zanzibarian|Secretwood/, path);
  }
  const { json } = await ok(get('/shop/resource/key=chair'));
  assert.deepEqual(json.variants[0], { sku: 'c-1', price: 10, notes: [[{ supplier: 'shown' }]] });
  assert.deepEqual(json.place, { lon: 13.4 });
  assert.deepEqual(json.objectTypeProperty, { arrayOfStringExample: ['shown'] });
  assert.deepEqual((await ok(get('/shop/resource'))).json.arrayOfIntExample, []);
});

test('a condition or an order by a private path is refused, whether or not a value is there', async () => {
  for (const path of [
    'supplier',
    'supplier.name',
    'supplier.nothing',
    'variants.purchasePrice',
    'arrayOfIntExample',
    'objectTypeProperty.arrayOfIntExample',
    'place.lat',
    '`Ω.ü`',
    'createdBy.clientId',
    'lastModifiedBy',
    'hasStagedChanges',
  ]) {
    for (const request of [
      list(['where', `${path} = 1`]),
      list(['where', `key = "x" and not(${path} is defined)`]),
      list(['sort', `${path} desc`]),
      get(`/shop/resource?${queryOf(['where', `${path} is empty`])}`),
      search(['filter', `${path}:exists`]),
      search(['filter.query', `${path}:"a"`]),
      search(['filter.facets', `${path}:range (1 to 2)`]),
      search(['facet', path]),
      search(['facet', `${path}:tree as t`]),
      search(['group', path]),
      search(['sort', path]),
      search(['text.en', 'oak'], ['sort', 'score desc'], ['sort', path]),
      get(`/shop/resource/suggestions?${queryOf(['text.en', 'oa'], ['where', `${path} = 1`])}`),
    ]) {
      assert.match(refusalOf(await request, 400, 'InvalidInput').message, /is not available to this token/, path);
    }
  }
  for (const pair of [
    ['where', 'variants(purchasePrice = 4)'],
    ['where', 'place within circle(13.4, 52.5, 1000)'],
  ] as const) {
    refusalOf(await list(pair), 400, 'InvalidInput');
  }
  for (const pair of [
    ['integerParameter', '41414141'],
    ['unionParameter', '41414141'],
    ['unionParameter', '{"supplier":{"rating":1}}'],
    ['booleanParameter', 'true'],
    ['stringParameter', 'supplier.rating = 1'],
  ] as const) {
    refusalOf(await get(`/shop/resource?${queryOf(pair)}`), 400, 'InvalidInput');
    const head = await api.call({ method: 'HEAD', path: `/shop/resource?${queryOf(pair)}`, scope: published });
    assert.equal(head.status, 400);
  }
  const form = await api.call({
    method: 'POST',
    path: '/shop/resource/searchApiPattern',
    scope: published,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: queryOf(['facet', 'supplier.name']),
  });
  refusalOf(form, 400, 'InvalidInput');
  const { json } = await ok(list(['where', 'variants(sku = "c-1")'], ['sort', 'stock desc']));
  assert.equal(json.total, 1);
});

test('words of private fields find nothing, correct nothing and complete nothing', async () => {
  for (const pairs of [
    [['text.en', 'zanzibarian']],
    [
      ['text.en', 'zanzibarain'],
      ['fuzzy', 'true'],
    ],
    [
      ['text.en', 'zanz'],
      ['prefix', 'true'],
    ],
    [['text.en', '"zanzibarian"']],
  ] as const) {
    const { json, text } = await ok(search(...pairs));
    assert.equal(json.total, 0, text);
    assert.doesNotMatch(text, secrets);
  }
  const { json: excluding } = await ok(search(['text.en', 'oak -zanzibarian']));
  assert.equal(excluding.total, 3);
  const { json: mixed } = await ok(search(['text.en', 'oak zanzibarian']));
  assert.deepEqual(mixed.match.dropped, ['zanzibarian']);
  for (const text of ['zanz', 'zanzibarain chair', 'secretwod']) {
    const { json } = await ok(get(`/shop/resource/suggestions?${queryOf(['text.en', text])}`));
    assert.deepEqual(json.suggestions, []);
    assert.doesNotMatch(json.didYouMean ?? '', secrets);
  }
});

test('numbers and many words of private fields are found by no beginning', async () => {
  const scope = 'view_published:words';
  await send('PUT', '/words/settings/access', { privatePaths: ['internal'] });
  for (let n = 0; n < 30; n += 1) {
    const internal = { code: 471_100 + n, note: { en: `qualm${String.fromCharCode(97 + (n % 26))}ness${n}` } };
    await create('words', { key: `w${n}`, name: { en: 'Quilt' }, internal });
  }
  const at = async (path: string, ...pairs: readonly (readonly [string, string])[]) =>
    (await api.call({ path: `/words/resource/${path}?${queryOf(...pairs)}`, scope })).json;
  for (const text of ['4711', '471105', 'qualm', 'qualmaness0', 'q']) {
    const pairs = [
      ['text.en', text],
      ['prefix', 'true'],
      ['fuzzy', 'true'],
    ] as const;
    const { total, match } = await at('searchApiPattern', ...pairs);
    const isQuilt = text === 'q';
    assert.equal(total, isQuilt ? 30 : 0, text);
    assert.deepEqual(match.corrected, {}, text);
    const { suggestions } = await at('suggestions', ['text.en', text]);
    assert.deepEqual(
      suggestions.map(({ word }: { word: string }) => word),
      isQuilt ? ['quilt'] : [],
      text,
    );
  }
  const seen = await api.call({
    path: `/words/resource/searchApiPattern?${queryOf(['text.en', 'qualm'], ['prefix', 'true'])}`,
  });
  assert.equal(seen.json.total, 30, 'others find them');
});

test('a suggestion is not written as a private field writes it', async () => {
  await create('shop', { key: 'bold', supplier: 'BOLDLY', note: { en: 'boldly' } });
  const { json } = await ok(get(`/shop/resource/suggestions?${queryOf(['text.en', 'bold'])}`));
  const texts = json.suggestions.map(({ text }: { text: string }) => text);
  assert.ok(texts.includes('boldly') && !texts.includes('BOLDLY'), texts.join());
});

test('weights and boosts of the settings tell nothing of private fields', async () => {
  const scope = 'view_published:boosted';
  const path = `/boosted/resource/searchApiPattern?${queryOf(['text.en', 'lamp'], ['explain', 'true'])}`;
  await send('PUT', '/boosted/settings/access', { privatePaths: ['margin', 'internal'] });
  await send('PUT', '/boosted/settings/search', {
    weights: { 'internal.note': 5 },
    boosts: [
      { where: 'margin > 5', factor: 3 },
      { near: 'margin', origin: 9, scale: 1, factor: 3 },
    ],
  });
  await create('boosted', { key: 'a', name: { en: 'Lamp' }, margin: 1 });
  await create('boosted', { key: 'b', name: { en: 'Lamp' }, margin: 9, internal: { note: 'lamp lamp' } });
  const scores = async (wanted?: string) => {
    const { json } = await api.call({ path, ...(wanted && { scope: wanted }) });
    return Object.values(json.explanations).map((each) => (each as { score: number }).score);
  };
  const [one, other] = await scores(scope);
  assert.ok(one !== undefined && one === other);
  assert.notEqual(...((await scores()) as [number, number]));
});

test('drafts and history are refused, and a staged change is not seen', async () => {
  const staged = await create('shop', { key: 'staged', name: { en: 'Stool' }, colour: 'red' });
  await update('shop', staged, { action: 'setField', path: 'colour', value: 'blue', staged: true });
  for (const path of [
    '/shop/resource/key=staged?staged=true',
    '/shop/resource/key=staged?version=1',
    '/shop/resource?staged=true',
    '/shop/resource/sorted-query-parameters?staged=true',
    '/shop/resource/searchApiPattern?staged=true',
    '/shop/resource/images?staged=true',
    '/shop/resource/key=staged/history',
    '/shop/resource/deleted',
    '/shop/events',
    '/shop/resource/export',
  ]) {
    assert.equal((await get(path)).status, 403, path);
  }
  assert.equal((await ok(get('/shop/resource/key=staged?staged=false'))).json.colour, 'red');
  assert.equal((await ok(list(['where', 'colour = "blue"']))).json.total, 0);
});

test('another caller and other private paths have another entity tag', async () => {
  await create('tags', { key: 'a', cost: 1 });
  const tagFor = async (scope: string) => (await api.call({ path: '/tags/resource/key=a', scope })).headers.etag!;
  const [whole, restricted] = [await tagFor('view_test:tags'), await tagFor('view_published:tags')];
  assert.notEqual(whole, restricted);
  const again = {
    path: '/tags/resource/key=a',
    scope: 'view_published:tags',
    headers: { 'if-none-match': restricted },
  };
  assert.equal((await api.call(again)).status, 304);
  await send('PUT', '/tags/settings/access', { privatePaths: ['cost'] });
  assert.equal((await api.call(again)).status, 200);
  // One that may read all of it is not restricted by a scope more.
  const both = await api.call({ path: '/tags/resource/key=a', scope: 'view_test:tags view_published:tags' });
  assert.equal(both.json.cost, 1);
});

test('a list that was read before sees a change of the private paths at once', async () => {
  await create('changing', { key: 'a', cost: 77770001 });
  const read = async () =>
    (await api.call({ path: '/changing/resource/sorted-query-parameters', scope: 'view_published:changing' })).text;
  for (let times = 0; times < 3; times += 1) assert.match(await read(), /77770001/);
  await send('PUT', '/changing/settings/access', { privatePaths: ['cost'] });
  for (let times = 0; times < 3; times += 1) assert.doesNotMatch(await read(), /77770001/);
  assert.equal((await send('PUT', '/changing/settings/access', { version: 1, privatePaths: [] })).status, 200);
  assert.match(await read(), /77770001/);
});

test('settings of the access: versions and checks', async () => {
  const first = await api.call({ path: '/fresh/settings/access' });
  assert.deepEqual([first.headers.etag, first.json], ['"0"', { version: 0, privatePaths: [] }]);
  for (const [body, detail] of [
    [{ privatePaths: ['createdAt'] }, /privatePaths\[0\]: createdAt is a system field/],
    [{ privatePaths: ['key'] }, /system field/],
    [{ privatePaths: ['a[0]'] }, /dotted path/],
    [{ privatePaths: [''] }, /dotted path/],
    [{ privatePaths: [1] }, /expected a string/],
    [{ privatePaths: 'a' }, /expected an array/],
    [{ privatePaths: Array.from({ length: 101 }, (_, n) => `f${n}`) }, /at most 100/],
    [{ privatePaths: [Array.from({ length: 33 }, () => 'a').join('.')] }, /dotted path/],
    [{ private: [] }, /unknown field/],
  ] as const) {
    const { detailedErrorMessage } = refusalOf(
      await send('PUT', '/fresh/settings/access', body),
      400,
      'InvalidJsonInput',
    );
    assert.match(detailedErrorMessage, detail);
  }
  assert.equal((await send('PUT', '/fresh/settings/access', { version: 0, privatePaths: null })).status, 200);
  assert.equal((await send('PUT', '/fresh/settings/access', { version: 0 })).status, 409);
  for (const scope of ['view_published:fresh', 'view_test:fresh', 'manage_test:fresh']) {
    assert.equal((await api.call({ path: '/fresh/settings/access', scope })).status, 403);
  }
});

test('images: labels and variants without private fields', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const uploaded = await api.call({
    method: 'POST',
    path: '/pictures/resource/images?staged=false&sku=p-1',
    headers: { 'content-type': 'image/png' },
    body: png,
  });
  assert.equal(uploaded.status, 200, uploaded.text);
  const { id, version, images } = uploaded.json;
  const labelled = await send('POST', `/pictures/resource/${id}`, {
    version,
    actions: [{ action: 'setImageLabel', imageUrl: images[0], label: 'For buyers', staged: false }],
  });
  assert.equal(labelled.status, 200, labelled.text);
  const scope = 'view_published:pictures';
  const read = async () =>
    (await api.call({ path: '/pictures/resource/images', scope })).text +
    (await api.call({ path: `/pictures/resource/${id}`, scope })).text;
  assert.match(await read(), /For buyers/);
  assert.doesNotMatch(await read(), /createdBy|hasStaged/);
  await send('PUT', '/pictures/settings/access', { privatePaths: ['imageDetails.label'] });
  assert.doesNotMatch(await read(), /For buyers/);
});
