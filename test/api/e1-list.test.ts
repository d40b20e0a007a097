import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, openLists, queryOf } from './open-lists.ts';

const { create, get } = await openLists();
const drafts = [
  `{"key":"a","name":{"en":"Cup"},"objectTypeProperty":{"arrayOfIntExample":[6,6,9007199254740993],
    "arrayOfUniqueIntExample":[1,2],"arrayOfTwonumbersExample":[0.5,3],"arrayOfFloatExample":[1.5],
    "arrayOfNumberNoDefaultsExample":[1500],"arrayOfStringExample":["red","green"],
    "arrayOfObjectType":[{"integerExample":9223372036854775807,"integerExampleInt32":1}]}}`,
  `{"key":"b","objectTypeProperty":{"arrayOfIntExample":[7],"arrayOfUniqueIntExample":[2,9007199254740993],
    "arrayOfTwonumbersExample":[-1,2.5],"arrayOfFloatExample":[10],"arrayOfStringExample":["red","blue"]}}`,
  '{"key":"c","count":6}',
];
const ids = await create('shop', ...drafts);

test('E1 without parameters returns the page and, beside it, its arrays merged', async () => {
  const { status, json, text } = await get('/shop/resource?sort=key');
  assert.equal(status, 200);
  const { results, ...rest } = json;
  assert.deepEqual(
    results.map(({ id }: { id: string }) => id),
    ids,
  );
  assert.deepEqual(rest, {
    arrayOfIntExample: [6, 6, 9007199254740992, 7],
    arrayOfUniqueIntExample: [1, 2, 9007199254740992],
    arrayOfTwonumbersExample: [-1, 3],
    arrayOfFloatExample: [1.5, 10],
    arrayOfNumberNoDefaultsExample: [1500],
    arrayOfStringExample: ['red', 'green', 'red', 'blue'],
    arrayOfObjectType: [{ integerExample: 2 ** 63, integerExampleInt32: 1 }],
    limit: 20,
    offset: 0,
    count: 3,
    total: 3,
  });
  assert.match(text, /"arrayOfIntExample":\[6,6,9007199254740993,7\]/);
  assert.match(text, /"arrayOfUniqueIntExample":\[1,2,9007199254740993\]/);
  assert.match(text, /"arrayOfObjectType":\[\{"integerExample":9223372036854775807,"integerExampleInt32":1\}\]/);
});

test('E1 of a project without resources returns empty arrays, and no two numbers', async () => {
  const { status, json } = await get('/empty/resource');
  assert.equal(status, 200);
  assert.deepEqual(json, {
    arrayOfIntExample: [],
    arrayOfUniqueIntExample: [],
    arrayOfFloatExample: [],
    arrayOfNumberNoDefaultsExample: [],
    arrayOfStringExample: [],
    arrayOfObjectType: [],
    limit: 20,
    offset: 0,
    count: 0,
    total: 0,
    results: [],
  });
});

const conditions: readonly (readonly [query: string, keys: readonly string[]])[] = [
  [queryOf(['stringParameter', '6 in arrayOfIntExample']), ['a']],
  [queryOf(['stringParameter', 'key = :k'], ['var.k', 'c']), ['c']],
  [queryOf(['stringParameter', 'red']), ['a', 'b']],
  ['stringParameter=', []],
  ['integerParameter=6', ['a']],
  ['integerParameter=2', ['a', 'b']],
  ['integerParameter=9007199254740993', ['a', 'b']],
  ['integerParameter=9007199254740992', []],
  ['floatParameter=1.5', ['a']],
  ['floatParameter=10', ['b']],
  ['withMarkdownDescription=1500', ['a']],
  ['arrayOfString=red&arrayOfString=blue', ['b']],
  ['arrayOfStringWithDescription=green&arrayOfStringWithDescription=blue', ['a', 'b']],
  [queryOf(['objectParameter', '{"arrayOfString":["red"],"arrayOfStringWithDescription":["blue"]}']), ['b']],
  ['objectParameter[arrayOfString]=red&objectParameter%5BarrayOfString%5D=green', ['a']],
  ['unionParameter=2.5', ['b']],
  ['unionParameter=2000-01-01T00:00:00Z', ['a', 'b', 'c']],
  ['unionParameter=9000-01-01T00:00:00Z', []],
  [queryOf(['unionParameter', '{"version":1,"objectTypeProperty":{"arrayOfIntExample":[9007199254740993,6]}}']), ['a']],
  [queryOf(['unionParameter', '{"version":2}']), []],
  [queryOf(['unionParameter', '{"name":{"en":"Cup"}}']), ['a']],
  ['stringParameter=red&integerParameter=7', ['b']],
  [queryOf(['stringParameter', 'red'], ['where', 'key != "a"']), ['b']],
  [queryOf(['where', 'count = 6']), ['c']],
  ['booleanParameter=true', []],
  ['booleanParameter=false', ['a', 'b', 'c']],
  ['optionalQueryParameter=x&secondOptionalQueryParameter=y&fuzzyLevel=9', ['a', 'b', 'c']],
];

test('E1 parameters are conditions that must all hold', async () => {
  for (const [query, keys] of conditions) {
    const response = await get(`/shop/resource?sort=key&${query}`);
    assert.equal(response.status, 200, `${query}: ${response.text}`);
    assert.deepEqual(keysOf(response), keys, query);
    assert.equal(response.json.total, keys.length, query);
  }
});

test('E1 merges the page that it returns, not all matches', async () => {
  const response = await get('/shop/resource?sort=key+desc&limit=1&offset=1&withTotal=false');
  assert.deepEqual(keysOf(response), ['b']);
  assert.deepEqual(response.json.arrayOfIntExample, [7]);
  assert.deepEqual(response.json.arrayOfTwonumbersExample, [-1, 2.5]);
  assert.equal('total' in response.json, false);
});

for (const [query, message] of [
  ['stringParametr=red', /^Malformed parameter: stringParametr: /],
  ['integerParameter=1.5', /^Malformed parameter: integerParameter: /],
  ['integerParameter=9223372036854775808', /^Malformed parameter: integerParameter: /],
  ['floatParameter=1e400', /^Malformed parameter: floatParameter: /],
  ['floatParameter=1&floatParameter=2', /^Malformed parameter: floatParameter: /],
  ['unionParameter=red', /^Malformed parameter: unionParameter: /],
  ['objectParameter=red', /^Malformed parameter: objectParameter: /],
  ['objectParameter[arrayOfStrings]=red', /^Malformed parameter: objectParameter: /],
  ['where=key+%3D%3D+1', /^Malformed parameter: where: /],
  ['sort=key;drop', /^Malformed parameter: sort: /],
  ['limit=501', /^Malformed parameter: limit: /],
  ['var.a-b=1', /^Malformed parameter: var\.a-b: /],
] as const) {
  test(`E1 with ${query} is 400 and names the parameter`, async () => {
    const { status, json } = await get(`/shop/resource?${query}`);
    assert.equal(status, 400);
    assert.equal(json.errors[0].code, 'InvalidInput');
    assert.match(json.message, message);
  });
}

test('E1 sees nothing of another project, and needs a scope of its own', async () => {
  assert.deepEqual(keysOf(await get('/other/resource', 'view_test:other')), []);
  assert.equal((await get('/shop/resource', 'view_test:shop')).status, 200);
  assert.equal((await get('/shop/resource', 'manage_test:other')).status, 403);
  assert.equal((await get('/shop/resource', 'manage_products:shop')).status, 403);
});
