import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { resultCode, sqliteCode } from '../open/connection.ts';
import { closeThread, startThread } from '../threads.ts';

/**
 * Keeps the write-ahead log short without long pauses. A checkpoint by the writer itself would stop all writes while it
 * runs; one by another thread alone would never finish, since the writer keeps appending. So there are two stages: a
 * thread copies most of the log, then the writer copies the short tail, after which the log starts over.
 */
export interface Checkpointer {
  /** Called after each commit; begins a checkpoint when the log has grown long. */
  committed(): void;
  close(): Promise<void>;
}

/** Length of the log at which a checkpoint begins. */
const longLogBytes = 16 * 1024 * 1024;

/** Reading the length costs as much as a small write. */
const commitsBetweenLooks = 8;

/** Makes the checkpoints of a write connection in place of SQLite. */
export function createCheckpointer(db: DatabaseSync, file: string): Checkpointer {
  db.exec('PRAGMA wal_autocheckpoint = 0');
  let worker: Worker | undefined;
  let running = false;
  let commits = 0;

  function finish(): void {
    running = false;
    try {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch (error) {
      // On a full disk the log stays as it is; its content is durable.
      if (resultCode(error) !== sqliteCode.full) throw error;
    }
  }

  function start(): Worker {
    const started = startThread(new URL('./checkpoint-thread.ts', import.meta.url), { file });
    started.on('message', finish);
    started.on('error', () => {
      // The writer does all of it; the next checkpoint starts another thread.
      worker = undefined;
      finish();
    });
    return started;
  }

  return {
    committed() {
      commits += 1;
      if (running || commits % commitsBetweenLooks !== 0) return;
      if (statSync(`${file}-wal`).size < longLogBytes) return;
      running = true;
      worker ??= start();
      worker.postMessage('checkpoint');
    },
    close: () => closeThread(worker),
  };
}
