import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFields, selectFields, selectFieldsInTurns } from '../../../src/domain/resource/read/fields.ts';
import {
  mergeArrays,
  mergedPageText,
  pageBody,
  parseDocuments,
  writeDocuments,
} from '../../../src/domain/resource/read/page.ts';

const paging = { limit: 20, offset: 40, withTotal: true };

/** The arrays merged over documents whose objectTypeProperty texts these are, as a text again. */
async function merged(...properties: readonly string[]): Promise<string> {
  const texts = properties.map((text) => `{"id":"x","objectTypeProperty":${text}}`);
  return JSON.stringify(mergeArrays(await parseDocuments(texts)));
}

test('a page is the stored texts as they are, between the paging members', () => {
  const results = ['{"id":"a","n":9007199254740993}', '{"id":"b","x":1.50}'];
  assert.equal(
    pageBody(paging, { results, count: 2, total: 42 }),
    `{"limit":20,"offset":40,"count":2,"total":42,"results":[${results}]}`,
  );
});

test('a page whose total is a lower bound says so', () => {
  assert.equal(
    pageBody(paging, { results: [], count: 0, total: 10_000, totalRelation: 'gte' }),
    '{"limit":20,"offset":40,"count":0,"total":10000,"totalRelation":"gte","results":[]}',
  );
});

test('a page without total has no member for it', () => {
  assert.equal(pageBody(paging, { results: [], count: 0 }), '{"limit":20,"offset":40,"count":0,"results":[]}');
});

test('a merged page has the arrays in front of the paging members, and the stored texts as they are', async () => {
  const results = ['{"id":"a","x":1.50,"objectTypeProperty":{"arrayOfStringExample":["s"]}}'];
  assert.equal(
    mergedPageText(paging, { results, count: 1, total: 1 }, await parseDocuments(results)),
    '{"arrayOfIntExample":[],"arrayOfUniqueIntExample":[],"arrayOfFloatExample":[],' +
      '"arrayOfNumberNoDefaultsExample":[],"arrayOfStringExample":["s"],"arrayOfObjectType":[],' +
      `"limit":20,"offset":40,"count":1,"total":1,"results":[${results}]}`,
  );
});

test('merging concatenates in the order of the page and keeps repeated values', async () => {
  const text = await merged(
    '{"arrayOfIntExample":[6,6],"arrayOfFloatExample":[1.5],"arrayOfNumberNoDefaultsExample":[3]}',
    '{}',
    '{"arrayOfIntExample":[1,6],"arrayOfFloatExample":[1.5],"arrayOfNumberNoDefaultsExample":[2],"arrayOfObjectType":[{"integerExample":1}]}',
    '{"arrayOfStringExample":["b","a"],"arrayOfObjectType":[{"integerExampleInt32":2}]}',
  );
  assert.deepEqual(JSON.parse(text), {
    arrayOfIntExample: [6, 6, 1, 6],
    arrayOfUniqueIntExample: [],
    arrayOfFloatExample: [1.5, 1.5],
    arrayOfNumberNoDefaultsExample: [3, 2],
    arrayOfStringExample: ['b', 'a'],
    arrayOfObjectType: [{ integerExample: 1 }, { integerExampleInt32: 2 }],
  });
});

test('merging keeps every digit of 64-bit integers', async () => {
  const text = await merged(
    '{"arrayOfIntExample":[9007199254740993,-9223372036854775808]}',
    '{"arrayOfObjectType":[{"integerExample":9223372036854775807}]}',
  );
  assert.match(text, /"arrayOfIntExample":\[9007199254740993,-9223372036854775808\]/);
  assert.match(text, /"arrayOfObjectType":\[\{"integerExample":9223372036854775807\}\]/);
});

test('merging unites the unique integers by exact value, not by their doubles', async () => {
  const text = await merged(
    '{"arrayOfUniqueIntExample":[9007199254740993,1]}',
    '{"arrayOfUniqueIntExample":[9007199254740992,1,2]}',
    '{"arrayOfUniqueIntExample":[2,9007199254740993]}',
  );
  assert.match(text, /"arrayOfUniqueIntExample":\[9007199254740993,1,9007199254740992,2\]/);
});

test('merging takes the least and the greatest of the two numbers exactly', async () => {
  const text = await merged(
    '{"arrayOfTwonumbersExample":[9007199254740992,3]}',
    '{"arrayOfTwonumbersExample":[2.5,9007199254740993]}',
  );
  assert.match(text, /"arrayOfTwonumbersExample":\[2\.5,9007199254740993\]/);
});

test('merging leaves the two numbers out where no document has any', async () => {
  assert.equal(
    'arrayOfTwonumbersExample' in JSON.parse(await merged('{}', '{"arrayOfTwonumbersExample":null}')),
    false,
  );
});

test('a page of large documents is parsed and cut document by document, to the same values', async () => {
  const one = (n: number) =>
    `{"id":"r-${n}","text":"a \\" , } ] \\\\","list":[${Array.from({ length: 20_000 }, (_, at) => at * n).join()}],"big":9007199254740993}`;
  const results = Array.from({ length: 8 }, (_, n) => one(n));
  const documents = await parseDocuments(results);
  assert.equal(documents.length, 8);
  assert.deepEqual(await writeDocuments(documents), results);
  const fields = parseFields(['text'])!;
  const selected = results.map((text) => selectFields(text, fields));
  assert.deepEqual(await selectFieldsInTurns(results, fields), selected);
});
