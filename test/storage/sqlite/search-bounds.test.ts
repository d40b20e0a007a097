import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import type { PromptDeadline } from '../../../src/index/query/functions.ts';
import { FollowedColumn } from '../../../src/index/search/columns/column.ts';
import type { ColumnsOptions } from '../../../src/index/search/columns/columns.ts';
import { valueColumn } from '../../../src/index/search/columns/value-column.ts';
import { runSearch } from '../../../src/index/search/search.ts';
import { Vocabularies } from '../../../src/index/search/words/vocabularies.ts';
import { documentOf } from '../document-of.ts';
import { facetsOf } from '../facets-of.ts';
import { openTestIndex, type TestIndex } from './open-test-index.ts';
import { columnsOn, searchCacheOn } from './parts-on.ts';

const policy = { leastRows: 0 };
const noDeadline = { check() {}, checkNow() {} };
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function write(index: TestIndex, id: string, fields: JsonObject, projectKey = 'p'): void {
  index.write(projectKey, id, { current: documentOf(id, fields) });
}

test('the vocabulary takes the same memory, whether one locale of a language is searched or hundreds', () => {
  using index = openTestIndex([]);
  for (const word of ['shoe', 'shoes', 'shore', 'shop']) write(index, word, { name: word });
  const vocabularies = new Vocabularies(index.db);
  const words = () => vocabularies.of('p', '');
  const ask = (locale: string) => words().forms('shoes', locale).toSorted();
  assert.deepEqual(ask('en'), ['shoe', 'shoes']);
  const { bytes } = words();
  assert.ok(bytes > 0);
  for (const a of letters) for (const b of letters) assert.deepEqual(ask(`en-${a}${b}`), ['shoe', 'shoes']);
  for (const a of letters) assert.deepEqual(ask(`q${a.toLowerCase()}`), ['shoes'], 'a language without stems');
  assert.equal(words().bytes, bytes);
});

test('words with digits are found by themselves alone, and take no memory', () => {
  using index = openTestIndex([]);
  write(index, 'a', { sku: 'sh100', name: 'shoe' });
  const vocabularies = new Vocabularies(index.db);
  const words = () => vocabularies.of('p', '');
  words().forms('shoe', 'en');
  const { bytes } = words();
  write(index, 'b', { sku: 'sh200' });
  assert.deepEqual(words().forms('sh200', 'en'), ['sh200']);
  assert.deepEqual(words().forms('sh300', 'en'), []);
  assert.equal(words().bytes, bytes);
});

test('a word that is removed and written again is cached once', () => {
  using index = openTestIndex([]);
  write(index, 'a', { name: 'shoes' });
  write(index, 'b', { name: 'shoe' });
  const vocabularies = new Vocabularies(index.db);
  const words = () => vocabularies.of('p', '');
  const ask = () => words().forms('shoes', 'en').toSorted();
  assert.deepEqual(ask(), ['shoe', 'shoes']);
  const { bytes } = words();
  for (const fields of [{}, { name: 'shoe' }, {}, { name: 'shoe' }]) write(index, 'b', fields);
  assert.deepEqual(ask(), ['shoe', 'shoes']);
  assert.equal(words().bytes, bytes);
});

