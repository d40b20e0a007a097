import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { busyTimeoutMs, resultCode, sqliteCode } from '../../../sqlite/connection.ts';
import { closeThread, startThread } from '../../../threads/start-thread.ts';

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

/**
 * Keeps the write-ahead log short without long pauses. A checkpoint by the writer itself would stop all writes while it
 * runs; one by another thread alone would never finish, since the writer keeps appending. So there are two stages: a
 * thread copies most of the log and waits until it is on the disk, then the writer copies the short tail, after which the log
 * starts over. SQLite alone would leave all the waiting for the disk to the writer. If writes come
 * faster than that, the writer copies all of it: that bounds the log. If a reader keeps the log from starting over (a
 * backup, say), the writer waits a little now and then, so that the log grows slowly.
 */
export class Checkpointer {
  readonly #db: DatabaseSync;
  readonly #options: CheckpointerOptions;
  readonly #bounds: LogBounds;
  /** NOOP copies nothing: it tells how many pages the log has since it last started over, and how many are copied. */
  readonly #state: StatementSync;
  readonly #frameBytes: number;
  readonly #copying = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #isCopying = false;
  #hasFailed = false;
  #commits = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Makes the checkpoints of a write connection in place of SQLite. */
  constructor(db: DatabaseSync, options: CheckpointerOptions) {
    db.exec('PRAGMA wal_autocheckpoint = 0');
    this.#db = db;
    this.#options = options;
    this.#bounds = options.bounds ?? defaultBounds;
    this.#state = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    const { page_size: pageBytes } = db.prepare('PRAGMA page_size').get() as { page_size: number };
    this.#frameBytes = pageBytes + frameHeaderBytes;
  }

  /** Called after each commit; begins a checkpoint when the log has grown long. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits % commitsBetweenLooks === 0) this.#step(() => this.#look());
    this.#emptyWhenIdle();
  }

  /** Copies all of the log and cuts it off. False where a reader still needs it. */
  empty(): boolean {
    let isEmpty = false;
    this.#step(() => {
      Atomics.wait(this.#copying, 0, copyState.copying, copyingMs);
      this.#checkpoint('TRUNCATE');
      isEmpty = statSync(`${this.#options.file}-wal`).size === 0;
    });
    return isEmpty;
  }

  close(): Promise<void> {
    clearTimeout(this.#idle);
    return closeThread(this.#worker);
  }

  /** PASSIVE waits for nobody, the others for readers of the log, but not for long. */
  #checkpoint(mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): void {
    // The thread's message, which has the cause, was not received yet.
    if (Atomics.load(this.#copying, 0) === copyState.failed) throw new Error('the database file cannot be synced');
    try {
      this.#db.exec(`PRAGMA busy_timeout = ${this.#bounds.readerMs}; PRAGMA wal_checkpoint(${mode})`);
    } catch (error) {
      // On a full disk the log stays as it is; its content is durable. A reader may outlast the timeout.
      if (resultCode(error) !== sqliteCode.full && resultCode(error) !== sqliteCode.busy) throw error;
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  #fail(message: string): void {
    if (!this.#hasFailed) this.#options.onFailure(`a checkpoint failed: ${message}`);
    this.#hasFailed = true;
  }

  /** Every step. What it follows was committed: its error is that of the disk, and not one of a change. */
  #step(work: () => void): void {
    if (this.#hasFailed) return;
    try {
      work();
    } catch (error) {
      this.#fail((error as Error).message);
    }
  }

  #finish(): void {
    Atomics.store(this.#copying, 0, copyState.idle);
    this.#isCopying = false;
    this.#step(() => this.#checkpoint('PASSIVE'));
  }

  #start(): Worker {
    const { file, fd } = this.#options;
    const started = startThread(new URL('./checkpoint-thread.ts', import.meta.url), {
      ...{ file, fd, copying: this.#copying },
    });
    started.on('message', (failure: string | undefined) => {
      if (failure === undefined) this.#finish();
      else this.#fail(failure);
    });
    started.on('error', () => {
      // The writer does all of it; the next checkpoint starts another thread.
      this.#worker = undefined;
      this.#finish();
    });
    return started;
  }

  #look(): void {
    const { log, checkpointed } = this.#state.get() as { log: number; checkpointed: number };
    if (log * this.#frameBytes >= this.#bounds.maxBytes) {
      // The thread is at work in the log: its end is near, unlike that of a reader, so the writer waits for it.
      Atomics.wait(this.#copying, 0, copyState.copying, copyingMs);
      this.#checkpoint('RESTART');
    }
    if (this.#isCopying || (log - checkpointed) * this.#frameBytes < this.#bounds.longBytes) return;
    this.#isCopying = true;
    Atomics.store(this.#copying, 0, copyState.copying);
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  /** The file keeps the length that it once had until it is cut off. */
  #emptyWhenIdle(): void {
    const { longBytes, idleMs } = this.#bounds;
    this.#idle ??= setTimeout(() => {
      this.#idle = undefined;
      this.#step(() => {
        if (statSync(`${this.#options.file}-wal`).size >= longBytes / 2) this.#checkpoint('TRUNCATE');
      });
    }, idleMs);
    this.#idle.refresh();
  }
}
