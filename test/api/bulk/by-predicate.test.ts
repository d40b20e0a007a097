import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from '../open-resources.ts';

const { api, send, create, read, get } = await openResources();

type Line = Readonly<Record<string, unknown>>;
type Body = Readonly<Record<string, unknown>>;

const post = (project: string, body: Body, query = '', headers: Readonly<Record<string, string>> = {}) =>
  send('POST', `/${project}/resource/by-predicate${query}`, body, headers);

/** The results of a change that was accepted, and its summary. */
async function changed(...parameters: Parameters<typeof post>) {
  const { status, text, headers } = await post(...parameters);
  assert.equal(status, 200, text);
  assert.equal(headers['content-type'], 'application/x-ndjson');
  const lines: Line[] = text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
  const summary = lines.pop()!;
  return { lines, summary };
}

const none = { updated: 0, deleted: 0, unchanged: 0, skipped: 0, refused: 0 };
const increment = { action: 'incrementNumber', path: 'n', by: 1 };

async function fill(
  project: string,
  count: number,
  more: (i: number) => Body = () => ({}),
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, i) => `r${String(i).padStart(4, '0')}`);
  for (let at = 0; at < count; at += 500) {
    const operations = ids.slice(at, at + 500).map((id, i) => ({
      ...{ operation: 'create', draft: { id, key: `key-${id}`, n: 0, ...more(at + i) } },
    }));
    const { status, text } = await send('POST', `/${project}/resource/batch?resources=false`, { operations });
    assert.equal(status, 200, text);
  }
  return ids;
}

