import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { canonicalInstant } from '../../../src/domain/instant.ts';
import type { ListQuery, SortTerm } from '../../../src/domain/ports/list-query.ts';
import type { Change } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import { findBroadRanges } from '../../../src/record/postgres/query/broad-ranges.ts';
import { compileList } from '../../../src/record/postgres/query/plan-list.ts';
import { pointReadTexts } from '../../../src/record/postgres/query/point-reads.ts';
import { noBroadRanges } from '../../../src/record/postgres/query/range-conditions.ts';
import { runList } from '../../../src/record/postgres/query/run-list.ts';
import { textsOfAll } from '../../../src/record/postgres/write/pairs.ts';
import { creation, document } from '../records.ts';
import { query } from './exercise.ts';
import { explain } from './explain.ts';
import {
  connectToStore,
  neighbourOf,
  openTestStore,
  startTestPostgres,
  type TestPostgres,
} from './start-test-postgres.ts';

const declaredPaths = ['price', 'name.en'];
const documents = 4000;

let postgres: TestPostgres;
let store: Store;
let connection: Connection;
before(async () => {
  postgres = await startTestPostgres();
  store = await openTestStore(postgres, { declaredPaths });
  connection = await connectToStore(postgres);
  // Another project with as much, which no plan may read along.
  for (const project of ['p', await neighbourOf(postgres, 'p')]) {
    await Promise.all(
      Array.from({ length: documents }, (_, at) => store.resources.commit(creationOf(project, made(at)))),
    );
  }
  const answers = `INSERT INTO idempotent_answer SELECT 'p', n::text, '', 200, '', '', n, 0, 0 FROM generate_series(1, 2000) n`;
  await postgres.run(answers);
  await postgres.run('VACUUM ANALYZE');
});
after(async () => {
  await connection.close();
  await store.close();
  await postgres.close();
});

function creationOf(project: string, current: JsonObject): Change {
  const change = creation(project, current);
  if (change.kind !== 'create') throw new Error('a creation');
  const instant = canonicalInstant(String(current.createdAt))!;
  return { ...change, next: { ...change.next, createdAt: instant, lastModifiedAt: instant } };
}

function made(at: number) {
  const fields = {
    ...{ price: at, name: { en: `n${at}` }, list: [{ x: at }], colour: at % 3 === 0 ? 'red' : 'blue' },
    objectTypeProperty: { arrayOfIntExample: [at] },
  };
  const time = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
  return { ...document(`r${at}`, at + 1, {}, `k${at}`), ...fields, createdAt: time, lastModifiedAt: time };
}

/** Runs a list, noting the plan of each of its statements as it really went. */
async function plansOf(list: ListQuery, fewRows = 5000, broad = noBroadRanges): Promise<readonly string[]> {
  const lines: string[] = [];
  const explaining: Connection = {
    ...connection,
    async query<Row>(statement: { text: string; values?: readonly unknown[] }) {
      lines.push(...(await explain(postgres, connection, statement)));
      return connection.query<Row>(statement);
    },
  };
  await runList(explaining, compileList(list, declaredPaths, broad), 1e9, { fewRows });
  return lines;
}

/** The most rows that a step of the plan read, those that its filter removed included. */
function mostRows(plans: readonly string[]): number {
  const read = plans.map((line) => /(?:actual rows=|Rows Removed by \w+(?: \w+)*: )(\d+)/.exec(line)?.[1] ?? 0);
  return Math.max(...read.map(Number));
}

/** The most resources that a step of the plan read, those that its filter removed included. */
function resourcesRead(plans: readonly string[]): number {
  const read = plans.map((line, at) => {
    const [, rows, loops] = / on resource .*actual rows=(\d+) loops=(\d+)/.exec(line) ?? [];
    if (rows === undefined) return 0;
    const own = plans.slice(
      at + 1,
      plans.findIndex((other, index) => index > at && other.startsWith('->')),
    );
    const removed = own.map((detail) => Number(/^Rows Removed by Filter: (\d+)/.exec(detail)?.[1] ?? 0));
    return Number(loops) * (Number(rows) + Math.max(0, ...removed));
  });
  return Math.max(...read);
}

test('a read by id, by key and of a response uses the unique index', async () => {
  const indexes = { id: 'resource_pkey', key: 'resource_project_key_key_key', response: 'idempotent_answer_pkey' };
  for (const [name, text] of Object.entries(pointReadTexts)) {
    const values = ['p', name === 'key' ? ['k1', 'k2'] : ['r1', 'r2']];
    const lines = await connection.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values });
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(plan, new RegExp(`Index Scan (?:using|on) ${indexes[name as 'id']}`), plan);
  }
});

const terms = /on resource_terms/;
const entries = /ordered_value_order/;

