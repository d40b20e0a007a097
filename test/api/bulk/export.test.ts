import assert from 'node:assert/strict';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createColumnFinder } from '../../../src/domain/bulk/csv/found-columns.ts';
import { openResources, refusalOf } from '../open-resources.ts';

const { api, create, update, get } = await openResources();
const address = await api.listen();

async function exported(project: string, query = '', headers: Readonly<Record<string, string>> = {}) {
  const response = await get(`/${project}/resource/export${query}`, headers);
  assert.equal(response.status, 200, response.text);
  return response;
}

async function importedAs(project: string, text: string, type: string, query = '') {
  const headers = { 'content-type': type };
  const path = `/${project}/resource/import${query}`;
  const { status, text: lines } = await api.call({ method: 'POST', path, headers, body: text });
  assert.equal(status, 200, lines);
  return JSON.parse(lines.trimEnd().split('\n').at(-1)!);
}

const drafts: readonly string[] = [
  '{"id":"a","key":"k a","name":{"en":"Shoe"},"size":9007199254740993,"price":1.10,"none":"","text":"12"}',
  '{"id":"b","key":"b","tags":["x","y"],"deep":{"a":{"b":[1,{"c":null}]}},"text":" =1,\\"2\\"\\r\\n","flag":false}',
  '{"id":"ü","objectTypeProperty":{"arrayOfIntExample":[-9223372036854775808]},"text":"null"}',
  '{"id":"🦜","key":"z","__proto__":{"x":1},"constructor":"c"}',
];
for (const draft of drafts) await create('x1', draft);
const staged = await update('x1', await create('x1', { id: 'staged', colour: 'red' }), {
  ...{ action: 'setField', path: 'colour', value: 'blue', staged: true },
});

/** What a client sent, without what the service adds. */
function ownOf(text: string): readonly string[] {
  const stamps =
    /"(?:version|createdAt|lastModifiedAt|createdBy|lastModifiedBy|hasStagedChanges)":(?:\{[^}]*\}|"[^"]*"|[^,}]*),?/g;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(stamps, '').replace(/,\}$/, '}'));
}

test('an export says where the log of changes was: the events from there on miss nothing', async () => {
  await create('log', { id: 'before' });
  const { headers } = await exported('log');
  await create('log', { id: 'after' });
  const { json } = await get(`/log/events?after=${headers['x-events-after']}`);
  assert.deepEqual(
    json.results.map(({ resource }: { resource: { id: string } }) => resource.id),
    ['after'],
  );
});

test('an export has every resource by id, as a read returns it, and an import makes the same of it', async () => {
  const { text, headers } = await exported('x1');
  assert.equal(headers['content-type'], 'application/x-ndjson');
  const lines = text.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).id),
    ['a', 'b', 'staged', 'ü', '🦜'],
  );
  for (const line of lines) {
    assert.equal((await get(`/x1/resource/${encodeURIComponent(JSON.parse(line).id)}`)).text, line);
  }
  const summary = await importedAs('x2', text, 'application/x-ndjson', '?mode=create');
  assert.deepEqual([summary.complete, summary.created], [true, 5]);
  assert.deepEqual(ownOf((await exported('x2')).text), ownOf(text));
  assert.equal((await importedAs('x2', text, 'application/x-ndjson', '?mode=overwrite&versions=check')).unchanged, 5);
});

test('with staged=true an export has the staged projections', async () => {
  const { text } = await exported('x1', '?staged=true&where=hasStagedChanges%20%3D%20true');
  assert.equal(text, `${(await get(`/x1/resource/${staged.id}?staged=true`)).text}\n`);
  await importedAs('x3', (await exported('x1', '?staged=true')).text, 'application/x-ndjson');
  assert.deepEqual(ownOf((await exported('x3')).text), ownOf((await exported('x1', '?staged=true')).text));
});

test('CSV has the columns of fields, and an import reads the same values from it', async () => {
  const fields = 'id,key,name.en,size,price,none,text,tags,deep,flag,objectTypeProperty,constructor,colour';
  const { text, headers } = await exported('x1', `?fields=${fields}`, { accept: 'text/csv' });
  assert.match(headers['content-type']!, /^text\/csv/);
  assert.equal(text.split('\r\n')[0], fields);
  assert.match(text, /\r\na,k a,Shoe,9007199254740993,1.1,"""""","""12""",,,,\{\},,\r\n/);
  const summary = await importedAs('x4', text, 'text/csv');
  assert.deepEqual([summary.complete, summary.created], [true, 5]);
  assert.equal((await exported('x4', `?format=csv&fields=${fields}`)).text, text);
  const named = await exported('x1', '?format=csv&where=id%3D%22a%22&fields=`id`,`a,b`.c');
  assert.equal(named.text, '`id`,"`a,b`.c"\r\na,\r\n');
});

