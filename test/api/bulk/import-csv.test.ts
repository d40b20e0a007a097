import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { asUtf8, type Charset } from '../../../src/domain/bulk/charset.ts';
import { openResources, refusalOf } from '../open-resources.ts';

const { api, get } = await openResources({ MAX_BODY_BYTES: '20000' });

async function importCsv(project: string, body: string, query = '') {
  const headers = { 'content-type': 'text/csv; charset=utf-8' };
  return api.call({ method: 'POST', path: `/${project}/resource/import${query}`, headers, body });
}

async function imported(project: string, body: string, query = '') {
  const response = await importCsv(project, body, query);
  assert.equal(response.status, 200, response.text);
  const lines = response.text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
  const summary = lines.pop();
  return { lines, summary };
}

async function fieldsOf(project: string, key: string) {
  const { id, version, createdAt, lastModifiedAt, createdBy, lastModifiedBy, objectTypeProperty, ...own } = (
    await get(`/${project}/resource/key=${encodeURIComponent(key)}`)
  ).json;
  return own;
}

test('the header maps cells to fields: dotted paths, JSON values, and texts that look like nothing else', async () => {
  const body = [
    '\ufeffkey,name.en,name.de,price.centAmount,available,tags,note,weight',
    '00123,Shoe,"Schuh, blau",1290,true,"[""a"",""b""]",null,1.50',
    '"k""2",,,-1,false,[],"""12""",1e2',
    '12,"two\nlines",,007,TRUE,[red] shoe,"""""",',
  ].join('\r\n');
  const { lines, summary } = await imported('c1', body);
  assert.deepEqual([summary.complete, summary.created, summary.refused], [true, 3, 0]);
  assert.deepEqual(
    lines.map(({ line, key }) => [line, key]),
    [
      [2, '00123'],
      [3, 'k"2'],
      [4, '12'],
    ],
  );
  assert.deepEqual(await fieldsOf('c1', '00123'), {
    ...{ key: '00123', name: { en: 'Shoe', de: 'Schuh, blau' }, price: { centAmount: 1290 }, available: true },
    ...{ tags: ['a', 'b'], weight: 1.5 },
  });
  assert.deepEqual(await fieldsOf('c1', 'k"2'), {
    ...{ key: 'k"2', price: { centAmount: -1 }, available: false, tags: [], note: '12', weight: '1e2' },
  });
  assert.deepEqual(await fieldsOf('c1', '12'), {
    ...{ key: '12', name: { en: 'two\nlines' }, price: { centAmount: '007' }, available: 'TRUE', tags: '[red] shoe' },
    ...{ note: '' },
  });
});

test('a type behind the name of a column says how its cells are read', async () => {
  const body = [
    'key,sku:string,size:number,sale:boolean,tags:list,data:json,`a.b`.`c:d`:string,objectTypeProperty.arrayOfIntExample',
    'a,12,12,true,red|blue,"{""x"":[1]}",1,[9007199254740993]',
    'b,,,,,,,',
    'c,,twelve,,,,,',
    'd,,,yes,,,,',
    'e,,,,,no json,,',
    'f,,,,,,,"[""x""]"',
    'g,1,2',
  ].join('\n');
  const { lines } = await imported('c2', body);
  assert.deepEqual(
    lines.map(({ status }) => status),
    ['created', 'created', ...Array(5).fill('refused')],
  );
  const details = lines.slice(2).map(({ error }) => error.errors[0].detailedErrorMessage);
  assert.deepEqual(details, [
    'size:number: expected a number such as 12.5',
    'sale:boolean: expected true or false',
    'data:json: expected JSON',
    'objectTypeProperty.arrayOfIntExample[0]: expected an integer',
    'expected 8 cells, as in the header, not 3',
  ]);
  const { text } = await get('/c2/resource/key=a');
  assert.match(
    text,
    /"sku":"12","size":12,"sale":true,"tags":\["red","blue"\],"data":\{"x":\[1\]\},"a\.b":\{"c:d":"1"\}/,
  );
  assert.match(text, /\[9007199254740993\]/);
  assert.deepEqual(await fieldsOf('c2', 'b'), { key: 'b' });
});

