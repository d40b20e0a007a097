import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config.ts';
import type { Log } from '../../telemetry/log.ts';
import type { LoopDelay } from '../../telemetry/loop-delay.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Cors } from '../response/cors.ts';
import type { Verifier } from './authorize.ts';
import type { RunningScopes } from './idempotency.ts';

/** What all requests share: made once by server.ts. */
export interface Gate {
  readonly config: Config;
  readonly verifier: Verifier;
  readonly log: Log;
  readonly newId: () => string;
  readonly cors: Cors | undefined;
  readonly checkHost: (request: IncomingMessage) => void;
  readonly remoteAddress: (request: IncomingMessage) => string;
  readonly takeApiToken: ((key: string) => void) | undefined;
  readonly takeLoginToken: ((key: string) => void) | undefined;
  readonly loopDelay: LoopDelay;
  readonly running: RunningScopes;
  readonly state: { draining: boolean; inFlight: number };
}

export type Params = Readonly<Record<string, string>>;

/** One request and its answer on their way through the pipeline. */
export interface Exchange {
  readonly gate: Gate;
  readonly endpoint: Endpoint;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Params;
  readonly correlationId: string;
  readonly startedMs: number;
  /** Known once the token was verified; for the log. */
  clientId: string | undefined;
  isClosed: boolean;
}

const printable = /^[\x20-\x7e]{1,256}$/;

/** The client's own correlation id if it is fit for headers and logs, else a new one (decision 4). */
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
  gate: Gate,
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  params: Params,
): Exchange {
  gate.state.inFlight += 1;
  return {
    gate,
    endpoint,
    request,
    response,
    params,
    correlationId: correlationIdOf(request.headers['x-correlation-id'], gate.newId),
    startedMs: performance.now(),
    clientId: undefined,
    isClosed: false,
  };
}

/** Ends an exchange: counts it and, where the level is on, writes its line. The query is not logged: it may hold secrets. */
export function closeExchange(exchange: Exchange, status: number): void {
  if (exchange.isClosed) return;
  exchange.isClosed = true;
  const { gate, endpoint, request, correlationId, clientId } = exchange;
  const durationMs = performance.now() - exchange.startedMs;
  gate.state.inFlight -= 1;
  endpoint.durations[Math.floor(status / 100) - 1]?.observe(durationMs / 1000);
  if (!gate.log.enabled('debug')) return;
  gate.log.write('debug', 'request', {
    correlationId,
    operationId: endpoint.route.operationId,
    method: request.method,
    path: request.url?.split('?', 1)[0],
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    clientId,
  });
}
