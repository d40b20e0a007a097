import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi, type TestResponse } from '../start-test-api.ts';
import { keysOf, queryOf } from './open-lists.ts';

const api = await startTestApi();
after(() => api.close());
const path = '/shop/resource/searchApiPattern';
const form = 'application/x-www-form-urlencoded';

for (const [key, fr] of [
  ['summer', 'Robe d’été'],
  ['winter', 'Manteau'],
]) {
  const { status, text } = await api.call({ method: 'POST', path: '/shop/resource', body: { key, name: { fr } } });
  assert.equal(status, 201, text);
}

function post(body: string | Buffer | undefined, type: string | undefined = form, query = ''): Promise<TestResponse> {
  const headers = type === undefined ? undefined : { 'content-type': type };
  return api.call({
    method: 'POST',
    path: path + query,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
}

test('E4 by POST takes a form however it is encoded, without one the parameters of the URL', async () => {
  const found: readonly (readonly [claim: string, response: TestResponse])[] = [
    ['encoded', await post(queryOf(['text.fr', 'été']))],
    ['bare UTF-8', await post('text.fr=été')],
    ['with a charset', await post('text.fr=ete', `${form}; charset=UTF-8`)],
    ['a type in capitals', await post('text.fr=ete', form.toUpperCase())],
    ['an empty form', await post('', form, '?text.fr=ete')],
    ['no form at all', await post(undefined, undefined, '?text.fr=ete')],
    ['words in both places, which must all match', await post('text.fr=robe', form, '?text.fr=ete')],
  ];
  for (const [claim, response] of found) {
    assert.equal(response.status, 200, `${claim}: ${response.text}`);
    assert.deepEqual(keysOf(response), ['summer'], claim);
  }
});

const refused: readonly (readonly [
  claim: string,
  status: number,
  message: RegExp,
  body: string | Buffer,
  type?: string,
  query?: string,
])[] = [
  ['JSON', 415, /form-urlencoded/, '{}', 'application/json'],
  ['another charset', 415, /UTF-8/, 'a=b', `${form}; charset=iso-8859-1`],
  ['bytes that are no UTF-8', 400, /UTF-8/, Buffer.from([0x61, 0x3d, 0xff])],
  ['percent-encoded bytes that are no UTF-8', 400, /percent-encoded UTF-8/, 'text.fr=%ff'],
  ['a broken percent-encoding', 400, /percent-encoded/, 'text.fr=%zz'],
  ['a scalar in both places', 400, /limit.*more than once/, 'limit=1', form, '?limit=2'],
  ['more than 1000 parameters', 400, /1000 parameters/, 'filename=1&'.repeat(1001)],
  ['more than 256 KiB', 413, /262144 bytes/, `a=${'x'.repeat(262_143)}`],
];

test('E4 by POST refuses what is no form, or too much of one, and says what would be right', async () => {
  for (const [claim, status, message, body, type, query] of refused) {
    const response = await post(body, type, query);
    assert.equal(response.status, status, `${claim}: ${response.text}`);
    assert.match(response.json.message, message, claim);
  }
});

test('E4 on its path has GET, HEAD and POST; other methods are 405 with Allow', async () => {
  const head = await api.call({ method: 'HEAD', path: `${path}?text.fr=ete` });
  assert.deepEqual([head.status, head.text], [200, '']);
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await api.call({ method, path });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, POST'], method);
  }
});

test('E4 takes names of prototypes as plain data: paths, aliases and parameters', async () => {
  const body = '{"__proto__":"a","constructor":"b","toString":["c"]}';
  await api.call({ method: 'POST', path: '/proto/resource', body });
  const facets = ['__proto__', 'constructor', 'toString as hasOwnProperty'].map((text) => ['facet', text] as const);
  const query = queryOf(...facets, ['filter', '__proto__:"a"'], ['filter', 'valueOf:missing']);
  const { json, text } = await api.call({ path: `/proto/resource/searchApiPattern?${query}` });
  assert.equal(json.total, 1, text);
  const terms = ['__proto__', 'constructor', 'hasOwnProperty'].map((name) => {
    return Object.getOwnPropertyDescriptor(json.facets, name)?.value.terms[0].term;
  });
  assert.deepEqual(terms, ['a', 'b', 'c']);
  for (const name of ['__proto__[a]', 'constructor']) {
    const { status, json: refused } = await api.call({ path: `/proto/resource/searchApiPattern?${name}=1` });
    assert.equal(status, 400);
    assert.ok(refused.message.includes(`${name}: unknown parameter`), refused.message);
  }
});
