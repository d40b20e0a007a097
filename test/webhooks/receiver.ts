import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A request that a receiver got. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of any shape.
  readonly event: any;
  readonly atMs: number;
}

/** A receiver in the test's own process; it ends with the test file. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** How it answers from here on; by default 204. */
  answer(answering: Answering): void;
  /** Ids of resources of which it accepted an event, with its sequence, in order. */
  readonly accepted: readonly (readonly [id: string, sequence: number])[];
}

type Answering = (received: Received, response: ServerResponse, request: IncomingMessage) => unknown;

const accepting: Answering = (_, response) => response.writeHead(204).end();

/** Starts a receiver on a loopback address. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const accepted: [string, number][] = [];
  let answering = accepting;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const event = JSON.parse(body);
    const one = { headers: request.headers as Record<string, string>, body, event, atMs: Date.now() };
    received.push(one);
    response.once('finish', () => {
      if (response.statusCode < 300 && event.resource) accepted.push([event.resource.id, event.sequence]);
    });
    answering(one, response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    accepted,
    answer(next) {
      answering = next;
    },
  };
}

/** Answers a status, with header fields. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  (_, response) =>
    response.writeHead(code, headers).end();
