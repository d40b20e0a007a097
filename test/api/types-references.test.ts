import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { roundsOf } from '../rounds.ts';
import { startTestApi } from '../start-test-api.ts';

/** A declared reference leads to a resource of its type, which stays as long as others refer to it. */

const api = await startTestApi();
after(() => api.close());

let projects = 0;
const types = {
  category: { references: { parent: { type: 'category' } } },
  product: {
    references: { category: { type: 'category' }, 'lines[*].item': { type: 'product', onDelete: 'keep' } },
  },
};

async function openProject() {
  projects += 1;
  const project = `references-${projects}`;
  const call = (method: string, path: string, body?: unknown) =>
    api.call({ method, path: `/${project}${path}`, ...(body !== undefined && { body }) });
  assert.equal((await call('PUT', '/settings/types', { types })).status, 200);
  const category = async (key: string, more: object = {}) =>
    (await call('POST', '/resource', { type: 'category', key, ...more })).json;
  return { project, call, category };
}

const inCategory = (reference: unknown, more: object = {}) => ({ type: 'product', category: reference, ...more });

test('a reference to what is not there, or is something else, is refused', async () => {
  const { call, category } = await openProject();
  const sofas = await category('sofas');
  const { json: chair } = await call('POST', '/resource', { type: 'product', key: 'chair' });
  for (const [reference, code, details] of [
    [{ typeId: 'resource', key: 'none' }, 'ReferencedResourceNotFound', { key: 'none', referencedType: 'category' }],
    [{ typeId: 'resource', id: 'none' }, 'ReferencedResourceNotFound', { id: 'none' }],
    [{ key: 'chair' }, 'InvalidField', {}],
    [{ id: chair.id }, 'InvalidField', {}],
    ['sofas', 'InvalidField', {}],
    [{ typeId: 'resource' }, 'InvalidField', {}],
    [[{ key: 'sofas' }, { key: 'none' }], 'ReferencedResourceNotFound', { key: 'none' }],
  ] as const) {
    const { status, json, text } = await call('POST', '/resource', inCategory(reference));
    assert.equal(status, 400, text);
    const [error] = json.errors;
    assert.deepEqual([error.code, error.field], [code, 'category'], text);
    for (const [name, value] of Object.entries(details)) assert.equal(error[name], value, text);
  }
  for (const reference of [{ key: 'sofas' }, { typeId: 'resource', id: sofas.id }, null, [{ key: 'sofas' }]]) {
    assert.equal((await call('POST', '/resource', inCategory(reference))).status, 201, JSON.stringify(reference));
  }
});

test('what others refer to is not deleted, nor loses its key or type; a draft counts', async () => {
  const { call, category } = await openProject();
  const sofas = await category('sofas');
  const { json: sofa } = await call('POST', '/resource', inCategory({ key: 'sofas' }, { key: 'sofa' }));
  const refusals = [
    () => call('DELETE', `/resource/${sofas.id}`),
    () => call('DELETE', '/resource/key=sofas?version=1'),
    () => call('POST', `/resource/${sofas.id}`, { version: 1, actions: [{ action: 'setKey', key: 'couches' }] }),
    () => call('PATCH', '/resource', { id: sofas.id, type: 'product' }),
    () => call('POST', '/resource/batch', { operations: [{ operation: 'delete', id: sofas.id }] }),
  ];
  for (const refusal of refusals) {
    const { status, json, text } = await refusal();
    assert.deepEqual([status, json.errors[0].code], [400, 'ReferenceExists'], text);
    assert.deepEqual(json.errors[0].referencedBy, [sofa.id]);
  }
  assert.equal((await call('PATCH', '/resource', { id: sofas.id, name: 'Sofas' })).status, 201);
  const act = (version: number, ...actions: object[]) => call('POST', `/resource/${sofa.id}`, { version, actions });
  assert.equal((await act(1, { action: 'setField', path: 'category', value: null, staged: true })).status, 200);
  assert.equal((await call('DELETE', `/resource/${sofas.id}`)).status, 400);
  assert.equal((await act(2, { action: 'publish' })).status, 200);
  assert.equal((await call('DELETE', `/resource/${sofas.id}`)).status, 200);
  // Only in a draft.
  const chairs = await category('chairs');
  assert.equal(
    (await act(3, { action: 'setField', path: 'category', value: { id: chairs.id }, staged: true })).status,
    200,
  );
  assert.equal((await call('DELETE', `/resource/${chairs.id}`)).status, 400);
  assert.equal((await act(4, { action: 'revertStagedChanges' })).status, 200);
  assert.equal((await call('DELETE', `/resource/${chairs.id}`)).status, 200);
});

