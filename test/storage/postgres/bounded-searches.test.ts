import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import type { SearchPage } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import type { SearchQuery } from '../../../src/domain/search/query/query.ts';
import { suggestionsOf } from '../../../src/domain/search/suggestions.ts';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import { runSearch } from '../../../src/record/postgres/search/search.ts';
import { evaluateSearch } from '../../domain/search/reference.ts';
import { facetsOf } from '../facets-of.ts';
import { allPages, idsOf } from '../ids-of.ts';
import { createDocumentWriter } from '../write-documents.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** What searches do beyond the bounds up to which they are exact, which are small here. */

const documents = 300;
const declaredPaths = ['price'];
const bounds = { exactMatches: 40, mostBegun: 5 } as const;

let postgres: TestPostgres;
let store: Store;
let connection: Connection;
const all: JsonObject[] = [];
before(async () => {
  postgres = await startTestPostgres();
  store = await openTestStore(postgres, { declaredPaths });
  connection = await connectToStore(postgres);
  const write = createDocumentWriter({ resources: store.resources });
  for (let at = 0; at < documents; at += 1) {
    const document = made(at);
    all.push(document);
    await write('p', document.id as string, { current: document });
  }
});
after(async () => {
  await connection.close();
  await store.close();
  await postgres.close();
});

/** Every document has two words in its text; of the last ones a few have them in the name. */
function made(at: number): JsonObject {
  const name = at >= 280 ? 'linen shirt' : at >= 250 ? 'linen curtain' : 'plain thing';
  const time = `2026-01-01T00:00:${String(at % 60).padStart(2, '0')}.000Z`;
  return {
    ...{ id: `r${String(at).padStart(4, '0')}`, version: 1, createdAt: time, lastModifiedAt: time },
    name: { en: name },
    description: { en: `linen shirt ${at % 100 === 7 ? 'seldom' : ''} ${'so '.repeat(at % 7)} word${letters(at)}` },
    ...{ color: ['red', 'green', 'blue'][at % 3]!, sizes: [at % 4, at % 5], price: at },
  } as unknown as JsonObject;
}

function letters(at: number): string {
  return [...String(at)].map((digit) => 'bcdfghklmn'[Number(digit)]).join('');
}

function parse(values: Readonly<Record<string, ParameterValue>>): SearchQuery {
  return parseSearch(new Map(Object.entries(values)), 'p');
}

/** `many`: more words that find the asked ones are very many. */
function search(query: SearchQuery, many?: number): Promise<SearchPage> {
  const limits = { usable: declaredPaths, check: () => {}, maxPageBytes: 1e9, ...bounds };
  return runSearch(connection, query, many === undefined ? limits : { ...limits, many });
}

const reference = (query: SearchQuery) =>
  evaluateSearch(
    all.map((current) => ({ current })),
    query,
  );

test('more matches than the bound are told as at least so many, unless all are to be counted', async () => {
  for (const values of [{ 'text.en': 'linen shirt' }, { where: 'price > 5', sort: 'price asc' }, {}]) {
    const { total, totalRelation, match } = await search(parse(values));
    assert.deepEqual([total, totalRelation], [bounds.exactMatches, 'gte']);
    if (match) assert.deepEqual([match.totals.all, match.totalRelation], [bounds.exactMatches, 'gte']);
    const query = parse({ ...values, withTotal: true });
    const counted = await search(query);
    assert.deepEqual([counted.total, counted.totalRelation], [reference(query).total, undefined]);
    assert.equal(counted.match?.totalRelation, undefined);
  }
});

test('up to the bound everything is as the reference has it', async () => {
  for (const values of [
    { 'text.en': 'linen seldom', match: 'all', facet: ['color', 'sizes'] },
    {
      'text.en': 'linen',
      'filter.query': ['price:range(0 to 39)'],
      facet: ['color', 'price:range(0 to 10),(10 to *)'],
    },
    { 'text.en': 'linen shirt', filter: ['price:range(270 to *)'], sort: 'score desc' },
  ]) {
    const query = parse(values);
    const [found, expected] = [await search(query), reference(query)];
    assert.deepEqual(idsOf(found), expected.ids);
    assert.equal(found.match?.ranked, undefined);
    assert.deepEqual(await search(query, 1), found, 'whatever is taken for many words');
    if (query.filters.length > 0) continue;
    assert.deepEqual([found.total, found.totalRelation], [expected.total, undefined]);
    assert.deepEqual(facetsOf(found), expected.facets);
  }
});

test('of more matches those with the words in their names are ranked first, and the answer says how many were', async () => {
  const query = parse({ 'text.en': 'linen shirt', limit: 30 });
  const found = await search(query);
  assert.equal(found.match!.ranked, bounds.exactMatches);
  const ids = idsOf(found);
  assert.deepEqual(ids.slice(0, 20), reference({ ...query, limit: 20 }).ids, 'both words in the name');
  assert.ok(
    ids.slice(20).every((id) => id >= 'r0250' && id < 'r0280'),
    `one of them next: ${ids}`,
  );
  const without = await search({ ...query, staged: true });
  assert.deepEqual(idsOf(without), ids);
});

