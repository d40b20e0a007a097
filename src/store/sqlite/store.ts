import { statSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import type { Store, StoreStatus } from '../../domain/ports/store.ts';
import { createDamagedList } from '../../index/follow/damaged-rows.ts';
import { createRebuildProblem } from '../../index/follow/rebuild-mark.ts';
import { QueryPool } from '../../index/threads/query-pool.ts';
import type { StoreHost } from '../../record/engine.ts';
import { DamageLog } from '../../record/row/checked-table.ts';
import { openChangeLog } from '../../record/sqlite/change-log.ts';
import { createClientStore } from '../../record/sqlite/client-store.ts';
import { createPointReads, createSnapshot } from '../../record/sqlite/read/point-reads.ts';
import { createRuleStore } from '../../record/sqlite/rule-store.ts';
import type { Writer } from '../../record/sqlite/write/writer.ts';
import { openReadConnection, refusingReads } from '../../sqlite/connection.ts';
import { boundedCount } from '../../sqlite/position.ts';
import { type OpenedWriter, openWriter, type SqliteOptions } from './open-writer.ts';
import { createProjectList } from './projects.ts';
import { SqliteResourceStore } from './resource-store.ts';
import { connectWriter, serveWriter } from './write/remote-writer.ts';

/** With less free space the status reports a full disk, although writes are still attempted. */
const minFreeBytes = 16 * 1024 * 1024;

/** 0 where the disk does not tell. */
function sizeOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

async function writeProblem(file: string, writer: Writer): Promise<string | undefined> {
  const problem = writer.problem ?? writer.writeProblem();
  if (problem !== undefined) return problem;
  try {
    await access(file, constants.W_OK);
    const { bavail, bsize } = await statfs(file);
    return bavail * bsize < minFreeBytes ? 'the disk is full' : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Opens the embedded store for other processes: they read by themselves and write through this one (decision 78). */
export async function hostSqliteStore(options: SqliteOptions): Promise<StoreHost> {
  const { writer, close } = await openWriter(options);
  return { serve: (link) => serveWriter(writer, link), close };
}

/**
 * Opens the embedded store: the writer first (with a `link` that of another process), then the reads. `opening`: a writer
 * that is being opened already. Throws `StoreRefused`, which says what to do, where the database must not be served.
 */
export async function openSqliteStore(options: SqliteOptions, opening?: Promise<OpenedWriter>): Promise<Store> {
  const remote = options.link && connectWriter(options.link);
  const { writer, close } = remote ? { writer: remote, close: remote.close } : await (opening ?? openWriter(options));
  try {
    return createStore(options, writer, close);
  } catch (error) {
    // The writer's thread would keep the process alive.
    await close();
    throw error;
  }
}

function createStore(options: SqliteOptions, writer: Writer, closeWriter: () => Promise<void>): Store {
  const { file, declaredPaths, metrics, link } = options;
  const damage = new DamageLog(options.onDamaged);
  const readConnection = openReadConnection(file, 4096);
  const clientReads = openReadConnection(file, 1024);
  const snapshot = createSnapshot(readConnection, link && clientReads);
  const reads = createPointReads(readConnection, damage, snapshot);
  writer.onCommit(reads.leaveSnapshot);
  const { maxPageBytes, queryTimeoutMs: timeoutMs } = options;
  const queries = new QueryPool({
    thread: new URL('./query-thread.ts', import.meta.url),
    ...{ file, maxPageBytes, declaredPaths, timeoutMs, metrics },
    indexes: writer,
  });
  const log = openChangeLog({ db: clientReads, queries, writer });
  const historySize = clientReads.prepare(
    `SELECT min(coalesce(sum(${boundedCount('bytes')}), 0), ${Number.MAX_SAFE_INTEGER}) AS bytes FROM project_log`,
  );
  const rebuildProblem = createRebuildProblem(clientReads);
  const damagedResources = createDamagedList(clientReads);
  type Facts = Pick<StoreStatus, 'historyBytes' | 'rebuilding' | 'damagedResources'> & {
    readonly readProblem?: string;
  };
  const readFacts = (): Facts => {
    try {
      const { bytes: historyBytes } = historySize.get() as { bytes: number };
      return { historyBytes, rebuilding: rebuildProblem(), damagedResources: damagedResources() };
    } catch (error) {
      return { readProblem: `the database cannot be read: ${(error as Error).message}` };
    }
  };
  const parts = { reads, writer, queries, metrics };
  const keepsHistory = log.isKept;
  const resources = new SqliteResourceStore({ ...parts, isShared: link !== undefined, keepsHistory });
  return {
    resources,
    clients: refusingReads(createClientStore({ read: clientReads, write: writer.write, damage })),
    changes: log.changes,
    rules: refusingReads(createRuleStore({ read: clientReads, write: writer.write })),
    projects: createProjectList(clientReads, writer.catchUp),
    warm: () => queries.warm(),
    async status(): Promise<StoreStatus> {
      const sizes = { sizeBytes: sizeOf(file), logBytes: sizeOf(`${file}-wal`) };
      const { readProblem, ...facts } = readFacts();
      const reason = (await writeProblem(file, writer)) ?? readProblem;
      const isWarm = queries.isWarm();
      const queryProblem = writer.queryProblem();
      const status = { isWarm, queryProblem, ...sizes, ...facts, damagedRows: damage.count };
      return reason === undefined ? { writable: true, ...status } : { writable: false, reason, ...status };
    },
    async close() {
      await queries.close();
      reads.close();
      log.close();
      clientReads.close();
      // The writer closes last, so that SQLite empties the log into the database.
      await closeWriter();
    },
  };
}
