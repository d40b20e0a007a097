import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '../start-test-api.ts';

/** Types as settings: versions, what is refused and why, and who may read and write them. */

const api = await startTestApi();
after(() => api.close());

const path = '/type-settings/settings/types';
const put = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  api.call({ method: 'PUT', path, body, headers });

test('a project without types has none in version 0; replaced ones have the next version', async () => {
  const none = await api.call({ path });
  assert.deepEqual(
    [none.status, none.json, none.headers.etag],
    [200, { version: 0, discriminator: 'type', closed: false, types: {}, unique: [] }, '"0"'],
  );
  const first = await put({ types: { page: { schema: { type: 'object' } } } });
  assert.deepEqual([first.status, first.json.version], [200, 1], first.text);
  assert.deepEqual(first.json.types, { page: { schema: { type: 'object' }, unique: [], references: {} } });
  assert.equal((await put({ version: 0, types: {} })).status, 409);
  assert.equal((await put({ types: {} }, { 'if-match': '"0"' })).status, 412);
  const second = await put({ version: 1, discriminator: 'kind', types: {} }, { 'if-match': first.headers.etag! });
  assert.deepEqual([second.status, second.json.version, second.json.discriminator], [200, 2, 'kind'], second.text);
  assert.equal((await api.call({ path })).json.version, 2);
});

test('what is wrong is named with its path and what would be right', async () => {
  const before = (await api.call({ path })).json.version;
  const of = (schema: unknown, more: object = {}) => ({ types: { page: { schema, ...more } } });
  for (const [body, message] of [
    [{ type: {} }, /type: unknown field; expected version, discriminator, closed, types/],
    [{ discriminator: 'id' }, /discriminator: expected the name of a field of your own/],
    [{ types: { 'a b': {} } }, /types\.a b: expected letters, digits/],
    [of('x'), /types\.page\.schema: expected an object/],
    [of({ type: 'strin' }), /types\.page\.schema: expected a schema of JSON Schema 2020-12; look at #\/type/],
    [of({ properties: { a: { minimum: '5' } } }), /types\.page\.schema: .*look at #\/properties\/a\/minimum/],
    [of({ $ref: 'http://127.0.0.1:1/x' }), /types\.page\.schema\.\$ref: expected a reference within the schema/],
    [of({ properties: { a: { $ref: 'file:///etc/passwd' } } }), /properties\.a\.\$ref: expected a reference within/],
    [of({ $id: 'https://example.com/x' }), /\$id: leave it out, since schemas have no addresses here/],
    [
      of({ $schema: 'http://json-schema.org/draft-07/schema#' }),
      /\$schema: expected https:\/\/json-schema.org\/draft\/2020-12/,
    ],
    [
      of({ $ref: '#/$defs/none' }),
      /types\.page\.schema: expected a schema that can be applied, each \$ref of which leads to a part of it/,
    ],
    [of({ $ref: '#' }), /lead to too many others/],
    [of({ properties: { a: { pattern: '(?=b)c' } } }), /properties\.a\.pattern: expected an expression of RE2/],
    [of({ patternProperties: { '(a)\\1': {} } }), /patternProperties: expected an expression of RE2/],
    [of({}, { unique: ['id'] }), /unique\[0\]: expected a path to a field of your own/],
    [of({}, { unique: ['$.a'] }), /unique\[0\]: expected a path/],
    [of({}, { unique: ['a[].b'] }), /unique\[0\]: expected a path/],
    [of({ required: ['a', 'key'] }), /schema\.required: expected fields of your own, without key, which is a field of/],
    [of({}, { unique: ['a..b'] }), /unique\[0\]: expected a path/],
    [of({}, { unique: ['a[0].b'] }), /unique\[0\]: expected a path/],
    [
      of({}, { references: { a: { type: 'none' } } }),
      /references\.a\.type: expected a type that is declared here: page/,
    ],
    [of({}, { references: { a: { type: 'page', onDelete: 'cascade' } } }), /onDelete: expected one of restrict, keep/],
  ] as const) {
    const { status, json, text } = await put(body);
    assert.equal(status, 400, text);
    assert.match(json.message, message);
  }
  assert.equal((await api.call({ path })).json.version, before);
});

test('whoever reads resources reads types; who manages the project replaces them', async () => {
  const project = 'type-settings';
  const call = (method: string, scope: string) =>
    api.call({ method, path, scope: `${scope}:${project}`, ...(method === 'PUT' && { body: { types: {} } }) });
  assert.equal((await call('GET', 'view_test')).status, 200);
  assert.equal((await call('PUT', 'manage_test')).status, 403);
  assert.equal((await call('GET', 'manage_products')).status, 403);
  assert.equal((await api.call({ path, scope: 'none' })).status, 401);
});

test('names of prototypes are names like any other', async () => {
  const own = '/type-names';
  const schema = { properties: { constructor: { type: 'string' }, toString: { type: 'integer' } } };
  const types = { constructor: { schema }, toString: { schema: {} } };
  assert.equal((await api.call({ method: 'PUT', path: `${own}/settings/types`, body: { types } })).status, 200);
  const post = (body: object) => api.call({ method: 'POST', path: `${own}/resource`, body });
  assert.equal((await post({ type: 'constructor', constructor: 5 })).status, 400);
  assert.equal((await post({ type: 'constructor', constructor: 'a', valueOf: 5, hasOwnProperty: 1 })).status, 201);
  assert.equal((await post({ type: 'valueOf', constructor: 5 })).status, 201);
});