const conditions: readonly (readonly [string, RegExp])[] = [
  ['name.en = "n7"', terms],
  ['any.path.at-all = "x"', terms],
  ['list.x in (1, 2)', terms],
  ['list(x = 3)', terms],
  ['list(x = 3 and y is not defined)', terms],
  ['list contains any (1)', terms],
  ['7 in arrayOfIntExample', terms],
  ['price = 3 and name.en != "n1" or price in (4)', terms],
  ['zzz is defined', terms],
  ['price > 3990', entries],
  ['price > 30 and price < 40', entries],
  ['name.en >= "n998"', entries],
  ['arrayOfIntExample > 3990', entries],
  ['key = "k1"', /resource_project_key_key_key/],
  ['id in ("r1", "r2")', /resource_pkey/],
  ['version > 3990', /resource_version/],
  ['createdAt > "2030-01-01T00:00:30Z"', /resource_created/],
  ['lastModifiedAt < "2020-01-01T00:00:05Z"', /resource_modified/],
];

for (const [where, expected] of conditions) {
  test(`a list where ${where} uses an index, and reads few rows`, async () => {
    for (const staged of [false, true]) {
      const plans = await plansOf(query('p', where, { staged, sort: [{ path: ['id'], direction: 'asc' }] }));
      const shown = plans.join('\n');
      assert.match(shown, expected);
      assert.ok(mostRows(plans) < 100, `${mostRows(plans)} rows read\n${shown}`);
    }
  });
}

for (const [where, most] of [
  ['price > 300', 1],
  ['price <= 300', 1],
  ['price >= 300 and price < 3000', 2],
  ['name.en > "n2"', 1],
  ['name.en >= "n2" and name.en <= "n3"', 2],
] as const) {
  test(`a list where ${where} looks only at documents on the ends of the range`, async () => {
    const plans = await plansOf(query('p', where));
    const looked = plans.filter((line) => line.includes('jsonb_array_elements'));
    assert.ok(looked.length > 0, 'the plan says how many');
    for (const line of looked) {
      const loops = line.includes('never executed') ? 0 : Number(/loops=(\d+)/.exec(line)![1]);
      assert.ok(loops <= most, plans.join('\n'));
    }
  });
}

test('entries that a resource loses are found by its id, however many others have the same key', async () => {
  const [shape] = await postgres.run<{ place: string; key: string; id: string }>(
    `SELECT place::text, encode(key, 'hex') AS key, encode(id, 'hex') AS id FROM ordered_value LIMIT 1`,
  );
  const text = `EXPLAIN ${textsOfAll['lose-entries']}`;
  const values = ['p', [shape!.place], [shape!.key], [shape!.id]];
  const plan = await connection.query<{ 'QUERY PLAN': string }>({ text, values });
  assert.match(plan.map((line) => line['QUERY PLAN']).join('\n'), /Index Scan (?:using|on) ordered_value_resource/);
});

const orders: readonly (readonly [string, RegExp])[] = [
  ['createdAt', /resource_created/],
  ['lastModifiedAt', /resource_modified/],
  ['version', /resource_version/],
  ['id', /resource_pkey/],
  ['key', /resource_project_key_key_key/],
  ['price', entries],
  ['name.en', entries],
  ['arrayOfIntExample', entries],
];

for (const [path, expected] of orders) {
  test(`a list sorted by ${path} reads the first rows along an index, whether all match or many`, async () => {
    for (const direction of ['asc', 'desc'] as const) {
      // Without a value at the end of ArrayTestType's paths nothing tells those that come first.
      if (path === 'arrayOfIntExample' && direction === 'desc') continue;
      for (const where of ['', 'colour = "red"']) {
        const sort: SortTerm[] = [{ path: path.split('.'), direction }];
        const plans = await plansOf(query('p', where, { sort, withTotal: false }), 0);
        const shown = plans.join('\n');
        assert.match(shown, expected);
        // What looked for few matches first is not counted: it ends after one row too many.
        const scanned = plans.slice(
          plans.findLastIndex((line) => line.startsWith('Sort') || line.startsWith('Subquery')),
        );
        assert.ok(mostRows(scanned) < 200, `${mostRows(scanned)} rows read\n${shown}`);
      }
    }
  });
}

for (const [where, isBroad] of [
  ['price > 1000', true],
  ['price > 500 and price < 3500', true],
  ['name.en > "n1"', true],
  ['price > 3500', false],
  ['price > 4000', false],
  ['price in (1, 2)', false],
] as const) {
  test(`a list where ${where} ${isBroad ? 'reads along the order' : 'looks up what matches'}`, async () => {
    for (const path of ['id', 'createdAt', 'price']) {
      for (const direction of ['asc', 'desc'] as const) {
        const sort: SortTerm[] = [{ path: [path], direction }];
        const list = { ...query('p', where, { sort }), countUpTo: 100 };
        const broad = await findBroadRanges(connection, list, declaredPaths, { many: 100 });
        assert.equal(broad.size, isBroad ? 1 : 0);
        if (!isBroad) continue;
        const plans = await plansOf(list, 50, broad);
        // Prices are in the order of creation: where those that match come last, the others are read before them.
        const most = path === 'price' ? 50 : 1200;
        assert.ok(resourcesRead(plans) < most, plans.join('\n'));
      }
    }
  });
}
