import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Log, noLog } from '../../src/telemetry/log.ts';
import { startTestApi } from '../start-test-api.ts';
import { openResources, refusalOf } from './open-resources.ts';

const examples = new URL('../../examples/hooks/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'hooks-'));
after(() => rmSync(folder, { recursive: true }));
const modules = {
  '1-total.ts': `export { default } from '${new URL('set-total.ts', examples).href}';`,
  '2-slug.ts': `export { default } from '${new URL('set-slug.ts', examples).href}';`,
  '3-told.mjs': `
    import { defineHook } from 'generic-resource-service';
    export default defineHook({
      name: 'tell',
      timeoutMs: 200,
      async before({ projectKey, kind, id, key, before, current, staged, actor, cause, actions, signal, refuse }) {
        switch (current.hook) {
          case 'refuse': return refuse('not today');
          case 'fail': throw new Error('a secret of the operator');
          case 'system': return { current: { ...current, version: 7 } };
          case 'other': return { documents: current };
          case 'list': return { current: [] };
          case 'number': return 5;
          case 'documents': return [];
          case 'known': return { current: { ...current, objectTypeProperty: { arrayOfIntExample: 'x' } } };
          case 'nul': return { current: { ...current, text: String.fromCharCode(0) } };
          case 'hang': return new Promise(() => {});
          case 'mutate': current.list.push(1); return undefined;
          case 'stage': return { staged: { ...current, hook: 'staged', draft: true } };
        }
        if (kind === 'delete') return current.locked ? refuse('it is locked') : undefined;
        if (current.told === undefined) return undefined;
        const told = { projectKey, kind, id, key, before: before && Object.keys(before.current).sort(), actor, cause, actions };
        return { current: { ...current, told } };
      },
    });`,
};
for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
const { api, send, create, read, get } = await openResources({ ACTIONS_DIR: folder });

const lines = (count: number) => [{ centAmount: 100, count }, { centAmount: 5 }];
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send('POST', path, body, headers);

test('a computed field is right whichever way a resource is written', async () => {
  const project = 'h1';
  const base = `/${project}/resource`;
  const setLines = (count: number) => ({ action: 'setField', path: 'lines', value: lines(count) });
  const ndjson = (body: object) => ({
    ...{ method: 'POST', path: `${base}/import`, body: JSON.stringify(body) },
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const draft = (count: number) => ({ id: 'a', lines: lines(count), totalCentAmount: 1 });
  const writes: readonly (readonly [way: string, request: Parameters<typeof api.call>[0]])[] = [
    ['POST', { method: 'POST', path: base, body: draft(1) }],
    ['PATCH', { method: 'PATCH', path: base, body: draft(2) }],
    ['PUT', { method: 'PUT', path: base, body: draft(3) }],
    ['E9', { method: 'POST', path: `${base}/artificially-complex/path/uri-parameter-one=x/y`, body: draft(4) }],
    ['actions', { method: 'POST', path: `${base}/a`, body: { version: 4, actions: [setLines(5)] } }],
    [
      'batch',
      { method: 'POST', path: `${base}/batch`, body: { operations: [{ operation: 'merge', draft: draft(6) }] } },
    ],
    ['import', ndjson(draft(7))],
    [
      'by predicate',
      { method: 'POST', path: `${base}/by-predicate`, body: { where: 'id = "a"', actions: [setLines(8)] } },
    ],
    [
      'an increment',
      {
        method: 'POST',
        path: `${base}/a`,
        body: { actions: [{ action: 'incrementNumber', path: 'lines[0].count', by: 1 }] },
      },
    ],
  ];
  for (const [at, [way, request]] of writes.entries()) {
    const { status, text } = await api.call(request);
    assert.ok(status < 300, `${way}: ${text}`);
    const { totalCentAmount, version } = await read(project, 'a');
    assert.deepEqual([totalCentAmount, version], [(at + 1) * 100 + 5, at + 1], way);
  }
  assert.equal((await send('DELETE', `${base}/a`)).json.totalCentAmount, 905);
  const restored = await post(`${base}/a/restore`, { version: 2 });
  assert.deepEqual([restored.status, restored.json.totalCentAmount], [201, 205]);
  const found = await get(`${base}/sorted-query-parameters?where=totalCentAmount%20%3D%20205`);
  assert.equal(found.json.total, 1);
});

test('the response has what is stored, and a draft that leaves the resource as it is makes no version', async () => {
  const made = await create('h2', { key: 'k', name: { en: 'Blue Shoe – é' } });
  assert.equal(made.slug, 'blue-shoe-e');
  assert.deepEqual(await read('h2', made.id), made);
  for (const method of ['POST', 'PATCH', 'PUT']) {
    const again = await send(method, '/h2/resource', { key: 'k', name: { en: 'Blue Shoe – é' } });
    assert.deepEqual([again.json.version, again.json.slug], [1, 'blue-shoe-e'], method);
  }
  const renamed = await send('PUT', '/h2/resource', { key: 'k', name: { en: 'Red shoe' } });
  assert.deepEqual([renamed.json.version, renamed.json.slug], [2, 'blue-shoe-e']);
});

test('both projections pass, and a hook may stage', async () => {
  const { id } = await create('h3', { lines: lines(1) });
  const actions = [{ action: 'setField', path: 'lines', value: lines(2), staged: true }];
  assert.equal((await post(`/h3/resource/${id}`, { version: 1, actions })).status, 200);
  assert.equal((await read('h3', id)).totalCentAmount, 105);
  assert.equal((await read('h3', id, '?staged=true')).totalCentAmount, 205);
  const staged = await create('h3', { hook: 'stage' });
  assert.deepEqual([staged.hook, staged.hasStagedChanges], ['stage', true]);
  assert.equal((await read('h3', staged.id, '?staged=true')).draft, true);
});

test('a hook knows what is changed, by whom and how', async () => {
  const headers = { 'x-external-user-id': 'jane' };
  const made = await post('/h4/resource', { id: 'a', key: 'k', told: 1 }, headers);
  const actor = { clientId: 'test-admin', externalUserId: 'jane' };
  const common = { projectKey: 'h4', id: 'a', key: 'k', actor };
  assert.deepEqual(made.json.told, { ...common, kind: 'create', cause: 'draft', actions: [] });
  const body = { actions: [{ action: 'setIfAbsent', path: 'x', value: 1 }] };
  const { told } = (await post('/h4/resource/a', body, headers)).json;
  const before = ['objectTypeProperty', 'told'];
  assert.deepEqual(told, { ...common, kind: 'update', cause: 'actions', actions: ['setIfAbsent'], before });
});

test('a refusal is 400 with its words in a single write, a batch, an import and a change by predicate, and writes nothing', async () => {
  const refused = await post('/h5/resource', { hook: 'refuse' });
  assert.equal(refusalOf(refused, 400, 'InvalidOperation').message, 'not today');
  await create('h5', { id: 'a', locked: true });
  assert.equal(refusalOf(await send('DELETE', '/h5/resource/a'), 400, 'InvalidOperation').message, 'it is locked');
  const operations = [
    { operation: 'create', draft: { id: 'b' } },
    { operation: 'create', draft: { hook: 'refuse' } },
  ];
  assert.equal(refusalOf(await post('/h5/resource/batch', { operations }), 400, 'InvalidOperation').operation, 1);
  const partly = await post('/h5/resource/batch?atomic=false', { operations });
  assert.deepEqual(
    partly.json.results.map(({ status }: { status: number }) => status),
    [201, 400],
  );
  const imported = await post('/h5/resource/import', '{"id":"c"}\n{"hook":"refuse"}\n', {
    'content-type': 'application/x-ndjson',
  });
  assert.match(imported.text, /"line":1,"status":"created".*\n.*"line":2,"status":"refused".*not today/);
  const deleted = await post('/h5/resource/by-predicate', { where: 'id is defined', delete: true });
  assert.match(deleted.text, /"status":"refused","id":"a".*it is locked.*\n.*"status":"deleted","id":"b"/);
  assert.equal((await get('/h5/resource/sorted-query-parameters')).json.total, 1);
});

test('a hook that fails, returns nonsense or takes too long is 500 without its words, and writes nothing', async () => {
  for (const hook of ['fail', 'system', 'other', 'list', 'number', 'documents', 'hang']) {
    const response = await post('/h6/resource', { hook });
    assert.equal(refusalOf(response, 500, 'HookFailed').message, 'The hook tell failed, so nothing was written.');
    assert.doesNotMatch(response.text, /secret/);
  }
  for (const hook of ['known', 'nul']) assert.equal((await post('/h6/resource', { hook })).status, 400);
  const text = '{"id":"a"}\n{"hook":"fail"}\n{"id":"b"}\n';
  const imported = await post('/h6/resource/import', text, { 'content-type': 'application/x-ndjson' });
  const summary = JSON.parse(imported.text.trim().split('\n').at(-1)!);
  assert.deepEqual([summary.complete, summary.created, summary.refused], [true, 2, 1]);
  assert.match(imported.text, /"line":2,"status":"refused","error":\{"statusCode":500,.*HookFailed/);
  assert.doesNotMatch(imported.text, /secret/);
  assert.equal((await get('/h6/resource/sorted-query-parameters')).json.total, 2);
});

test('what a hook does to the copies that it gets reaches no store', async () => {
  const { id } = await create('h7', { hook: 'mutate', list: [] });
  assert.deepEqual((await read('h7', id)).list, []);
});

test('a version is still compared, and an Idempotency-Key has one effect', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await post('/h8/resource', { lines: lines(1) }, headers);
  assert.equal((await post('/h8/resource', { lines: lines(1) }, headers)).text, first.text);
  const stale = await send('PATCH', '/h8/resource', { id: first.json.id, version: 7, lines: lines(2) });
  refusalOf(stale, 409, 'ConcurrentModification');
  const adding = { actions: [{ action: 'incrementNumber', path: 'lines[0].count', by: 1 }] };
  const all = await Promise.all(Array.from({ length: 32 }, () => post(`/h8/resource/${first.json.id}`, adding)));
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
  assert.equal((await read('h8', first.json.id)).totalCentAmount, 3305);
});

test('the log has the error of a hook, which no response has', async () => {
  const told: string[] = [];
  const log: Log = {
    ...noLog,
    write(_level, event, fields) {
      if (event === 'hook-failed') told.push(String((fields as { readonly error?: unknown }).error));
    },
  };
  const logged = await startTestApi({ ACTIONS_DIR: folder }, log);
  try {
    const body = '{"hook":"fail"}\n{"hook":"hang"}\n';
    const headers = { 'content-type': 'application/x-ndjson' };
    const { text } = await logged.call({ method: 'POST', path: '/h9/resource/import', body, headers });
    assert.match(text, /"refused":2/);
    assert.deepEqual(told, [
      'Error: The hook tell failed: a secret of the operator',
      'Error: The hook tell failed: it took longer than 200 ms',
    ]);
  } finally {
    await logged.close();
  }
});
