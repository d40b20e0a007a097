import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { Client } from 'pg';
import type { Store } from '../../../src/domain/ports/store.ts';
import { StoreRefused } from '../../../src/record/engine.ts';
import { checkPostgres, migratePostgres } from '../../../src/record/postgres/maintenance/maintain.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { findServer } from '../../optional-tools.ts';
import { creation, document } from '../records.ts';
import { exercise, query } from './exercise.ts';
import { assertAllStored, startLoad } from './load.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { openTestStore } from './start-test-postgres.ts';

const program = findServer('pgbouncer');
const skip = program === undefined && 'PgBouncer is not installed';

/** The store behind a pooler. */
const behind = (bouncer: PgBouncer) => ({ url: bouncer.url, run: async () => [], close: async () => {} });

for (const mode of ['transaction', 'session'] as const) {
  describe(`PostgreSQL behind PgBouncer in ${mode} mode`, { skip }, () => {
    let server: PostgresServer;
    let bouncer: PgBouncer;
    let store: Store;
    before(async () => {
      server = await startPostgres();
      bouncer = await startPgBouncer(program!, server, mode);
      await migratePostgres(bouncer.url, false);
      store = await openTestStore(behind(bouncer), { declaredPaths: ['price'], connections: 4 });
    });
    after(async () => {
      await store.close();
      await bouncer.close();
      await server.close();
    });

    it('everything that a request can ask is served', () => exercise(store));

    it('twelve writers and readers: nothing acknowledged is lost', async () => {
      const load = startLoad(store, 'load', 12);
      await load.more(300);
      await load.stop();
      assert.deepEqual(load.refusals, []);
      await assertAllStored(store, 'load', load.acknowledged);
    });

    it('a check and a rebuild of the indexes find nothing', async () => {
      assert.deepEqual(await checkPostgres(bouncer.url, () => {}), []);
    });

    if (mode === 'transaction') {
      it('no session is left with settings of ours, or with prepared statements', async () => {
        const client = new Client({ connectionString: bouncer.url });
        await client.connect();
        for (let time = 0; time < 20; time += 1) {
          const { rows } = await client.query(
            `SELECT current_setting('enable_seqscan') AS scan, current_setting('statement_timeout') AS timeout,
            (SELECT count(*)::int FROM pg_prepared_statements WHERE name <> '') AS prepared`,
          );
          assert.deepEqual(rows, [{ scan: 'on', timeout: '0', prepared: 0 }]);
        }
        await client.end();
      });
    }

    it('the timeouts and the plans of the service hold in each statement and each transaction', async () => {
      const connection = await createConnect({ url: bouncer.url, statementTimeoutMs: 1234 })();
      const text = `SELECT current_setting('statement_timeout') AS timeout, current_setting('enable_seqscan') AS scan`;
      const expected = [{ timeout: '1234ms', scan: 'off' }];
      const alone = await Promise.all([connection.query({ text }), connection.query({ text })]);
      assert.deepEqual(alone, [expected, expected]);
      await connection.run({ text: 'BEGIN' });
      assert.deepEqual(await connection.query({ text }), expected);
      assert.ok(connection.inTransaction());
      assert.ok(await connection.commit());
      await assert.rejects(connection.query({ text: 'SELECT pg_sleep(9)' }), { code: '57014' });
      assert.ok(connection.isUsable());
      await connection.close();
    });

    it('synchronous_commit is on in a transaction where it is off by default', async () => {
      const connection = await createConnect({ url: bouncer.url, statementTimeoutMs: 120_000 })();
      await connection.run({ text: 'ALTER ROLE grs SET synchronous_commit = off' });
      await connection.close();
      const fresh = await startPgBouncer(program!, server, mode);
      const another = await createConnect({ url: fresh.url, statementTimeoutMs: 120_000 })();
      const text = `SELECT current_setting('synchronous_commit') AS commit`;
      assert.deepEqual(await another.query({ text }), [{ commit: 'on' }]);
      await another.run({ text: 'ALTER ROLE grs RESET synchronous_commit' });
      await another.close();
      await fresh.close();
    });

    it('a list of a project that another process writes', async () => {
      const other = await openTestStore(behind(bouncer), { declaredPaths: ['price'], connections: 4 });
      await other.resources.commit(creation('two', document('a', 1, { price: 2 })));
      assert.equal((await store.resources.list(query('two', 'price > 1'))).total, 1);
      await other.close();
    });
  });
}

test('PgBouncer in statement mode: a start and each command are refused in a sentence that names the setting', {
  skip,
}, async () => {
  const server = await startPostgres();
  const bouncer = await startPgBouncer(program!, server, 'statement');
  try {
    const refused = (error: Error) => {
      assert.ok(error instanceof StoreRefused, String(error.stack));
      assert.match(
        error.message,
        /the pooler refuses transactions.*set “pool_mode = transaction” for this database\.$/,
      );
      return true;
    };
    await assert.rejects(openTestStore(behind(bouncer)), refused);
    await assert.rejects(migratePostgres(bouncer.url, false), refused);
    await assert.rejects(
      checkPostgres(bouncer.url, () => {}),
      refused,
    );
  } finally {
    await bouncer.close();
    await server.close();
  }
});
