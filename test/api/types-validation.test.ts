import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi, type TestRequest } from '../start-test-api.ts';

/** A document whose type is declared fits its schema, whichever way it comes. */

const api = await startTestApi();
after(() => api.close());

let projects = 0;

const product = {
  type: 'object',
  required: ['name', 'price'],
  properties: {
    type: {},
    name: { type: 'object' },
    price: { type: 'integer', minimum: 0, maximum: JSON.rawJSON('9007199254740993') },
    color: { enum: ['red', 'blue'] },
    ean: { type: 'string', pattern: '^[0-9]{13}$' },
    variants: { type: 'array', items: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } } },
  },
};

async function openProject(types: object = { product: { schema: product } }, more: object = {}) {
  projects += 1;
  const project = `types-${projects}`;
  const call = (method: string, path: string, body?: unknown, headers?: TestRequest['headers']) =>
    api.call({ method, path: `/${project}${path}`, body, ...(headers && { headers }) });
  const put = await call('PUT', '/settings/types', { types, ...more });
  assert.equal(put.status, 200, put.text);
  return { project, call };
}

const valid = { type: 'product', name: { en: 'Sofa' }, price: 500 };
const invalid = { ...valid, price: 'cheap' };

/** The code and the field of each error. */
// biome-ignore lint/suspicious/noExplicitAny: responses of any shape.
const errorsOf = (json: any) => json.errors.map(({ code, field }: any) => `${code} ${field}`);

test('all that is wrong with a document is told at once, each with its path', async () => {
  const { call } = await openProject();
  const body = { type: 'product', price: -1, color: 'green', ean: 'x', variants: [{ sku: 'a' }, {}, { sku: 5 }] };
  const { status, json } = await call('POST', '/resource', body);
  assert.equal(status, 400);
  assert.deepEqual(errorsOf(json), [
    'RequiredField name',
    'InvalidField price',
    'InvalidField color',
    'InvalidField ean',
    'RequiredField variants[1].sku',
    'InvalidField variants[2].sku',
  ]);
  const color = json.errors[2];
  assert.deepEqual([color.invalidValue, color.allowedValues], ['green', ['red', 'blue']]);
  assert.equal(color.message, `The value of field 'color' is not valid: expected one of ["red","blue"].`);
  assert.equal(json.message, json.errors[0].message);
});

test('at most 50 errors are told', async () => {
  const { call } = await openProject();
  const variants = Array.from({ length: 200 }, () => ({}));
  const { status, json } = await call('POST', '/resource', { ...valid, variants });
  assert.equal(status, 400);
  assert.equal(json.errors.length, 50);
});

test('a document of no declared type is free, unless the types are closed', async () => {
  const { call } = await openProject();
  for (const body of [{ price: 'cheap' }, { type: 'review', price: 'cheap' }, { type: 5 }, { type: 'constructor' }]) {
    assert.equal((await call('POST', '/resource', body)).status, 201, JSON.stringify(body));
  }
  const closed = await openProject({ product: { schema: product } }, { closed: true });
  assert.deepEqual(errorsOf((await closed.call('POST', '/resource', { price: 5 })).json), ['RequiredField type']);
  const { json } = await closed.call('POST', '/resource', { type: 'review' });
  assert.deepEqual([errorsOf(json), json.errors[0].allowedValues], [['InvalidField type'], ['product']]);
});

test('the types of a project hold for it alone', async () => {
  await openProject();
  const { status } = await api.call({ method: 'POST', path: '/types-none/resource', body: invalid });
  assert.equal(status, 201);
});

test('integers are compared digit by digit', async () => {
  const { call } = await openProject();
  const of = (digits: string) => ({ ...valid, price: JSON.rawJSON(digits) });
  assert.equal((await call('POST', '/resource', of('9007199254740993'))).status, 201);
  assert.equal((await call('POST', '/resource', of('9007199254740994'))).status, 400);
  assert.equal((await call('POST', '/resource', of('5.0'))).status, 201);
  assert.equal((await call('POST', '/resource', of('5.5'))).status, 400);
});

test('every way in refuses what does not fit', async () => {
  const { project, call } = await openProject();
  const { json: made } = await call('POST', '/resource', { ...valid, key: 'sofa' });
  const at = `/resource/${made.id}`;
  const ndjson = { 'content-type': 'application/x-ndjson' };
  const csv = { 'content-type': 'text/csv' };
  const e9 = '/resource/artificially-complex/path/uri-parameter-one=a/b';
  const attempts: Readonly<Record<string, () => ReturnType<typeof call>>> = {
    create: () => call('POST', '/resource', invalid),
    'update by a draft': () => call('POST', '/resource', { id: made.id, price: 'cheap' }),
    merge: () => call('PATCH', '/resource', { id: made.id, price: -1 }),
    overwrite: () => call('PUT', '/resource', { id: made.id, type: 'product' }),
    'complex path': () => call('POST', e9, { key: 'sofa', price: 'cheap', allArrays: undefined }),
    action: () => call('POST', at, { version: 1, actions: [{ action: 'setField', path: 'price', value: 'cheap' }] }),
    'removing action': () =>
      call('POST', at, { version: 1, actions: [{ action: 'setField', path: 'name', value: null }] }),
    batch: () => call('POST', '/resource/batch', { operations: [{ operation: 'create', draft: invalid }] }),
  };
  for (const [way, attempt] of Object.entries(attempts)) {
    const { status, text, json } = await attempt();
    assert.equal(status, 400, `${way}: ${text}`);
    assert.match(json.errors[0].code, /^(?:RequiredField|InvalidField)$/, `${way}: ${text}`);
  }
  for (const [way, headers, body] of [
    ['NDJSON', ndjson, `${JSON.stringify(invalid)}\n${JSON.stringify({ ...valid, key: 'line-2' })}\n`],
    ['CSV', csv, 'key,type,name.en,price\nc1,product,Chair,cheap\nc2,product,Chair,5\n'],
  ] as const) {
    for (const query of ['?dryRun=true', '']) {
      const { text } = await call('POST', `/resource/import${query}`, body, headers);
      const [first, second, summary] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual([first.line, first.status], [way === 'CSV' ? 2 : 1, 'refused'], text);
      assert.deepEqual(errorsOf(first.error), ['InvalidField price'], text);
      assert.deepEqual([second.status, summary.refused], ['created', 1], text);
    }
  }
  const actions = [{ action: 'setField', path: 'price', value: 'cheap' }];
  const { text } = await call('POST', '/resource/by-predicate', { where: 'key = "sofa"', actions });
  assert.deepEqual(errorsOf(JSON.parse(text.split('\n')[0]!).error), ['InvalidField price'], text);
  const { json } = await call('GET', at);
  assert.deepEqual([json.version, json.price], [1, 500], project);
});