async function all(project: string): Promise<readonly Line[]> {
  const { text } = await get(`/${project}/resource/export`);
  return text.split('\n', -1).flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

test('all resources that match are updated by id, each with a line, and the last line is the summary', async () => {
  const ids = await fill('p1', 250, (i) => ({ colour: i % 2 ? 'red' : 'blue' }));
  const { lines, summary } = await changed('p1', { where: 'colour = "red"', actions: [increment], expect: 125 });
  const red = ids.filter((_, i) => i % 2);
  assert.deepEqual(
    lines,
    red.map((id) => ({ status: 'updated', id, key: `key-${id}`, version: 2 })),
  );
  assert.deepEqual(summary, { complete: true, resources: 125, ...none, updated: 125 });
  for (const { n, colour, version } of await all('p1')) {
    assert.deepEqual([n, version], colour === 'red' ? [1, 2] : [0, 1]);
  }
  const { actor, actions, cause } = (await get('/p1/resource/r0001/history')).json.results[0];
  assert.deepEqual([actor, actions, cause], [{ clientId: 'test-admin' }, ['incrementNumber'], 'actions']);
});

test('actions that need a version elsewhere are applied to what is current, and what they leave as it is is unchanged', async () => {
  await fill('p2', 3);
  await send('PATCH', '/p2/resource', { id: 'r0001', n: 5 });
  const actions = [{ action: 'setField', path: 'seen', value: true }];
  assert.deepEqual((await changed('p2', { where: 'n = 5', actions })).lines, [
    { status: 'updated', id: 'r0001', key: 'key-r0001', version: 3 },
  ]);
  const absent = { where: 'n is defined', actions: [{ action: 'setIfAbsent', path: 'seen', value: true }] };
  const { lines, summary } = await changed('p2', absent);
  assert.deepEqual(
    lines.map(({ status, version }) => [status, version]),
    [
      ['updated', 2],
      ['unchanged', 3],
      ['updated', 2],
    ],
  );
  assert.deepEqual(summary, { complete: true, resources: 3, ...none, updated: 2, unchanged: 1 });
});

test('delete removes what matches, and says which version was deleted', async () => {
  await fill('p3', 120, (i) => ({ old: i < 110 }));
  const { lines, summary } = await changed('p3', { where: 'old = true', delete: true });
  assert.deepEqual(lines[0], { status: 'deleted', id: 'r0000', key: 'key-r0000', version: 1 });
  assert.deepEqual(summary, { complete: true, resources: 110, ...none, deleted: 110 });
  assert.equal((await all('p3')).length, 10);
});

test('staged: the predicate is about the staged projections', async () => {
  await create('p4', { id: 'a', n: 1 });
  await create('p4', { id: 'b', n: 1 });
  const draft = { version: 1, actions: [{ action: 'setField', path: 'n', value: 2, staged: true }] };
  assert.equal((await send('POST', '/p4/resource/a', draft)).status, 200);
  const body = { where: 'n = 2', actions: [{ action: 'publish' }] };
  assert.equal((await changed('p4', body)).summary.resources, 0);
  const { lines } = await changed('p4', body, '?staged=true');
  assert.deepEqual(lines, [{ status: 'updated', id: 'a', version: 3 }]);
  assert.equal((await read('p4', 'a')).n, 2);
});

test('dryRun writes nothing and reports the same', async () => {
  await fill('p5', 130);
  const body = { where: 'n = 0', actions: [increment], expect: 130 };
  const dry = await changed('p5', body, '?dryRun=true', { 'idempotency-key': 'k' });
  assert.deepEqual(dry.summary, { complete: true, resources: 130, ...none, updated: 130, dryRun: true });
  assert.ok((await all('p5')).every(({ version }) => version === 1));
  assert.deepEqual((await changed('p5', body)).lines, dry.lines);
});

test('expect refuses all before anything is written if another number matches', async () => {
  await fill('p6', 12);
  for (const [expect, query, message] of [
    [11, '', 'expect: 12 resources match, not 11.'],
    [13, '', 'expect: 12 resources match, not 13.'],
    [0, '', 'expect: 12 resources match, not 0.'],
    [5, '?limit=5', 'expect: 12 resources match, not 5.'],
    [12, '?after=r0000', 'expect: 11 resources match, not 12.'],
    [11, '?dryRun=true', 'expect: 12 resources match, not 11.'],
  ] as const) {
    const refusal = refusalOf(
      await post('p6', { where: 'n = 0', delete: true, expect }, query),
      412,
      'PreconditionFailed',
    );
    assert.equal(refusal.message, message);
  }
  assert.equal((await all('p6')).length, 12);
  assert.equal((await changed('p6', { where: 'n = 7', delete: true, expect: 0 })).summary.resources, 0);
  const first = await changed('p6', { where: 'n = 0', delete: true, expect: 12 }, '?limit=10');
  assert.deepEqual([first.summary.deleted, first.summary.complete], [10, false]);
  const rest = await changed('p6', { where: 'n = 0', delete: true, expect: 2 }, `?after=${first.summary.resumeAfter}`);
  assert.deepEqual([rest.summary.deleted, rest.summary.complete], [2, true]);
});

test('limit bounds a call, whose summary says where to continue; after continues there, and nothing is done twice', async () => {
  await fill('p7', 230);
  const body = { where: 'n is defined', actions: [increment] };
  let after = '';
  const seen: unknown[] = [];
  for (const [count, complete] of [
    [105, false],
    [105, false],
    [20, true],
  ] as const) {
    const { lines, summary } = await changed('p7', body, `?limit=105${after}`);
    seen.push(...lines.map(({ id }) => id));
    const resumeAfter = complete ? {} : { resumeAfter: lines.at(-1)!.id };
    assert.deepEqual(summary, { complete, resources: count, ...none, updated: count, ...resumeAfter });
    after = `&after=${summary.resumeAfter}`;
  }
  assert.equal(new Set(seen).size, 230);
  assert.ok((await all('p7')).every(({ n }) => n === 1));
});

test('a resource that is refused stops no other, and its line has the error', async () => {
  await fill('p8', 3, (i) => ({ n: i === 1 ? 'text' : 0 }));
  const { lines, summary } = await changed('p8', { where: 'n is defined', actions: [increment] });
  assert.deepEqual(
    lines.map(({ status }) => status),
    ['updated', 'refused', 'updated'],
  );
  const { errors } = lines[1]!.error as { errors: { code: string; message: string }[] };
  assert.deepEqual(errors[0], {
    code: 'InvalidOperation',
    message: "actions[0]: path 'n': expected a number, or no value",
  });
  assert.deepEqual(summary, { complete: true, resources: 3, ...none, updated: 2, refused: 1 });
  const keys = await changed('p8', { where: 'n is defined', actions: [{ action: 'setKey', key: 'one' }] });
  assert.deepEqual(
    keys.lines.map(({ status, key }) => [status, key]),
    [
      ['updated', 'one'],
      ['refused', 'key-r0001'],
      ['refused', 'key-r0002'],
    ],
  );
  const refused = await changed('p8', { where: 'n is defined', actions: [increment] }, '?results=refused');
  assert.deepEqual([refused.lines.length, refused.summary.resources], [1, 3]);
});

test('with an Idempotency-Key a repeat reports the same and changes nothing again, also what matches since', async () => {
  await fill('p9', 150);
  const body = { where: 'n is defined', actions: [increment], expect: 150 };
  const headers = { 'idempotency-key': 'once' };
  const first = await changed('p9', body, '', headers);
  await create('p9', { id: 'z', n: 0 });
  assert.deepEqual(await changed('p9', body, '', headers), first);
  assert.ok((await all('p9')).every(({ n, id }) => n === (id === 'z' ? 0 : 1)));
  for (const other of [
    { ...body, expect: 151 },
    { where: 'n = 1', actions: [increment] },
  ]) {
    refusalOf(await post('p9', other, '', headers), 422, 'IdempotencyKeyReused');
  }
  const nothing = { where: 'n = 77', actions: [increment] };
  assert.equal((await changed('p9', nothing, '', { 'idempotency-key': 'none' })).summary.resources, 0);
  await create('p9', { n: 77 });
  assert.equal((await changed('p9', nothing, '', { 'idempotency-key': 'none' })).summary.resources, 0);
});

test('no concurrent change is lost, and no increment is counted twice', async () => {
  await fill('p10', 300);
  const body = { where: 'n is defined', actions: [increment] };
  const single = (i: number) =>
    send('POST', `/p10/resource/r${String(i % 300).padStart(4, '0')}`, { actions: [increment] });
  const responses = await Promise.all([
    ...[1, 2, 3].map(() => post('p10', body)),
    ...Array.from({ length: 300 }, (_, i) => single(i * 7)),
  ]);
  for (const { status, text } of responses) assert.equal(status, 200, text);
  const seven = new Map<unknown, number>();
  for (let i = 0; i < 300; i += 1) {
    const id = `r${String((i * 7) % 300).padStart(4, '0')}`;
    seven.set(id, (seven.get(id) ?? 0) + 1);
  }
  for (const { id, n, version } of await all('p10')) {
    const expected = 3 + (seven.get(id) ?? 0);
    assert.deepEqual([n, version], [expected, expected + 1], String(id));
  }
});

test('bodies and parameters that make no sense are 400, and change nothing', async () => {
  await fill('p11', 2);
  const where = 'n is defined';
  for (const [body, query, message] of [
    [{ delete: true }, '', /where: Missing required value/],
    [{ where: 7, delete: true }, '', /where: expected a string/],
    [{ where: '', delete: true }, '', /where/],
    [{ where: 'n =', delete: true }, '', /where/],
    [{ where: 'n = :x', delete: true }, '', /x/],
    [{ where }, '', /actions: expected either actions or "delete": true/],
    [{ where, actions: [increment], delete: true }, '', /actions: expected either actions or "delete": true/],
    [{ where, delete: false }, '', /delete: expected true/],
    [{ where, delete: 1 }, '', /delete: expected true/],
    [{ where, actions: {} }, '', /actions: expected an array/],
    [{ where, actions: [{ action: 'unknown' }] }, '', /unknown action 'unknown'/],
    [{ where, actions: [{ ...increment, by: 'x' }] }, '', /actions\[0\]\.by: expected a number/],
    [{ where, delete: true, expect: -1 }, '', /expect: expected 0 or more/],
    [{ where, delete: true, expect: 1.5 }, '', /expect: expected an integer/],
    [{ where, delete: true, version: 1 }, '', /version: unknown field/],
    [{ where, delete: true }, '?limit=0', /limit/],
    [{ where, delete: true }, '?limit=100001', /limit/],
    [{ where, delete: true }, '?where=n=1', /where/],
    [{ where, delete: true }, '?dryRun=maybe', /dryRun/],
  ] as const) {
    const { status, json } = await post('p11', body, query);
    assert.equal(status, 400, JSON.stringify([body, query, json]));
    assert.match(json.message, message);
  }
  assert.equal((await all('p11')).length, 2);
  const { lines } = await changed('p11', { where: 'id = :id', delete: true }, '?var.id=r0001');
  assert.deepEqual(
    lines.map(({ id }) => id),
    ['r0001'],
  );
});

test('a token that only reads may not change by predicate', async () => {
  const response = await api.call({
    ...{ method: 'POST', path: '/p11/resource/by-predicate', body: { where: 'n = 0', delete: true } },
    scope: 'view_test:p11',
  });
  refusalOf(response, 403, 'insufficient_scope');
});
