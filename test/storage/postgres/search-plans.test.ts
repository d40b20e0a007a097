import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { noSettings, type SearchSettings } from '../../../src/domain/search/settings.ts';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import type { SearchLimits } from '../../../src/record/postgres/search/climb.ts';
import { runSearch } from '../../../src/record/postgres/search/search.ts';
import { creation, document } from '../records.ts';
import { explain } from './explain.ts';
import {
  connectToStore,
  neighbourOf,
  openTestStore,
  startTestPostgres,
  type TestPostgres,
} from './start-test-postgres.ts';

const documents = 3000;
/** One in so many documents has the rare word, and one in so many the slogan. */
const rareEvery = 300;

let postgres: TestPostgres;
let store: Store;
let connection: Connection;
before(async () => {
  postgres = await startTestPostgres();
  store = await openTestStore(postgres, { declaredPaths: ['price'] });
  connection = await connectToStore(postgres);
  // Another project with as much, which no plan may read along.
  for (const project of ['p', await neighbourOf(postgres, 'p')]) {
    await Promise.all(
      Array.from({ length: documents }, (_, at) => store.resources.commit(creation(project, made(at)))),
    );
  }
  await postgres.run('VACUUM ANALYZE');
});
after(async () => {
  await connection.close();
  await store.close();
  await postgres.close();
});

function made(at: number) {
  const isRare = at % rareEvery === 7;
  return {
    // Without a key, which would be a word of its own beside the price.
    ...document(`r${String(at).padStart(5, '0')}`, 1, {}),
    name: { en: `shelf ${letters(at)}` },
    description: { en: `common words of a product ${at % 2 === 0 ? 'often' : ''} ${isRare ? 'seldom' : ''}` },
    ...(isRare && { slogan: { en: 'never common' } }),
    ...{ colour: at % 3 === 0 ? 'red' : 'blue', price: at },
  };
}

/** A word of its own for each number, without digits. */
function letters(at: number): string {
  return [...String(at)].map((digit) => 'bcdfghklmn'[Number(digit)]! + 'aeiou'[Number(digit) % 5]!).join('');
}

interface Plans {
  readonly lines: readonly string[];
  /** The most rows that a step over the tables read, those that its filter removed included. */
  readonly rows: number;
}

/** Runs a search, noting the plan of each of its statements as it really went. */
async function plansOf(
  values: Readonly<Record<string, ParameterValue>>,
  settings: SearchSettings = noSettings,
  bounds: Pick<SearchLimits, 'manyMatches' | 'exactMatches' | 'many'> = {},
): Promise<Plans> {
  const lines: string[] = [];
  const explaining: Connection = {
    ...connection,
    async query<Row>(statement: { readonly text: string; readonly values?: readonly unknown[] }) {
      lines.push(...(await explain(postgres, connection, statement)));
      return connection.query<Row>(statement);
    },
  };
  const query = parseSearch(new Map(Object.entries(values)), 'p', settings);
  await runSearch(explaining, query, { usable: ['price'], check: () => {}, maxPageBytes: 1e9, ...bounds });
  assert.ok(
    lines.some((line) => overTable.test(line)),
    lines.join('\n'),
  );
  return { lines, rows: mostRows(lines) };
}

