import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { busyTimeoutMs, resultCode, sqliteCode } from '../../../sqlite/connection.ts';

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

const MiB = 1024 * 1024;
const defaultBounds: LogBounds = { longBytes: 8 * MiB, maxBytes: 64 * MiB, idleMs: 2000, readerMs: 50 };

/** Commits between two looks at the log, which cost some microseconds each. */
const commitsBetweenLooks = 4;

/** What the log has before each page: sqlite.org/fileformat.html, 4.1. */
const frameHeaderBytes = 24;

export interface CheckpointerOptions {
  readonly file: string;
  /** The disk failed. No checkpoint follows, and the process must end without one: the next start copies all of the log. */
  readonly onFailure: (message: string) => void;
  readonly bounds?: LogBounds;
}

/**
 * Keeps the write-ahead log short, in place of SQLite, which does not say when a checkpoint fails: what it copied may not be on the disk
 * then, so the log must stay. When the log is long, the writer copies it and the log starts over. If a reader keeps it from that (a
 * backup, say), the writer waits a little now and then, so that the log grows slowly.
 */
export class Checkpointer {
  readonly #db: DatabaseSync;
  readonly #options: CheckpointerOptions;
  readonly #bounds: LogBounds;
  /** NOOP copies nothing: it tells how many pages the log has since it last started over, and how many are copied. */
  readonly #state: StatementSync;
  readonly #frameBytes: number;
  #hasFailed = false;
  #commits = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Makes the checkpoints of a write connection. */
  constructor(db: DatabaseSync, options: CheckpointerOptions) {
    db.exec('PRAGMA wal_autocheckpoint = 0');
    this.#db = db;
    this.#options = options;
    this.#bounds = options.bounds ?? defaultBounds;
    this.#state = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    const { page_size: pageBytes } = db.prepare('PRAGMA page_size').get() as { page_size: number };
    this.#frameBytes = pageBytes + frameHeaderBytes;
  }

  /** Called after each commit; makes a checkpoint when the log has grown long. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits % commitsBetweenLooks === 0) this.#step(() => this.#look());
    this.#emptyWhenIdle();
  }

  /** Copies all of the log and cuts it off. False where a reader still needs it. */
  empty(): boolean {
    let isEmpty = false;
    this.#step(() => {
      this.#checkpoint('TRUNCATE');
      isEmpty = statSync(`${this.#options.file}-wal`).size === 0;
    });
    return isEmpty;
  }

  close(): void {
    clearTimeout(this.#idle);
  }

  /** PASSIVE waits for nobody, the others for readers of the log, but not for long. */
  #checkpoint(mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): void {
    try {
      this.#db.exec(`PRAGMA busy_timeout = ${this.#bounds.readerMs}; PRAGMA wal_checkpoint(${mode})`);
    } catch (error) {
      // On a full disk the log stays as it is; its content is durable. A reader may outlast the timeout.
      if (resultCode(error) !== sqliteCode.full && resultCode(error) !== sqliteCode.busy) throw error;
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  /** Every step. What it follows was committed: its error is that of the disk, and not one of a change. */
  #step(work: () => void): void {
    if (this.#hasFailed) return;
    try {
      work();
    } catch (error) {
      this.#hasFailed = true;
      this.#options.onFailure(`a checkpoint failed: ${(error as Error).message}`);
    }
  }

  #look(): void {
    const { log, checkpointed } = this.#state.get() as { log: number; checkpointed: number };
    if (log * this.#frameBytes >= this.#bounds.maxBytes) this.#checkpoint('RESTART');
    else if ((log - checkpointed) * this.#frameBytes >= this.#bounds.longBytes) this.#checkpoint('PASSIVE');
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
