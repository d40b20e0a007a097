import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Store, StoreStatus } from '../../domain/ports/store.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import { createClientStore } from './client-store.ts';
import { openReadConnection } from './open/connection.ts';
import { storeFiles } from './open/inspect.ts';
import { lockDataFolder } from './open/lock.ts';
import { watchCommits } from './read/commit-watch.ts';
import { createPointReads } from './read/point-reads.ts';
import { createQueryThreads } from './read/query-threads.ts';
import { createResourceStore } from './resource-store.ts';
import { createIndexer } from './write/indexer.ts';
import { connectWriter, type Link, serveWriter } from './write/remote-writer.ts';
import { startWriter, type ThreadWriter, type Writer } from './write/writer.ts';

export interface SqliteOptions {
  /** Database file; its folder is made if it is missing. */
  readonly file: string;
  /** `shared`: beside a running service, for a command that changes clients. It leaves the indexes as they are. */
  readonly access: 'exclusive' | 'shared';
  readonly declaredPaths: readonly string[];
  readonly acceptLoss: boolean;
  readonly maxPageBytes: number;
  readonly queryTimeoutMs: number;
  readonly readThreads: number;
  /** Memory for records read lately. */
  readonly cacheBytes: number;
  readonly metrics: StoreMetrics;
  readonly note: (text: string) => void;
  /** The disk or the file failed while serving: stop. */
  readonly onFatal: (message: string) => void;
  /** Where another process has the writer: the way to it. */
  readonly link?: Link | undefined;
}

/** Below this share of free space the store is still writable, but says so. */
const leastFreeBytes = 16 * 1024 * 1024;

function size(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function writeProblem(file: string, writer: Writer): Promise<string | undefined> {
  if (writer.problem !== undefined) return writer.problem;
  try {
    await access(file, constants.W_OK);
    const { bavail, bsize } = await statfs(file);
    return bavail * bsize < leastFreeBytes ? 'the disk is full' : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A writer, and what gives it back. */
interface UsedWriter<T extends Writer = Writer> {
  readonly writer: T;
  close(): Promise<void>;
}

/** Takes the folder's lock and starts the writer, which checks the database. Throws `StoreRefused`. */
async function openWriter(options: SqliteOptions, onCommitted: () => void): Promise<UsedWriter<ThreadWriter>> {
  const { file, declaredPaths, acceptLoss, metrics, note, onFatal } = options;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const shared = options.access === 'shared';
  const lock = shared ? undefined : lockDataFolder(storeFiles(file).lock);
  try {
    const writer = await startWriter({
      ...{ file, declaredPaths: shared ? undefined : declaredPaths, acceptLoss, metrics, note, onFatal, onCommitted },
    });
    chmodSync(file, 0o600);
    return { writer, close: () => writer.close().finally(() => lock?.release()) };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** What a process keeps open for others that serve one store. Must be closed, after they have ended. */
export interface StoreHost {
  /** Takes the writes of a process. */
  serve(link: Link): void;
  close(): Promise<void>;
}

/** Opens the embedded store for other processes: these read by themselves, and write through this one (decision 78). */
export async function hostSqliteStore(options: SqliteOptions): Promise<StoreHost> {
  const { writer, close } = await openWriter(options, () => {});
  return { serve: (link) => serveWriter(writer, link), close };
}

/**
 * Opens the embedded store: the writer first (with a `link` that of another process), then the readers. Throws
 * `StoreRefused` with what to do where the database must not be served.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  let leaveSnapshot = () => {};
  const remote = options.link && connectWriter(options.link);
  const used = remote ? { writer: remote, close: remote.close } : await openWriter(options, () => leaveSnapshot());
  try {
    const opened = openReads(options, used);
    leaveSnapshot = opened.leaveSnapshot;
    return opened.store;
  } catch (error) {
    // The writer's thread would keep the process alive.
    await used.close();
    throw error;
  }
}

function openReads(options: SqliteOptions, { writer, close: closeWriter }: UsedWriter) {
  const { file, declaredPaths, metrics, cacheBytes, link } = options;
  const watch = link && watchCommits(file);
  const reads = createPointReads(openReadConnection(file, 16_384), watch);
  const clientReads = openReadConnection(file, 1024);
  const { maxPageBytes, queryTimeoutMs: timeoutMs, readThreads: threads } = options;
  const queryThreads = createQueryThreads({ file, maxPageBytes, declaredPaths, timeoutMs, threads, metrics });
  // A thread takes as long to start as some hundred searches: the first one shall not wait for it.
  if (options.access === 'exclusive' && clientReads.prepare('SELECT 1 FROM project LIMIT 1').get()) queryThreads.warm();
  const indexer = createIndexer(declaredPaths);
  const status = async (): Promise<StoreStatus> => {
    const reason = await writeProblem(file, writer);
    const bytes = { sizeBytes: size(file), logBytes: size(`${file}-wal`) };
    return reason === undefined ? { writable: true, ...bytes } : { writable: false, reason, ...bytes };
  };
  const isShared = link !== undefined;
  const store: Store = {
    resources: createResourceStore({
      reads,
      writer,
      queryThreads,
      indexer,
      declaredPaths,
      metrics,
      cacheBytes,
      isShared,
    }),
    clients: createClientStore({ read: clientReads, write: writer.write }),
    status,
    async close() {
      await queryThreads.close();
      await indexer.close();
      reads.close();
      clientReads.close();
      watch?.close();
      // The writer is the last to close, so that SQLite empties the log into the database.
      await closeWriter();
    },
  };
  return { store, leaveSnapshot: reads.leaveSnapshot };
}