test('without fields, CSV has all fields that occur, in an order that depends on their names alone', async () => {
  const all = [
    { id: '1', key: 'k1', name: { en: 'Shoe', de: 'Schuh' }, size: 42, objectTypeProperty: {} },
    { id: '2', name: { fr: 'Botte' }, 'a.b': { 'c:d': '12' }, tags: ['x'], empty: {}, gone: null },
    { id: '3', Key: 'own', 'it`s': 1, ' lead': 'l', 'l[0]': 2, '': { '': 0 }, very: { small: 1e-7, large: 1.5e300 } },
    { id: '4', mixed: { a: 1 }, deep: { a: { b: { c: true } } }, article: '107E2' },
    { id: '5', mixed: 'text', deep: { a: { b: {} } }, objectTypeProperty: { arrayOfIntExample: [1] } },
  ];
  for (const draft of all) await create('all', draft);
  const { text } = await exported('all', '?format=csv');
  const own =
    '``.``,` lead`,`Key`,`a.b`.`c:d`,article,deep.a.b,empty,`it``s`,`l[0]`,mixed,name.de,name.en,name.fr,objectTypeProperty.arrayOfIntExample,size,tags,very.large,very.small';
  const header = text.split('\r\n')[0]!;
  const system = 'createdAt,lastModifiedAt,createdBy.clientId,lastModifiedBy.clientId';
  assert.equal(header, `id,key,version,${own},${system}`);
  assert.equal((await exported('all', '?format=csv&fields=*')).text, text);
  const summary = await importedAs('again', text, 'text/csv');
  assert.deepEqual([summary.complete, summary.created], [true, 5]);
  const valuesOf = async (project: string) => ownOf((await exported(project)).text).map((line) => JSON.parse(line));
  assert.deepEqual(await valuesOf('again'), await valuesOf('all'));
  const some = await exported('all', '?format=csv&where=id%3D%221%22');
  assert.equal(some.text.split('\r\n')[0], `id,key,version,name.de,name.en,size,${system}`);
  assert.match((await exported('nothing', '?format=csv')).text, /^id,key,version\r\n$/);
  assert.equal((await api.call({ method: 'HEAD', path: '/all/resource/export?format=csv' })).status, 200);
});

test('CSV for Excel: a byte order mark and semicolons on request, which an import understands', async () => {
  const { text } = await exported('x1', '?format=csv&fields=id,text&bom=true&delimiter=semicolon&where=id%3D%22b%22');
  assert.equal(text, '\ufeffid;text\r\nb;" =1,""2""\r\n"\r\n');
  const summary = await importedAs('excel', text, 'text/csv');
  assert.deepEqual([summary.created, summary.delimiter], [1, 'semicolon']);
  for (const delimiter of ['comma', 'semicolon', 'tab', 'pipe']) {
    await create('x7', { id: 'one', key: 'k', 'a;b,c|d\te': 'x;y,z|\t"', n: 1 });
    const csv = (await exported('x7', `?format=csv&delimiter=${delimiter}`)).text;
    const given = delimiter === 'pipe' ? '?delimiter=pipe' : '';
    assert.equal((await importedAs('x7', csv, 'text/csv', given)).unchanged, 1, csv);
  }
  for (const query of ['?bom=true', '?delimiter=tab', '?fields=id']) {
    assert.match(refusalOf(await get(`/x1/resource/export${query}`), 400, 'InvalidInput').message, /only CSV has it/);
  }
});

test('columns cover a document if each value of it has a place in them', () => {
  const finder = createColumnFinder();
  finder.add({ id: 'a', name: { en: 'x', fr: { a: 1 } }, list: [] });
  const covered = [{}, { gone: null }, { list: { a: 1 } }, { name: { en: { b: 1 }, fr: { a: [] } } }];
  for (const document of covered) assert.equal(finder.covers(document), true, JSON.stringify(document));
  const others = [{ more: 1 }, { name: 'x' }, { name: { de: 'x' } }, { name: {} }, { name: { fr: 1 } }, { more: {} }];
  for (const document of others) assert.equal(finder.covers(document), false, JSON.stringify(document));
});

