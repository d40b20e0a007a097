import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../../../src/telemetry/log.ts';
import { startTestApi, type TestApi } from '../../start-test-api.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** The whole service on a PostgreSQL that becomes read-only beneath it, in each of the ways in which one does. */
let server: PostgresServer;
let api: TestApi;
const logged: string[] = [];
const log: Log = {
  enabled: (level) => level !== 'debug',
  write: (level, event, fields) => logged.push(`${level} ${event} ${JSON.stringify(fields)}`),
  dropped: () => 0,
};
before(async () => {
  server = await startPostgres();
  const environment = { DATABASE_URL: server.url, WEBHOOK_ADDRESSES: '127.0.0.1', DATABASE_CONNECTIONS: '8' };
  const deliveryTiming = { saveMs: 20, pollMs: 100, leaseMs: 100 };
  api = await startTestApi(environment, log, { deliveryTiming });
  await api.app.store.warm();
  // Deliveries begin with it.
  await api.listen();
});
after(async () => {
  await api.close();
  await server.close();
});

/** Runs statements in a session that may write whatever the setting says. */
async function administer(...texts: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: server.url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;

interface Way {
  readonly name: string;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const ways: readonly Way[] = [
  {
    name: 'a setting of the server',
    begin: () => administer('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()'),
    end: () => administer('ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()'),
  },
  {
    name: 'a setting of the database, for new sessions',
    begin: () => administer('ALTER DATABASE postgres SET default_transaction_read_only = on', endSessions),
    end: () => administer('ALTER DATABASE postgres RESET default_transaction_read_only'),
  },
  {
    name: 'a server that became a standby',
    async begin() {
      await server.stopAtOnce();
      writeFileSync(join(server.data, 'standby.signal'), '');
      await server.start();
    },
    async end() {
      await administer('SELECT pg_promote()');
      rmSync(join(server.data, 'standby.signal'), { force: true });
    },
  },
];

const ready = () => api.call({ path: '/health/ready', scope: 'none' });

/** Waits until the service has noticed: a reload reaches sessions a moment later. */
async function untilReady(status: number): Promise<void> {
  while ((await ready()).status !== status) await pause(5);
}

for (const [index, { name, begin, end }] of ways.entries()) {
  test(`PostgreSQL that becomes read-only by ${name}: reads go on, writes are 503 and say so, then all goes on`, async () => {
    const project = `p${index}`;
    const receiver = await startReceiver();
    const subscription = { method: 'POST', path: `/${project}/subscriptions`, body: { url: receiver.url } };
    assert.equal((await api.call(subscription)).status, 201);
    const draft = { id: 'shoe', key: 'k', name: { en: 'Blue shoe' } };
    const write = (body: object) => api.call({ method: 'POST', path: `/${project}/resource`, body });
    assert.equal((await write(draft)).status, 201);
    await begin();
    await untilReady(503);
    logged.length = 0;

    const where = encodeURIComponent('key = "k"');
    for (const path of [
      'resource/shoe',
      'resource/key=k',
      `resource/sorted-query-parameters?where=${where}`,
      'resource/searchApiPattern?text.en=shoe',
      'resource/shoe/history',
    ]) {
      // More often than there are connections, which last as long as one use each.
      for (let time = 0; time < 3; time += 1) {
        const { status, text } = await api.call({ path: `/${project}/${path}` });
        assert.equal(status, 200, `${path}: ${text}`);
        assert.match(text, /shoe|created/, path);
      }
    }
    const update = { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'x' }] };
    for (const [method, path, body, scope] of [
      ['POST', 'resource', { id: 'another' }],
      ['POST', 'resource/shoe', update],
      ['PUT', 'resource', { ...draft, n: 1 }],
      ['DELETE', 'resource/shoe?version=1'],
      ['POST', 'api-clients', { name: 'robot', scopes: ['view_test'] }, `manage_api_clients:${project}`],
    ] satisfies [string, string, object?, string?][]) {
      const refused = await api.call({ method, path: `/${project}/${path}`, body, ...(scope && { scope }) });
      assert.equal(refused.status, 503, `${method} ${path}: ${refused.text}`);
      assert.equal(refused.json.errors[0].code, 'OverCapacity');
      assert.match(
        refused.json.message,
        /^The database is read-only at present, so nothing can be written; reads still work\./,
      );
      assert.ok(Number(refused.headers['retry-after']) > 0);
    }
    assert.match((await ready()).json.checks.store, /read-only.*reads still work/);
    // A time in which the deliveries try to save their position many times.
    await pause(1000);
    assert.ok(logged.length <= 4, logged.join('\n'));

    await end();
    await untilReady(200);
    assert.equal((await write({ id: 'another' })).status, 201);
    assert.equal((await api.call({ path: `/${project}/resource/shoe` })).json.version, 1);
    while (!receiver.received.some(({ event }) => event.resource.id === 'another')) await pause(5);
  });
}
