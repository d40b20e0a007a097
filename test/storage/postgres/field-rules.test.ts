import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import type { SearchPage } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import type { SearchQuery } from '../../../src/domain/search/query/query.ts';
import { noSettings, type SearchSettings } from '../../../src/domain/search/settings.ts';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import { type ChangedWords, createChangedWords } from '../../../src/record/postgres/search/rules/changed-words.ts';
import { runSearch } from '../../../src/record/postgres/search/search.ts';
import { evaluateSearch } from '../../domain/search/reference.ts';
import { facetsOf } from '../facets-of.ts';
import { allPages, idsOf } from '../ids-of.ts';
import { createDocumentWriter } from '../write-documents.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Rules of a project for its fields, where more documents have them than a search looks at: so many. */
const exactMatches = 40;
const documents = 300;

let postgres: TestPostgres;
let store: Store;
let connection: Connection;
let write: ReturnType<typeof createDocumentWriter>;
const all = new Map<string, JsonObject>();
before(async () => {
  postgres = await startTestPostgres();
  store = await openTestStore(postgres, { declaredPaths: ['price'] });
  connection = await connectToStore(postgres);
  write = createDocumentWriter({ resources: store.resources });
  await Promise.all(Array.from({ length: documents }, (_, at) => put(made(at))));
  // Without statistics a range of so few would be looked up for each document anew.
  await postgres.run('ANALYZE');
});
after(async () => {
  await connection.close();
  await store.close();
  await postgres.close();
});

async function put(document: JsonObject): Promise<void> {
  all.set(document.id as string, document);
  await write('p', document.id as string, { current: document });
}

/** Each has a word in its note; of the first half that is the only place. Few have it in the name. */
function made(at: number, note = 'linen', version = 1): JsonObject {
  const time = `2026-01-01T00:00:${String(at % 60).padStart(2, '0')}.000Z`;
  return {
    ...{ id: `r${String(at).padStart(4, '0')}`, version, createdAt: time, lastModifiedAt: time },
    name: { en: at >= 290 ? 'linen curtain' : 'plain thing' },
    note: { en: `${note} ${at % 30 === 7 ? 'seldom' : ''} x${at % 5}` },
    ...{ color: ['red', 'green', 'blue'][at % 3]!, price: (at * 7) % documents },
    ...(at >= 150 && { brand: 'Linen' }),
    // The names look like Ukrainian and Basque, and are so in the title.
    ...(at % 2 === 0 && { fit: { uk: at >= 280 ? 'snug narrow' : 'snug', eu: `y${at % 5}` } }),
    ...(at % 3 === 0 && { title: { uk: 'snug' } }),
    ...(at % 30 === 8 && { fit: { uk: 'roomy' } }),
    ...(at % 30 === 9 && { title: { uk: 'roomy' } }),
  } as unknown as JsonObject;
}

const excluded = { ...noSettings, fields: [{ path: ['note'], weight: 0 }] };
const plain = { ...noSettings, fields: [{ path: ['fit'], isPlain: true }] };
const weighted = { ...noSettings, fields: [{ path: ['note'], weight: 3 }] };

function parse(values: Readonly<Record<string, ParameterValue>>, settings: SearchSettings = excluded): SearchQuery {
  return parseSearch(new Map(Object.entries(values)), 'p', settings);
}

const search = (query: SearchQuery, changedWords?: ChangedWords, on = connection): Promise<SearchPage> =>
  runSearch(on, query, {
    ...{ usable: ['price'], check: () => {}, maxPageBytes: 1e9, exactMatches },
    ...(changedWords && { changedWords }),
  });

const reference = (query: SearchQuery, among: Iterable<JsonObject> = all.values()) =>
  evaluateSearch(
    [...among].map((current) => ({ current })),
    query,
  );

test('where more documents have the word in a field with a rule, what is found is the best, and the answer says that there may be more', async () => {
  for (const [values, settings] of [
    [{ 'text.en': 'linen' }, excluded],
    [{ 'text.en': 'linen' }, weighted],
    [{ 'text.en': 'linen nowhere nothing', match: 'most' }, excluded],
  ] as const) {
    const query = parse({ ...values, limit: 60 }, settings);
    const found = await search(query);
    const expected = new Set(reference({ ...query, limit: documents }).ids);
    assert.ok(expected.size > exactMatches);
    const ids = idsOf(found);
    assert.deepEqual(
      ids.filter((id) => !expected.has(id)),
      [],
      'nothing by a word of an excluded field',
    );
    assert.deepEqual(ids.slice(0, 10), reference({ ...query, limit: 10 }).ids, 'names first');
    assert.equal(found.match!.ranked, ids.length);
    assert.ok(ids.length <= exactMatches);
    assert.deepEqual([found.total, found.totalRelation, found.match!.totalRelation], [ids.length, 'gte', 'gte']);
    assert.deepEqual(idsOf(await search({ ...query, staged: true })), ids);
  }
});

