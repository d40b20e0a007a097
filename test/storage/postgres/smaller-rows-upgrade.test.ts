import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Change } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { openTerms } from '../../../src/storage/postgres/generations/term-key.ts';
import { entryRow } from '../../../src/storage/postgres/index/entry-row.ts';
import { indexResource } from '../../../src/storage/postgres/index/index-columns.ts';
import { buildIndex } from '../../../src/storage/postgres/maintenance/build-index.ts';
import { checkPostgres } from '../../../src/storage/postgres/maintenance/maintain.ts';
import { createConnect } from '../../../src/storage/postgres/open/connection.ts';
import { listMigrations, migrate } from '../../../src/storage/postgres/open/migrate.ts';
import { documentsOf, rowOf } from '../../../src/storage/row/stored-row.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { query } from './exercise.ts';
import {
  connectToStore,
  openTestStore,
  startTestPostgres,
  type TestPostgres,
  untilReady,
} from './start-test-postgres.ts';

/** A database with each document twice, and its ordered values with their ids as texts, becomes one of today. */
let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

const resources = 30;
const declaredPaths = ['rank'];

/** Of every fifth resource a number compares by another value than its digits say. */
function made(n: number, version = 1, rank = n): JsonObject {
  const far = n % 5 === 0 ? { far: -(2 ** 63) } : {};
  const id = n % 2 === 0 ? `d${String(n).padStart(3, '0')}` : `01a207dd-8af5-7000-896e-${String(n).padStart(12, '0')}`;
  return document(id, version, { colour: n % 3 === 0 ? 'red' : 'blue', rank, ...far }, `k${n}`);
}

const insertText = `INSERT INTO resource (project_key, id, key, version, created_at, modified_at, current, history,
    checksum, document, terms)
  VALUES ($1, $2, $3, $4, $5, $6, $7::text, $8, $9, coalesce($10::text, $7::text)::jsonb, $11::bigint[])`;
const entryText = `INSERT INTO ordered_value (project_key, place, key, id) VALUES ($1, $2, decode($3, 'hex'), $4)`;

/** A database as the version before left it. */
beforeEach(async () => {
  const [own] = await postgres.run<{ name: string }>('SELECT current_schema() AS name');
  await postgres.run(`DROP SCHEMA ${own!.name} CASCADE`);
  await postgres.run(`CREATE SCHEMA ${own!.name}`);
  const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
  await migrate(
    connection,
    listMigrations().filter(({ version }) => version < 6),
  );
  const terms = await openTerms(connection);
  for (const project of ['p', 'q']) {
    const paths = project === 'p' ? declaredPaths : [];
    for (let n = 0; n < resources; n += 1) {
      const row = rowOf((creation(project, made(n)) as Extract<Change, { kind: 'create' }>).next);
      const indexed = indexResource(project, documentsOf(row), row, paths);
      assert.equal(indexed.compared !== null, n % 5 === 0);
      const { id, key, version, created_at, modified_at, current, history, checksum } = row;
      const columns = [project, id, key, version, created_at, modified_at, current, history, checksum];
      const values = [...columns, indexed.compared, terms.arrayOf(indexed.terms)];
      await connection.run({ text: insertText, values });
      for (const entry of indexed.entries) {
        const { place, key: digits } = entryRow(entry, terms);
        await connection.run({ text: entryText, values: [project, place, digits, id] });
      }
    }
  }
  await connection.run({
    text: `INSERT INTO index_generation VALUES ('p', 3, '["rank"]', '["rank"]', 'done', '', '', 0)`,
  });
  await connection.close();
});