test('JSON that no document may hold is refused with the reason, whether its column has a type, and not kept as a text', async () => {
  const nested = `${'['.repeat(65)}${']'.repeat(65)}`;
  const cases: readonly (readonly [cell: string, reason: RegExp])[] = [
    ['"\\u0000"', /string without NUL/],
    ['["a\\ud800"]', /half surrogate pairs/],
    ['{"a":1,"a":2}', /duplicate key/],
    [nested, /at most 64 levels/],
  ];
  for (const column of ['a', 'a:json', 'a.b']) {
    const cells = cases.map(([cell]) => `"${cell.replaceAll('"', '""')}"`);
    const { lines, summary } = await imported('c3', [column, ...cells].join('\n'));
    assert.deepEqual([summary.created, summary.refused], [0, cases.length], column);
    for (const [at, [, reason]] of cases.entries()) {
      const { detailedErrorMessage } = lines[at].error.errors[0];
      assert.match(detailedErrorMessage, reason);
      assert.ok(detailedErrorMessage.startsWith(`${column}: `), detailedErrorMessage);
    }
  }
});

test('a header that is ambiguous is refused before anything is read, with the reason', async () => {
  const cases = {
    'key,key': /are the same field/,
    'name.en,name.`en`': /are the same field/,
    'key,': /column 2 has no name/,
    'key,  ': /column 2 has no name/,
    'key,a..b': /a dotted path/,
    'key,.a': /a dotted path/,
    'key,a`b': /a dotted path/,
    'key,a:text': /the type is one of auto, string/,
    'key,dc:title': /a name with a colon is written in backticks/,
    'name,name.en': /is a part of the column/,
    'a.b.c,a': /is a part of the column/,
    [`a${'.a'.repeat(32)}`]: /at most 32 names/,
    [Array.from({ length: 1001 }, (_, n) => `c${n}`).join(',')]: /at most 1000 columns/,
    '': /empty; expected a header row/,
    'key;name,de': /has commas and semicolons; name the delimiter, delimiter=comma or delimiter=semicolon/,
    'key|name': /has pipes; name the delimiter, delimiter=pipe/,
    'sep=#\nkey#name': /sep=#: expected one of comma, semicolon, tab, pipe/,
    'Key,name': /column 1, “Key”: did you mean the system field key\? If not, .* in backticks, `Key`/,
    'name,ID': /column 2, “ID”: did you mean the system field id\?/,
    'Version,key': /did you mean the system field version\?/,
    'key,createdby.clientId': /did you mean the system field createdBy\?/,
    'key,Meta: color': /write a name with dots, colons or backticks in backticks, “`Meta: color`”/,
    'key,Art.-Nr.': /in backticks, “`Art.-Nr.`”/,
    'key,it`s': /in backticks, “`it``s`”/,
    'key,tags[0]': /“tags\[0\]”: a column has no index, as an array is one cell/,
    '"key': /not valid CSV/,
    'k"ey,a': /not valid CSV/,
  };
  for (const [header, message] of Object.entries(cases)) {
    const error = refusalOf(
      await importCsv('c3', `${header}\na,b\n`.slice(header === '' ? 5 : 0)),
      400,
      'InvalidInput',
    );
    assert.match(error.message, message, header);
  }
});

test('malformed CSV ends the import there, as what follows may mean anything', async () => {
  const rows = Array.from({ length: 500 }, (_, n) => `k${n},${n}`);
  for (const [name, broken] of Object.entries({
    quote: 'x,"open',
    middle: 'x,a"b',
    after: 'x,"a"b',
    long: `x,"${'y'.repeat(90_000)}"`,
  })) {
    const body = ['key,value', ...rows, broken, ...rows.map((row) => `more-${row}`)].join('\n');
    const { lines, summary } = await imported(`c4${name}`, body);
    assert.equal(summary.complete, false);
    assert.equal(summary.error.errors[0].code, 'InvalidInput');
    assert.match(summary.error.message, /not valid CSV/);
    assert.equal(lines.length, summary.resumeAt - 2, 'every record before it has its result');
    assert.equal((await get(`/c4${name}/resource/key=more-k0`)).status, 404);
  }
});

