import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Migration } from '../../../src/record/engine.ts';
import { StoreRefused } from '../../../src/record/engine.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { listMigrations, migrate, missingMigrations, statementsOf } from '../../../src/record/postgres/open/migrate.ts';
import { creation, document } from '../records.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
  await (await openTestStore(postgres)).close();
});
after(() => postgres.close());

const known = listMigrations();
const newest = known.at(-1)!.version;

/** Applies a migration that no version has, as a newer one would. */
async function migrateFurther(migration: Omit<Migration, 'name' | 'version'>): Promise<void> {
  const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
  await migrate(connection, [...known, { version: newest + 1, name: 'of_the_future', ...migration }]);
  await connection.close();
}

async function forget(): Promise<void> {
  await postgres.run('DELETE FROM schema_migration WHERE version > $1', [newest]);
  await postgres.run(`DELETE FROM store_setting WHERE name = 'schema-usable-from'`);
}

test('a migration is sent statement by statement, and nothing of it is left out', () => {
  for (const { name, sql } of known) {
    const statements = statementsOf(sql);
    assert.equal(statements.join('').replaceAll(/\s/g, ''), sql.replaceAll(/\s/g, ''), name);
    for (const statement of statements) {
      const code = statement.replaceAll(/--.*$/gm, '').replaceAll(/\$\$.*?\$\$/gs, '');
      assert.equal(code.split(';').length, 2, statement);
    }
  }
});

