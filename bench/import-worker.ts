import { parentPort, workerData } from 'node:worker_threads';
import { draft } from './documents.ts';
import { importLines } from './import-lines.ts';

/** What is to be imported. */
export interface ImportTask {
  readonly port: number;
  readonly token: string;
  /** The number of the first resource. */
  readonly from: number;
  readonly count: number;
}

const { port, token, from, count } = workerData as ImportTask;
// All before the first is sent: a client elsewhere would take no time of this machine for them.
const texts = Array.from({ length: count }, (_, n) => JSON.stringify(draft(from + n, `imported-${from + n}`)));
const begunMs = performance.now();
await importLines({ port }, { project: 'bench', token }, (n) => texts[n], count);
parentPort!.postMessage((performance.now() - begunMs) / 1000);
