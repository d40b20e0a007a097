import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { bundleConsole } from '#console';
import { type ActionField, actionForms } from '../../packages/console/src/actions/schema.ts';
import { typedValue } from '../../packages/console/src/actions/typed-value.ts';
import { curlOf, errorOf } from '../../packages/console/src/api/client.ts';
import { type JsonMap, parseJson, writeJson } from '../../packages/console/src/api/json.ts';
import { notIds, typescriptOf } from '../../packages/console/src/api/typescript.ts';
import { positionAt } from '../../packages/console/src/filter/position.ts';
import { suggestionsAt, valuesInRows } from '../../packages/console/src/filter/suggestions.ts';
import { guessCharset, WrongCharset } from '../../packages/console/src/import/charset.ts';
import {
  columnsOf,
  createRecordReader,
  createRecordWriter,
  problemOf,
  separatorOf,
} from '../../packages/console/src/import/csv.ts';
import { linePortions, recordPortions } from '../../packages/console/src/import/portions.ts';
import { instantText } from '../../packages/console/src/model/instants.ts';
import { isReference, shapeOf } from '../../packages/console/src/resource/shapes.ts';

/** The kind that is expected at `|`, the path that it is about, and the word before it. */
function at(text: string): string {
  const caret = text.indexOf('|');
  const { expected, word } = positionAt(text.replace('|', ''), caret);
  const about = 'path' in expected ? expected.path : 'prefix' in expected ? expected.prefix : [];
  return [expected.kind, about.join('.'), word].join(' ');
}

test('completion knows what a predicate goes on with, wherever the caret is', () => {
  const expected: Readonly<Record<string, string>> = {
    '|': 'path  ',
    'col|': 'path  col',
    'name.e|': 'path  name.e',
    'not |': 'path  ',
    'color |': 'operator color ',
    'color no|': 'operator color no',
    'color = |': 'value color ',
    'color = "re|': 'value color "re',
    'color = "say \\"hi|': 'value color "say \\"hi',
    'price.centAmount >= 1|': 'value price.centAmount 1',
    'color = "red" |': 'connective  ',
    'color = "red" and |': 'path  ',
    '(color = "red" or siz|': 'path  siz',
    'price(cent|': 'path price cent',
    'price(centAmount > |': 'value price.centAmount ',
    'price(centAmount > 1) |': 'connective  ',
    'color in (|': 'value color ',
    'color in ("red", |': 'value color ',
    'color in ("red") and |': 'path  ',
    'tags contains any (|': 'value tags ',
    'color is not |': 'nothing  ',
    'color is defined |': 'connective  ',
    '`a b`.c = |': 'value a b.c ',
    '`a b|': 'path  `a b',
    'color matches ignore case |': 'value color ',
    'a = 1 an| d b = 2': 'connective  an',
  };
  for (const [text, wanted] of Object.entries(expected)) assert.equal(at(text), wanted, text);
});

test('completion offers paths, operators and values, with backticks and quotes where they are needed', () => {
  const rows = [
    { key: 'a', 'odd name': 1, price: { centAmount: 9007199254740992 }, tags: ['x', 'y'] },
    { key: 'b', 'odd name': 2, price: { centAmount: 5 }, tags: ['x'] },
  ] as unknown as JsonMap[];
  const inserts = (text: string) =>
    suggestionsAt(text, text.length, rows, valuesInRows(rows, ['tags'])).map(({ insert }) => insert);
  assert.ok(inserts('').includes('`odd name` '));
  assert.deepEqual(inserts('price(').slice(0, 1), ['centAmount ']);
  assert.deepEqual(inserts('odd'), ['`odd name` ']);
  assert.deepEqual(inserts('tags contains an'), [], 'a word of an operator is the operator’s own');
  assert.deepEqual(inserts('tags cont'), ['contains any (', 'contains all (']);
  assert.deepEqual(inserts('tags contains any ('), ['"x"', '"y"']);
  assert.deepEqual(inserts('tags contains any ("y'), ['"y"']);
  assert.deepEqual(inserts('(a = 1 '), ['and ', 'or ', ')']);
});

