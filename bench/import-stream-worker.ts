import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { draft } from './documents.ts';

/** What is to be imported, until a message comes: `count` asks for the number of results so far, `stop` ends it. */
export interface StreamTask {
  readonly port: number;
  readonly token: string;
  /** The number of the first resource. */
  readonly from: number;
}

const { port, token, from } = workerData as StreamTask;
const linesTogether = 50;
// All before the first is sent: a client elsewhere would take no time of this machine for them.
const texts = Array.from({ length: 400 }, (_, n) =>
  Array.from({ length: linesTogether }, (_, at) => {
    const number = from + n * linesTogether + at;
    return `${JSON.stringify(draft(number, `imported-${number}`))}\n`;
  }).join(''),
);
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
const sent = request({
  port,
  host: '127.0.0.1',
  method: 'POST',
  path: '/bench/resource/import?mode=overwrite&stream=true',
  headers,
});
const closed = new Promise((resolve) => sent.once('close', resolve));
let results = 0;
sent.on('error', () => {});
sent.on('response', (response) => {
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) results += 1;
  });
});
parentPort!.on('message', (message: 'count' | 'stop') => {
  if (message === 'count') return parentPort!.postMessage(results);
  sent.destroy();
  parentPort!.close();
});
for (const text of texts) {
  if (sent.destroyed) break;
  if (!sent.write(text)) await Promise.race([new Promise((resolve) => sent.once('drain', resolve)), closed]);
}