test('second parts of a word that is still being typed: beside the first one, however many words begin so', () => {
  using index = openTestIndex([]);
  // More than 600 words, all of them short.
  const words = letters.flatMap((a) => letters.map((b) => `t${a}${b}`));
  for (let at = 0; at < words.length; at += 100)
    write(index, `w${at}`, { name: { en: words.slice(at, at + 100).join(' ') } });
  write(index, 'a', { name: { en: 'coffee tablecloth' } });
  write(index, 'b', { name: { en: 'coffee' }, description: { en: 'for tables' } });
  const cache = searchCacheOn(index.db, policy);
  const ask = (text: string, staged = false) => {
    const query = parseSearch(new Map(Object.entries({ 'text.en': text, prefix: true, staged, match: 'all' })), 'p');
    const { results } = runSearch(index.db, query, cache, noDeadline, { maxPageBytes: 1e6, declaredPaths: [] });
    return (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id).sort();
  };
  assert.deepEqual(ask('coffeet'), ['a']);
  write(index, 'c', { name: { en: 'coffee tin' } });
  write(index, 'b', { name: { en: 'coffee tables' } });
  assert.deepEqual(ask('coffeet'), ['a', 'b', 'c'], 'what was written since the words were read');
  write(index, 'a', { name: { en: 'coffee cloth' } });
  index.write('p', 'c', undefined);
  assert.deepEqual(ask('coffeet'), ['b'], 'and what was removed');
  for (let at = 0; at < 70; at += 1) write(index, `d${at}`, { name: { en: `coffee x${at}` } });
  for (const at of [1, 2, 3]) write(index, `d${at}`, { name: { en: `coffee teapot${'x'.repeat(at)}` } });
  write(index, 'e', { name: { en: 'tulip coffee' } });
  assert.deepEqual(ask('coffeet'), ['b', 'd1', 'd2', 'd3', 'e'], 'after many changes');
  const current = documentOf('f', { name: { en: 'coffee' } });
  index.write('p', 'f', { current, staged: documentOf('f', { name: { en: 'coffee trees' } }) });
  assert.deepEqual(ask('coffeet'), ['b', 'd1', 'd2', 'd3', 'e']);
  assert.deepEqual(ask('coffeet', true), ['b', 'd1', 'd2', 'd3', 'e', 'f'], 'of the staged projection');
});

test('heads of compounds are found among the words that were added since they were listed', () => {
  using index = openTestIndex([]);
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => {
      const number = from + n;
      return `${letters[Math.floor(number / 26)]}${letters[number % 26]}erkleid`.toLowerCase();
    });
  const vocabularies = new Vocabularies(index.db);
  let count = 0;
  for (const more of [200, 20, 20, 200]) {
    write(index, `d${count}`, { name: { de: words(count, more).join(' ') } });
    count += more;
    const found = vocabularies.of('p', 'de').compounds('kleid', 'de');
    assert.deepEqual(found.map(({ word }) => word).toSorted(), words(0, count));
  }
});

function facetQuery(facets: readonly string[]) {
  return parseSearch(
    new Map<string, never>([
      ['facet', facets as never],
      ['limit', 0 as never],
    ]),
    'p',
  );
}

function search(
  index: TestIndex,
  facets: readonly string[],
  maxPageBytes: number,
  of: ColumnsOptions = policy,
  deadline: PromptDeadline = noDeadline,
) {
  const query = facetQuery(facets);
  const memory = searchCacheOn(index.db, of);
  return runSearch(index.db, query, memory, deadline, { maxPageBytes, declaredPaths: [] });
}

describe('columns that do not fit the memory', () => {
  const maxBytes = 400_000;
  const open = (index: TestIndex, check = () => {}) => {
    const columns = columnsOn(index.db, { leastRows: 0, check, maxBytes });
    const scope = { db: index.db, projectKey: 'p', staged: false };
    return (path: string) =>
      columns.of(scope, index.position(), path, 1, () => new FollowedColumn(scope, valueColumn([path])));
  };

  test('one that is too large is refused before it is built whole', () => {
    using index = openTestIndex([]);
    for (let at = 0; at < 300; at += 1) write(index, `r${at}`, { text: `${at} ${'x'.repeat(2000)}`, color: at % 3 });
    let steps = 0;
    const columnOf = open(index, () => {
      steps += 1;
    });
    assert.equal(columnOf('text'), undefined);
    assert.ok(steps < 100, `${steps} steps`);
    assert.ok(columnOf('color'));
  });

  test('several of which each fits evict one another, and are right', () => {
    using index = openTestIndex([]);
    const fields = ['a', 'b', 'c', 'd', 'e'];
    for (let at = 0; at < 100; at += 1) {
      write(index, `r${at}`, Object.fromEntries(fields.map((field) => [field, `${at}${'x'.repeat(200)}`])));
    }
    let steps = 0;
    const columnOf = open(index, () => {
      steps += 1;
    });
    for (const field of [...fields, ...fields]) assert.equal(columnOf(field)?.maker.scalars.length, 100);
    const evicted = steps;
    columnOf('e');
    assert.equal(steps, evicted, 'the last one is still there');
    columnOf('a');
    assert.ok(steps > evicted, 'the first one is built again');
  });

  test('a facet over them is refused with what would help; of few resources it reads the documents', () => {
    using index = openTestIndex([]);
    for (let at = 0; at < 40; at += 1) write(index, `r${at}`, { text: `${at} ${'x'.repeat(2000)}` });
    const cache = searchCacheOn(index.db, { leastRows: 0, maxBytes: maxBytes / 10 });
    const facet = () => runSearch(index.db, facetQuery(['text']), cache, noDeadline, limits);
    assert.equal(facetsOf(facet())[0]?.[1].type, 'terms');
    index.db.exec('UPDATE project SET resources = 9000');
    assert.throws(facet, { code: 'InvalidInput', message: /facet: text has too many different values .* Narrow/ });
  });
});

