import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { CheckPart } from '../../../src/record/engine.ts';
import { placesAt } from '../../../src/record/postgres/index/entry-row.ts';
import { checkPostgres, migratePostgres } from '../../../src/record/postgres/maintenance/maintain.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { listMigrations, migrate } from '../../../src/record/postgres/open/migrate.ts';
import { creation, document, replacement } from '../records.ts';
import { query } from './exercise.ts';
import {
  connectToStore,
  openTestStore,
  startTestPostgres,
  type TestPostgres,
  untilReady,
} from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

/** Why a test is skipped that would change the settings of a server. */
const notOurs = 'the server of TEST_DATABASE_URL is left as it is';

const connect = () => createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
const check = (rebuild = false) => checkPostgres(postgres.url, rebuild, () => {});

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

test('other declared paths: the index is built beside the service, and lists use it', async () => {
  await withStore(['name.en', 'price'], async ({ resources }) => {
    assert.equal((await resources.list(query('p', 'price > 2'))).total, 1);
    await untilReady(postgres, ['name.en', 'price']);
  });
  const connection = await connectToStore(postgres);
  const [entries] = await postgres.run<{ count: number }>(
    'SELECT count(*)::int FROM ordered_value WHERE place = ANY ($1::bigint[])',
    [placesAt('c|name.en|', connection.terms)],
  );
  await connection.close();
  assert.equal(entries?.count, 2);
  assert.deepEqual(await check(), []);
});

test('grs check finds indexes that say otherwise, and --rebuild-indexes mends them', async () => {
  await postgres.run(`UPDATE resource SET terms = array_append(terms, 7) WHERE id = 'a'`);
  await postgres.run(`DELETE FROM ordered_value WHERE id = '\\xff62'`);
  const findings = await check();
  assert.equal(findings.length, 3);
  assert.match(findings.join('\n'), /resource p\/a: its indexes say otherwise/);
  assert.match(findings.join('\n'), /resource p\/b: its indexes say otherwise/);
  assert.match(findings.join('\n'), /ordered values of project p: \d+ where the resources give \d+/);
  assert.deepEqual(await check(true), []);
});

test('words that were found by other rules: a start says so, until the indexes have been built again', async () => {
  const saidAtStart = async () => {
    const notes: string[] = [];
    await (await openTestStore(postgres, { declaredPaths: [], note: (text) => void notes.push(text) })).close();
    return notes.some((note) => note.includes('indexed by other rules for words'));
  };
  assert.equal(await saidAtStart(), false);
  await postgres.run(`UPDATE store_setting SET value = '"2, ICU 70"' WHERE name = 'word-analysis'`);
  assert.equal(await saidAtStart(), true);
  assert.deepEqual(await check(true), []);
  assert.equal(await saidAtStart(), false);
  // As versions left it that recorded nothing.
  await postgres.run(`DELETE FROM store_setting WHERE name = 'word-analysis'`);
  assert.equal(await saidAtStart(), true);
  assert.deepEqual(await check(true), []);
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

test('a text that is no JSON any longer: a list that shows it leaves it out, others are answered', async () => {
  await withStore(['name.en', 'price'], async ({ resources }) => {
    const change = (from: string, to: string) =>
      postgres.run(`UPDATE resource SET current = replace(current, $1, $2) WHERE id = 'b'`, [from, to]);
    assert.equal((await resources.list(query('p', 'undeclared > 3'))).total, 0);
    await resources.commit(creation('p', document('sound', 1, { undeclared: 7 })));
    await change('{"id"', '!"id"');
    const { results } = await resources.list(
      query('p', 'undeclared > 3 or lastModifiedBy.x > 1 or id > "0"', {
        sort: [{ path: ['undeclared'], direction: 'asc' }],
      }),
    );
    assert.doesNotMatch(String(results), /!"id"/);
    assert.match(String(results), /"id":"sound"/);
    assert.equal((await resources.list(query('p', 'undeclared = 7'))).total, 1);
    await change('!"id"', '{"id"');
    assert.equal((await resources.list(query('p', 'undeclared > 3'))).total, 1);
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
    checkPostgres(empty.url, false, () => {}),
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
    const findings = await checkPostgres(postgres.url, false, (_label, _done, _total, at) => places.push(at!), {
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
