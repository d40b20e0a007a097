import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ResourceRecord } from '../../../src/domain/ports/resource-store.ts';
import { expandDocuments, maxLookUps, parseExpand } from '../../../src/domain/resource/read/expand.ts';
import { parseDocuments } from '../../../src/domain/resource/read/page.ts';

const stored: Readonly<Record<string, string>> = {
  a: '{"id":"a","key":"ka","parent":{"typeId":"resource","id":"b"}}',
  b: '{"id":"b","key":"kb","n":9007199254740993,"parent":{"typeId":"resource","key":"kc"}}',
  c: '{"id":"c","key":"kc","parent":{"typeId":"resource","id":"a"}}',
};

function record(projectKey: string, id: string, staged?: string): ResourceRecord | undefined {
  const current = stored[id];
  if (projectKey !== 'shop' || current === undefined) return undefined;
  const times = { createdAt: '2026-01-01T00:00:00', lastModifiedAt: '2026-01-01T00:00:00' };
  return { projectKey, id, key: `k${id}`, version: 1, ...times, current, staged, history: '' };
}

/** Expands a page of documents and returns their texts, with the look-ups that were made. */
async function expand(
  page: string | readonly string[],
  paths: readonly string[],
  options: { staged?: boolean; max?: number } = {},
) {
  const lookedUp: string[] = [];
  const store = {
    get: (projectKey: string, id: string) => {
      lookedUp.push(`id ${id}`);
      return record(projectKey, id, id === 'b' ? '{"id":"b","s":true}' : undefined);
    },
    getByKey: async (projectKey: string, key: string) => {
      lookedUp.push(`key ${key}`);
      return key.startsWith('k') ? record(projectKey, key.slice(1)) : undefined;
    },
  };
  const source = {
    ...{ store, projectKey: 'shop', staged: options.staged ?? false, baseUrl: 'https://x' },
    maxCharacters: options.max ?? 1e6,
  };
  const documents = await parseDocuments([page].flat());
  const before = JSON.stringify(documents);
  const expanded = await expandDocuments(documents, parseExpand(paths), source);
  assert.equal(JSON.stringify(documents), before, 'the documents given are not changed');
  return { text: expanded.map((one) => JSON.stringify(one)).join(','), lookedUp };
}

const toB = '{"typeId":"resource","id":"b"}';
const withB = `{"typeId":"resource","id":"b","obj":${stored.b}}`;
const withC = `{"typeId":"resource","key":"kc","obj":${stored.c}}`;

const scenarios: readonly { claim: string; document: string; paths: readonly string[]; expected: string }[] = [
  {
    claim: 'a reference by id gets obj, all digits kept',
    document: `{"r":${toB}}`,
    paths: ['r'],
    expected: `{"r":${withB}}`,
  },
  {
    claim: 'a reference by key gets obj',
    document: '{"r":{"typeId":"resource","key":"kc"}}',
    paths: ['r'],
    expected: `{"r":${withC}}`,
  },
  {
    claim: 'a path goes through objects',
    document: `{"x":{"y":${toB}}}`,
    paths: ['x.y'],
    expected: `{"x":{"y":${withB}}}`,
  },
  {
    claim: '[*] takes every item',
    document: `{"l":[{"r":${toB}},{"r":1},2,{"r":${toB}}]}`,
    paths: ['l[*].r'],
    expected: `{"l":[{"r":${withB}},{"r":1},2,{"r":${withB}}]}`,
  },
  {
    claim: '[1] takes the second item only',
    document: `{"l":[${toB},${toB}]}`,
    paths: ['l[1]'],
    expected: `{"l":[${toB},${withB}]}`,
  },
  {
    claim: 'arrays in arrays take an index each',
    document: `{"l":[[${toB}],[${toB},${toB}]]}`,
    paths: ['l[*][0]'],
    expected: `{"l":[[${withB}],[${withB},${toB}]]}`,
  },
  {
    claim: 'a name in backticks may hold any characters',
    document: `{"a.b [0]":${toB}}`,
    paths: ['`a.b [0]`'],
    expected: `{"a.b [0]":${withB}}`,
  },
  {
    claim: 'a longer path goes on inside of obj',
    document: `{"parent":${toB}}`,
    paths: ['parent.parent'],
    expected: `{"parent":{"typeId":"resource","id":"b","obj":{"id":"b","key":"kb","n":9007199254740993,"parent":${withC}}}}`,
  },
  {
    claim: 'the third level is left alone, circles included',
    document: `{"parent":${toB}}`,
    paths: ['parent.parent.parent.parent'],
    expected: `{"parent":{"typeId":"resource","id":"b","obj":{"id":"b","key":"kb","n":9007199254740993,"parent":${withC}}}}`,
  },
  {
    claim: 'several paths through one reference are put together',
    document: `{"parent":${toB}}`,
    paths: ['parent.parent', 'parent', 'parent.none'],
    expected: `{"parent":{"typeId":"resource","id":"b","obj":{"id":"b","key":"kb","n":9007199254740993,"parent":${withC}}}}`,
  },
  {
    claim: 'an array stands for its elements, one level, where the path has no index',
    document: `{"l":[${toB},[${toB}],1],"m":[{"r":${toB}},{"r":[${toB}]},[{"r":${toB}}]]}`,
    paths: ['l', 'm.r'],
    expected: `{"l":[${withB},[${toB}],1],"m":[{"r":${withB}},{"r":[${withB}]},[{"r":${toB}}]]}`,
  },
  {
    claim: 'a document that looks like a reference is none',
    document: `{"typeId":"resource","id":"a","parent":${toB}}`,
    paths: ['parent', 'id'],
    expected: `{"typeId":"resource","id":"a","parent":${withB}}`,
  },
  {
    claim: '__proto__ is a name like any other, on the path and beside it',
    document: `{"__proto__":{"r":${toB}},"x":{"__proto__":{"y":1},"r":${toB}}}`,
    paths: ['__proto__.r', 'x.r'],
    expected: `{"__proto__":{"r":${withB}},"x":{"__proto__":{"y":1},"r":${withB}}}`,
  },
  {
    claim: 'numbers kept as texts are no objects',
    document: '{"n":9007199254740993}',
    paths: ['n.rawJSON', 'n'],
    expected: '{"n":9007199254740993}',
  },
];

