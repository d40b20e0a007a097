import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { roundsOf } from '../rounds.ts';
import { startTestApi, type TestResponse } from '../start-test-api.ts';
import { until } from '../until.ts';

/** No two resources of a project have the same unique value, whoever writes at the same time. */

const api = await startTestApi();
after(() => api.close());

let projects = 0;
const types = { product: { unique: ['sku', 'variants[*].sku'] }, page: { unique: ['slug'] } };

async function openProject(declared: object = types) {
  projects += 1;
  const project = `unique-${projects}`;
  const call = (method: string, path: string, body?: unknown) =>
    api.call({ method, path: `/${project}${path}`, ...(body !== undefined && { body }) });
  assert.equal((await call('PUT', '/settings/types', { types: declared })).status, 200);
  return { project, call };
}

const product = (sku: unknown, more: object = {}) => ({ type: 'product', sku, ...more });

function assertTaken({ status, json, text }: TestResponse, field: string, value: unknown, id?: string): void {
  assert.equal(status, 400, text);
  const [error] = json.errors;
  assert.deepEqual([error.code, error.field, error.duplicateValue], ['DuplicateField', field, value], text);
  if (id !== undefined) assert.deepEqual(error.conflictingResource, { typeId: 'resource', id });
}

test('a value that another resource has is refused, by every way in', async () => {
  const { call } = await openProject();
  const { json: first } = await call('POST', '/resource', product('A', { key: 'first' }));
  const { json: second } = await call('POST', '/resource', product('B', { key: 'second' }));
  assertTaken(await call('POST', '/resource', product('A')), 'sku', 'A', first.id);
  assertTaken(await call('PATCH', '/resource', { key: 'second', sku: 'A' }), 'sku', 'A', first.id);
  const actions = [{ action: 'setField', path: 'sku', value: 'A' }];
  assertTaken(await call('POST', `/resource/${second.id}`, { version: 1, actions }), 'sku', 'A', first.id);
  const draft = product('A');
  const batch = await call('POST', '/resource/batch', { operations: [{ operation: 'create', draft }] });
  assertTaken(batch, 'sku', 'A', first.id);
  const { text } = await api.call({
    method: 'POST',
    path: `/unique-${projects}/resource/import`,
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify(draft)}\n${JSON.stringify(product('C'))}\n${JSON.stringify(product('C'))}\n`,
  });
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ status }) => status),
    ['refused', 'created', 'refused', undefined],
    text,
  );
});

test('texts and numbers that look alike are different values, numbers of one value the same', async () => {
  const { call } = await openProject();
  for (const sku of ['5', 5, 'true', true, '9007199254740993', JSON.rawJSON('9007199254740993'), 'é', 'e\u0301']) {
    assert.equal((await call('POST', '/resource', product(sku))).status, 201, JSON.stringify(sku));
  }
  assert.equal((await call('POST', '/resource', product(JSON.rawJSON('5.0')))).status, 400);
  assert.equal((await call('POST', '/resource', product(JSON.rawJSON('9007199254740992')))).status, 201);
  const long = 'x'.repeat(5000);
  assert.equal((await call('POST', '/resource', product(`${long}1`))).status, 201);
  assert.equal((await call('POST', '/resource', product(`${long}2`))).status, 201);
  assert.equal((await call('POST', '/resource', product(`${long}1`))).status, 400);
});

test('values in lists count one by one, also twice in one document; absent ones and null do not', async () => {
  const { call } = await openProject();
  const variants = (...skus: unknown[]) => ({ type: 'product', variants: skus.map((sku) => ({ sku })) });
  assert.equal((await call('POST', '/resource', variants('a', 'b'))).status, 201);
  assertTaken(await call('POST', '/resource', variants('c', 'b')), 'variants[*].sku', 'b');
  assertTaken(await call('POST', '/resource', variants('d', 'd')), 'variants[*].sku', 'd');
  for (let n = 0; n < 2; n += 1) assert.equal((await call('POST', '/resource', variants(null))).status, 201);
  for (let n = 0; n < 2; n += 1) assert.equal((await call('POST', '/resource', { type: 'product' })).status, 201);
  // Of another path, and of another type.
  assert.equal((await call('POST', '/resource', product('a'))).status, 201);
  assert.equal((await call('POST', '/resource', { type: 'page', slug: 'a', sku: 'a' })).status, 201);
});

test('more unique values than one document may have are refused', async () => {
  const { call } = await openProject();
  const variants = (count: number) => Array.from({ length: count }, (_, n) => ({ sku: n }));
  assert.equal((await call('POST', '/resource', { type: 'product', variants: variants(1000) })).status, 201);
  const { status, json } = await call('POST', '/resource', { type: 'product', variants: variants(1001) });
  assert.deepEqual([status, json.errors[0].code], [400, 'ResourceSizeLimitExceeded']);
});

test('a staged value is taken as well; a change and a deletion free one', async () => {
  const { call } = await openProject();
  const { json: made } = await call('POST', '/resource', product('A'));
  const act = (version: number, ...actions: object[]) => call('POST', `/resource/${made.id}`, { version, actions });
  assert.equal((await act(1, { action: 'setField', path: 'sku', value: 'B', staged: true })).status, 200);
  for (const sku of ['A', 'B']) assertTaken(await call('POST', '/resource', product(sku)), 'sku', sku, made.id);
  assert.equal((await act(2, { action: 'publish' })).status, 200);
  const { json: other } = await call('POST', '/resource', product('A'));
  assertTaken(await call('POST', '/resource', product('B')), 'sku', 'B', made.id);
  assert.equal((await call('DELETE', `/resource/${made.id}`)).status, 200);
  assert.equal((await call('PATCH', '/resource', { id: other.id, sku: 'B' })).status, 201);
  const restored = await call('POST', `/resource/${made.id}/restore`, {});
  assertTaken(restored, 'sku', 'B', other.id);
});

test('in a batch the second takes what the first leaves', async () => {
  const { call } = await openProject();
  const { json: made } = await call('POST', '/resource', product('A', { key: 'a' }));
  const leave = { operation: 'merge', draft: { key: 'a', sku: 'Z' } };
  const take = { operation: 'create', draft: product('A', { key: 'b' }) };
  assert.equal((await call('POST', '/resource/batch', { operations: [leave, take] })).status, 200);
  const back = { operation: 'merge', draft: { id: made.id, sku: 'A' } };
  assertTaken(await call('POST', '/resource/batch', { operations: [back] }), 'sku', 'A');
  const gone = { operation: 'delete', key: 'b' };
  assert.equal((await call('POST', '/resource/batch', { operations: [gone, back] })).status, 200);
  const twice = [1, 2].map(() => ({ operation: 'create', draft: product('new') }));
  const refused = await call('POST', '/resource/batch', { operations: twice });
  assertTaken(refused, 'sku', 'new');
  assert.equal(refused.json.errors[0].operation, 1);
});

test('of concurrent writers one gets the last value', async () => {
  const { call } = await openProject();
  const race = async (sku: string) => {
    const all = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/resource', product(sku))));
    const statuses = all.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, 400, 400, 400, 400, 400, 400, 400]);
  };
  // Several at once, since they wait for the disk more than they compute.
  const atOnce = 4;
  for (let round = 0; round < roundsOf(1000, 100); round += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, lane) => race(`sku-${round + lane}`)));
  }
});

/** When nothing is building any more. */
async function statesOf(call: Awaited<ReturnType<typeof openProject>>['call']) {
  // biome-ignore lint/suspicious/noExplicitAny: responses of any shape.
  let unique: any[] = [];
  await until(async () => {
    unique = (await call('GET', '/settings/types')).json.unique;
    return unique.every(({ state }) => state !== 'building');
  });
  return unique;
}

test('a path that becomes unique over existing resources is built, and lists what conflicts', async () => {
  const { call } = await openProject({});
  const many = Array.from({ length: 400 }, (_, n) => ({ operation: 'create', draft: product(`s${n}`) }));
  assert.equal((await call('POST', '/resource/batch', { operations: many })).status, 200);
  const ids: string[] = [];
  for (let n = 0; n < 2; n += 1) ids.push((await call('POST', '/resource', product('same'))).json.id);
  await call('PUT', '/settings/types', { types });
  const [sku, variants] = await statesOf(call);
  assert.deepEqual([sku.state, sku.conflicts, variants.state], ['conflicting', 1, 'active']);
  assert.deepEqual(sku.examples, [{ value: 'same', ids: ids.toSorted() }]);
  // Not enforced, and it says so.
  assert.equal((await call('POST', '/resource', product('s7', { key: 'also' }))).status, 201);
  assert.equal((await call('PATCH', '/resource', { key: 'also', sku: 'own' })).status, 201);
  assert.equal((await call('PATCH', '/resource', { id: ids[0], sku: 'other' })).status, 201);
  // The same types again, which have nothing to look through where nothing is in conflict.
  assert.equal((await call('PUT', '/settings/types', { types })).json.version, 3);
  assert.deepEqual(
    (await statesOf(call)).map(({ state }) => state),
    ['active', 'active', 'active'],
  );
  assert.equal((await call('PUT', '/settings/types', { types })).json.version, 3);
  for (const taken of ['s7', 'same', 'other', 'own'])
    assertTaken(await call('POST', '/resource', product(taken)), 'sku', taken);
});

test('paths that are not unique any more free their values', async () => {
  const { call } = await openProject();
  await call('POST', '/resource', product('A'));
  await call('PUT', '/settings/types', { types: { product: {} } });
  assert.equal((await call('POST', '/resource', product('A'))).status, 201);
  await call('PUT', '/settings/types', { types });
  assert.equal((await statesOf(call))[0].state, 'conflicting');
});