test('words of plain paths are found where more documents have them, and those of the language are not', async () => {
  for (const values of [
    { 'text.en': 'snug' },
    { 'text.en': 'snug narrow' },
    { 'text.en': 'snug nowhere', match: 'most' },
  ]) {
    const query = parse({ ...values, limit: 60, facet: ['color'] }, plain);
    const found = await search(query);
    const expected = new Set(reference({ ...query, limit: documents }).ids);
    const ids = idsOf(found);
    assert.ok(ids.length >= 10, JSON.stringify(values));
    assert.deepEqual(
      ids.filter((id) => !expected.has(id)),
      [],
      'nothing by a word of the language',
    );
    assert.deepEqual(found.match!.rung, reference(query).match!.rung);
    assert.deepEqual([found.match!.dropped, found.match!.corrected], [reference(query).match!.dropped, {}]);
    const [[, color]] = facetsOf(found) as never as [[string, { count: number; sampled?: number }]];
    if (expected.size > exactMatches) {
      assert.deepEqual([ids.length, found.totalRelation], [exactMatches, 'gte']);
      assert.ok(color.sampled! > 0);
    } else assert.deepEqual(ids.toSorted(), [...expected].toSorted());
    assert.deepEqual(idsOf(await search({ ...query, staged: true })), ids);
  }
});

test('with plain paths everything is exact where few match, an order goes on from page to page, and all are counted if asked', async () => {
  for (const values of [
    { 'text.en': 'roomy', facet: ['color'] },
    { 'text.en': 'snug narrow', match: 'all', facet: ['color'] },
    { 'text.en': 'snug', 'filter.query': ['price:range(0 to 30)'], facet: ['color'] },
    { 'text.en': 'snug', filter: ['price:range(0 to 30)'], sort: 'price desc' },
    { 'text.en': 'snug', withTotal: true, limit: 200, facet: ['color'] },
    { 'text.uk': 'snug', 'filter.query': ['price:range(0 to 30)'], facet: ['color'] },
  ]) {
    const query = parse(values, plain);
    const [found, expected] = [await search(query), reference(query)];
    assert.deepEqual(idsOf(found), expected.ids, JSON.stringify(values));
    assert.deepEqual([found.total, found.totalRelation], [expected.total, undefined]);
    assert.deepEqual(facetsOf(found), expected.facets);
  }
  const query = parse({ 'text.en': 'snug', sort: 'price asc', limit: 12 }, plain);
  const pages = await allPages(query, (own) => search(own));
  assert.deepEqual(pages.flatMap(idsOf), reference({ ...query, limit: documents }).ids);
});

test('where few documents match, or few within the filters, everything is exact', async () => {
  for (const values of [
    { 'text.en': 'linen seldom', match: 'all' },
    { 'text.en': 'linen', 'filter.query': ['price:range(0 to 30)'], facet: ['color'] },
    { 'text.en': 'linen', filter: ['price:range(0 to 30)'] },
    { 'text.en': 'linen', filter: ['price:range(0 to 30)'], sort: 'price desc' },
  ]) {
    for (const settings of [excluded, weighted]) {
      const query = parse(values, settings);
      const [found, expected] = [await search(query), reference(query)];
      assert.deepEqual(idsOf(found), expected.ids, JSON.stringify(values));
      assert.deepEqual([found.total, found.totalRelation], [expected.total, undefined]);
      assert.equal(found.match!.ranked, undefined);
      assert.deepEqual(facetsOf(found), expected.facets);
    }
  }
});

test('an order by a field begins with what comes first, and goes on from page to page', async () => {
  for (const sort of ['price asc', 'price desc', 'color asc']) {
    const query = parse({ 'text.en': 'linen', sort, limit: 12 });
    const expected = reference({ ...query, limit: documents }).ids;
    const pages = await allPages(query, (own) => search(own));
    for (const { totalRelation } of pages) assert.equal(totalRelation, 'gte');
    assert.deepEqual(pages.flatMap(idsOf), expected, sort);
  }
});

test('all documents are looked at where all matches are to be counted', async () => {
  const query = parse({ 'text.en': 'linen', withTotal: true, facet: ['color'], limit: 200 });
  const [found, expected] = [await search(query), reference(query)];
  assert.deepEqual(idsOf(found), expected.ids);
  assert.deepEqual([found.total, found.totalRelation], [expected.total, undefined]);
  assert.deepEqual(facetsOf(found), expected.facets);
});

test('facets look at the documents of their sample', async () => {
  const query = parse({ 'text.en': 'linen', facet: ['color', 'color:"red" as red'] });
  const facets = facetsOf(await search(query));
  const [, color] = facets[0]!;
  assert.ok(color.type === 'terms' && color.sampled! > 0 && color.sampled! < documents);
  const rows = await postgres.run<{ id: string }>(
    `SELECT id FROM resource WHERE project_key = 'p' AND hashtextextended(id, 0) & 7 = 0`,
  );
  assert.equal(color.sampled, rows.length, 'one in eight');
  const expected = reference(
    query,
    rows.map(({ id }) => all.get(id)!),
  );
  const [[, expectedColor], [, expectedRed]] = expected.facets as never as [
    [string, { terms: { term: string; count: number }[] }],
    [string, { count: number }],
  ];
  assert.deepEqual(
    color.terms.map(({ term, count }) => [term, count]),
    expectedColor.terms.map(({ term, count }) => [term, 8 * count]),
  );
  assert.equal((facets[1]![1] as { count: number }).count, 8 * expectedRed.count);
});

