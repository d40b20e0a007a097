import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { joinedTexts, type ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Change } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { StoreRefused } from '../../../src/storage/engine.ts';
import { buildIndex } from '../../../src/storage/postgres/maintenance/build-index.ts';
import { checkPostgres } from '../../../src/storage/postgres/maintenance/maintain.ts';
import { createConnect } from '../../../src/storage/postgres/open/connection.ts';
import { listMigrations, migrate } from '../../../src/storage/postgres/open/migrate.ts';
import { rowOf } from '../../../src/storage/row/stored-row.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { query } from './exercise.ts';
import {
  connectToStore,
  openTestStore,
  startTestPostgres,
  type TestPostgres,
  untilReady,
} from './start-test-postgres.ts';

/** A database whose terms are texts becomes one whose terms are numbers (decision 172). */
let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

const resources = 30;
const declaredPaths = ['rank'];

function made(n: number, version = 1, colour = n % 3 === 0 ? 'red' : 'blue'): JsonObject {
  const name = { en: `${n % 2 === 0 ? 'left' : 'right'} shoe` };
  return document(`d${String(n).padStart(3, '0')}`, version, { colour, rank: n, name }, `k${n}`);
}

const insertText = `INSERT INTO resource (project_key, id, key, version, created_at, modified_at, current, history,
    checksum, document, terms)
  VALUES ($1, $2, $3, $4, $5, $6, $7::text, $8, $9, $7::text::jsonb, ARRAY['text of the version before'])`;

/** A database as the version before left it: one project with a generation, and one without. */
beforeEach(async () => {
  const [own] = await postgres.run<{ name: string }>('SELECT current_schema() AS name');
  await postgres.run(`DROP SCHEMA ${own!.name} CASCADE`);
  await postgres.run(`CREATE SCHEMA ${own!.name}`);
  const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
  await migrate(
    connection,
    listMigrations().filter(({ version }) => version < 5),
  );
  for (const project of ['p', 'q']) {
    for (let n = 0; n < resources; n += 1) {
      const { next } = creation(project, made(n)) as Extract<Change, { kind: 'create' }>;
      const { id, key, version, created_at, modified_at, current, history, checksum } = rowOf(next);
      const values = [project, id, key, version, created_at, modified_at, current, history, checksum];
      await connection.run({ text: insertText, values });
    }
  }
  await connection.run({ text: `INSERT INTO ordered_value VALUES ('p', 'c|rank|a0', 'd000')` });
  await connection.run({
    text: `INSERT INTO index_generation VALUES ('p', 3, '["rank"]', '["rank"]', 'done', '', '', 0)`,
  });
  await connection.close();
});

const reds = (project: string, more: Partial<ListQuery> = {}) => query(project, 'colour = "red"', more);

/** Everything that depends on terms, with what it should find. */
function conditionsOf({ resources: store }: Store, project: string) {
  return [
    async () => (await store.list(reds(project))).total,
    async () => (await store.list(query(project, 'colour != "blue"'))).total,
    async () => (await store.search(parseSearch(new Map([['text.en', ['left']]]), project))).total,
    async () => (await store.exists(project, reds(project).where, false)) === true,
  ];
}

async function assertRefused(store: Store, project: string): Promise<void> {
  for (const ask of conditionsOf(store, project)) {
    await assert.rejects(ask(), (error: { code?: string; status?: number; message: string }) => {
      assert.match(error.message, /still being indexed after an upgrade/);
      return error.code === 'OverCapacity' && error.status === 503;
    });
  }
}

async function assertFound(store: Store, project: string, red: number, left: number): Promise<void> {
  const found = await Promise.all(conditionsOf(store, project).map((ask) => ask()));
  assert.deepEqual(found, [red, red, left, true]);
  const ranks = query(project, 'rank > 4 and rank < 8', { sort: [{ path: ['rank'], direction: 'desc' }] });
  assert.equal((await store.resources.list(ranks)).total, 3);
}

