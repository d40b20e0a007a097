import { type Migration, StoreRefused } from '../../engine.ts';
import { assertNotNewer, assertReleased, readMigrations } from '../../migrations.ts';
import { servicePartition } from '../rows.ts';
import type { Connection } from './connection.ts';
import { codeOf, isConflict, sqlState } from './errors.ts';

/** The migrations that this version of the service knows, in order. */
export function listMigrations(): readonly Migration[] {
  return readMigrations(new URL('../migrations/', import.meta.url));
}

/** An arbitrary number that no other program on the database is likely to use. */
const lockNumber = 7_204_911_372;

/**
 * The migrations that a database lacks. Throws `StoreRefused` if it is of before the first release, or if a newer version of the
 * service migrated it, unless that says that this version can use it as well.
 */
export async function missingMigrations(
  connection: Connection,
  known: readonly Migration[] = listMigrations(),
): Promise<readonly Migration[]> {
  // Not by to_regclass: inside a transaction that remembers that there was no table, even after a wait for the lock.
  const [table] = await connection.query<{ exists: boolean }>({
    text: `SELECT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relname = 'schema_migration' AND n.nspname = ANY (current_schemas(false))) AS exists`,
  });
  const rows = table?.exists
    ? await connection.query<{ version: number }>({ text: 'SELECT version FROM schema_migration' })
    : [];
  const present = new Set(rows.map(({ version }) => version));
  const newest = Math.max(0, ...present);
  assertReleased(newest, known);
  if (newest > newestOf(known) && (await readUsableFrom(connection, newest)) > newestOf(known)) {
    assertNotNewer(newest, known);
  }
  return known.filter(({ version }) => !present.has(version));
}

const newestOf = (migrations: readonly Migration[]) => migrations.at(-1)?.version ?? 0;

/** True if a newer version of the service migrated the database. */
export async function isNewer(connection: Connection): Promise<boolean> {
  const text = 'SELECT 1 FROM schema_migration WHERE version > $1 LIMIT 1';
  return (await connection.query({ text, values: [newestOf(listMigrations())] })).length > 0;
}

const settingName = 'schema-usable-from';

/** The oldest schema whose versions of the service can use the database, which has the schema `newest`. */
async function readUsableFrom(connection: Connection, newest: number): Promise<number> {
  const text = 'SELECT value FROM store_setting WHERE project_key = $1 AND name = $2';
  const [row] = await connection.query<{ value: string }>({ text, values: [servicePartition, settingName] });
  return row && /^[1-9]\d{0,5}$/.test(row.value) ? Number(row.value) : newest;
}

/** Records which versions of the service can use the database from now on. */
async function recordUsableFrom(connection: Connection, applied: readonly Migration[]): Promise<void> {
  const demands = applied.map(({ version, usableFrom }) => usableFrom ?? version);
  const before = await readUsableFrom(connection, 0);
  await connection.run({
    text: `INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, $3)
      ON CONFLICT (project_key, name) DO UPDATE SET value = excluded.value`,
    values: [servicePartition, settingName, String(Math.max(before, ...demands))],
  });
}

/** How often the migrations are begun anew: each time they may meet another transaction of a process that serves. */
const maxDeadlocks = 10;

/**
 * Applies the missing migrations, all of them or none, and returns them. If several processes start at the same time,
 * one applies them and the others wait. Processes that serve meanwhile lock the same tables, in their own order: where
 * PostgreSQL ends the migrations for that, nothing of them is done, and they are begun anew.
 */
export async function migrate(
  connection: Connection,
  known: readonly Migration[] = listMigrations(),
): Promise<readonly Migration[]> {
  for (let deadlocks = 0; ; deadlocks += 1) {
    try {
      return await migrateOnce(connection, known);
    } catch (error) {
      if (!isConflict(error) || deadlocks === maxDeadlocks) throw lacksRights(error) ?? error;
    }
  }
}

