import { fdatasyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { openWriteConnection, resultCode, sqliteCode } from '../../../sqlite/connection.ts';
import { copyState } from './checkpointer.ts';

/**
 * Copies the write-ahead log into the database while the writer goes on appending to it. Started by the writer thread
 * (checkpointer.ts), which then has only the tail left to copy.
 */
interface CheckpointData {
  readonly file: string;
  /** Of the database file. */
  readonly fd: number;
  readonly copying: Int32Array;
}

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { file, fd, copying } = workerData as CheckpointData;
const db = openWriteConnection(file);

port.on('message', (command: 'checkpoint' | 'close') => {
  if (command === 'close') {
    db.close();
    port.close();
    return;
  }
  let failure: string | undefined;
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    // SQLite does so only with the last page of the log, and that one the writer copies. This thread does not change that.
    fdatasyncSync(fd);
  } catch (error) {
    // On a full disk the log stays as it is, and what is locked is copied another time. Of any other error the writer may
    // not hear in its own stage: the system tells it once, and forgets what it could not write.
    const code = resultCode(error);
    if (code !== sqliteCode.full && code !== sqliteCode.busy) failure = (error as Error).message;
  }
  Atomics.store(copying, 0, failure === undefined ? copyState.idle : copyState.failed);
  Atomics.notify(copying, 0);
  port.postMessage(failure);
});