test('with very many words that find the asked ones, fewer looks rank the same matches', async () => {
  const counts: string[][] = [];
  const counted = async (query: SearchQuery, many?: number) => {
    const texts: string[] = [];
    counts.push(texts);
    const query0 = connection.query;
    connection.query = (statement) => {
      if (/^(?:WITH m|SELECT count\(\*\)).*terms/s.test(statement.text)) texts.push(statement.text);
      return query0(statement);
    };
    try {
      return await search(query, many);
    } finally {
      connection.query = query0;
    }
  };
  for (const values of [
    { 'text.en': 'linen shirt', limit: 30 },
    { 'text.en': 'linen shirt', limit: 30, staged: true },
    { 'text.en': 'linen shirt', limit: 3, where: 'price > 2' },
    { 'text.en': 'lniens shirt', limit: 30, fuzzy: true },
  ]) {
    const query = parse(values);
    const [few, many] = [await counted(query), await counted(query, 0)];
    assert.equal(few.match!.ranked, bounds.exactMatches);
    assert.deepEqual({ ...many, next: undefined }, { ...few, next: undefined });
    const [own, others] = counts.slice(-2) as [string[], string[]];
    assert.ok(others.length < own.length, `${others.length} of ${own.length}`);
  }
  for (const values of [
    { 'text.en': 'linen shirt', limit: 0 },
    { 'text.en': 'linen shirt', limit: 5, sort: 'price asc' },
    { 'text.en': 'linen shirt', limit: 5, filter: ['price:range(270 to *)'] },
    { 'text.en': 'linen seldom', limit: 5 },
  ]) {
    const query = parse(values);
    assert.deepEqual(await search(query, 0), await search(query));
  }
});

test('a single word is ranked exactly, however many matches it has', async () => {
  const query = parse({ 'text.en': 'linen', limit: 60 });
  const limits = { usable: declaredPaths, check: () => {}, maxPageBytes: 1e9, ...bounds, manyMatches: 10 };
  const found = await runSearch(connection, query, limits);
  assert.deepEqual(idsOf(found), reference(query).ids);
  assert.equal(found.match!.ranked, undefined);
});

test('pages of a single word go on until its last match, in the order of the reference', async () => {
  const query = parse({ 'text.en': 'linen', limit: 7 });
  const limits = { usable: declaredPaths, check: () => {}, maxPageBytes: 1e9, ...bounds, manyMatches: 10 };
  const pages = await allPages(query, (own) => runSearch(connection, own, limits));
  const met = pages.flatMap(idsOf);
  assert.ok(met.length > bounds.exactMatches, `${met.length}`);
  assert.deepEqual(met, reference({ ...query, limit: 1000 }).ids);
  assert.ok(pages.every((page) => page.match!.ranked === undefined));
});

test('with most of the words, what has all of them is among those that are ranked', async () => {
  const query = parse({ 'text.en': 'linen seldom', match: 'most', limit: 5 });
  const found = await search(query);
  assert.equal(found.match!.ranked, bounds.exactMatches);
  assert.deepEqual(idsOf(found).slice(0, 3).sort(), ['r0007', 'r0107', 'r0207']);
});

test('pages by relevance end with what was ranked, each once', async () => {
  const query = parse({ 'text.en': 'linen shirt', limit: 7 });
  const met = (await allPages(query, (own) => search(own))).flatMap(idsOf);
  assert.deepEqual([met.length, new Set(met).size], [bounds.exactMatches, bounds.exactMatches]);
  assert.deepEqual(met, idsOf(await search({ ...query, limit: 100 })));
});

test('facets of more matches are those of a sample by ids, and say of how many', async () => {
  const values = {
    'text.en': 'linen',
    facet: ['color', 'sizes', 'price:range(* to 100),(100 to *)', 'color:"red" as red'],
  };
  const found = await search(parse(values));
  const [, color] = facetsOf(found)[0]!;
  const sampled = color.sampled!;
  assert.ok(sampled > 0 && sampled < documents, `${sampled}`);
  assert.ok(color.type === 'terms');
  const weight = (color.total + color.missing) / sampled;
  assert.ok(weight > 1 && Number.isInteger(Math.log2(weight)), `each stands for ${weight}`);
  const rows = await postgres.run<{ id: string }>(
    `SELECT id FROM resource WHERE project_key = 'p' AND hashtextextended(id, 0) & ${weight - 1} = 0`,
  );
  const ids = new Set(rows.map(({ id }) => id));
  assert.equal(ids.size, sampled);
  const sample = all.filter(({ id }) => ids.has(id as string)).map((current) => ({ current }));
  const expected = evaluateSearch(sample, parse(values)).facets;
  for (const [at, [name, facet]] of facetsOf(found).entries()) {
    assert.deepEqual(facet, { ...weighted(expected[at]![1] as never, weight), sampled }, name);
  }
  assert.deepEqual((await search(parse(values))).facets, found.facets, 'the same again');
  const exact = parse({ ...values, withTotal: true });
  assert.deepEqual(facetsOf(await search(exact)), reference(exact).facets);
});

