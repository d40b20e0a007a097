import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { resultCode, sqliteCode } from '../open/connection.ts';
import { startThread } from '../thread/start-thread.ts';

/**
 * Keeps the write-ahead log short without long pauses. A checkpoint by the writer itself would stop all writes for as
 * long as it takes; one by another thread alone would never end, since the writer keeps appending. So there are two
 * stages: a thread copies most of it, then the writer copies the short tail, after which the log begins anew.
 */
export interface Checkpointer {
  /** Called after each commit; begins a checkpoint where the log has grown long. */
  committed(): void;
  close(): Promise<void>;
}

/** Length of the log at which a checkpoint begins. */
const longLogBytes = 16 * 1024 * 1024;

/** Looking at the length costs as much as a small write. */
const commitsBetweenLooks = 8;

/** Takes the checkpoints of a write connection over from SQLite. */
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
      // On a full disk the log stays as long as it is; what is in it is durable.
      if (resultCode(error) !== sqliteCode.full) throw error;
    }
  }

  function start(): Worker {
    const started = startThread(new URL('./checkpoint-thread.ts', import.meta.url), { file });
    started.on('message', finish);
    started.on('error', () => {
      // The writer does the whole work until the next checkpoint starts another thread.
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
    async close() {
      if (!worker) return;
      const ended = new Promise((resolve) => worker?.once('exit', resolve));
      worker.postMessage('close');
      await ended;
    },
  };
}
