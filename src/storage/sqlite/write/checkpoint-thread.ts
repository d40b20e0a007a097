import { parentPort, workerData } from 'node:worker_threads';
import { openWriteConnection } from '../open/connection.ts';

/**
 * Copies the write-ahead log into the database while the writer goes on appending to it. Started by the writer thread
 * (checkpointer.ts), which then has only the tail left to copy.
 */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const db = openWriteConnection((workerData as { readonly file: string }).file);

port.on('message', (command: 'checkpoint' | 'close') => {
  if (command === 'close') {
    db.close();
    port.close();
    return;
  }
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // The writer meets the same error in its own stage, and handles it.
  }
  port.postMessage('done');
});
