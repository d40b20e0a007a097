import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceError } from '../../../src/contract/errors.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { creation, document } from '../records.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { query } from './exercise.ts';
import { assertAllStored, assertUnavailable, startLoad } from './load.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { openTestStore } from './start-test-postgres.ts';

/** Faults are put to a server of the test's own. */
const asTest = (url: string, server: PostgresServer) => ({ url, server, run: async () => [], close: async () => {} });

describe('PostgreSQL that fails', () => {
  let server: PostgresServer;
  let store: Store;
  before(async () => {
    server = await startPostgres();
    store = await openTestStore(asTest(server.url, server));
  });
  after(async () => {
    await store.close();
    await server.close();
  });

  it('connections ended under load: refusals are 503, and no acknowledged write is lost', async () => {
    const connection = await createConnect({ url: server.url, statementTimeoutMs: 120_000 })();
    const load = startLoad(store, 'killed', 8);
    for (let time = 0; time < 10; time += 1) {
      await load.more(20);
      await connection.query({
        text: 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = $1',
        values: ['client backend'],
      });
    }
    await load.more(20);
    await load.stop();
    await connection.close();
    assertUnavailable(load.refusals);
    await assertAllStored(store, 'killed', load.acknowledged);
  });

  it('connections ended while idle: the next requests are served', async () => {
    const connection = await createConnect({ url: server.url, statementTimeoutMs: 120_000 })();
    await store.resources.commit(creation('idle', document('a', 1)));
    await connection.query({
      text: 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = $1',
      values: ['client backend'],
    });
    await connection.close();
    assert.equal((await store.resources.get('idle', 'a'))?.id, 'a');
    assert.equal((await store.resources.list(query('idle', ''))).total, 1);
    assert.equal(await store.resources.commit(creation('idle', document('b', 1))), 'committed');
  });

  it('a server that crashes and comes back under load: 503 meanwhile, then served again, nothing acknowledged lost', async () => {
    const load = startLoad(store, 'crashed', 8);
    await load.more(100);
    await server.stopAtOnce();
    while (load.refusals.length < 20) await pause(5);
    assert.equal((await store.status()).writable, false);
    await assert.rejects(store.resources.list(query('crashed', '')), { status: 503 });
    await assert.rejects(async () => store.clients.getClient('p.1'), { status: 503 });
    await server.start();
    await load.more(100);
    await load.stop();
    assertUnavailable(load.refusals);
    await assertAllStored(store, 'crashed', load.acknowledged);
    assert.equal((await store.status()).writable, true);
  });

  it('a statement that the deadline ends is QueryTimedOut to a list', async () => {
    // The deadline is also that of the questions when the connection is made.
    const connection = await createConnect({ url: server.url, statementTimeoutMs: 1000 })();
    const slept = await connection.query({ text: 'SELECT pg_sleep(60)' }).catch((error: unknown) => error);
    assert.equal((slept as { code: string }).code, '57014');
    assert.ok(connection.isUsable());
    await connection.close();
  });
});

describe('A connection that is cut while a commit is under way', () => {
  let server: PostgresServer;
  let proxy: CuttingProxy;
  let store: Store;
  before(async () => {
    server = await startPostgres();
    proxy = await startCuttingProxy(server.port);
    const url = server.url.replace(String(server.port), String(proxy.port));
    store = await openTestStore(asTest(url, server));
  });
  after(async () => {
    await store.close();
    await proxy.close();
    await server.close();
  });

  const eventsOf = async (id: string) => (await store.changes.changesOf('cut', id, undefined, 10)).length;

  it('the next one finds out that it was stored: it is stored once', async () => {
    await store.resources.commit(creation('cut', document('first', 1)));
    for (const id of ['one-that-is-cut', 'another-that-is-cut']) {
      proxy.cutOnceAfter(id);
      assert.equal(await store.resources.commit(creation('cut', document(id, 1))), 'committed');
      assert.equal(await eventsOf(id), 1);
      assert.equal((await store.resources.list(query('cut', `id = "${id}"`))).total, 1);
    }
  });

  it('of the first write of a project: it is stored once', async () => {
    proxy.cutOnceAfter('first-that-is-cut');
    assert.equal(await store.resources.commit(creation('new', document('first-that-is-cut', 1))), 'committed');
    assert.equal((await store.resources.list(query('new', ''))).total, 1);
  });

  it('and there is no other one: OutcomeUnknown', async () => {
    proxy.cutOnceAfter('last-that-is-cut', true);
    const refusal = await store.resources
      .commit(creation('cut', document('last-that-is-cut', 1)))
      .catch((error: unknown) => error);
    assert.equal((refusal as ServiceError).code, 'OutcomeUnknown');
    assert.equal((refusal as ServiceError).status, 503);
  });
});