test('the delimiter is that of the request, of a line sep=, or of the header, and the summary says which', async () => {
  const rows = (delimiter: string) => `key${delimiter}size\r\na${delimiter}1\r\nb${delimiter}"2"\r\n`;
  const cases: readonly (readonly [body: string, query: string, delimiter: string])[] = [
    [rows(','), '', 'comma'],
    [rows(';'), '', 'semicolon'],
    [rows('\t'), '', 'tab'],
    [`\ufeff${rows(';')}`, '', 'semicolon'],
    [rows(';').replace('key', '"key"').replace('size', '"size"'), '', 'semicolon'],
    [rows('|'), '?delimiter=pipe', 'pipe'],
    [rows('|'), '?delimiter=%7C', 'pipe'],
    [rows(';'), '?delimiter=;', 'semicolon'],
    [rows('\t'), '?delimiter=%09', 'tab'],
    [rows('\t'), '?delimiter=tab', 'tab'],
    [`sep=;\r\n${rows(';')}`, '', 'semicolon'],
    [`\ufeffSEP=|\n${rows('|')}`, '', 'pipe'],
    [`"sep=\t"\r\n${rows('\t')}`, '', 'tab'],
    [`sep=,\n${rows(',')}`, '?delimiter=comma', 'comma'],
    [rows(';').replaceAll('\r\n', '\r'), '', 'semicolon'],
    ['key\na\nb\n', '', 'comma'],
    // Other delimiters in quotes and backticks are a part of the name.
    [rows(';').replace('size', '"size, cm"'), '', 'semicolon'],
    [rows(',').replace('size', '`size;cm`'), '', 'comma'],
  ];
  for (const [at, [body, query, delimiter]] of cases.entries()) {
    const { summary, lines } = await imported(`delimiter${at}`, body, query);
    assert.deepEqual([summary.created, summary.delimiter], [2, delimiter], body);
    assert.deepEqual(
      lines.map(({ line, key }) => [line, key]),
      [
        [2, 'a'],
        [3, 'b'],
      ],
      body,
    );
    if (!/size.cm|^key\n/.test(body.replace(', ', ','))) continue;
    assert.equal((await fieldsOf(`delimiter${at}`, 'a')).key, 'a');
  }
  assert.deepEqual(await fieldsOf('delimiter1', 'a'), { key: 'a', size: 1 });
  const refusals: readonly (readonly [body: string, query: string, message: RegExp])[] = [
    [`sep=;\n${rows(';')}`, '?delimiter=comma', /the line sep=; names another delimiter than the request: comma/],
    [rows(','), '?delimiter=%23', /delimiter/],
  ];
  for (const [body, query, message] of refusals) {
    assert.match(refusalOf(await importCsv('delimiter', body, query), 400, 'InvalidInput').message, message);
  }
  const headers = { 'content-type': 'application/x-ndjson' };
  const path = '/delimiter/resource/import?delimiter=tab';
  const { message } = refusalOf(await api.call({ method: 'POST', path, headers, body: '{}' }), 400, 'InvalidInput');
  assert.match(message, /only CSV has one/);
});

test('cells as spreadsheets write them: capital booleans, bare points, article numbers, empty rows, own names in backticks', async () => {
  const body = [
    'key;sale:boolean;size:number;sku;`Key`;`Meta: x`;`a.``b`',
    'a;TRUE;.5;107E2;1;2;3',
    'b;False;5.;1E5;;;',
    'c;true;+5;0123;;;',
    'd;;-.25;+491701;;;',
    'e;;12e3;1e-7;;;',
    'f;WAHR;;;;;',
    'g;;1,5;;;;',
    'h;;007;;;;',
    ';;;;;;',
  ].join('\r\n');
  const { lines, summary } = await imported('sheet', body);
  assert.deepEqual([summary.created, summary.refused], [5, 4]);
  const values = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => fieldsOf('sheet', key)));
  assert.deepEqual(values, [
    { key: 'a', sale: true, size: 0.5, sku: '107E2', Key: 1, 'Meta: x': 2, 'a.`b': 3 },
    { key: 'b', sale: false, size: 5, sku: '1E5' },
    { key: 'c', sale: true, size: 5, sku: '0123' },
    { key: 'd', size: -0.25, sku: '+491701' },
    { key: 'e', size: 12000, sku: '1e-7' },
  ]);
  const details = lines.slice(5).map(({ error }) => error.errors[0].detailedErrorMessage);
  assert.deepEqual(details, [
    'sale:boolean: expected true or false',
    'size:number: expected a number such as 12.5, with a point before the decimals',
    'size:number: expected a number such as 12.5',
    'expected a record with a value; all of its cells are empty',
  ]);
});

