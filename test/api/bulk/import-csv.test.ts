import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
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
    ...{ key: 'k"2', price: { centAmount: -1 }, available: false, tags: [], note: '12', weight: 100 },
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
    'size:number: a number such as 12.5 expected',
    'sale:boolean: true or false expected',
    'data:json: JSON expected',
    'objectTypeProperty.arrayOfIntExample[0]: integer expected',
    '8 cells expected, as in the header, not 3',
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
    ['1e400', /within the range of a double/],
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
    'key,__proto__': /__proto__/,
    'key,a.`__proto__`.b': /__proto__/,
    'name,name.en': /is a part of the column/,
    'a.b.c,a': /is a part of the column/,
    [`a${'.a'.repeat(32)}`]: /at most 32 names/,
    [Array.from({ length: 1001 }, (_, n) => `c${n}`).join(',')]: /at most 1000 columns/,
    '': /empty; expected a header row/,
    'key;name': /“key;name” is one column: commas expected/,
    'key\tname': /is one column: commas expected/,
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
