import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { turnOver } from '../../../src/domain/turns.ts';
import { openResources, refusalOf } from '../open-resources.ts';

const { api, send, create, get } = await openResources({ MAX_BODY_BYTES: '20000' });

type Line = Readonly<Record<string, unknown>>;

async function importText(
  project: string,
  body: string | Buffer,
  query = '',
  headers: Readonly<Record<string, string>> = {},
) {
  const type = { 'content-type': 'application/x-ndjson' };
  return api.call({
    method: 'POST',
    path: `/${project}/resource/import${query}`,
    headers: { ...type, ...headers },
    body,
  });
}

/** The lines of an import that was accepted: the results, and the summary. */
async function imported(...parameters: Parameters<typeof importText>) {
  const response = await importText(...parameters);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['content-type'], 'application/x-ndjson');
  assert.ok(response.text.endsWith('\n'));
  const lines: Line[] = response.text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
  const summary = lines.pop()!;
  return { lines, summary };
}

const ndjson = (...drafts: readonly unknown[]) => drafts.map((draft) => `${JSON.stringify(draft)}\n`).join('');
const statuses = (lines: readonly Line[]) => lines.map(({ status }) => status);
const code = ({ error }: Line) => (error as { errors: { code: string }[] }).errors[0]!.code;

test('each line gets a result in order, a broken one stops nothing, and the last line is the summary', async () => {
  const body = [
    '{"key":"a","colour":"red"}',
    '{"key":"a","size": 9007199254740993}',
    '{"key":"a","size": 9007199254740993}',
    'no json',
    '   ',
    '{"key":7}',
    '{"id":"own","name":{"en":"Shoe"}}\r',
    '[]',
    '{"key":"a","id":"own"}',
    '{}',
  ].join('\n');
  const { lines, summary } = await imported('i1', body);
  assert.deepEqual(
    lines.map(({ line, status, version }) => [line, status, version]),
    [
      [1, 'created', 1],
      [2, 'updated', 2],
      [3, 'unchanged', 2],
      [4, 'refused', undefined],
      [6, 'refused', undefined],
      [7, 'created', 1],
      [8, 'refused', undefined],
      [9, 'refused', undefined],
      [10, 'created', 1],
    ],
  );
  assert.deepEqual(lines.filter(({ error }) => error).map(code), [
    'InvalidJsonInput',
    'InvalidJsonInput',
    'InvalidJsonInput',
    'DuplicateField',
  ]);
  assert.equal(lines[1]!.id, lines[0]!.id);
  assert.deepEqual([lines[7]!.id, lines[7]!.key], ['own', 'a']);
  assert.deepEqual(summary, {
    complete: true,
    lines: 9,
    created: 3,
    updated: 1,
    unchanged: 1,
    refused: 4,
    repeated: 2,
  });
  const { text } = await get('/i1/resource/key=a');
  assert.match(text, /"size":9007199254740993}/);
});

test('the modes do to a resource what POST, PATCH and PUT do, and create refuses it', async () => {
  const fields = { name: { en: 'Shoe', de: 'Schuh' }, colour: 'red' };
  const draft = { name: { en: 'Boot' } };
  const expected = {
    merge: { name: { en: 'Boot', de: 'Schuh' }, colour: 'red' },
    replace: { name: { en: 'Boot' }, colour: 'red' },
    overwrite: { name: { en: 'Boot' }, colour: undefined },
    create: { ...fields },
  };
  for (const [mode, { name, colour }] of Object.entries(expected)) {
    await create('i2', { key: mode, ...fields });
    const { lines } = await imported('i2', ndjson({ key: mode, ...draft }), `?mode=${mode}`);
    assert.deepEqual(statuses(lines), [mode === 'create' ? 'refused' : 'updated']);
    const { json } = await get(`/i2/resource/key=${mode}`);
    assert.deepEqual([json.name, json.colour], [name, colour]);
  }
  const again = await imported(
    'i2',
    ndjson({ key: 'create', ...fields }, { key: 'new' }, { key: 'create', x: 1 }),
    '?mode=create',
  );
  assert.deepEqual(statuses(again.lines), ['unchanged', 'created', 'refused']);
  assert.equal(code(again.lines[2]!), 'DuplicateField');
});