/** What to do about a role that may not make the tables, or may not use those of another one; undefined for other errors. */
function lacksRights(error: unknown): StoreRefused | undefined {
  const code = codeOf(error);
  if (code !== sqlState.notAllowed && code !== sqlState.noSchema) return undefined;
  return new StoreRefused(
    `DATABASE_URL: ${(error as Error).message}. The role must own the tables of the service, and may need the right to create them: connect as their owner, or as an administrator “GRANT USAGE, CREATE ON SCHEMA <schema> TO <role>” before the first start.`,
  );
}

async function migrateOnce(connection: Connection, known: readonly Migration[]): Promise<readonly Migration[]> {
  if ((await missingMigrations(connection, known)).length === 0) return [];
  // The lock is of the transaction, since a pooler may give the next statement another session.
  await connection.run({ text: 'BEGIN' });
  try {
    await connection.run({ text: 'SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0' });
    await connection.query({ text: `SELECT pg_advisory_xact_lock(${lockNumber})` });
    const missing = await missingMigrations(connection, known);
    if (missing.length > 0) await applyMigrations(connection, missing);
    if (!(await connection.commit())) throw new Error('The migrations were rolled back.');
    return missing;
  } finally {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' });
  }
}

async function applyMigrations(connection: Connection, missing: readonly Migration[]): Promise<void> {
  const cluster = await clusterOf(connection);
  if (cluster === 'worker') {
    throw new StoreRefused(
      'The schema is changed through the coordinator: run “npx grs migrate” with its address first.',
    );
  }
  await connection.run({
    text: 'CREATE TABLE IF NOT EXISTS schema_migration (version integer PRIMARY KEY, name text NOT NULL)',
  });
  // What changes tables, what changes rows, and what distributes tables may then follow one another.
  if (cluster === 'coordinator')
    await connection.run({ text: `SET LOCAL citus.multi_shard_modify_mode TO 'sequential'` });
  for (const { version, name, sql } of missing) {
    for (const text of statementsOf(sql)) await connection.run({ text });
    if (cluster === 'coordinator') await distribute(connection, sql, version);
    const row = 'INSERT INTO schema_migration (version, name) VALUES ($1, $2)';
    await connection.run({ text: row, values: [version, name] });
  }
  await recordUsableFrom(connection, missing);
}

/** The statements of a migration, one by one: Citus passes some on with all that was sent with them. */
export function statementsOf(sql: string): readonly string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  let isQuoted = false;
  for (const line of sql.split('\n')) {
    lines.push(line);
    if (line.split('$$').length % 2 === 0) isQuoted = !isQuoted;
    if (isQuoted || !/;\s*(?:--.*)?$/.test(line)) continue;
    statements.push(lines.join('\n').trim());
    lines = [];
  }
  const rest = lines.join('\n').trim();
  return rest === '' ? statements : [...statements, rest];
}

/** Which part of a Citus cluster the database is, if any. Tables may be created on the coordinator only. */
export async function clusterOf(connection: Connection): Promise<'coordinator' | 'worker' | undefined> {
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

/** All tables that are distributed. A migration may make one anew. */
export function allTables(): readonly string[] {
  return [...new Set(listMigrations().flatMap(({ sql }) => distributedTables(sql)))];
}

/** As many as there may ever be servers. */
const shards = 64;

/** Distributes new tables by project, the rows of one project together. Every worker reads the migrations applied. */
async function distribute(connection: Connection, sql: string, version: number): Promise<void> {
  if (version === listMigrations()[0]?.version)
    await connection.query({ text: `SELECT create_reference_table('schema_migration')` });
  for (const table of distributedTables(sql)) {
    const together = table === 'resource' ? `shard_count => ${shards}` : `colocate_with => 'resource'`;
    await connection.query({ text: `SELECT create_distributed_table('${table}', 'project_key', ${together})` });
  }
  // A commit is then one call to the server of its project, rather than one for each statement of the function.
  if (/^CREATE FUNCTION grs_commit\(/m.test(sql)) {
    const text = `SELECT create_distributed_function('grs_commit'::regproc::regprocedure, 'p', colocate_with => 'resource')`;
    await connection.query({ text });
  }
}