test('records of a file are cut at the ends of lines outside of quotes, in pieces of any size', () => {
  const text = '\uFEFFkey;"na""me"\r\na;"x;1\n2"\r\n\r\nb;y';
  for (const size of [1, 3, 100]) {
    const reader = createRecordReader(';');
    const records = [];
    for (let start = 0; start < text.length; start += size)
      records.push(...reader.read(text.slice(start, start + size), false));
    records.push(...reader.read('', true));
    assert.deepEqual(
      records.map(({ cells }) => cells),
      [['key', '"na""me"'], ['a', '"x;1\n2"'], [''], ['b', 'y']],
      `pieces of ${size}`,
    );
  }
  assert.equal(separatorOf(text.slice(1)), ';');
  assert.equal(separatorOf('a,"b;c;d"\n'), ',');
  assert.equal(separatorOf('\ufeffsep=|\r\na,b,c|d\n'), '|');
  for (const size of [1, 3, 50]) {
    const reader = createRecordReader('|');
    const sheet = '\ufeffsep=|\r\nkey|name\r\na|b\r\n';
    const pieces = Array.from({ length: Math.ceil(sheet.length / size) }, (_, n) =>
      sheet.slice(n * size, (n + 1) * size),
    );
    const records = [...pieces, ''].flatMap((piece, at) => reader.read(piece, at === pieces.length));
    assert.deepEqual(
      records.map(({ cells }) => cells),
      [
        ['key', 'name'],
        ['a', 'b'],
      ],
      `pieces of ${size}`,
    );
  }
});

test('columns are renamed, typed and left out, and records keep the separator of the file', async () => {
  const file = new Blob(['key;size:number;note;who\n1;2,5;x;a, b\n2;3;y;"c ""d"""\nshort\n']);
  const [header] = createRecordReader(';').read('key;size:number;note;who\n', false);
  const columns = columnsOf(header!).map((column) => ({ ...column, path: column.name === 'note' ? '' : column.path }));
  assert.deepEqual(columns[1], { name: 'size:number', path: 'size', type: 'number' });
  const [sheet] = createRecordReader(',').read(
    'Key,ID,Meta: colour,Art.-Nr.,a[0],it`s,`own`.x:list,Weight (kg)\n',
    false,
  );
  const expected = ['key', 'id', '`Meta: colour`', '`Art.-Nr.`', '`a[0]`', '`it``s`', '`own`.x', 'Weight (kg)'];
  assert.deepEqual(
    columnsOf(sheet!).map(({ path }) => path),
    expected,
  );
  const portions = await Array.fromAsync(recordPortions(file, columns, ';'));
  assert.equal(await portions[0]!.body.text(), 'key;size:number;who\n1;2,5;a, b\n2;3;"c ""d"""\nshort\n');
  assert.equal(portions[0]!.lineOf(4), 4);
  assert.equal(portions[0]!.textOf(4), 'short');
  assert.equal(createRecordWriter(columns, ';').header, 'key;size:number;who');
  const named = (...paths: readonly string[]) => paths.map((path) => ({ name: path, path, type: 'auto' }) as const);
  assert.equal(problemOf(named('a', 'b.c')), undefined);
  assert.equal(problemOf(named('a', 'a')), 'Two columns go to a.');
  assert.equal(problemOf(named('a', 'a.b')), 'a.b is part of a, which is also a column.');
  assert.equal(problemOf(named('')), 'Choose at least one column.');
});

test('a long file is sent in portions that count their lines on', async () => {
  const lines = Array.from({ length: 9000 }, (_, index) => `{"key":"k${index}","text":"${'é'.repeat(60)}"}`);
  const portions = await Array.fromAsync(linePortions(new Blob([lines.join('\n')])));
  assert.ok(portions.length > 1);
  const texts = await Promise.all(portions.map(({ body }) => body.text()));
  assert.equal(texts.join(''), `${lines.join('\n')}\n`);
  const second = texts[0]!.split('\n').length - 1;
  assert.equal(portions[1]!.lineOf(1), second + 1);
  assert.equal(portions[1]!.textOf(1), lines[second]);
});

