import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { Migration } from '../../../src/record/engine.ts';
import { type Connection, createConnect } from '../../../src/record/postgres/open/connection.ts';
import { allTables, distributedTables, listMigrations } from '../../../src/record/postgres/open/migrate.ts';
import { openPostgresStore, type PostgresOptions } from '../../../src/store/postgres/store.ts';
import { afterGroup, isGroup } from '../../runner/after-file.ts';
import { noStoreMetrics } from '../no-store-metrics.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** A schema of its own on a real PostgreSQL. Close it when the tests are over. */
export interface TestPostgres {
  /** The address for DATABASE_URL. */
  readonly url: string;
  /** The server; absent where TEST_DATABASE_URL names one, which is left as it is. */
  readonly server?: PostgresServer;
  /** True on a Citus cluster, over which the tables are spread. `close` makes sure of it. */
  readonly isCluster?: boolean;
  /** Runs statements beside the store. */
  run<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** The server of this process, with how many use it. */
let shared: { readonly server: Promise<PostgresServer>; users: number } | undefined;

/** Takes the server of this process, which starts with its first user. */
async function takeServer(): Promise<PostgresServer> {
  shared ??= { server: startPostgres(), users: 0 };
  shared.users += 1;
  return shared.server;
}

/** Gives it back. Between the files of a group it keeps running: to make and start one takes half a second of CPU time. */
async function returnServer(): Promise<void> {
  if (shared) shared.users -= 1;
  if (!isGroup) await endServer();
}

async function endServer(): Promise<void> {
  if (!shared || shared.users > 0) return;
  const { server } = shared;
  shared = undefined;
  await (await server).close();
}
afterGroup(endServer);

/** Makes a schema in the PostgreSQL of this process, or in the one of TEST_DATABASE_URL. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given === undefined ? await takeServer() : undefined;
  const base = given ?? server!.url;
  const schema = `grs_test_${randomBytes(6).toString('hex')}`;
  const query = `options=${encodeURIComponent(`-c search_path=${schema}`)}`;
  const url = `${base}${base.includes('?') ? '&' : '?'}${query}`;
  await once(base, `CREATE SCHEMA ${schema}`);
  const isCluster = (await once(base, "SELECT 1 FROM pg_extension WHERE extname = 'citus'")).length > 0;
  return {
    url,
    ...(server && { server }),
    isCluster,
    run: (text, values) => once(url, text, values),
    async close() {
      const local = isCluster ? await localTables(base, schema) : [];
      if (given !== undefined || isGroup) await once(base, `DROP SCHEMA ${schema} CASCADE`);
      if (server) await returnServer();
      assert.deepEqual(local, [], 'tables that are not spread over the cluster');
    },
  };
}

/** Those of our tables in a schema that are on the coordinator alone, or apart from those of the same project. */
async function localTables(base: string, schema: string): Promise<readonly string[]> {
  const rows = await once<{ name: string }>(
    base,
    `SELECT c.relname AS name FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
      WHERE c.relnamespace = '${schema}'::regnamespace AND c.relkind = 'r' AND c.relname = ANY ($1)
        AND (p.colocationid IS NULL OR p.partmethod <> 'h' OR p.colocationid <> (SELECT colocationid FROM pg_dist_partition
          WHERE logicalrelid = to_regclass('${schema}.resource')))`,
    [allTables()],
  );
  return rows.map(({ name }) => name);
}

async function once<Row>(url: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values && [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

/** A project whose rows are beside those of another one: on a cluster in the same shard. The tables must exist. */
export async function neighbourOf({ isCluster, run }: TestPostgres, projectKey: string): Promise<string> {
  if (!isCluster) return 'other';
  const [row] = await run<{ name: string }>(
    `SELECT o.name FROM (SELECT 'other-' || n AS name FROM generate_series(1, 5000) n) o
      WHERE get_shard_id_for_distribution_column('resource', o.name) =
        get_shard_id_for_distribution_column('resource', $1::text) LIMIT 1`,
    [projectKey],
  );
  return row!.name;
}

/** Opens a store on it, with a mirror of its own. */
export async function openTestStore({ url }: TestPostgres, more: Partial<PostgresOptions> = {}): Promise<Store> {
  const mirrorFolder = mkdtempSync(join(tmpdir(), 'mirror-test-'));
  const store = await openPostgresStore({
    ...{
      ...{ url, mirrorFolder },
      access: 'exclusive',
      declaredPaths: [],
      maxPageBytes: 8_388_608,
      queryTimeoutMs: 60_000,
      keepsHistory: true,
      connections: 8,
    },
    ...{ metrics: noStoreMetrics, note: () => {}, onFatal: () => {} },
    ...more,
  });
  const close = async () => {
    await store.close();
    rmSync(mirrorFolder, { recursive: true, force: true });
  };
  return { ...store, close };
}

/** A connection beside a store. Must be closed. */
export function connectToStore({ url }: TestPostgres): Promise<Connection> {
  return createConnect({ url, statementTimeoutMs: 120_000 })();
}

/** Opens a store without a log of changes from before. */
export async function openEmptyStore(
  postgres: TestPostgres,
  keepsHistory: boolean,
  more: Partial<PostgresOptions> = {},
): Promise<Store> {
  const store = await openTestStore(postgres, { keepsHistory, ...more });
  for (const table of ['event', 'event_head']) await postgres.run(`DELETE FROM ${table}`);
  return store;
}

const partitions = 4;

/** The migrations with every distributed table in hash partitions by project: PostgreSQL's own stand-in for servers. */
export function partitionedMigrations(): readonly Migration[] {
  return listMigrations().map((migration) => {
    const tables = distributedTables(migration.sql);
    const parts = tables.flatMap((table) =>
      Array.from(
        { length: partitions },
        (_, part) =>
          `CREATE TABLE ${table}_${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part});`,
      ),
    );
    const declared = migration.sql.replaceAll(
      /^\); -- distributed by project_key$/gm,
      ') PARTITION BY HASH (project_key);',
    );
    // Settings of storage are those of the parts.
    const setting = /^ALTER TABLE (\w+) SET (\(.*\));$/gm;
    const settings = [...declared.matchAll(setting)].flatMap(([, table, values]) =>
      Array.from({ length: partitions }, (_, part) => `ALTER TABLE ${table}_${part} SET ${values};`),
    );
    return { ...migration, sql: [declared.replaceAll(setting, ''), ...parts, ...settings].join('\n') };
  });
}
