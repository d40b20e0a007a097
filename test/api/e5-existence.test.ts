import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLists, queryOf } from './open-lists.ts';

const { create, stage, head } = await openLists();
const draft = `{"key":"a","objectTypeProperty":{"arrayOfIntExample":[6],"arrayOfFloatExample":[1.5],
  "arrayOfNumberNoDefaultsExample":[7],"arrayOfStringExample":["red","green"]}}`;

await create('shop', draft);

test('E5 without parameters is 404 in an empty project, 200 where there is a resource, without body', async () => {
  const [none, some] = [await head('/empty/resource'), await head('/shop/resource')];
  assert.deepEqual([none.status, none.text], [404, '']);
  assert.deepEqual([some.status, some.text], [200, '']);
});

const defaults = queryOf(
  ['stringParameter', 'test'],
  ['booleanParameter', 'false'],
  ['floatParameter', '10'],
  ['integerParameter', '5'],
  ['withMarkdownDescription', '1500'],
);

const questions: readonly (readonly [query: string, status: 200 | 404])[] = [
  [defaults, 200],
  ['floatParameter=10.0&withMarkdownDescription=1.5e3', 200],
  ['stringParameter=red', 200],
  ['stringParameter=blue', 404],
  [queryOf(['stringParameter', '6 in arrayOfIntExample']), 200],
  ['integerParameter=6', 200],
  ['integerParameter=7', 404],
  ['floatParameter=1.5', 200],
  ['floatParameter=2.5', 404],
  ['withMarkdownDescription=7', 200],
  ['withMarkdownDescription=8', 404],
  ['booleanParameter=true', 404],
  ['arrayOfString=red&arrayOfString=green', 200],
  ['arrayOfString=red&arrayOfString=blue', 404],
  ['arrayOfStringWithDescription=red&arrayOfStringWithDescription=blue', 200],
  ['objectParameter[arrayOfString]=blue', 404],
  ['unionParameter=6', 200],
  ['unionParameter=5', 404],
  [queryOf(['where', 'key = :k'], ['var.k', 'a']), 200],
  [queryOf(['where', 'key = :k'], ['var.k', 'b']), 404],
  [`${defaults}&${queryOf(['where', 'key = "b"'])}`, 404],
  ['stringParameter=red&integerParameter=7', 404],
  ['limit=0&offset=10000&sort=key&withTotal=false&expand=a', 200],
];

test('E5 does not say that a GET would have no content', async () => {
  assert.equal((await head('/shop/resource')).headers['content-length'], undefined);
  assert.equal((await head('/empty/resource')).headers['content-length'], undefined);
});

test('E5 tells whether a resource meets all conditions; a parameter at its default is no condition', async () => {
  for (const [query, status] of questions) {
    assert.equal((await head(`/shop/resource?${query}`)).status, status, query);
  }
});

test('E5 refuses unknown parameters and malformed values with 400 and no body', async () => {
  for (const query of ['stringParametr=red', 'floatParameter=ten', 'where=key', 'unionParameter=red', 'limt=1']) {
    const { status, text } = await head(`/shop/resource?${query}`);
    assert.deepEqual([status, text], [400, ''], query);
  }
});

test('E5 with booleanParameter=true finds a resource with staged changes', async () => {
  const [id] = await create('staging', draft);
  assert.equal((await head('/staging/resource?booleanParameter=true')).status, 404);
  await stage('staging', id!, 'x');
  assert.equal((await head('/staging/resource?booleanParameter=true')).status, 200);
});