test('a process that saw no tables finds those that another one made meanwhile, inside its transaction as well', async () => {
  const schema = `${/search_path%3D(\w+)/.exec(postgres.url)![1]}_apart`;
  await postgres.run(`CREATE SCHEMA ${schema}`);
  const url = postgres.url.replace(/search_path%3D\w+/, `search_path%3D${schema}`);
  const connect = createConnect({ url, statementTimeoutMs: 120_000 });
  const [late, first] = [await connect(), await connect()];
  try {
    // The other one takes a while on a cluster.
    await late.run({ text: 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0' });
    assert.equal((await missingMigrations(late)).length, known.length);
    await migrate(first);
    assert.deepEqual(await missingMigrations(late), []);
  } finally {
    await Promise.all([late.close(), first.close()]);
  }
  await postgres.run(`DROP SCHEMA ${schema} CASCADE`);
});

test('a database of before there were marks gets them, and a function that commits instead of the one it had', async () => {
  const before = await startTestPostgres();
  const connection = await createConnect({ url: before.url, statementTimeoutMs: 120_000 })();
  await migrate(connection, known.slice(0, 1));
  await before.run(
    'CREATE FUNCTION grs_lock_log(p text, p_epoch text, OUT sequence bigint, OUT total bigint) LANGUAGE sql AS $$ SELECT 1, 1 $$',
  );
  await before.run(`CREATE FUNCTION grs_commit(p text, OUT last bigint) LANGUAGE sql AS 'SELECT 1'`);
  await before.run(`INSERT INTO event_head VALUES ('p', 'epoch', 0)`);
  await connection.close();
  const store = await openTestStore(before);
  assert.equal(await store.rules.rulesVersion('p'), 0);
  assert.equal(await store.resources.commit(creation('p', document('a', 1))), 'committed');
  await store.rules.mark('p', [{ id: 'a', version: 1, marks: ['sku 1'] }], ['sku ']);
  assert.deepEqual(await store.rules.marked('p', 'sku 1', 10), ['a']);
  await store.close();
  await before.close();
});

test('migrations that PostgreSQL ends for a deadlock with a process that serves are begun anew', async () => {
  const connect = createConnect({ url: postgres.url, statementTimeoutMs: 120_000 });
  const [other, beside] = [await connect(), await connect()];
  try {
    // Whoever waits first is ended: not this one.
    await other.run({
      text: "BEGIN; SET LOCAL deadlock_timeout = '60s'; SET LOCAL lock_timeout = 0; SELECT 1 FROM event LIMIT 1",
    });
    const sql = ['resource', 'event']
      .map((table) => `ALTER TABLE ${table} ADD COLUMN of_the_future integer;`)
      .join('\n');
    const migrating = migrateFurther({ sql, usableFrom: newest });
    const waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE event%'";
    while ((await beside.query({ text: waits })).length === 0);
    await other.run({ text: 'SELECT 1 FROM resource LIMIT 1' });
    await other.run({ text: 'COMMIT' });
    await migrating;
    assert.equal((await other.query({ text: 'SELECT of_the_future FROM event LIMIT 1' })).length, 0);
  } finally {
    await Promise.all([other.close(), beside.close()]);
    await postgres.run('ALTER TABLE resource DROP COLUMN IF EXISTS of_the_future');
    await postgres.run('ALTER TABLE event DROP COLUMN IF EXISTS of_the_future');
    await forget();
  }
});

test('a role without the rights it needs, or that is read-only, is refused in a sentence with what to do', async () => {
  const schema = String(/search_path%3D(\w+)/.exec(postgres.url)![1]);
  const role = `${schema}_weak`;
  const fresh = `${schema}_fresh`;
  await postgres.run(`CREATE ROLE ${role} LOGIN PASSWORD 'weak'`);
  await postgres.run(`CREATE SCHEMA ${fresh}`);
  const url = new URL(postgres.url);
  Object.assign(url, { username: role, password: 'weak' });
  const inFresh = url.href.replace(`search_path%3D${schema}`, `search_path%3D${fresh}`);
  const refusedAt = (address: string, message: RegExp) =>
    assert.rejects(openTestStore({ ...postgres, url: address }), (error: Error) => {
      assert.ok(error instanceof StoreRefused, String(error.stack));
      assert.match(error.message, message);
      return true;
    });
  try {
    await refusedAt(inFresh, /no schema has been selected.*GRANT USAGE, CREATE ON SCHEMA/);
    await postgres.run(`GRANT USAGE ON SCHEMA ${fresh}, ${schema} TO ${role}`);
    await refusedAt(inFresh, /permission denied for schema.*GRANT USAGE, CREATE ON SCHEMA/);
    await refusedAt(url.href, /permission denied for table.*must own the tables/);
    await postgres.run(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
    await refusedAt(url.href, /is read-only by default_transaction_read_only\. The service must be able to write/);
  } finally {
    await postgres.run(`DROP SCHEMA ${fresh} CASCADE`);
    await postgres.run(`DROP OWNED BY ${role}`);
    await postgres.run(`DROP ROLE ${role}`);
  }
});

test('a migration behind the first one says from which version on its result can be used', () => {
  for (const { version, name, usableFrom } of known.slice(1)) {
    assert.ok(usableFrom !== undefined && usableFrom <= version, `${name}: “-- usable from NNN” is missing`);
  }
});

test('a database of before the first release is refused, with what to do', async () => {
  const older = known[0]!.version - 1;
  await postgres.run('UPDATE schema_migration SET version = version - $1', [older]);
  try {
    await assert.rejects(openTestStore(postgres), (error: Error) => {
      assert.ok(error instanceof StoreRefused, String(error.stack));
      assert.ok(error.message.includes(`has schema ${newest - older}, of before the first release`), error.message);
      assert.match(error.message, /grs export.*grs import/);
      return true;
    });
  } finally {
    await postgres.run('UPDATE schema_migration SET version = version + $1', [older]);
  }
});

test('beside a newer schema that says that this version can use it: it starts, reads and writes', async () => {
  const sql = 'ALTER TABLE resource ADD COLUMN of_the_future integer NOT NULL DEFAULT 1;';
  await migrateFurther({ sql, usableFrom: newest });
  const notes: string[] = [];
  const store = await openTestStore(postgres, { note: (text) => notes.push(text) });
  assert.ok(
    notes.some((note) => note.includes('a newer version migrated the database')),
    notes.join('\n'),
  );
  assert.equal(await store.resources.commit(creation('p', document('a', 1))), 'committed');
  assert.equal((await store.resources.get('p', 'a'))?.id, 'a');
  await store.close();
  await postgres.run('ALTER TABLE resource DROP COLUMN of_the_future');
  await forget();
});

test('beside a newer schema that this version cannot use: refused', async () => {
  await migrateFurther({ sql: 'SELECT 1;' });
  await assert.rejects(
    openTestStore(postgres),
    (error) => error instanceof StoreRefused && /schema/.test(error.message),
  );
  await forget();
});

test('the same where the record is damaged, or missing', async () => {
  await migrateFurther({ sql: 'SELECT 1;', usableFrom: newest });
  await postgres.run(`UPDATE store_setting SET value = 'x' WHERE name = 'schema-usable-from'`);
  await assert.rejects(openTestStore(postgres), StoreRefused);
  await postgres.run(`DELETE FROM store_setting WHERE name = 'schema-usable-from'`);
  await assert.rejects(openTestStore(postgres), StoreRefused);
  await forget();
});