const check = (rebuild = false) => checkPostgres(postgres.url, rebuild, () => {});

test('until all resources of a project have their terms, conditions are refused, and all else goes on', async () => {
  // Beside a service, so that it does not build.
  const store = await openTestStore(postgres, { declaredPaths, access: 'shared' });
  await assertRefused(store, 'p');
  await assertRefused(store, 'q');
  const all = await store.resources.list(query('p', '', { sort: [{ path: ['rank'], direction: 'desc' }] }));
  assert.equal(all.total, resources);
  assert.match(joinedTexts(all.results), /^\{"id":"d029"/);
  assert.equal((await store.resources.get('p', 'd007'))?.version, 1);
  assert.equal((await store.resources.getByKey('q', 'k8'))?.id, 'd008');
  assert.equal((await store.resources.list(query('none', 'colour = "red"'))).total, 0);
  assert.match((await check()).join('\n'), /project p: its index is being built/);
  await store.close();
});

test('the build goes on where it ended, beside writes, and no condition is answered before its end', async () => {
  const store = await openTestStore(postgres, { declaredPaths, access: 'shared' });
  const connection = await connectToStore(postgres);
  const change = (n: number) => store.resources.commit(replacement('p', made(n), made(n, 2, 'red')));
  let portions = 0;
  for (let outcome = ''; outcome !== 'ready'; portions += 1) {
    await assertRefused(store, 'p');
    // Behind the scan and before it: blue ones become red.
    if (portions === 3) assert.deepEqual(await Promise.all([change(1), change(28)]), ['committed', 'committed']);
    if (portions === 4) assert.equal(await store.resources.commit(deletion('p', made(0))), 'committed');
    let left = 1;
    outcome = await buildIndex(connection, 'p', { owner: `o${portions}`, portion: 4, isStopped: () => left-- <= 0 });
  }
  assert.ok(portions > 5, `${portions} portions`);
  await connection.close();
  await store.close();
  const next = await openTestStore(postgres, { declaredPaths, access: 'shared' });
  await assertFound(next, 'p', 10 + 2 - 1, 14);
  await assertRefused(next, 'q');
  await next.close();
});

test('a start builds what is missing, and the check finds nothing afterwards', async () => {
  const store = await openTestStore(postgres, { declaredPaths });
  await untilReady(postgres, declaredPaths);
  await assertFoundSoon(store, 'p');
  await assertFoundSoon(store, 'q');
  await store.close();
  assert.deepEqual(await check(), []);
});

/** A process looks again after a second. */
async function assertFoundSoon(store: Store, project: string): Promise<void> {
  for (;;) {
    try {
      return await assertFound(store, project, 10, 15);
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  }
}

test('“check --rebuild-indexes” builds it as well, without a service', async () => {
  const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
  await migrate(connection);
  await connection.close();
  assert.deepEqual(await check(true), []);
  const store = await openTestStore(postgres, { declaredPaths: [], access: 'shared' });
  assert.equal((await store.resources.list(reds('q'))).total, 10);
  await store.close();
});

test('a damaged key of the terms is refused at the start; without it, all resources are indexed anew', async () => {
  await (await openTestStore(postgres, { declaredPaths })).close();
  await postgres.run(`UPDATE store_setting SET value = reverse(value) WHERE name = 'term-key'`);
  await assert.rejects(openTestStore(postgres, { declaredPaths }), (error: Error) => {
    assert.match(error.message, /The key of the index terms is damaged/);
    return error instanceof StoreRefused;
  });
  await postgres.run(`DELETE FROM store_setting WHERE name = 'term-key'`);
  const store = await openTestStore(postgres, { declaredPaths });
  await untilReady(postgres, declaredPaths);
  await assertFoundSoon(store, 'p');
  await store.close();
  assert.deepEqual(await check(), []);
});