test('objects with very many fields are one column, and more fields than columns are refused', async () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]));
  await create('wide', { id: 'a', name: { en: 'x' }, translations: many(1500) });
  await create('wide', { id: 'b', translations: 'none' });
  const { text } = await exported('wide', '?format=csv');
  assert.match(text, /^id,key,version,name\.en,translations,createdAt/);
  assert.equal((await importedAs('wide', text, 'text/csv')).unchanged, 2);
  await create('wider', { id: 'a', ...many(1001) });
  const { message } = refusalOf(await get('/wider/resource/export?format=csv'), 400, 'InvalidInput');
  assert.match(message, /more than 1000 fields; name the columns/);
});

test('with summary=true the last line has the number of resources, and no import takes it for one of them', async () => {
  const { text } = await exported('x1', '?summary=true');
  assert.equal(text, `${(await exported('x1')).text}["complete",5]\n`);
  const csv = (await exported('x1', '?summary=true&format=csv&fields=id&where=id%3D%22a%22')).text;
  assert.equal(csv, 'id\r\na\r\n["complete",1]\n');
  assert.equal((await exported('none', '?summary=true')).text, '["complete",0]\n');
  assert.equal((await importedAs('x6', text, 'application/x-ndjson')).refused, 1);
  assert.equal((await importedAs('x6', csv, 'text/csv')).complete, false);
});

test('where takes any predicate, with variables, and after goes on behind an id', async () => {
  const ids = ({ text }: { text: string }) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).id);
  assert.deepEqual(ids(await exported('x1', '?where=tags%20contains%20any(%22x%22)')), ['b']);
  assert.deepEqual(ids(await exported('x1', '?where=key%20in%20%3Akeys&var.keys=z&var.keys=b')), ['b', '🦜']);
  assert.deepEqual(ids(await exported('x1', '?after=staged')), ['ü', '🦜']);
  assert.deepEqual(ids(await exported('x9')), []);
});

test('an export by HEAD, or by HTTP/1.0, which know no trailers, is without one', async () => {
  const authorization = `Authorization: Bearer ${await api.token('view_test:x1')}`;
  const send = async (method: string, version: string) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.write(
      `${method} /x1/resource/export HTTP/${version}\r\nHost: h\r\nConnection: close\r\n${authorization}\r\n\r\n`,
    );
    const [top = '', ...rest] = (await text(socket)).split('\r\n\r\n');
    return { top, body: rest.join('') };
  };
  const byHead = await send('HEAD', '1.1');
  assert.match(byHead.top, /^HTTP\/1\.1 200 /);
  assert.match(byHead.top, /\r\ncontent-type: application\/x-ndjson/i);
  assert.equal(byHead.body, '');
  const old = await send('GET', '1.0');
  assert.match(old.top, /^HTTP\/1\.1 200 /);
  assert.equal(old.body, (await exported('x1')).text);
});

test('an export that is none is refused before it begins', async () => {
  const cases = [
    '?where=size%20%3D',
    '?format=xml',
    '?fields=id',
    '?format=csv&fields=id,id',
    '?limit=5',
    '?format=csv&fields=',
  ];
  for (const query of cases) refusalOf(await get(`/x1/resource/export${query}`), 400, 'InvalidInput');
  refusalOf(await get('/x1/resource/export', { accept: 'application/json' }), 406, 'NotAcceptable');
  const other = { path: '/x1/resource/export', scope: 'view_test:x2' };
  refusalOf(await api.call(other), 403, 'insufficient_scope');
  assert.equal((await api.call({ path: '/x1/resource/export', scope: 'view_test:x1' })).status, 200);
});

test('the trailer has the number of resources, and a reader that is slow gets all of them', async () => {
  const text = 'x'.repeat(20_000);
  const operations = Array.from({ length: 250 }, (_, n) => ({
    operation: 'create',
    draft: { id: `${1000 + n}`, text },
  }));
  for (const start of [0, 125]) {
    const body = { operations: operations.slice(start, start + 125) };
    const { status } = await api.call({ method: 'POST', path: '/x5/resource/batch?resources=false', body });
    assert.equal(status, 200);
  }
  const headers = { authorization: `Bearer ${await api.token('view_test:x5')}` };
  const response = await new Promise<IncomingMessage>((resolve) => {
    httpGet(`${address}/x5/resource/export`, { headers }, resolve);
  });
  assert.equal(response.headers.trailer, 'x-export-count');
  let length = 0;
  for await (const chunk of response) {
    length += (chunk as Buffer).length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(length > 250 * 20_000);
  assert.equal(response.trailers['x-export-count'], '250');
});
