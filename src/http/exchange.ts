import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoginLimit } from '../auth/credentials.ts';
import type { Caller } from '../contract/scopes.ts';
import type { Eventually } from '../domain/ports/eventually.ts';
import type { Log } from '../telemetry/log.ts';
import type { LoopDelay } from '../telemetry/loop-delay.ts';
import type { RecentCalls } from '../telemetry/recent-calls.ts';
import { latestResponse, type TrackedSocket } from './connection/connections.ts';
import type { Endpoint } from './endpoint.ts';
import type { Verifier } from './request/authorize.ts';
import type { BodyMemory } from './request/body-memory.ts';
import type { Occupy } from './request/open-limits.ts';
import type { Compress } from './response/compress.ts';
import type { Cors } from './response/cors.ts';
import type { HttpResponse } from './route.ts';

/** State that all requests share. Created once by server.ts. */
export interface ServerContext {
  readonly verifier: Verifier;
  readonly log: Log;
  /** Every request is logged. */
  readonly logsRequests: boolean;
  readonly newId: () => string;
  readonly cors: Cors | undefined;
  /** The public address that links begin with; empty: links are paths. */
  readonly baseUrl: string;
  readonly compress: Compress;
  /** Throws 400, 414, 417, 421 or 501. */
  readonly checkHead: (request: IncomingMessage) => void;
  readonly remoteAddress: (request: IncomingMessage) => string;
  /** Rate limits: each call counts one request of the key, or throws 429. Undefined: no limit. */
  readonly takeApiToken: ((clientId: string) => void) | undefined;
  readonly takeLoginToken: ((key: string) => void) | undefined;
  /** The limit on failed authentications from an address. */
  readonly loginLimit: (address: string) => LoginLimit;
  readonly bodyMemory: BodyMemory;
  readonly loopDelay: LoopDelay;
  /** Requests are refused while the delay of the event loop is greater. Infinity: never. */
  readonly shedDelayMs: number;
  /** Runs a handler unless one with the same Idempotency-Key is running. Throws 409. */
  readonly runOnce: (scope: string, handler: () => Eventually<HttpResponse>) => Promise<HttpResponse>;
  /** `requests`: how many have begun, but for those that ask how the node is. */
  readonly state: { draining: boolean; inFlight: number; requests: number };
  /** Aborted when `draining` becomes true. */
  readonly draining: AbortSignal;
  /** Remembers calls of clients that are known; undefined: they are not remembered. */
  readonly calls: Pick<RecentCalls, 'add'> | undefined;
  /** Calls that wait and end with their token (waiting-calls.ts). */
  readonly waiting: Set<Exchange>;
  /** Bounds what a client may have open. */
  readonly occupy: Occupy;
  readonly nowMs: () => number;
  /** Counts responses by the class of their status. */
  readonly responses: number[];
}

/** One request and its response in `respond`. */
export interface Exchange {
  readonly context: ServerContext;
  readonly endpoint: Endpoint;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly correlationId: string;
  readonly startedMs: number;
  /** Known after authentication. */
  caller: Caller | undefined;
  /** Aborted when the token of the caller ends while the request is handled; made where something waits for it. */
  tokenEnded: AbortController | undefined;
  /** The project key of the path, once it is valid. */
  projectKey: string | undefined;
  isClosed: boolean;
}

/** A correlation id of the client that is valid in headers and logs (decision 4). */
const printable = /^[\x20-\x7e]{1,256}$/;

/**
 * Makes correlation ids from the id of the process and a counter. A random id for each request would cost a read a tenth
 * of its speed.
 */
export function createCorrelationIds(processId: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${processId}-${count}`;
  };
}

/** Opens the exchange of a request. */
export function openExchange(
  context: ServerContext,
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  (request.socket as TrackedSocket)[latestResponse] = response;
  context.state.inFlight += 1;
  if (endpoint.route.tag !== 'Health') context.state.requests += 1;
  const sent = request.headers['x-correlation-id'];
  return {
    context,
    endpoint,
    request,
    response,
    correlationId: typeof sent === 'string' && printable.test(sent) ? sent : context.newId(),
    startedMs: performance.now(),
    caller: undefined,
    tokenEnded: undefined,
    projectKey: undefined,
    isClosed: false,
  };
}

/** Ends an exchange: counts and logs it. The query is not logged: it may contain secrets. */
export function closeExchange(exchange: Exchange, status: number): void {
  if (exchange.isClosed) return;
  exchange.isClosed = true;
  const { context, endpoint, request, correlationId, caller } = exchange;
  const clientId = caller?.clientId;
  const durationMs = performance.now() - exchange.startedMs;
  context.state.inFlight -= 1;
  const statusClass = Math.floor(status / 100) - 1;
  endpoint.durations[statusClass]?.observe(durationMs / 1000);
  if (context.responses[statusClass] !== undefined) context.responses[statusClass] += 1;
  if (clientId !== undefined && context.calls !== undefined) {
    context.calls.add({
      endedMs: context.nowMs(),
      clientId,
      externalUserId: request.headers['x-external-user-id'] as string | undefined,
      projectKey: exchange.projectKey,
      operation: endpoint.route.operationId,
      status,
      durationMs,
    });
  }
  if (!context.logsRequests) return;
  context.log.write('debug', 'request', {
    correlationId,
    operationId: endpoint.route.operationId,
    method: request.method,
    path: request.url?.split('?', 1)[0],
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    clientId,
  });
}