test('onDelete keep leaves references to nothing, which later writes may keep', async () => {
  const { call } = await openProject();
  const { json: chair } = await call('POST', '/resource', { type: 'product', key: 'chair' });
  const lines = [{ item: { id: chair.id } }];
  const { json: set } = await call('POST', '/resource', { type: 'product', lines });
  assert.equal((await call('DELETE', `/resource/${chair.id}`)).status, 200);
  assert.equal((await call('PATCH', '/resource', { id: set.id, note: 'kept' })).status, 201);
  assert.equal((await call('POST', '/resource', { type: 'product', lines })).status, 400);
});

test('a resource may refer to itself, and two to each other', async () => {
  const { call, category } = await openProject();
  const own = await call('POST', '/resource', { type: 'category', key: 'own', parent: { key: 'own' } });
  assert.equal(own.status, 201, own.text);
  assert.equal((await call('DELETE', `/resource/${own.json.id}`)).status, 200);
  const a = await category('a');
  const b = await category('b', { parent: { key: 'a' } });
  assert.equal((await call('PATCH', '/resource', { id: a.id, parent: { id: b.id } })).status, 201);
  assert.equal((await call('DELETE', `/resource/${a.id}`)).status, 400);
});

test('a batch makes a resource and refers to it, and deletes both in the right order', async () => {
  const { call } = await openProject();
  const make = { operation: 'create', draft: { type: 'category', key: 'new' } };
  const refer = { operation: 'create', draft: inCategory({ key: 'new' }, { key: 'first' }) };
  assert.equal((await call('POST', '/resource/batch', { operations: [refer, make] })).status, 400);
  const made = await call('POST', '/resource/batch', { operations: [make, refer] });
  assert.equal(made.status, 200, made.text);
  const [category, product] = ['new', 'first'].map((key) => ({ operation: 'delete', key }));
  assert.equal((await call('POST', '/resource/batch', { operations: [category, product] })).status, 400);
  assert.equal((await call('POST', '/resource/batch', { operations: [product, category] })).status, 200);
});

test('an import refers to what its own lines made before, and has each unique value once', async () => {
  const { project, call } = await openProject();
  const lines = Array.from({ length: 700 }, (_, n) =>
    n % 2 === 0
      ? { type: 'category', key: `c${n}`, ...(n > 0 && { parent: { key: `c${n - 2}` } }) }
      : { type: 'product', key: `p${n}`, category: { key: `c${n - 1}` } },
  );
  const imported = async (path: string) => {
    const { text } = await api.call({
      method: 'POST',
      path: `/${project}/resource/import${path}`,
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    return JSON.parse(text.trim().split('\n').at(-1)!);
  };
  const rehearsed = await imported('?results=refused&dryRun=true');
  assert.deepEqual([rehearsed.created, rehearsed.refused], [700, 0]);
  const { created, refused } = await imported('?results=refused');
  assert.deepEqual([created, refused], [700, 0]);
  assert.equal((await imported('?results=refused')).unchanged, 700);
  assert.equal((await call('GET', '/resource/key=c0/references?limit=10')).json.count, 2);
});

test('who refers to a resource is listed with the paths, page by page', async () => {
  const { call, category } = await openProject();
  const sofas = await category('sofas');
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const reference = n % 2 === 0 ? { key: 'sofas' } : { id: sofas.id };
    ids.push((await call('POST', '/resource', inCategory(reference, { key: `p${n}` }))).json.id);
  }
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { json } = await call('GET', `/resource/key=sofas/references?limit=2${after && `&after=${after}`}`);
    if (json.count === 0) break;
    for (const { id, type, paths } of json.results) {
      found.push(id);
      assert.deepEqual([type, paths], ['product', ['category']]);
    }
    after = json.results.at(-1).id;
  }
  assert.deepEqual(found, ids.toSorted());
  assert.equal((await call('GET', '/resource/none/references')).status, 404);
});

test('a reference and the deletion of its target at the same time leave no reference to nothing', async () => {
  const { call, category } = await openProject();
  const outcomes = new Set<string>();
  for (let round = 0; round < roundsOf(300, 60); round += 1) {
    const { id } = await category(`c${round}`);
    const writes = [
      () => call('POST', '/resource', inCategory({ id })),
      () => call('DELETE', `/resource/${id}`),
      () => call('POST', '/resource', inCategory({ key: `c${round}` })),
    ];
    const order = round % 2 === 0 ? writes : writes.toReversed();
    const statuses = (await Promise.all(order.map((write) => write()))).map(({ status }) => status);
    const [first, deletion, second] = round % 2 === 0 ? statuses : statuses.toReversed();
    const isThere = (await call('GET', `/resource/${id}`)).status === 200;
    assert.equal(isThere, deletion === 400);
    if (first === 201 || second === 201) assert.ok(isThere, `${statuses}`);
    outcomes.add(isThere ? 'kept' : 'deleted');
  }
  assert.ok(outcomes.size > 0);
});
