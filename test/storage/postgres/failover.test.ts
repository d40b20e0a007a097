import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../../src/domain/ports/store.ts';
import { query } from './exercise.ts';
import { assertAllStored, assertUnavailable, startLoad } from './load.ts';
import { type PostgresServer, startPostgres, startStandby } from './postgres-server.ts';
import { ask } from './standby.ts';
import { openTestStore } from './start-test-postgres.ts';

/** A primary and a standby that streams from it, as an operator runs them, with synchronous replication. */
let primary: PostgresServer;
let standby: PostgresServer;
let store: Store;
before(async () => {
  primary = await startPostgres();
  standby = await startStandby(primary);
  await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await ask(primary, 'SELECT pg_reload_conf()');
  const question = `SELECT count(*)::int AS count FROM pg_stat_replication WHERE sync_state = 'sync'`;
  while ((await ask<{ count: number }>(primary, question))[0]!.count === 0) await pause(20);
  // The standby is named first: it must not be taken for the server that writes.
  const url = `postgres://grs@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`;
  store = await openTestStore({ url, run: async () => [], close: async () => {} });
});
after(async () => {
  await store.close();
  await primary.close();
  await standby.close();
});

test('a primary that dies under load and a promoted standby: found without a restart, no acknowledged write lost', async () => {
  const load = startLoad(store, 'p', 8);
  await load.more(200);
  await primary.stopAtOnce();
  const refused = load.refusals.length;
  while (load.refusals.length < refused + 20) await pause(5);
  assert.equal((await store.status()).writable, false);
  await ask(standby, 'SELECT pg_promote()');
  await load.more(200);
  await load.stop();
  assertUnavailable(load.refusals);
  await assertAllStored(store, 'p', load.acknowledged);
  const total = (await store.resources.list(query('p', ''))).total ?? 0;
  // What was refused with an unknown outcome may be there too, and nothing else.
  assert.ok(total >= load.acknowledged.size && total <= load.acknowledged.size + load.refusals.length);
  assert.equal((await store.status()).writable, true);
});
