import { request } from 'node:http';
import { createInterface } from 'node:readline';
import type { Running } from './service.ts';

const linesTogether = 100;

/**
 * Imports resources, in one request that waits where the service does. Resolves when it has all of them, rejects where
 * one was refused. `documentAt` returns a document or its JSON text.
 */
export async function importLines(
  { port }: Pick<Running, 'port'>,
  { project, token }: { readonly project: string; readonly token: string },
  documentAt: (n: number) => unknown,
  count: number,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  const path = `/${project}/resource/import?mode=overwrite&stream=true`;
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path, headers });
  const done = new Promise<void>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let last = '';
      for await (const line of createInterface(response)) last = line;
      const { complete, lines, refused } = JSON.parse(last);
      if (complete && lines === count && refused === 0) resolve();
      else reject(new Error(`The service did not take all documents: ${last}`));
    });
  });
  for (let from = 0; from < count; from += linesTogether) {
    const some = Math.min(linesTogether, count - from);
    const lines = Array.from({ length: some }, (_, at) => `${textOf(documentAt(from + at))}\n`);
    if (!sent.write(lines.join(''))) await new Promise((resolve) => sent.once('drain', resolve));
  }
  sent.end();
  await done;
}

function textOf(document: unknown): string {
  return typeof document === 'string' ? document : JSON.stringify(document);
}