test('columns whose cells have several types are listed with the first line of each, also by a dry run', async () => {
  const body = 'key,price,sku,tags,size:number\na,12,1,x,1\nb,on request,2,null,2\nc,13,,"[""x""]",3\nd,true,3,,4\n';
  for (const query of ['?dryRun=true', '?results=refused']) {
    const { summary } = await imported('mixed', body, query);
    assert.deepEqual(summary.mixedColumns, [
      { column: 'price', firstLines: { number: 2, string: 3, boolean: 5 } },
      { column: 'tags', firstLines: { string: 2, array: 4 } },
    ]);
  }
  assert.equal(
    (await imported('mixed', 'key,price\na,1\nb,null\nc,9007199254740993\n')).summary.mixedColumns,
    undefined,
  );
});

test('a line that names the resource of an earlier one says which, whether by key or by id', async () => {
  const body = 'key,size\na,1\nb,1\na,2\nb,1\na,3\n';
  for (const query of ['?dryRun=true', '', '?results=refused']) {
    const { lines, summary } = await imported('twice', body, query);
    assert.equal(summary.repeated, 3, query);
    if (query === '?results=refused') continue;
    assert.deepEqual(
      lines.map(({ line, repeats }) => [line, repeats]),
      [
        [2, undefined],
        [3, undefined],
        [4, 2],
        [5, 3],
        [6, 4],
      ],
    );
  }
  const { id } = (await get('/twice/resource/key=a')).json;
  const { lines } = await imported('twice', `id,key,size\n${id},,4\n,a,5\n,c,1\n`);
  assert.deepEqual(
    lines.map(({ repeats }) => repeats),
    [undefined, 2, undefined],
  );
});

test('from passes over records, and still reads the header', async () => {
  const { lines } = await imported('c5', 'key\na\nb\nc\n', '?from=3');
  assert.deepEqual(
    lines.map(({ line, key }) => [line, key]),
    [
      [3, 'b'],
      [4, 'c'],
    ],
  );
});

async function importBytes(project: string, body: Buffer, type: string, query = '') {
  const path = `/${project}/resource/import${query}`;
  const response = await api.call({ method: 'POST', path, headers: { 'content-type': type }, body });
  const lines =
    response.status === 200
      ? response.text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { response, lines, summary: lines.at(-1) };
}

const keysOf = async (project: string): Promise<readonly string[]> =>
  (await get(`/${project}/resource?sort=key%20asc`)).json.results.map(({ key }: { key: string }) => key);

test('a line with bytes that are not UTF-8 is refused, and alters nothing', async () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const cases = {
    csv: [latin('key,name\nGröße,a\nplain,b\nGrüße,b\n'), 'text/csv', [2, 4]],
    ndjson: [latin('{"key":"Größe"}\n{"key":"plain"}\n{"key":"Grüße"}\n'), 'application/x-ndjson', [1, 3]],
    // The last character is not complete.
    end: [Buffer.from('key,name\nplain,a\nGrö', 'utf8').subarray(0, -1), 'text/csv', [3]],
  } as const;
  for (const [name, [body, type, refused]] of Object.entries(cases)) {
    const { lines, summary } = await importBytes(`bytes-${name}`, body, type);
    const refusals = lines.filter(({ status }) => status === 'refused');
    assert.deepEqual(
      refusals.map(({ line }) => line),
      refused,
    );
    for (const { error } of refusals) assert.match(error.message, /bytes that are not UTF-8\. .*charset=windows-1252/);
    assert.deepEqual([summary.complete, summary.created], [true, 1]);
    assert.deepEqual(await keysOf(`bytes-${name}`), ['plain']);
  }
  const { response } = await importBytes('bytes-header', latin('Schlüssel\na\n'), 'text/csv');
  assert.match(refusalOf(response, 400, 'InvalidJsonInput').message, /Line 1, the header, has bytes/);
});

