import assert from 'node:assert/strict';
import { test } from 'node:test';
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
    '': /empty: a header expected/,
    'key;name': /“key;name” is one column: commas expected/,
    'key\tname': /is one column: commas expected/,
    '"key': /no CSV/,
    'k"ey,a': /no CSV/,
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
    assert.match(summary.error.message, /no CSV/);
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
