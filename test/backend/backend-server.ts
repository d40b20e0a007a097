import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { afterFile } from '../runner/after-file.ts';
import { certificate, privateKey } from './tls-fixture.ts';

export type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A backend in the test's own process; it ends with the test file. */
export interface BackendServer {
  readonly port: number;
  readonly server: Server;
  /** Requests so far, and connections. */
  readonly count: { requests: number; connections: number };
}

/** Starts a backend on a loopback address; `tls`: with the certificate for backend.example. */
export async function startBackend(answering: Answering, host = '127.0.0.1', tls = false): Promise<BackendServer> {
  const count = { requests: 0, connections: 0 };
  const listener: RequestListener = async (request, response) => {
    count.requests += 1;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    answering(request, response, body);
  };
  const server = tls ? createTlsServer({ cert: certificate, key: privateKey }, listener) : createServer(listener);
  server.on('connection', () => {
    count.connections += 1;
  });
  server.listen(0, host);
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, server, count };
}

/** Answers JSON. */
export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

let folder: string | undefined;
afterFile(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
});
let files = 0;

/** Writes a file beside the others of this test file and returns its path. */
export function writeConfigFile(content: unknown, name = `backends-${++files}.json`): string {
  folder ??= mkdtempSync(join(tmpdir(), 'grs-backends-'));
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