/** What the counts of a sample say of all. */
function weighted(facet: Record<string, unknown>, weight: number): Record<string, unknown> {
  const times = (value: unknown) => (value as number) * weight;
  const listed = (list: unknown, names: readonly string[]) =>
    (list as Record<string, unknown>[]).map((one) => ({
      ...one,
      ...Object.fromEntries(names.map((name) => [name, times(one[name])])),
    }));
  if (facet.type === 'terms') {
    const terms = listed(facet.terms, ['count']);
    return { ...facet, missing: times(facet.missing), total: times(facet.total), terms };
  }
  if (facet.type === 'range') return { ...facet, ranges: listed(facet.ranges, ['count', 'total']) };
  return { ...facet, count: times(facet.count) };
}

test('of the words that begin alike the shortest are looked for, and the total says that there may be more', async () => {
  const { total, totalRelation, match } = await search(
    parse({ 'text.en': 'word', prefix: true, 'filter.query': ['price:range(0 to 20)'] }),
  );
  assert.deepEqual([total, totalRelation, match!.totalRelation], [bounds.mostBegun, 'gte', 'gte']);
  const few = await search(parse({ 'text.en': 'wordcbd', prefix: true, match: 'all' }));
  assert.deepEqual([few.total, few.totalRelation], [1, undefined]);
});

test('of the words that may follow the first one of two the shortest are looked for, and the total says that there may be more', async () => {
  const find = async (text: string) => {
    const { total, totalRelation } = await search(parse({ 'text.en': text, prefix: true, match: 'all' }));
    return [total, totalRelation];
  };
  assert.deepEqual(await find('linensh'), [20, undefined]);
  assert.deepEqual(await find('linenw'), [0, 'gte'], 'words of descriptions');
});

test('searches within a broad range find what the reference does, by relevance and by fields', async () => {
  for (const text of [{}, { 'text.en': 'seldom', match: 'all' }]) {
    for (const sort of [undefined, 'price asc', 'price desc', 'id desc', 'createdAt asc']) {
      for (const narrowed of [
        { where: 'price > 50' },
        { filter: ['price:range(50 to 260)'] },
        { where: 'price < 290' },
      ]) {
        const query = parse({ ...text, ...narrowed, limit: 30, ...(sort && { sort }), facet: ['color'] });
        const [found, expected] = [await search(query), reference(query)];
        assert.deepEqual(idsOf(found), expected.ids, JSON.stringify([text, sort, narrowed]));
        const most = Math.min(expected.total, bounds.exactMatches);
        assert.deepEqual([found.total, found.totalRelation], [most, most < expected.total ? 'gte' : undefined]);
      }
    }
  }
});

/** A search for what completes a text; so many words of a beginning are looked for. */
async function complete(values: Readonly<Record<string, ParameterValue>>, mostBegun: number) {
  const query = { ...parse({ prefix: true, match: 'all', limit: 0, ...values }), suggest: 2 };
  const limits = { usable: declaredPaths, check: () => {}, maxPageBytes: 1e9, ...bounds, mostBegun };
  const page = await runSearch(connection, query, limits);
  const { completions, sampled } = page;
  assert.equal(suggestionsOf({ text: String(values['text.en']), query }, page).sampled, sampled);
  return { query, sampled, completions: completions!.map(({ word, count }) => ({ word, count })) };
}

test('what completes a text that more resources match is counted in a sample of the project, which is told', async () => {
  // Of the first ones few words are looked for, of the last one so many that the sample comes first.
  for (const [text, mostBegun] of [
    ['lin', 5],
    ['s', 5],
    ['linen s', 5],
    ['wor', 200],
  ] as const) {
    for (const staged of [false, true]) {
      const { query, completions, sampled } = await complete({ 'text.en': text, staged }, mostBegun);
      const rows = await postgres.run<{ id: string }>(
        `SELECT id FROM resource WHERE project_key = 'p' AND hashtextextended(id, 0) & 7 = 0`,
      );
      assert.equal(sampled, rows.length, 'no more than the bound: one in eight');
      // The words that are looked for are those of the first resources.
      const ids = new Set(rows.map(({ id }) => id).filter((id) => text !== 'wor' || id < 'r0200'));
      const sample = all.filter(({ id }) => ids.has(id as string)).map((current) => ({ current }));
      const expected = evaluateSearch(sample, query).completions!;
      assert.ok(expected.length > 0);
      assert.deepEqual(
        completions,
        expected.map(({ word, count }) => ({ word, count: 8 * count })),
        text,
      );
    }
  }
});

test('what completes a text that few resources match is counted exactly', async () => {
  for (const [values, mostBegun] of [
    [{ 'text.en': 'sel' }, 5],
    [{ 'text.en': 'lin', where: 'price < 20' }, 5],
    [{ 'text.en': 'wor', where: 'price < 5' }, 200],
  ] as const) {
    const { query, completions, sampled } = await complete(values, mostBegun);
    assert.deepEqual([sampled, completions], [undefined, reference(query).completions]);
  }
});
