import { type Migration, StoreRefused } from '../../engine.ts';
import { assertNotNewer, readMigrations } from '../../migrations.ts';
import type { Connection } from './connection.ts';

/** The migrations that this version of the service knows, in order. */
export function listMigrations(): readonly Migration[] {
  return readMigrations(new URL('../migrations/', import.meta.url));
}

/** An arbitrary number that no other program on the database is likely to use. */
const lockNumber = 7_204_911_372;

/** The migrations that a database lacks. Throws `StoreRefused` if a newer version of the service migrated it. */
export async function missingMigrations(
  connection: Connection,
  known: readonly Migration[] = listMigrations(),
): Promise<readonly Migration[]> {
  const [table] = await connection.query<{ exists: boolean }>({
    text: `SELECT to_regclass('schema_migration') IS NOT NULL AS exists`,
  });
  const rows = table?.exists
    ? await connection.query<{ version: number }>({ text: 'SELECT version FROM schema_migration' })
    : [];
  const present = new Set(rows.map(({ version }) => version));
  assertNotNewer(Math.max(0, ...present), known);
  return known.filter(({ version }) => !present.has(version));
}

/**
 * Applies the missing migrations, all of them or none, and returns them. If several processes start at the same time,
 * one applies them and the others wait.
 */
export async function migrate(
  connection: Connection,
  known: readonly Migration[] = listMigrations(),
): Promise<readonly Migration[]> {
  if ((await missingMigrations(connection, known)).length === 0) return [];
  return withAdvisoryLock(connection, async () => {
    const missing = await missingMigrations(connection, known);
    if (missing.length > 0) await applyMigrations(connection, missing);
    return missing;
  });
}

/**
 * Runs work that only one process at a time may do, however long it takes. The lock belongs to the session: only a
 * transaction that begins while it is held is sure to see the work of the process before.
 */
export async function withAdvisoryLock<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.run({ text: 'SET statement_timeout = 0; SET lock_timeout = 0' });
  await connection.run({ text: `SELECT pg_advisory_lock(${lockNumber})` });
  try {
    return await work();
  } finally {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' });
    await connection.run({ text: `SELECT pg_advisory_unlock(${lockNumber})` });
  }
}

async function applyMigrations(connection: Connection, missing: readonly Migration[]): Promise<void> {
  const cluster = await clusterOf(connection);
  if (cluster === 'worker') {
    throw new StoreRefused('The schema is changed through the coordinator: run “grs migrate” with its address first.');
  }
  await connection.run({ text: 'BEGIN' });
  await connection.run({
    text: 'CREATE TABLE IF NOT EXISTS schema_migration (version integer PRIMARY KEY, name text NOT NULL)',
  });
  for (const { version, name, sql } of missing) {
    await connection.run({ text: sql });
    if (cluster === 'coordinator') await distribute(connection, sql, version);
    await connection.run({ text: 'INSERT INTO schema_migration VALUES ($1, $2)', values: [version, name] });
  }
  if (!(await connection.commit())) throw new Error('The migrations were rolled back.');
}

/** Which part of a Citus cluster the database is, if any. Tables may be created on the coordinator only. */
async function clusterOf(connection: Connection): Promise<'coordinator' | 'worker' | undefined> {
  if (!(await hasCitus(connection))) return undefined;
  const [node] = await connection.query<{ group: number }>({
    text: 'SELECT groupid AS group FROM pg_dist_local_group',
  });
  return (node?.group ?? 0) === 0 ? 'coordinator' : 'worker';
}

/** True if the Citus extension distributes tables over several servers. */
export async function hasCitus(connection: Connection): Promise<boolean> {
  const [found] = await connection.query({ text: `SELECT 1 FROM pg_extension WHERE extname = 'citus'` });
  return found !== undefined;
}

/** The tables that a migration creates and marks as distributed. */
export function distributedTables(sql: string): readonly string[] {
  return [...sql.matchAll(/^CREATE TABLE (\w+) \([\s\S]*?^\); -- distributed by project_key$/gm)].map(
    (match) => match[1]!,
  );
}

/** As many as there may ever be servers. */
const shards = 64;

/** Distributes new tables by project, the rows of one project together. Every worker reads the migrations applied. */
async function distribute(connection: Connection, sql: string, version: number): Promise<void> {
  await connection.run({ text: `SET LOCAL citus.multi_shard_modify_mode TO 'sequential'` });
  if (version === 1) await connection.query({ text: `SELECT create_reference_table('schema_migration')` });
  for (const table of distributedTables(sql)) {
    const together = table === 'resource' ? `shard_count => ${shards}` : `colocate_with => 'resource'`;
    await connection.query({ text: `SELECT create_distributed_table('${table}', 'project_key', ${together})` });
  }
}