test('update actions of the documentation become forms, and what is typed is checked', () => {
  const forms = actionForms(
    parseJson(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as JsonMap,
  );
  const setField = forms.find(({ name }) => name === 'setField');
  assert.deepEqual(
    setField?.fields.map(({ name, kind, isRequired }) => [name, kind, isRequired]),
    [
      ['path', 'text', true],
      ['value', 'json', false],
      ['staged', 'boolean', false],
    ],
  );
  const field = (own: Partial<ActionField>): ActionField => ({
    ...{ name: 'x', kind: 'number', isRequired: true, description: '', example: '', choices: [] },
    ...own,
  });
  assert.equal(
    writeJson(typedValue(field({}), '9007199254740993') as unknown as JsonMap),
    '{"value":9007199254740993}',
  );
  assert.ok('problem' in typedValue(field({}), 'abc'));
  assert.ok('problem' in typedValue(field({ kind: 'integer' }), '1.5'));
  assert.ok('problem' in typedValue(field({ maximum: 5 }), '6'));
  assert.ok('problem' in typedValue(field({ kind: 'json', jsonType: 'array' }), '{}'));
  assert.deepEqual(typedValue(field({ isRequired: false }), ''), {});
});

test('a call is copied as a program for the client package', () => {
  const where = new URLSearchParams({ where: 'a = \'x\' and b = "y"', withTotal: 'true', limit: '5' });
  const list = typescriptOf({ path: '/shop/resource/sorted-query-parameters', query: where }, 'http://h');
  assert.match(list, /resources\.list\(\{ where: 'a = \\'x\\' and b = "y"', withTotal: true, limit: 5 \}\);/);
  const json = parseJson('{"version":2,"actions":[{"action":"setField","path":"n","value":9007199254740993}]}');
  const update = typescriptOf({ method: 'POST', path: '/shop/resource/a%20b', json }, 'http://h');
  assert.match(
    update,
    /resources\.update\(\{ id: 'a b' \}, \[\{ action: 'setField', path: 'n', value: 9007199254740993n \}\], \{ version: 2 \}\);/,
  );
  const other = typescriptOf({ method: 'POST', path: '/shop/resource/x/restore', json: {} }, 'http://h');
  assert.match(other, /client\.request\(\{ method: 'POST', path: '\/resource\/x\/restore', body: \{\} \}\);/);
  const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
  const segments = Object.keys(paths).flatMap(
    (path) => /^\/\{projectKey\}\/resource\/([\w-]+)(?:\/|$)/.exec(path)?.[1] ?? [],
  );
  assert.deepEqual([...new Set(segments)].sort(), [...notIds].sort());
  const headers = { 'if-match': '"a\'b"', 'content-type': 'application/json' };
  const conditional = { method: 'POST', path: '/shop/resource/namespace-action', json: {}, headers } as const;
  assert.match(typescriptOf(conditional, 'http://h'), /headers: \{ 'if-match': '"a\\'b"' \}, body: \{\} \}\);/);
  assert.match(curlOf(conditional, 'http://h'), / -H 'if-match: "a'\\''b"' -H 'content-type: application\/json' -d /);
});

test('an instant that is picked keeps the zone that the text had', () => {
  const local = (text: string) => {
    const date = new Date(text);
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  };
  assert.equal(instantText(local('2026-03-01T10:30:00Z'), '2026-01-01T00:00:00Z'), '2026-03-01T10:30:00Z');
  assert.equal(instantText(local('2026-03-01T10:30:00Z'), '2026-01-01T00:00:00+05:30'), '2026-03-01T16:00:00+05:30');
  assert.equal(instantText('', '2026-01-01T00:00:00Z'), undefined);
});

test('an error has the messages of the first five of its errors', () => {
  const errors = Array.from({ length: 7 }, (_, at) => ({ code: 'InvalidField', message: `m${at}`, field: `f${at}` }));
  const { message, code, details, errors: all } = errorOf(400, { message: 'm0', errors });
  assert.equal(message, 'm0\nm1\nm2\nm3\nm4\n… and 2 more');
  assert.deepEqual([code, details.field, all.length], ['InvalidField', 'f0', 7]);
  assert.equal(errorOf(502, undefined).message, 'The service responded with status 502.');
  assert.equal(errorOf(400, { message: 'Only this.', errors: [{ code: 'x' }] }).message, 'Only this.');
});

test('references, dates and huge texts are known by their shape', () => {
  assert.equal(isReference({ typeId: 'resource', key: 'a' }), true);
  assert.equal(isReference({ typeId: 'resource', id: 'a', obj: { name: 'x' } }), true);
  assert.equal(isReference({ typeId: 'resource' }), false);
  assert.equal(isReference({ typeId: 'resource', key: 'a', more: 1 }), false);
  assert.equal(shapeOf('2026-02-28', 1), 'date');
  assert.equal(shapeOf('2026-02-31', 1), 'text');
  assert.equal(shapeOf('x'.repeat(1_000_000), 1), 'hugeText');
});

test('the first view of the console takes at most 150 KB, compressed', async () => {
  const files = await bundleConsole();
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    const text = new TextDecoder().decode(files.get(name));
    // Only what is imported by a statement is loaded at once; what `import()` loads comes when it is needed.
    for (const [, other] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) load(other!);
  };
  load([...files.keys()].find((name) => /^main-.*\.js$/.test(name))!);
  load([...files.keys()].find((name) => /^console-.*\.css$/.test(name))!);
  const bytes = [...loaded].reduce((sum, name) => sum + brotliCompressSync(files.get(name)!).length, 0);
  assert.ok(bytes > 10_000 && bytes <= 150_000, `${bytes} bytes`);
  process.stdout.write(`first view: ${bytes} bytes\n`);
});

test('a file is read in its charset; a line with other bytes ends the import, and is named', async () => {
  const latin = Buffer.from('key,name\nGröße,a\n\nGrüße,b\n', 'latin1');
  const columns = columnsOf(createRecordReader(',').read('key,name\n', true)[0]!);
  const read = async (bytes: Uint8Array<ArrayBuffer>, charset: ReturnType<typeof guessCharset>) => {
    const [portion] = await Array.fromAsync(recordPortions(new Blob([bytes]), columns, ',', charset));
    return portion!;
  };
  assert.equal(guessCharset(latin), 'windows-1252');
  const portion = await read(new Uint8Array(latin), 'windows-1252');
  assert.equal(await portion.body.text(), 'key,name\nGröße,a\nGrüße,b\n');
  assert.deepEqual([portion.resultsFrom(1), portion.resultsFrom(3)], [2, 1]);
  const wrong = (error: unknown) => error instanceof WrongCharset && error.line === 2;
  await assert.rejects(read(new Uint8Array(latin), 'utf-8'), wrong);
  const little = Buffer.from('\ufeffkey,name\nGröße,ਊ\n', 'utf16le');
  assert.equal(guessCharset(little), 'utf-16le');
  assert.equal(await (await read(new Uint8Array(little), 'utf-16le')).body.text(), 'key,name\nGröße,ਊ\n');
  assert.equal(guessCharset(Buffer.from('Größe 🦜').subarray(0, -1)), 'utf-8');
  const lines = new Blob([new Uint8Array(Buffer.from('{"key":"a"}\n\n{"key":"Größe"}\n', 'latin1'))]);
  await assert.rejects(
    Array.fromAsync(linePortions(lines)),
    (error) => error instanceof WrongCharset && error.line === 3,
  );
});
