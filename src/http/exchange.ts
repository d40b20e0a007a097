import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Eventually } from '../domain/ports/eventually.ts';
import type { Log } from '../telemetry/log.ts';
import type { LoopDelay } from '../telemetry/loop-delay.ts';
import type { Endpoint } from './endpoint.ts';
import type { Verifier } from './request/authorize.ts';
import type { Cors } from './response/cors.ts';
import type { HttpResponse } from './route.ts';

/** What all requests share: made once by server.ts. */
export interface ServerContext {
  readonly verifier: Verifier;
  readonly log: Log;
  /** A line is written for every request. */
  readonly logsRequests: boolean;
  readonly newId: () => string;
  readonly cors: Cors | undefined;
  /** Throws 400 or 421. */
  readonly checkHost: (request: IncomingMessage) => void;
  readonly remoteAddress: (request: IncomingMessage) => string;
  /** Rate limits: each call takes one request from the budget of the key, or throws 429. Undefined: no limit. */
  readonly takeApiToken: ((clientId: string) => void) | undefined;
  readonly takeLoginToken: ((key: string) => void) | undefined;
  readonly loopDelay: LoopDelay;
  /** Requests are refused while the event loop is later than this; Infinity: never. */
  readonly shedDelayMs: number;
  /** Runs a handler unless one with the same Idempotency-Key is running. Throws 409. */
  readonly runOnce: (scope: string, handler: () => Eventually<HttpResponse>) => Promise<HttpResponse>;
  readonly state: { draining: boolean; inFlight: number };
}

/** One request and its response on their way through `respond`. */
export interface Exchange {
  readonly context: ServerContext;
  readonly endpoint: Endpoint;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly correlationId: string;
  readonly startedMs: number;
  /** Known once the token was verified; for the log. */
  clientId: string | undefined;
  isClosed: boolean;
}

const printable = /^[\x20-\x7e]{1,256}$/;

/** The client's own correlation id if it can stand in headers and logs, else a new one (decision 4). */
export function correlationIdOf(sent: string | string[] | undefined, newId: () => string): string {
  return typeof sent === 'string' && printable.test(sent) ? sent : newId();
}

/**
 * Makes correlation ids out of an id of the process and a number. A random id for each request would cost a read of a
 * resource a tenth of its speed.
 */
export function createCorrelationIds(processId: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${processId}-${count}`;
  };
}

/** Begins an exchange. */
export function openExchange(
  context: ServerContext,
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  context.state.inFlight += 1;
  const sent = request.headers['x-correlation-id'];
  return {
    context,
    endpoint,
    request,
    response,
    correlationId: sent === undefined ? context.newId() : correlationIdOf(sent, context.newId),
    startedMs: performance.now(),
    clientId: undefined,
    isClosed: false,
  };
}

/** Ends an exchange: counts it and, where the level is on, writes its line. The query is not logged: it may hold secrets. */
export function closeExchange(exchange: Exchange, status: number): void {
  if (exchange.isClosed) return;
  exchange.isClosed = true;
  const { context, endpoint, request, correlationId, clientId } = exchange;
  const durationMs = performance.now() - exchange.startedMs;
  context.state.inFlight -= 1;
  endpoint.durations[Math.floor(status / 100) - 1]?.observe(durationMs / 1000);
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