test('suggestions that had to leave documents out say that they count in some', async () => {
  const query = { ...parse({ 'text.en': 'lin', prefix: true, match: 'all', limit: 0 }), suggest: 3 };
  const { completions, sampled } = await search(query);
  assert.equal(sampled, exactMatches);
  assert.equal(completions![0]!.word, 'linen');
  assert.ok(completions![0]!.count <= exactMatches);
});

const readsText = /^SELECT r\.id, (?:coalesce\(r\.staged, )?r\.current\)? AS text/;
const readsTerms = /^SELECT r\.id, r\.staged IS NOT NULL AS has_staged/;

/** The same connection, with the ids whose texts searches read, or whose terms. */
function recording(read: string[], fail: () => void = () => {}, reads = readsText): Connection {
  return {
    ...connection,
    async query<Row>(statement: Parameters<Connection['query']>[0]) {
      const isRead = reads.test(statement.text);
      if (isRead) fail();
      const rows = await connection.query<Row>(statement);
      if (isRead) read.push(...(rows as readonly { id: string }[]).map(({ id }) => id));
      return rows;
    },
  };
}

test('a document is read once, and again after it was written', async () => {
  const changedWords = createChangedWords();
  const query = parse({ 'text.en': 'linen', withTotal: true, limit: 500 });
  const read: string[] = [];
  const searched = async (own: SearchQuery) => {
    read.length = 0;
    const found = await search(own, changedWords, recording(read));
    assert.deepEqual(idsOf(found), reference(own).ids);
  };
  await searched(query);
  assert.equal(read.length, documents);
  await searched(query);
  assert.deepEqual(read, []);
  await put(made(3, 'other', 2));
  await put({ ...made(4, 'linen', 2), brand: 'Linen' } as JsonObject);
  await searched(query);
  assert.deepEqual(read, ['r0004'], 'the other one has the word no longer');
  await write('p', 'r0004', undefined);
  await put(made(4));
  await searched(query);
  assert.deepEqual(read, ['r0004'], 'deleted, and created again with the version that it had first');
  await searched({ ...query, fields: weighted.fields });
  assert.equal(read.length, documents - 1, 'other rules');
  await searched(query);
  assert.deepEqual(read, []);
});

test('terms are read of no document that has lost what is needed', async () => {
  for (const [values, settings, hasMatches] of [
    [{ 'text.en': 'x1' }, excluded, false],
    [{ 'text.en': 'x1', match: 'most', withTotal: true }, excluded, false],
    [{ 'text.en': 'linen' }, excluded, true],
    [{ 'text.en': 'linen', sort: 'price asc' }, excluded, true],
    [{ 'text.en': 'linen red', match: 'all' }, excluded, true],
    [{ 'text.en': 'snug' }, plain, true],
  ] as const) {
    const query = parse({ ...values, limit: documents }, settings);
    for (const staged of [false, true]) {
      const read: string[] = [];
      const found = await search({ ...query, staged }, undefined, recording(read, undefined, readsTerms));
      const expected = new Set(reference(query).ids);
      assert.equal(expected.size > 0, hasMatches, JSON.stringify(values));
      assert.equal(found.total! > 0, hasMatches);
      assert.equal(read.length > 0, hasMatches);
      assert.deepEqual(
        read.filter((id) => !expected.has(id)),
        [],
        JSON.stringify(values),
      );
    }
  }
});

const cancelled = () => Object.assign(new Error('canceling statement'), { code: '57014', severity: 'ERROR' });

test('a search that has no time left to read all documents is 503, and the next one reads the others', async () => {
  const query = parse({ 'text.en': 'linen', withTotal: true });
  const read: string[] = [];
  let left = 2;
  const failing = recording(read, () => {
    left -= 1;
    if (left < 0) throw cancelled();
  });
  const changedWords = createChangedWords();
  await assert.rejects(search(query, changedWords, failing), { code: 'OverCapacity', status: 503 });
  const known = read.length;
  assert.ok(known > 0 && known < documents, `${known} documents`);
  read.length = 0;
  assert.deepEqual(idsOf(await search(query, changedWords, recording(read))), reference(query).ids);
  assert.equal(read.length + known, documents - 1);
});

test('without room nothing is kept: searches find the same, and one without time would not have more the next time', async () => {
  const query = parse({ 'text.en': 'linen', withTotal: true });
  const changedWords = createChangedWords(5000);
  for (let time = 0; time < 2; time += 1) {
    const read: string[] = [];
    assert.deepEqual(idsOf(await search(query, changedWords, recording(read))), reference(query).ids);
    assert.ok(read.length > documents / 2, `${read.length} documents`);
  }
  let left = 2;
  const failing = recording([], () => {
    left -= 1;
    if (left < 0) throw cancelled();
  });
  await assert.rejects(search(query, changedWords, failing), { code: '57014' });
});