test('versions count with versions=check only, and never where nothing changes', async () => {
  await create('i3', { key: 'a', colour: 'red' });
  const stale = { key: 'a', version: 7, colour: 'blue' };
  const refused = await imported(
    'i3',
    ndjson(stale, { ...stale, colour: 'red' }, { key: 'b', version: 3 }),
    '?versions=check',
  );
  assert.deepEqual(statuses(refused.lines), ['refused', 'unchanged', 'refused']);
  assert.deepEqual([code(refused.lines[0]!), code(refused.lines[2]!)], ['ConcurrentModification', 'InvalidOperation']);
  assert.deepEqual(statuses((await imported('i3', ndjson({ ...stale, version: 1 }), '?versions=check')).lines), [
    'updated',
  ]);
  assert.deepEqual(
    statuses((await imported('i3', ndjson({ ...stale, colour: 'x' }, { key: 'b', version: 3 }))).lines),
    ['updated', 'created'],
  );
});

test('dryRun checks every line and writes nothing', async () => {
  await create('i4', { key: 'a', colour: 'red' });
  const { lines, summary } = await imported(
    'i4',
    ndjson({ key: 'a', colour: 'blue' }, { key: 'b' }, { key: 5 }, { key: 'a', colour: 'red' }, { key: 'b', n: 1 }),
    '?dryRun=true',
  );
  assert.deepEqual(statuses(lines), ['updated', 'created', 'refused', 'updated', 'updated']);
  // Nothing has the id that would have been made.
  assert.deepEqual(
    lines.map((line) => 'id' in line),
    [true, false, false, true, false],
  );
  assert.equal(summary.dryRun, true);
  assert.equal((await get('/i4/resource/key=a')).json.version, 1);
  assert.equal((await get('/i4/resource/key=b')).status, 404);
});

test('stopOnError writes nothing after the first refused line, and says where to go on', async () => {
  const drafts = Array.from({ length: 450 }, (_, n) => ({ key: `k${n}` }));
  const body = ndjson(...drafts.slice(0, 210), { key: 1 }, ...drafts.slice(210));
  const { lines, summary } = await imported('i5', body, '?stopOnError=true');
  assert.equal(lines.length, 211);
  assert.deepEqual([summary.complete, summary.resumeAt, summary.created, summary.refused], [false, 211, 210, 1]);
  assert.equal((await get('/i5/resource/key=k209')).status, 200);
  assert.equal((await get('/i5/resource/key=k210')).status, 404);
  const rest = await imported('i5', body, '?from=212&results=refused');
  assert.deepEqual(rest.lines, []);
  assert.deepEqual([rest.summary.complete, rest.summary.created], [true, 240]);
});

test('a repeated import changes nothing', async () => {
  const body = ndjson(...Array.from({ length: 1000 }, (_, n) => ({ key: `k${n % 700}`, value: n })));
  const first = await imported('i6', body);
  assert.deepEqual(first.summary, {
    complete: true,
    lines: 1000,
    created: 700,
    updated: 300,
    unchanged: 0,
    refused: 0,
    repeated: 300,
  });
  assert.deepEqual(
    first.lines.map(({ line }) => line),
    Array.from({ length: 1000 }, (_, n) => n + 1),
  );
  const last = ndjson(...Array.from({ length: 300 }, (_, n) => ({ key: `k${n}`, value: n + 700 })));
  assert.equal((await imported('i6', last)).summary.unchanged, 300);
});

test('a byte order mark before the first line is passed over, however the body is sent', async () => {
  const body = '\ufeff{"key":"a"}\r\n{"key":"b"}\r\n';
  const types = ['application/x-ndjson', 'application/x-ndjson; charset=utf-8'];
  for (const [at, type] of types.entries()) {
    for (const bytes of [Buffer.from(body), gzipSync(body)]) {
      const encoding = bytes[0] === 0x1f ? { 'content-encoding': 'gzip' } : {};
      const { lines } = await imported(`mark${at}${bytes.length}`, bytes, '', { 'content-type': type, ...encoding });
      assert.deepEqual(
        lines.map(({ line, key, status }) => [line, key, status]),
        [
          [1, 'a', 'created'],
          [2, 'b', 'created'],
        ],
      );
    }
  }
});

test('a line that is too long is refused, and so is a document', async () => {
  const text = 'x'.repeat(50_000);
  const { lines } = await imported(
    'i7',
    ndjson({ key: 'a', text }, { key: 'b' }, { key: 'c', text: text.slice(0, 30_000) }),
  );
  assert.deepEqual(statuses(lines), ['refused', 'created', 'refused']);
  assert.deepEqual([code(lines[0]!), code(lines[2]!)], ['ResourceSizeLimitExceeded', 'ResourceSizeLimitExceeded']);
});