describe('Two servers, of which the second is a standby', () => {
  let servers: readonly PostgresServer[];
  let store: Store;
  const setReadOnly = async (server: PostgresServer, readOnly: boolean) => {
    const url = `${server.url}?options=${encodeURIComponent('-c default_transaction_read_only=off')}`;
    const connection = await createConnect({ url, statementTimeoutMs: 120_000 })();
    await connection.run({ text: `ALTER DATABASE postgres SET default_transaction_read_only = ${readOnly}` });
    await connection.close();
  };
  /** For sessions that are open, too, a moment later. */
  const reloadReadOnly = async ({ url }: PostgresServer, readOnly: boolean) => {
    const options = encodeURIComponent('-c default_transaction_read_only=off');
    const connection = await createConnect({ url: `${url}?options=${options}`, statementTimeoutMs: 120_000 })();
    await connection.run({ text: `ALTER SYSTEM SET default_transaction_read_only = ${readOnly}` });
    await connection.run({ text: 'SELECT pg_reload_conf()' });
    await connection.close();
  };
  /** Writes a resource, and says whether the second server has it. */
  const isStored = async (id: string) => {
    const [, second] = servers;
    await store.resources.commit(creation('fenced', document(id, 1))).catch(() => {});
    const connection = await createConnect({ url: second!.url, statementTimeoutMs: 120_000 })();
    const text = "SELECT 1 FROM resource WHERE project_key = 'fenced' AND id = $1";
    const rows = await connection.query({ text, values: [id] });
    await connection.close();
    return rows.length > 0;
  };
  before(async () => {
    servers = await Promise.all([startPostgres(), startPostgres()]);
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join();
    // Both have the schema, as a standby has it of its primary.
    await (await openTestStore(asTest(servers[1]!.url, servers[1]!))).close();
    await setReadOnly(servers[1]!, true);
    const url = `postgres://grs@${hosts}/postgres?target_session_attrs=read-write`;
    store = await openTestStore(asTest(url, servers[0]!));
  });
  after(async () => {
    await store.close();
    for (const server of servers) await server.close();
  });

  it('the first one becomes read-only and keeps its sessions: reads follow the writes to the second one', async () => {
    assert.equal(await store.resources.commit(creation('fenced', document('a', 1))), 'committed');
    assert.equal((await store.resources.get('fenced', 'a'))?.id, 'a');
    assert.equal((await store.resources.list(query('fenced', ''))).total, 1);
    await setReadOnly(servers[1]!, false);
    await reloadReadOnly(servers[0]!, true);
    while (!(await isStored('b'))) await pause(5);
    assert.equal((await store.resources.get('fenced', 'b'))?.id, 'b');
    assert.equal((await store.resources.list(query('fenced', ''))).total, 1);
    await reloadReadOnly(servers[0]!, false);
    await setReadOnly(servers[1]!, true);
    const url = `${servers[1]!.url}?options=${encodeURIComponent('-c default_transaction_read_only=off')}`;
    const connection = await createConnect({ url, statementTimeoutMs: 120_000 })();
    // Of a setting of the database, sessions that are open know nothing.
    const text =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = $1';
    await connection.query({ text, values: ['client backend'] });
    await connection.close();
    await store.resources.commit(creation('fenced', document('c', 1)));
    assert.equal((await store.resources.get('fenced', 'c'))?.id, 'c');
    assert.equal((await store.resources.get('fenced', 'a'))?.id, 'a');
  });

  it('the first one gone and the standby promoted: writes go on without a restart', async () => {
    assert.equal(await store.resources.commit(creation('p', document('a', 1))), 'committed');
    await servers[0]!.stopAtOnce();
    const unreachable = { status: 503, message: /cannot be reached/ };
    const refused = () => store.resources.commit(creation('p', document('b', 1))).then(assert.fail, (error) => error);
    const first = await refused();
    // On a connection that is only now found to be broken the write may have been stored; a repeat meets none.
    const last = first.code === 'OutcomeUnknown' ? await refused() : first;
    assert.equal(last.status, unreachable.status);
    assert.match(last.message, unreachable.message);
    // The one that is gone may have acknowledged what this one lacks.
    await assert.rejects(async () => store.resources.get('p', 'a'), unreachable);
    await setReadOnly(servers[1]!, false);
    assert.equal(await store.resources.commit(creation('p', document('b', 1))), 'committed');
    assert.equal((await store.resources.get('p', 'b'))?.id, 'b');
  });
});
