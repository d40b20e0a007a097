import type { Agent, AgentOptions, IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { AddressDenied, type AddressGuard } from './address-guard.ts';

/** Less than the 5 s after which common servers close idle connections: a write is not repeated on a new one. */
const idleMs = 4000;

/** The module for a protocol. An import would read all of its exports, which loads all of fetch. */
const moduleOf = (protocol: string) => process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');

/** Connections by a protocol, which are kept. None is open yet. */
export function createAgent(protocol: string, options?: AgentOptions & { readonly ca?: string | undefined }): Agent {
  return new (moduleOf(protocol).Agent)({ keepAlive: true, timeout: idleMs, ...options });
}

/** A request to a server that others named, complete. */
export interface Outgoing {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
  readonly agent: Agent;
  readonly guard: AddressGuard;
  readonly maxBytes: number;
  /** True: the response is its status and its header fields. What follows is read up to `maxBytes`, and dropped. */
  readonly dropsBody?: boolean;
}

/** The response, or the failure. `unreachable`: there was no complete response. `tooLarge`: it exceeded `maxBytes`. */
export type ExchangeResult =
  | {
      readonly status: number;
      readonly contentType: string;
      readonly etag: string | undefined;
      readonly retryAfter: string | undefined;
      readonly bytes: Buffer;
    }
  | { readonly failure: 'timedOut' | 'tooLarge' | 'unreachable' | 'denied'; readonly cause?: unknown };

/** Largest header section of a response. */
const maxHeaderBytes = 16_384;

/** How long the body of a response may take that is dropped, so that the connection can be used again. */
const dropMs = 2000;

/** Sends a request and reads the whole response in time. Follows no redirect. */
export function exchange(outgoing: Outgoing, timeoutMs: number): Promise<ExchangeResult> {
  const { url, method, headers, body, agent, guard } = outgoing;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A connection to a literal address makes no lookup.
  if (isIP(host) !== 0 && !guard.allows(host)) {
    return Promise.resolve({ failure: 'denied', cause: new AddressDenied(host, host) });
  }
  const { promise, resolve } = Promise.withResolvers<ExchangeResult>();
  const options = { method, headers, agent, lookup: guard.lookup, maxHeaderSize: maxHeaderBytes };
  const request = moduleOf(url.protocol).request(url, options);
  const settle = (outcome: ExchangeResult) => {
    resolve(outcome);
    if ('failure' in outcome) request.destroy();
  };
  const timer = setTimeout(settle, Math.max(0, timeoutMs), { failure: 'timedOut' });
  request.once('socket', (socket) => checkPeer(socket, guard, settle));
  request.once('response', (response) => read(response, outgoing, settle));
  request.on('error', (cause) => settle({ failure: cause instanceof AddressDenied ? 'denied' : 'unreachable', cause }));
  // An unrequested upgrade ends without an error.
  request.once('close', () => settle({ failure: 'unreachable', cause: new Error('closed without a response') }));
  request.end(body === '' ? undefined : body);
  return promise.finally(() => clearTimeout(timer));
}

/** Checks the connected address again before a byte is sent, so that the guard does not depend on the order of events. */
function checkPeer(socket: Socket, guard: AddressGuard, settle: (outcome: ExchangeResult) => void): void {
  const check = () => {
    const address = socket.remoteAddress ?? 'none';
    if (!guard.allows(address)) settle({ failure: 'denied', cause: new AddressDenied('the server', address) });
  };
  if (socket.connecting) socket.once('connect', check);
  else check();
}

function read(
  response: IncomingMessage,
  { maxBytes, dropsBody = false }: Outgoing,
  settle: (outcome: ExchangeResult) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const { statusCode: status = 0, headers } = response;
  const received = () => {
    const { etag, 'content-type': contentType = '', 'retry-after': retryAfter } = headers;
    settle({ status, contentType, etag, retryAfter, bytes: Buffer.concat(chunks) });
  };
  if (dropsBody) {
    received();
    const timer = setTimeout(() => response.destroy(), dropMs);
    response.once('close', () => clearTimeout(timer));
  }
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) settle({ failure: 'tooLarge' });
    else if (!dropsBody) chunks.push(chunk);
  });
  response.once('end', received);
  response.once('error', (cause) => settle({ failure: 'unreachable', cause }));
}