test('the charset of the Content-Type is read, whatever it is called, and however the body is cut', async () => {
  const text = 'key,name\r\nGröße,€ 5\r\nGrüße,„ß“\r\n';
  const windows = Buffer.from(text.replace('€', '\x80').replace('„', '\x84').replace('“', '\x93'), 'latin1');
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  const cases: readonly (readonly [type: string, body: Buffer])[] = [
    ...['windows-1252', 'ISO-8859-1', '"latin1"', 'CP1252'].map((name) => [name, windows] as const),
    ...['utf-16le', 'utf-16', ''].map((name) => [name, Buffer.concat([Buffer.from('fffe', 'hex'), little])] as const),
    ...['UTF-16', 'utf-16be'].map((name) => [name, Buffer.concat([Buffer.from('feff', 'hex'), big])] as const),
    ['utf-16le', little],
    ['utf-16be', big],
    ['utf-8', Buffer.from(text)],
    ['utf8', Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.from(text)])],
  ];
  for (const [at, [name, body]] of cases.entries()) {
    const type = name === '' ? 'text/csv' : `text/csv; header=present; charset=${name}`;
    const { summary, response } = await importBytes(`charset-${at}`, body, type);
    assert.equal(summary?.created, 2, `${type}: ${response.text}`);
    assert.deepEqual(await keysOf(`charset-${at}`), ['Größe', 'Grüße']);
    assert.equal((await get(`/charset-${at}/resource/key=Gr%C3%BC%C3%9Fe`)).json.name, '„ß“');
  }
  const drafts = Buffer.from('{"key":"Größe"}\n{"key":"🦜"}\n', 'utf16le');
  assert.equal((await importBytes('charset-n', drafts, 'application/x-ndjson; charset=utf-16le')).summary.created, 2);
});

test('every way to cut a body into chunks gives the same text, and what a charset does not define is not lost', async () => {
  const text = 'Größe 🦜 ü\n';
  const little = Buffer.from(text, 'utf16le');
  const bodies = { 'utf-8': Buffer.from(text), 'utf-16le': little, 'utf-16be': Buffer.from(little).swap16() } as const;
  const decoded = async (charset: Charset, body: Buffer, size: number) => {
    async function* chunks() {
      for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
    }
    return Buffer.concat(await Array.fromAsync(asUtf8(chunks(), charset)));
  };
  for (const [charset, body] of Object.entries(bodies) as [Charset, Buffer][]) {
    for (let size = 1; size <= 8; size += 1) assert.equal(String(await decoded(charset, body, size)), text, charset);
  }
  for (const [charset, hex] of [
    ['windows-1252', '6181620a'],
    ['utf-16le', '610000d862000a00'],
    ['utf-16be', '0061dc000062000a'],
    ['utf-16le', '610062000a0063'],
  ] as const) {
    const bytes = await decoded(charset, Buffer.from(hex, 'hex'), 3);
    assert.ok(bytes.includes(0xff) && !isUtf8(bytes), `${charset} ${hex}: ${bytes.toString('hex')}`);
  }
});

test('a quote inside a cell without quotes is refused in words, without the bytes of the file', async () => {
  for (const body of ['key,a"b\n', 'key,b\n1,x"y\n', 'key,b\n1,"x"y\n']) {
    const { response, summary } = await importBytes('quotes', Buffer.from(body), 'text/csv');
    const message: string = summary?.error?.message ?? response.json.message;
    assert.match(message, /^Record \d is not valid CSV: .*quote/i);
    assert.doesNotMatch(message, /Buffer|value is/);
  }
});

