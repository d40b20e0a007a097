import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Writes what a database holds into a new file, without the free pages: SQLite does it in one statement, which takes long. */

export interface CompactData {
  readonly file: string;
  readonly copy: string;
}

const { file, copy } = workerData as CompactData;
const db = new DatabaseSync(file, { readOnly: true });
db.prepare('VACUUM INTO ?').run(copy);
db.close();
parentPort?.postMessage('written');