test('gzip is taken; what only claims to be gzip is refused, and what is cut ends the import', async () => {
  const headers = { 'content-encoding': 'gzip' };
  const { summary } = await imported('i8', gzipSync(ndjson({ key: 'a' }, { key: 'b' })), '', headers);
  assert.equal(summary.created, 2);
  const response = await importText('i8', Buffer.from('no gzip'), '', headers);
  assert.match(refusalOf(response, 400, 'InvalidInput').message, /not valid gzip/);
  const cut = await imported('i8', gzipSync(ndjson({ key: 'c' })).subarray(0, 20), '', headers);
  assert.equal(cut.summary.complete, false, JSON.stringify(cut.summary));
  assert.deepEqual([code(cut.summary), cut.summary.resumeAt], ['InvalidInput', 1]);
});

test('an import that is none is refused before anything is read', async () => {
  refusalOf(await importText('i9', '{}', '?mode=upsert'), 400, 'InvalidInput');
  refusalOf(await importText('i9', '{}', '?dryrun=true'), 400, 'InvalidInput');
  refusalOf(await importText('i9', '{}', '?from=0'), 400, 'InvalidInput');
  refusalOf(await importText('i9', '{}', '', { 'content-type': 'application/json' }), 415, 'UnsupportedMediaType');
  refusalOf(await importText('i9', '{}', '', { 'content-encoding': 'br' }), 415, 'UnsupportedMediaType');
  const view = {
    method: 'POST',
    path: '/i9/resource/import',
    body: '{}',
    headers: { 'content-type': 'application/x-ndjson' },
  };
  refusalOf(await api.call({ ...view, scope: 'view_test:i9' }), 403, 'insufficient_scope');
  assert.deepEqual((await imported('i9', '')).summary, {
    complete: true,
    lines: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    refused: 0,
  });
});

test('who imports is the author, and resources of others meanwhile are not lost', async () => {
  await create('i10', { key: 'hot' });
  const drafts = Array.from({ length: 600 }, (_, n) => (n % 3 === 0 ? { key: 'hot', [`f${n}`]: n } : { key: `k${n}` }));
  const others = Array.from({ length: 40 }, (_, n) => send('PATCH', '/i10/resource', { key: 'hot', [`o${n}`]: n }));
  const { summary } = await imported('i10', ndjson(...drafts), '', { 'x-external-user-id': 'jane' });
  for (const other of others) assert.equal((await other).status, 201);
  assert.deepEqual([summary.created, summary.updated, summary.refused], [400, 200, 0]);
  const { json } = await get('/i10/resource/key=hot');
  assert.equal(json.version, 241);
  for (let n = 0; n < 600; n += 3) assert.equal(json[`f${n}`], n);
  for (let n = 0; n < 40; n += 1) assert.equal(json[`o${n}`], n);
  assert.equal((await get('/i10/resource/key=k1')).json.createdBy.externalUserId, 'jane');
});

test('what bulk work does in one round of the event loop is bounded for all imports together', async () => {
  let others = 0;
  for (let round = 1; round <= 3; round += 1) {
    setImmediate(() => {
      others += 1;
    });
    let over = turnOver();
    while (over === undefined) over = turnOver();
    assert.equal(turnOver(), over, 'another import waits for the same');
    await over;
    assert.equal(others, round, 'what waited was done meanwhile');
  }
});

test('what is wrong with a line is told of the line, and of a parameter with the words that it takes', async () => {
  const { lines } = await imported('i20', '{"key":\nno\n{"key":5}\n[]\n');
  assert.deepEqual(
    lines.map(({ error }) => (error as { message: string }).message),
    [
      'The line is not valid JSON: key (column 8): expected a JSON value.',
      'The line is not valid JSON: column 1: expected a JSON value.',
      'The line is not a valid draft: key: expected a string.',
      'The line is not a valid draft: expected an object, one in each line.',
    ],
  );
  const refusal = refusalOf(await importText('i20', '{}', '?mode=upsert'), 400, 'InvalidInput');
  assert.equal(refusal.message, 'Malformed parameter: mode: expected create or replace or merge or overwrite');
});