/** UTF-32, little-endian. */
const utf32 = (text: string): Buffer => Buffer.from(Uint32Array.from(text, (char) => char.codePointAt(0)!).buffer);

test('a UTF-16 file that was cut in the middle of a character loses no line silently', async () => {
  const body = Buffer.concat([Buffer.from('\ufeffkey,name\na,1\nb,2', 'utf16le'), Buffer.from([0x31])]);
  const { lines, summary } = await importBytes('odd', body, 'text/csv');
  assert.deepEqual([summary.created, summary.refused], [1, 1]);
  assert.match(lines[1].error.message, /not UTF-16.* The file may have been cut in the middle of a character\./);
});

test('a single NUL in UTF-8 is told of its line', async () => {
  const { lines, summary } = await importBytes('nul', Buffer.from('key,name\na,long enough\nb,x\0y\n'), 'text/csv');
  assert.deepEqual([summary.created, lines[1].status], [1, 'refused']);
  assert.match(lines[1].error.message, /NUL/);
});

test('a body that is in another charset than it says is refused, with what to say', async () => {
  const text = 'key,name\na,b\n';
  const marked = (mark: string, body: Buffer) => Buffer.concat([Buffer.from(mark, 'hex'), body]);
  const cases = [
    ['text/csv', Buffer.from(text, 'utf16le'), /looks like UTF-16 .*: name its charset, charset=utf-16le/],
    ['text/csv; charset=utf-8', Buffer.from(text, 'utf16le').swap16(), /charset=utf-16be/],
    ['application/x-ndjson', Buffer.from('{"key":"a"}\n', 'utf16le'), /looks like UTF-16 .*charset=utf-16le/],
    ['text/csv; charset=utf-16', Buffer.from(text, 'utf16le'), /no byte order mark; send charset=utf-16le or/],
    ['text/csv; charset=utf-8', marked('fffe', Buffer.from(text, 'utf16le')), /mark of UTF-16LE, but .*charset=utf-8/],
    ['text/csv; charset=windows-1252', marked('efbbbf', Buffer.from(text)), /mark of UTF-8, but/],
    ['text/csv', Buffer.from('商品,名前\r\n甲,靴\r\n', 'utf16le'), /looks like UTF-16 .*charset=utf-16le/],
    ['text/csv', Buffer.from('商品番号\n一二三\n', 'utf16le').swap16(), /looks like UTF-16 .*charset=utf-16be/],
    ['text/csv; charset=windows-1252', Buffer.from('商品\n', 'utf16le'), /looks like UTF-16 .*charset=utf-16le/],
    ['text/csv', marked('fffe0000', utf32(text)), /is UTF-32, which is not supported: save the file as UTF-8/],
    ['text/csv', marked('0000feff', utf32(text).swap32()), /is UTF-32, which/],
    ['text/csv; charset=utf-16le', marked('fffe0000', utf32(text)), /is UTF-32, which/],
    ['application/x-ndjson', utf32('{"key":"a"}'), /looks like UTF-32/],
    ['text/csv', utf32(text).swap32(), /looks like UTF-32/],
    ['text/csv', marked('504b0304', Buffer.from('xl/workbook.xml')), /ZIP archive.*\.xlsx.*: save the sheet as CSV/],
    ['text/csv', marked('d0cf11e0', Buffer.alloc(40)), /workbook of Excel/],
    ['application/x-ndjson', gzipSync('{"key":"a"}'), /is gzip: send it with Content-Encoding: gzip/],
  ] as const;
  for (const [type, body, message] of cases) {
    const { response } = await importBytes('other', body, type);
    assert.match(refusalOf(response, 400, 'InvalidInput').message, message);
  }
  const { response } = await importBytes('other', Buffer.from(text), 'text/csv; charset=koi8-r');
  const { message } = refusalOf(response, 415, 'UnsupportedMediaType');
  assert.equal(
    message,
    'charset=koi8-r is not supported: expected one of utf-8, windows-1252, utf-16, utf-16le, utf-16be.',
  );
  assert.deepEqual(await keysOf('other'), []);
});
