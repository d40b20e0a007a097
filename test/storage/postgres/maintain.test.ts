import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { CheckPart } from '../../../src/record/engine.ts';
import { checkPostgres, migratePostgres } from '../../../src/record/postgres/maintenance/maintain.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { listMigrations, migrate } from '../../../src/record/postgres/open/migrate.ts';
import { creation, document, replacement } from '../records.ts';
import { query } from './exercise.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

/** Why a test is skipped that would change the settings of a server. */
const notOurs = 'the server of TEST_DATABASE_URL is left as it is';

const connect = () => createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
const check = () => checkPostgres(postgres.url, () => {});

const newest = listMigrations().at(-1)!.version;

/** Opens a store for some work. */
async function withStore<T>(declaredPaths: readonly string[], work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openTestStore(postgres, { declaredPaths });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

test('grs migrate --dry-run names the migrations that are missing and changes nothing; grs migrate applies them once', async () => {
  const names = listMigrations().map(({ name }) => name);
  for (let time = 0; time < 2; time += 1) {
    assert.deepEqual(
      (await migratePostgres(postgres.url, true)).map(({ name }) => name),
      names,
    );
  }
  assert.deepEqual(
    (await migratePostgres(postgres.url, false)).map(({ name }) => name),
    names,
  );
  assert.deepEqual(await migratePostgres(postgres.url, false), []);
});

test('five processes that start at the same time: one applies a migration, the others wait and find it', async () => {
  const more = { version: newest + 1, name: 'more', sql: 'CREATE TABLE more (project_key text PRIMARY KEY)' };
  const connections = await Promise.all(Array.from({ length: 5 }, connect));
  const applied = await Promise.all(connections.map((connection) => migrate(connection, [...listMigrations(), more])));
  for (const connection of connections) await connection.close();
  assert.equal(applied.flat().length, 1);
});

test('a database of a newer version of the service: the start is refused and says so', async () => {
  await assert.rejects(
    withStore([], async () => {}),
    new RegExp(`The database has schema ${newest + 1}, this version of the service knows ${newest}`),
  );
  await postgres.run(`DELETE FROM schema_migration WHERE version = ${newest + 1}; DROP TABLE more`);
});

test('a migration that fails changes nothing', async () => {
  const connection = await connect();
  const broken = { version: newest + 1, name: 'broken', sql: 'CREATE TABLE half (project_key text); SELECT nonsense' };
  await assert.rejects(migrate(connection, [...listMigrations(), broken]));
  await connection.close();
  const [found] = await postgres.run<{ there: boolean }>(`SELECT to_regclass('half') IS NOT NULL AS there`);
  assert.equal(found?.there, false);
});

test('grs check: nothing to find after writes of every kind', async () => {
  await withStore(['price'], async ({ resources }) => {
    const first = document('a', 1, { price: 1, name: { en: 'shoe' } });
    await resources.commit(creation('p', first));
    await resources.commit(replacement('p', first, document('a', 2, { price: [3, 'x', true] })));
    await resources.commit(creation('p', document('b', 1, { big: JSON.rawJSON('9223372036854775809') as never })));
  });
  assert.deepEqual(await check(), []);
});

test('grs check names marks of resources that do not exist', async () => {
  await withStore([], async ({ resources, rules }) => {
    await resources.commit(creation('marked', document('a', 1)));
    await rules.mark('marked', [{ id: 'a', version: 1, marks: ['sku 1', 'sku 2'] }], ['sku ']);
  });
  assert.deepEqual(await check(), []);
  await postgres.run(
    `INSERT INTO mark VALUES ('marked', 'sku 1', 'c'), ('marked', 'sku 2', 'c'), ('marked', 'sku 2', 'b')`,
  );
  assert.deepEqual(await check(), [
    'marks of marked: 2 resources that have some do not exist, the first is “b”; PUT the types of the project again',
  ]);
  await postgres.run(`DELETE FROM mark WHERE id <> 'a'`);
});

test('a damaged resource: grs check names it, a read answers DataCorruption, the others are served', async () => {
  await postgres.run(
    `UPDATE resource SET current = replace(current, 'objectTypeProperty', 'objectTypeProperts') WHERE id = 'a'`,
  );
  assert.match((await check()).join('\n'), /resource p\/a: its checksum does not match/);
  await withStore(['name.en', 'price'], async ({ resources }) => {
    await assert.rejects(async () => resources.get('p', 'a'), { code: 'DataCorruption' });
    assert.doesNotMatch(String((await resources.list(query('p', ''))).results), /"id":"a"/);
    assert.equal((await resources.get('p', 'b'))?.id, 'b');
  });
});

test('a server that may lose what was acknowledged: the start is refused and says why', async (t) => {
  if (!postgres.server) return t.skip(notOurs);
  const set = async (text: string, value: string) => {
    await postgres.run(`ALTER SYSTEM ${text}`);
    await postgres.run('SELECT pg_reload_conf()');
    // The server takes its settings up a moment later.
    while ((await postgres.run<{ fsync: string }>('SHOW fsync'))[0]?.fsync !== value) await pause(5);
  };
  await set('SET fsync = off', 'off');
  await assert.rejects(
    withStore([], async () => {}),
    /fsync is off/,
  );
  await set('RESET fsync', 'on');
});

test('synchronous_commit switched off for the database: the store switches it on for its own sessions', async (t) => {
  if (!postgres.server) return t.skip(notOurs);
  await postgres.run('ALTER DATABASE postgres SET synchronous_commit = off');
  const connection = await connect();
  const [found] = await connection.query<{ synchronous_commit: string }>({ text: 'SHOW synchronous_commit' });
  assert.equal(found?.synchronous_commit, 'on');
  await connection.close();
  await postgres.run('ALTER DATABASE postgres RESET synchronous_commit');
});

test('grs check of a database without a store says so', async () => {
  const empty = await startTestPostgres();
  await assert.rejects(
    checkPostgres(empty.url, () => {}),
    { name: 'StoreRefused', message: /no store of this version in the database yet/ },
  );
  await empty.close();
});

test('grs check of one project, and from a place on: only what is there is looked at', async () => {
  await withStore([], async ({ resources }) => {
    for (const project of ['pa', 'pb', 'pc']) {
      for (const id of ['a', 'b/c', 'd']) await resources.commit(creation(project, document(id, 1)));
    }
  });
  const damaged = ['pa/a', 'pb/a', 'pb/d', 'pc/b/c'];
  for (const place of damaged) {
    const [, project, id] = /^(.*?)\/(.*)$/.exec(place)!;
    await postgres.run('UPDATE resource SET checksum = 1 WHERE project_key = $1 AND id = $2', [project, id]);
  }
  const places: string[] = [];
  const found = async (part?: CheckPart) => {
    const findings = await checkPostgres(postgres.url, (_label, _done, _total, at) => places.push(at!), {
      part,
    });
    return findings
      .map((finding) => /^resource (\S+):/.exec(finding)?.[1])
      .filter((each) => /^p[abc]\//.test(each ?? ''));
  };
  assert.deepEqual(await found(), damaged);
  assert.ok(places.includes('pb/d') && places.includes('pc/d'));
  assert.deepEqual(await found({ project: 'pb' }), ['pb/a', 'pb/d']);
  assert.deepEqual(await found({ from: 'pb' }), ['pb/a', 'pb/d', 'pc/b/c']);
  assert.deepEqual(await found({ from: 'pb/b/c' }), ['pb/d', 'pc/b/c']);
  assert.deepEqual(await found({ from: 'pc/b' }), ['pc/b/c']);
  assert.deepEqual(await found({ from: 'pc/b/c' }), []);
  await postgres.run(`DELETE FROM resource WHERE project_key IN ('pa', 'pb', 'pc')`);
});