test('a deleted resource is restored if it fits the types of now', async () => {
  const { call } = await openProject();
  const { json: made } = await call('POST', '/resource', { ...valid, color: 'red' });
  assert.equal((await call('DELETE', `/resource/${made.id}?version=1`)).status, 200);
  const narrower = { ...product, properties: { ...product.properties, color: { enum: ['blue'] } } };
  assert.equal((await call('PUT', '/settings/types', { types: { product: { schema: narrower } } })).status, 200);
  const refused = await call('POST', `/resource/${made.id}/restore`, {});
  assert.deepEqual([refused.status, errorsOf(refused.json)], [400, ['InvalidField color']], refused.text);
  assert.equal((await call('PUT', '/settings/types', { types: { product: { schema: product } } })).status, 200);
  assert.equal((await call('POST', `/resource/${made.id}/restore`, {})).status, 201);
});

test('a staged text may lack fields until it is published', async () => {
  const { call } = await openProject();
  const { json: made } = await call('POST', '/resource', valid);
  const act = (version: number, ...actions: object[]) => call('POST', `/resource/${made.id}`, { version, actions });
  const set = (path: string, value: unknown) => ({ action: 'setField', path, value, staged: true });
  assert.equal((await act(1, set('price', null))).status, 200);
  const wrong = await act(2, set('color', 'green'));
  assert.deepEqual([wrong.status, errorsOf(wrong.json)], [400, ['InvalidField color']]);
  const early = await act(2, { action: 'publish' });
  assert.deepEqual([early.status, errorsOf(early.json)], [400, ['RequiredField price']]);
  assert.equal((await act(2, set('price', 7), { action: 'publish' })).status, 200);
});

test('what is stored stays when types change, and its next write must fit', async () => {
  const { call } = await openProject({});
  const { json: made } = await call('POST', '/resource', { ...invalid, key: 'old' });
  await call('PUT', '/settings/types', { types: { product: { schema: product } } });
  assert.equal((await call('GET', '/resource/key=old')).json.price, 'cheap');
  const { text } = await call('GET', '/settings/types/violations');
  const [line, summary] = text
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each));
  assert.deepEqual([line.id, line.key, line.type, errorsOf(line)], [made.id, 'old', 'product', ['InvalidField price']]);
  assert.deepEqual([summary.complete, summary.resources, summary.violating], [true, 1, 1]);
  assert.equal((await call('PATCH', '/resource', { key: 'old', note: 'a' })).status, 400);
  assert.equal((await call('PATCH', '/resource', { key: 'old', price: 5, note: 'a' })).status, 201);
  assert.equal((await call('DELETE', `/resource/${made.id}`)).status, 200);
});

test('a dry run of types says what would not fit, and changes nothing', async () => {
  const { call } = await openProject({});
  await call('POST', '/resource', { ...invalid, key: 'old' });
  await call('POST', '/resource', { ...valid, key: 'fits' });
  const { status, text } = await call('PUT', '/settings/types?dryRun=true', {
    types: { product: { schema: product } },
  });
  assert.equal(status, 200);
  assert.deepEqual(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).key ?? JSON.parse(line).violating),
    ['old', 1],
  );
  const { json } = await call('GET', '/settings/types');
  assert.deepEqual(json.types, {});
  assert.equal((await call('POST', '/resource', invalid)).status, 201);
});

test('a document for which a schema takes too long is refused, and listed with what does not fit', async () => {
  const { call } = await openProject({});
  const long = { type: 'product', text: 'ab'.repeat(200_000) };
  await call('POST', '/resource', { ...long, key: 'long' });
  await call('POST', '/resource', { type: 'product', text: 'c', key: 'short' });
  const types = { product: { schema: { properties: { text: { pattern: '[ab]*a[ab]{900}c$' } } } } };
  const { text } = await call('PUT', '/settings/types?dryRun=true', { types });
  const [first, second, summary] = text.split('\n').map((line) => JSON.parse(line || '{}'));
  assert.deepEqual([first.key, first.errors[0].code], ['long', 'InvalidOperation']);
  assert.deepEqual([second.key, second.errors[0].code], ['short', 'InvalidField']);
  assert.deepEqual([summary.complete, summary.violating], [true, 2]);
  await call('PUT', '/settings/types', { types });
  assert.equal((await call('POST', '/resource', long)).json.errors[0].code, 'InvalidOperation');
});