for (const { claim, document, paths, expected } of scenarios) {
  test(`expand=${paths.join('&expand=')}: ${claim}`, async () => {
    assert.equal((await expand(document, paths)).text, expected);
  });
}

for (const reference of [
  '{"typeId":"resource","id":"none"}',
  '{"typeId":"resource","key":"none"}',
  '{"typeId":"resource"}',
  '{"typeId":"resource","id":7}',
  '{"typeId":"product","id":"b"}',
  '{"id":"b"}',
  '"b"',
  'null',
]) {
  test(`expand leaves ${reference} alone`, async () => {
    assert.equal((await expand(`{"r":${reference}}`, ['r', 'r.parent'])).text, `{"r":${reference}}`);
  });
}

test('expand with staged=true puts the staged projection in where there is one', async () => {
  const { text } = await expand(`{"r":${toB},"q":{"typeId":"resource","id":"c"}}`, ['r', 'q'], { staged: true });
  assert.equal(
    text,
    `{"r":{"typeId":"resource","id":"b","obj":{"id":"b","s":true}},"q":{"typeId":"resource","id":"c","obj":${stored.c}}}`,
  );
});

test('expand never reaches another project', async () => {
  const source = {
    store: { get: record, getByKey: () => undefined },
    projectKey: 'other',
    staged: false,
    baseUrl: '',
    maxCharacters: 1e6,
  };
  const documents: readonly JsonObject[] = [{ r: { typeId: 'resource', id: 'b' } }];
  assert.deepEqual(await expandDocuments(documents, parseExpand(['r']), source), documents);
});

test('expand looks every resource up once per page, the missing ones too', async () => {
  const missing = '{"typeId":"resource","id":"none"}';
  const document = `{"parent":${toB},"q":${missing}}`;
  const { lookedUp } = await expand([document, document], ['parent.parent', 'q']);
  assert.deepEqual(lookedUp, ['id b', 'id none', 'key kc']);
});

test(`expand refuses more than ${maxLookUps} look-ups before it makes them`, async () => {
  const references = Array.from({ length: maxLookUps + 1 }, (_, n) => `{"typeId":"resource","id":"n${n}"}`);
  const allowed = await expand(`{"l":[${references.slice(1).join(',')}]}`, ['l[*]']);
  assert.equal(allowed.lookedUp.length, maxLookUps);
  await assert.rejects(expand(`{"l":[${references.join(',')}]}`, ['l[*]']), refused(/Malformed parameter: expand: /));
});

test('expand refuses to put more text in than the page may hold, repeated references counted', async () => {
  const size = stored.b!.length;
  const twice = `{"l":[${toB},${toB}]}`;
  assert.equal((await expand(twice, ['l[*]'], { max: 2 * size })).text, `{"l":[${withB},${withB}]}`);
  await assert.rejects(expand(twice, ['l[*]'], { max: 2 * size - 1 }), refused(/Malformed parameter: expand: /));
  await assert.rejects(expand(twice, ['l[0]'], { max: size - 1 }), refused(/Malformed parameter: expand: /));
});

test('expand paths that are malformed are 400 and say what is expected', () => {
  const malformed = [
    '',
    ' ',
    '.',
    'a.',
    '.a',
    'a..b',
    'a[',
    'a[]',
    'a[-1]',
    'a[*',
    '[*]',
    'a b',
    'a[1.5]',
    '`',
    'a[*]b',
  ];
  for (const text of [...malformed, Array(33).fill('a').join('.')]) {
    assert.throws(() => parseExpand([text]), refused(/^Malformed parameter: expand: /), text);
  }
  assert.throws(() => parseExpand(Array(21).fill('a')), refused(/at most 20/));
});

function refused(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === 'InvalidInput' && message.test(error.message);
}
