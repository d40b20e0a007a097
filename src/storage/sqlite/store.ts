import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Store, StoreStatus } from '../../domain/ports.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import { createClientStore } from './client-store.ts';
import { openReadConnection } from './connection.ts';
import { storeFiles } from './inspect.ts';
import { lockDataFolder } from './lock.ts';
import { createPointReads } from './point-reads.ts';
import { createReaders } from './readers.ts';
import { createResourceStore } from './resource-store.ts';
import { startWriter, type Writer } from './writer.ts';

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
  readonly hotBytes: number;
  readonly metrics: StoreMetrics;
  readonly note: (text: string) => void;
  /** The disk or the file failed while serving: stop. */
  readonly onFatal: (message: string) => void;
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

/**
 * Opens the embedded store: takes the folder's lock, starts the writer (which checks the database), then the readers.
 * Throws `StoreRefused` with what to do where the database must not be served.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { file, declaredPaths, acceptLoss, metrics, note, onFatal } = options;
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const shared = options.access === 'shared';
  const lock = shared ? undefined : lockDataFolder(storeFiles(file).lock);
  let leaveSnapshot = () => {};
  try {
    const writer = await startWriter({
      ...{ file, declaredPaths: shared ? undefined : declaredPaths, acceptLoss, metrics, note, onFatal },
      onCommitted: () => leaveSnapshot(),
    });
    chmodSync(file, 0o600);
    const reads = createPointReads(openReadConnection(file, 16_384));
    leaveSnapshot = reads.leaveSnapshot;
    const clientReads = openReadConnection(file, 1024);
    const { maxPageBytes, queryTimeoutMs: timeoutMs, readThreads: threads } = options;
    const readers = createReaders({ file, maxPageBytes, timeoutMs, threads, metrics });
    const status = async (): Promise<StoreStatus> => {
      const reason = await writeProblem(file, writer);
      const bytes = { sizeBytes: size(file), logBytes: size(`${file}-wal`) };
      return reason === undefined ? { writable: true, ...bytes } : { writable: false, reason, ...bytes };
    };
    return {
      resources: createResourceStore({ reads, writer, readers, declaredPaths, metrics, hotBytes: options.hotBytes }),
      clients: createClientStore({ read: clientReads, write: writer.write }),
      status,
      async close() {
        await readers.close();
        reads.close();
        clientReads.close();
        // The writer is the last to close, so that SQLite empties the log into the database.
        await writer.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}