const limits = { maxPageBytes: 1e9, declaredPaths: [] };

const byDocuments = { leastRows: Number.POSITIVE_INFINITY };

test('a facet whose terms are long texts is refused beyond the bytes of a page', () => {
  using index = openTestIndex([]);
  for (const letter of ['a', 'b', 'c']) write(index, letter, { text: letter.repeat(30_000) });
  const facet = ['text'];
  assert.equal(search(index, facet, 90_000).facets.length, 1);
  assert.throws(() => search(index, facet, 89_999), { code: 'InvalidInput', message: /facet: .* 89999 bytes/ });
  assert.throws(() => search(index, ['text', 'text as again'], 90_000), { code: 'InvalidInput' });
});

test('documents are read again for each facet, and counted alike', () => {
  using index = openTestIndex([]);
  for (let at = 0; at < 3; at += 1) write(index, `r${at}`, { color: at === 0 ? 'red' : 'blue', text: 'x'.repeat(2e6) });
  const facets = ['color', 'color as again', 'text:"x"'];
  assert.deepEqual(search(index, facets, 1e6, byDocuments).facets, search(index, facets, 1e6).facets);
});

test('a search that times out while it reads documents leaves the next one all of them', () => {
  using index = openTestIndex([]);
  for (let at = 0; at < 5; at += 1) write(index, `r${at}`, { color: `c${at}` });
  let calls = 0;
  const hasty: PromptDeadline = {
    check() {},
    checkNow() {
      calls += 1;
      if (calls === 3) throw new Error('out of time');
    },
  };
  assert.throws(() => search(index, ['color'], 1e6, byDocuments, hasty), /out of time/);
  assert.deepEqual(search(index, ['color'], 1e6, byDocuments).facets, search(index, ['color'], 1e6).facets);
});

test('a word that is one word twice finds each resource with that word once', () => {
  using index = openTestIndex([]);
  for (const id of ['a', 'b', 'c']) write(index, id, { name: { en: `pom ${id}` } });
  write(index, 'd', { name: { en: 'hat' }, description: { en: 'with a pom' } });
  const values = new Map<string, never>([['text.en', ['pompom'] as never]]);
  const query = { ...parseSearch(values, 'p'), withTotal: true };
  const cache = searchCacheOn(index.db, policy);
  const page = runSearch(index.db, query, cache, noDeadline, { maxPageBytes: 1e6, declaredPaths: [] });
  assert.deepEqual([page.count, page.total, page.match?.totals], [3, 3, { all: 3, most: 3 }]);
});

test('of more than 500 words with a beginning that resembles the last one, the nearest and shortest count', () => {
  using index = openTestIndex([]);
  const words = letters.flatMap((a) => letters.map((b) => `Wintermantel${a}${b}`.toLowerCase()));
  for (const word of [...words, 'wintermantel', 'wenterment']) write(index, word, { name: word });
  const cache = searchCacheOn(index.db, policy);
  const find = (more: object = {}) => {
    const asked = { 'text.en': 'wintremant', prefix: true, fuzzy: true, match: 'all', limit: 500, sort: 'id', ...more };
    const query = parseSearch(new Map(Object.entries(asked)), 'p');
    const limits = { maxPageBytes: 1e9, declaredPaths: [] };
    const { results, total } = runSearch(index.db, query, cache, noDeadline, limits);
    return { ids: (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id), total };
  };
  const { ids, total } = find();
  assert.equal(total, 500);
  assert.deepEqual(ids, ['wintermantel', ...words.slice(0, 499)]);
  assert.equal(find({ 'text.en': 'wintermant' }).total, words.length + 1, 'a beginning as it is has no bound');
});
