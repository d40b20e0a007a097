import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { allTables, migrate } from '../../../src/record/postgres/open/migrate.ts';
import type { Locate } from '../../../src/record/postgres/open/nodes.ts';
import { creation, document } from '../records.ts';
import { query } from './exercise.ts';
import { assertUnavailable } from './load.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { type StallingProxy, startStallingProxy } from './stalling-proxy.ts';
import { openTestStore, partitionedMigrations, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Requests of all kinds to some projects, from several clients, until they are stopped. */
function keepAsking(store: Store, projects: readonly string[], clients: number) {
  const refusals: unknown[] = [];
  let served = 0;
  let running = true;
  async function client(name: number): Promise<void> {
    for (let n = 0; running; n += 1) {
      const project = projects[n % projects.length]!;
      const { resources } = store;
      const requests = [
        () => resources.get(project, 'first'),
        () => resources.commit(creation(project, document(`${name}-${n}`, 1))),
        () => resources.list(query(project, 'id = "first"')),
      ];
      try {
        await requests[(n + name) % requests.length]!();
        served += 1;
      } catch (error) {
        refusals.push(error);
      }
    }
  }
  const all = Array.from({ length: clients }, (_, name) => client(name));
  return {
    refusals,
    get served() {
      return served;
    },
    async stop() {
      running = false;
      await Promise.all(all);
    },
  };
}

describe('PostgreSQL, one of whose parts hangs', () => {
  const names = Array.from({ length: 12 }, (_, n) => `p${n}`);
  let postgres: TestPostgres;
  let store: Store;
  let locker: Client;
  let parts: ReadonlyMap<string, string>;

  /** The partition of each project stands for its server. */
  const locate: Locate = async (keys) => {
    const rows = await postgres.run<{ name: string; part: number }>(
      `SELECT name, part FROM unnest($1::text[]) AS u (name), generate_series(0, 3) AS part
       WHERE satisfies_hash_partition('resource'::regclass, 4, part, name COLLATE "C")`,
      [keys],
    );
    return new Map(rows.map(({ name, part }) => [name, String(part)]));
  };

  before(async () => {
    postgres = await startTestPostgres();
    const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
    await migrate(connection, partitionedMigrations());
    await connection.close();
    // A plan for any project would wait for the locks of all partitions.
    const url = `${postgres.url}${encodeURIComponent(' -c plan_cache_mode=force_custom_plan')}`;
    store = await openTestStore({ ...postgres, url }, { locate, connections: 16, queryTimeoutMs: 4000 });
    for (const name of names) await store.resources.commit(creation(name, document('first', 1)));
    parts = await locate(names);
    locker = new Client({ connectionString: postgres.url });
    await locker.connect();
  });
  after(async () => {
    await locker.end();
    await store.close();
    await postgres.close();
  });

  it('the projects of the others are served throughout; its own are refused with 503, and served when it is back', async () => {
    const part = parts.get('p0')!;
    const frozen = names.filter((name) => parts.get(name) === part);
    const healthy = names.filter((name) => parts.get(name) !== part);
    assert.ok(healthy.length > 0);
    const tables = allTables().map((table) => `${table}_${part}`);
    await locker.query(`BEGIN; LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    const held = keepAsking(store, frozen, 40);
    // Until all that can hang does.
    while (held.refusals.length < 40) await pause(5);
    const others = keepAsking(store, healthy, 4);
    const [refused, served] = [held.refusals.length, others.served];
    while (held.refusals.length < refused + 80 || others.served < served + 100) await pause(5);
    await others.stop();
    await locker.query('ROLLBACK');
    await held.stop();
    assertUnavailable(held.refusals);
    assert.deepEqual(others.refusals, []);
    for (const project of frozen) assert.equal((await store.resources.get(project, 'first'))?.id, 'first');
  });
});

describe('Two addresses of a server, of which the first hangs', () => {
  let server: PostgresServer;
  let proxy: StallingProxy;
  let store: Store;
  before(async () => {
    server = await startPostgres();
    proxy = await startStallingProxy(server.port);
    const url = server.url.replace(`127.0.0.1:${server.port}`, `127.0.0.1:${proxy.port},127.0.0.1:${server.port}`);
    store = await openTestStore({ url, server, run: async () => [], close: async () => {} }, { queryTimeoutMs: 1000 });
  });
  after(async () => {
    proxy.resume();
    await store.close();
    await proxy.close();
    await server.close();
  });

  it('every request ends, at worst with 503 or OutcomeUnknown where it was under way; then the second one is used', async () => {
    await store.resources.commit(creation('p', document('first', 1)));
    const load = keepAsking(store, ['p'], 12);
    while (load.served < 50) await pause(5);
    proxy.stall();
    const { served } = load;
    // Nothing passes the first address any more. Who was under way is refused, unless the store could ask again in time.
    while (load.served < served + 50) await pause(5);
    await load.stop();
    for (const refusal of load.refusals) {
      assert.ok(refusal instanceof ServiceError, String(refusal));
      assert.equal(refusal.status, 503, refusal.message);
    }
  });
});