/** Conditions by terms, ranges and orders: with entries, and as long as there are none. */
async function assertFound({ resources: store }: Store, project: string, ranks: readonly number[]): Promise<void> {
  assert.equal((await store.list(query(project, 'colour = "red"'))).total, 10);
  assert.equal((await store.list(query(project, 'far < -9000000000000000000'))).total, 6);
  const inside = ranks.filter((rank) => rank > 4 && rank <= 8).sort((a, b) => b - a);
  const sort = [{ path: ['rank'], direction: 'desc' }] as const;
  const list = await store.list(query(project, 'rank > 4 and rank <= 8', { sort }));
  const found = (JSON.parse(`[${list.results}]`) as { rank: number }[]).map(({ rank }) => rank);
  assert.deepEqual(found, inside);
  const all = await store.list(query(project, '', { sort, limit: 100 }));
  const order = (JSON.parse(`[${all.results}]`) as { rank: number }[]).map(({ rank }) => rank);
  assert.deepEqual(
    order,
    [...ranks].sort((a, b) => b - a),
  );
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const check = () => checkPostgres(postgres.url, false, () => {});

/** Documents beside the text that they are, by project. */
async function documentsBeside(project: string): Promise<number> {
  const [row] = await postgres.run<{ count: number }>(
    'SELECT count(document)::int AS count FROM resource WHERE project_key = $1',
    [project],
  );
  return row!.count;
}

test('before, while and after the index is built in portions beside writes, everything is found', async () => {
  const store = await openTestStore(postgres, { declaredPaths, access: 'shared' });
  const connection = await connectToStore(postgres);
  const ranks = upTo(resources);
  await assertFound(store, 'p', ranks);
  await assertFound(store, 'q', ranks);
  assert.equal(await documentsBeside('p'), resources);
  let portions = 0;
  for (let outcome = ''; outcome !== 'ready'; portions += 1) {
    if (portions === 3) {
      // In front of the build and behind it.
      for (const n of [2, 27]) {
        assert.equal(await store.resources.commit(replacement('p', made(n), made(n, 2, n + 100))), 'committed');
        ranks[ranks.indexOf(n)] = n + 100;
      }
    }
    // A builder that was killed leaves its lease to the next one, and a portion of which nothing was committed.
    if (portions === 5) {
      const lost = await connectToStore(postgres);
      await lost.run({ text: 'BEGIN' });
      await lost.run({ text: `DELETE FROM ordered_value WHERE project_key = 'p'` });
      await lost.close();
    }
    if (portions === 6) {
      // Neither red nor far.
      assert.equal(await store.resources.commit(deletion('p', made(1))), 'committed');
      ranks.splice(ranks.indexOf(1), 1);
    }
    await assertFound(store, 'p', ranks);
    let left = 1;
    outcome = await buildIndex(connection, 'p', { owner: `o${portions}`, portion: 4, isStopped: () => left-- <= 0 });
  }
  assert.ok(portions > 7, `${portions} portions`);
  await assertFound(store, 'p', ranks);
  assert.equal(await documentsBeside('p'), 6, 'those whose numbers compare by another value');
  assert.equal(await documentsBeside('q'), resources);
  await connection.close();
  await store.close();
  const next = await openTestStore(postgres, { declaredPaths, access: 'shared' });
  await assertFound(next, 'p', ranks);
  await assertFound(next, 'q', upTo(resources));
  await next.close();
  assert.deepEqual(
    (await check()).filter((finding) => !finding.includes('q')),
    [],
  );
});

test('a start converts all projects, and the check finds nothing afterwards', async () => {
  const store = await openTestStore(postgres, { declaredPaths });
  await untilReady(postgres, declaredPaths);
  for (const project of ['p', 'q']) {
    await assertFound(store, project, upTo(resources));
    assert.equal(await documentsBeside(project), 6);
  }
  await store.close();
  assert.deepEqual(await check(), []);
});

test('terms that are still to be made by the upgrade before are made as well, and asked for nothing until then', async () => {
  await postgres.run(`UPDATE resource SET terms = '{}' WHERE project_key = 'p'`);
  await postgres.run(`UPDATE index_generation SET ready = 'false', step = 'clean' WHERE project_key = 'p'`);
  const beside = await openTestStore(postgres, { declaredPaths, access: 'shared' });
  await assert.rejects(async () => beside.resources.list(query('p', 'colour = "red"')), { code: 'OverCapacity' });
  await beside.close();
  const store = await openTestStore(postgres, { declaredPaths });
  await untilReady(postgres, declaredPaths);
  await store.close();
  assert.deepEqual(await check(), []);
});
