import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { busyTimeoutMs, resultCode, sqliteCode } from '../../../sqlite/connection.ts';
import { closeThread, startThread } from '../../../threads/start-thread.ts';

/**
 * Keeps the write-ahead log short without long pauses. A checkpoint by the writer itself would stop all writes while it
 * runs; one by another thread alone would never finish, since the writer keeps appending. So there are two stages: a
 * thread copies most of the log and waits until it is on the disk, then the writer copies the short tail, after which the log
 * starts over. SQLite alone would leave all the waiting for the disk to the writer. If writes come
 * faster than that, the writer copies all of it: that bounds the log. If a reader keeps the log from starting over (a
 * backup, say), the writer waits a little now and then, so that the log grows slowly.
 */
export interface Checkpointer {
  /** Called after each commit; begins a checkpoint when the log has grown long. */
  committed(): void;
  /** Copies all of the log and cuts it off. False where a reader still needs it. */
  empty(): boolean;
  close(): Promise<void>;
}

export interface LogBounds {
  /** So much that is not copied yet begins a checkpoint. */
  readonly longBytes: number;
  /** Length at which the writer waits until the log can start over. */
  readonly maxBytes: number;
  /** After so long without a commit a file of half that length is cut off. */
  readonly idleMs: number;
  /** The longest wait for readers of the log. */
  readonly readerMs: number;
}

/**
 * What the thread is doing, in shared memory: the writer waits for it without returning to its event loop. `failed`: what it
 * copied may not be on the disk, so the log must stay.
 */
export const copyState = { idle: 0, copying: 1, failed: 2 } as const;

const MiB = 1024 * 1024;
const defaultBounds: LogBounds = { longBytes: 32 * MiB, maxBytes: 64 * MiB, idleMs: 2000, readerMs: 50 };

/** Commits between two looks at the log, which cost some microseconds each. */
const commitsBetweenLooks = 4;

/** The longest wait for the thread, which a slow disk holds up; so long an update waits for a lock too. */
const copyingMs = busyTimeoutMs;

/** What the log has before each page: sqlite.org/fileformat.html, 4.1. */
const frameHeaderBytes = 24;

export interface CheckpointerOptions {
  readonly file: string;
  /**
   * Of the database file, open for longer than any of its connections in this process, whose locks go where any descriptor of
   * the file is closed.
   */
  readonly fd: number;
  /** The disk failed. No checkpoint follows, and the process must end without one: the next start copies all of the log. */
  readonly onFailure: (message: string) => void;
  readonly bounds?: LogBounds;
}

/** Makes the checkpoints of a write connection in place of SQLite. */
export function createCheckpointer(db: DatabaseSync, options: CheckpointerOptions): Checkpointer {
  const { file, fd, onFailure, bounds = defaultBounds } = options;
  db.exec('PRAGMA wal_autocheckpoint = 0');
  let worker: Worker | undefined;
  const copying = new Int32Array(new SharedArrayBuffer(4));
  let running = false;
  let hasFailed = false;
  let commits = 0;
  let idle: NodeJS.Timeout | undefined;

  // NOOP copies nothing: it tells how many pages the log has since it last started over, and how many are copied.
  const state = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  const { page_size: pageBytes } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  const frameBytes = pageBytes + frameHeaderBytes;

  /** PASSIVE waits for nobody, the others for readers of the log, but not for long. */
  function checkpoint(mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): void {
    // The thread's message, which has the cause, was not received yet.
    if (Atomics.load(copying, 0) === copyState.failed) throw new Error('the database file cannot be synced');
    try {
      db.exec(`PRAGMA busy_timeout = ${bounds.readerMs}; PRAGMA wal_checkpoint(${mode})`);
    } catch (error) {
      // On a full disk the log stays as it is; its content is durable. A reader may outlast the timeout.
      if (resultCode(error) !== sqliteCode.full && resultCode(error) !== sqliteCode.busy) throw error;
    } finally {
      db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  function fail(message: string): void {
    if (hasFailed) return;
    hasFailed = true;
    onFailure(`a checkpoint failed: ${message}`);
  }

  /** Every step. What it follows was committed: its error is that of the disk, and not one of a change. */
  function step(work: () => void): void {
    if (hasFailed) return;
    try {
      work();
    } catch (error) {
      fail((error as Error).message);
    }
  }

  function finish(): void {
    Atomics.store(copying, 0, copyState.idle);
    running = false;
    step(() => checkpoint('PASSIVE'));
  }

  function start(): Worker {
    const started = startThread(new URL('./checkpoint-thread.ts', import.meta.url), { file, fd, copying });
    started.on('message', (failure: string | undefined) => (failure === undefined ? finish() : fail(failure)));
    started.on('error', () => {
      // The writer does all of it; the next checkpoint starts another thread.
      worker = undefined;
      finish();
    });
    return started;
  }

  function look(): void {
    const { log, checkpointed } = state.get() as { log: number; checkpointed: number };
    if (log * frameBytes >= bounds.maxBytes) {
      // The thread is at work in the log: its end is near, unlike that of a reader, so the writer waits for it.
      Atomics.wait(copying, 0, copyState.copying, copyingMs);
      checkpoint('RESTART');
    }
    if (running || (log - checkpointed) * frameBytes < bounds.longBytes) return;
    running = true;
    Atomics.store(copying, 0, copyState.copying);
    worker ??= start();
    worker.postMessage('checkpoint');
  }

  /** The file keeps the length that it once had until it is cut off. */
  function emptyWhenIdle(): void {
    idle ??= setTimeout(() => {
      idle = undefined;
      step(() => {
        if (statSync(`${file}-wal`).size >= bounds.longBytes / 2) checkpoint('TRUNCATE');
      });
    }, bounds.idleMs);
    idle.refresh();
  }

  return {
    committed() {
      commits += 1;
      if (commits % commitsBetweenLooks === 0) step(look);
      emptyWhenIdle();
    },
    empty() {
      let isEmpty = false;
      step(() => {
        Atomics.wait(copying, 0, copyState.copying, copyingMs);
        checkpoint('TRUNCATE');
        isEmpty = statSync(`${file}-wal`).size === 0;
      });
      return isEmpty;
    },
    close() {
      clearTimeout(idle);
      return closeThread(worker);
    },
  };
}
