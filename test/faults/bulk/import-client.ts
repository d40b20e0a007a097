import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { ServiceProcess } from '../service-process.ts';

/** The result of a line. */
export interface Line {
  readonly line: number;
  readonly status: string;
  readonly id: string;
  readonly version: number;
}

/** An import whose body the test sends, and whose results it reads while it does, at its own pace. */
export class Import {
  readonly lines: Line[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it.
  summary: any;
  readonly sent: ClientRequest;
  /** When the response has ended, or the connection. */
  readonly ended: Promise<void>;

  constructor({ port }: ServiceProcess, token: string, query = '', reads = true) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const path = `/shop/resource/import?stream=true${query.replace('?', '&')}`;
    this.sent = request({ port, host: '127.0.0.1', method: 'POST', path, headers });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    // The connection may be closed while lines that arrived are still being read.
    let reading = Promise.resolve();
    this.sent.on('response', (response) => {
      if (reads) reading = this.read(response).catch(() => {});
    });
    this.sent.on('error', () => {});
    this.sent.on('close', () => void reading.then(resolve));
    this.sent.flushHeaders();
  }

  async read(response: IncomingMessage): Promise<void> {
    assert.equal(response.statusCode, 200);
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const texts = `${rest}${chunk}`.split('\n');
      rest = texts.pop()!;
      for (const text of texts) {
        const line = JSON.parse(text);
        if ('complete' in line) this.summary = line;
        else this.lines.push(line);
      }
    }
  }
}

/** A line of NDJSON. */
export const draft = (n: number) => `${JSON.stringify({ key: `k${n}`, value: n, text: 'x'.repeat(300) })}\n`;
export const drafts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => draft(from + at)).join('');

/** Stops the service during an import. Returns where the import is to go on. */
export async function stopDuring(upload: Import, service: ServiceProcess): Promise<number> {
  service.kill('SIGTERM');
  await upload.ended;
  const { code } = await service.ended;
  assert.equal(code, 0);
  const { complete, resumeAt, error } = upload.summary;
  assert.deepEqual([complete, error.errors[0].code], [false, 'OverCapacity']);
  assert.equal(upload.lines.length, resumeAt - 1);
  return resumeAt;
}

/** How many resources are there. */
export async function totalOf({ request: send }: ServiceProcess, token: string): Promise<number> {
  const { text } = await send({ path: '/shop/resource/sorted-query-parameters?limit=0&withTotal=true', token });
  return JSON.parse(text).total;
}