/** A step over a table, with the lines that belong to it. */
const overTable = / on (?:resource|word)\b.*\(actual rows=(\d+)/;

function mostRows(lines: readonly string[]): number {
  let most = 0;
  let isOverTable = false;
  for (const line of lines) {
    if (line.includes('(actual rows=') || line.includes('(never executed)')) isOverTable = overTable.test(line);
    const read = overTable.exec(line) ?? (isOverTable ? /^Rows Removed by .*: (\d+)/.exec(line) : null);
    most = Math.max(most, Number(read?.[1] ?? 0));
  }
  return most;
}

const weighted: SearchSettings = { ...noSettings, fields: [{ path: ['slogan'], weight: 2 }] };
const boosting: SearchSettings = {
  ...noSettings,
  boosts: [{ predicate: parsePredicate('colour = "red"', { variables: new Map() }), factor: 2 }],
};

/** Classes of searches, and how many rows of resources and words they may read at most. */
const few = 2 * (documents / rareEvery) + 20;
const classes: readonly (readonly [string, Readonly<Record<string, ParameterValue>>, number, SearchSettings?])[] = [
  ['a rare word', { 'text.en': 'seldom' }, few],
  ['a rare word, the fields having weights', { 'text.en': 'seldom' }, few, weighted],
  ['a rare word, some resources being boosted', { 'text.en': 'seldom' }, few, boosting],
  ['a rare word and a filter, with facets', { 'text.en': 'seldom', filter: ['colour:"red"'], facet: ['colour'] }, few],
  ['a rare word by price', { 'text.en': 'seldom', sort: 'price desc' }, few],
  ['a rare filter and facets without text', { 'filter.query': ['price:7,307'], facet: ['colour'] }, few],
];

for (const [name, values, most, settings] of classes) {
  test(`a search for ${name} reads few rows`, async () => {
    const { lines, rows } = await plansOf(values, settings);
    const shown = lines.join('\n');
    assert.ok(!/Seq Scan on (?:resource|word)\b/.test(shown), shown);
    assert.ok(rows <= most, `${rows} rows read\n${shown}`);
  });
}

const broad: readonly (readonly [string, Readonly<Record<string, ParameterValue>>, SearchSettings?])[] = [
  ['a word of every document', { 'text.en': 'common' }],
  ['a word of every document, the fields having weights', { 'text.en': 'common' }, weighted],
  ['a word of every document, by price with facets', { 'text.en': 'common', sort: 'price asc', facet: ['colour'] }],
  ['a common word with a rare one', { 'text.en': 'common seldom' }],
  ['two common words', { 'text.en': 'common often' }],
  ['a word with a typo', { 'text.en': 'sheldom', fuzzy: true }],
  ['most of the words', { 'text.en': 'seldom common nowhere' }],
  ['the beginning of a word', { 'text.en': 'sh', prefix: true }],
  ['facets over everything', { facet: ['colour', 'price'] }],
  ['a condition of most resources, sorted', { where: 'price > 900', sort: 'price asc' }],
  ['a word that none has', { 'text.en': 'nowhere' }],
  ['suggestions', { 'text.en': 'com', prefix: true }],
];

for (const [name, values, settings] of broad) {
  test(`a search for ${name} reads nothing of other projects`, async () => {
    const { lines, rows } = await plansOf(values, settings);
    const shown = lines.join('\n');
    assert.ok(!/Seq Scan on word\b/.test(shown), shown);
    assert.ok(rows <= documents + 20, `${rows} rows read\n${shown}`);
  });
}

test('a search for a single word with many matches reads no terms of documents but those of its first results', async () => {
  const plans = await plansOf({ 'text.en': 'common', limit: 10 }, noSettings, { manyMatches: 100 });
  const shown = plans.lines.join('\n');
  assert.ok(!shown.includes('unnest t'), shown);
  const all = await plansOf({ 'text.en': 'common', limit: 10 }, noSettings, { manyMatches: documents });
  assert.ok(all.lines.join('\n').includes('unnest t'), 'else this test sees nothing');
});

/** How often a step ran. */
function loopsOf(lines: readonly string[], step: string): number {
  const loops = lines.filter((line) => line.includes(step)).map((line) => Number(/loops=(\d+)/.exec(line)?.[1] ?? 0));
  return Math.max(0, ...loops);
}

for (const [name, values, settings] of broad) {
  test(`beyond a bound a search for ${name} reads the terms of no more documents, and of few the values`, async () => {
    const exactMatches = 100;
    const { lines, rows } = await plansOf(values, settings, { exactMatches, manyMatches: documents });
    const shown = lines.join('\n');
    assert.ok(rows <= documents + 20, `${rows} rows read\n${shown}`);
    // Those in which rules make words stand elsewhere are read beside these.
    assert.ok(loopsOf(lines, 'Function Scan on unnest t') <= exactMatches, shown);
    assert.ok(loopsOf(lines, 'on "*VALUES*"') <= 2 * exactMatches, shown);
  });

  test(`the same where very many words would find those of a search for ${name}`, async () => {
    const { lines, rows } = await plansOf(values, settings, { exactMatches: 100, manyMatches: documents, many: 1 });
    const shown = lines.join('\n');
    assert.ok(!/Seq Scan/.test(shown), shown);
    assert.ok(rows <= documents + 20, `${rows} rows read\n${shown}`);
  });
}

test('beyond a bound facets are counted in documents of the sample alone', async () => {
  const { lines } = await plansOf({ facet: ['colour', 'price'] }, noSettings, { exactMatches: 100 });
  assert.ok(loopsOf(lines, 'on "*VALUES*"') > 10, lines.join('\n'));
  const all = await plansOf({ facet: ['colour', 'price'], withTotal: true }, noSettings, { exactMatches: 100 });
  assert.ok(loopsOf(all.lines, 'on "*VALUES*"') >= documents, all.lines.join('\n'));
});

test('words that resemble several asked ones are looked for in one walk through the words of each locale', async () => {
  const { lines } = await plansOf({ 'text.en': 'sheldom oftn', fuzzy: true });
  const walks = lines.filter((line) => line.includes('levenshtein'));
  assert.equal(walks.length, 2, lines.join('\n'));
});
