import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../contract/scopes.ts';
import { noLog } from '../telemetry/log.ts';
import { startLoopDelay } from '../telemetry/loop-delay.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { latestResponse, type TrackedSocket } from './connection/connections.ts';
import { type Endpoint, statusClasses } from './endpoint.ts';
import { createRemoteAddress, linkBase } from './request/address.ts';
import type { Verifier } from './request/authorize.ts';
import { BodyMemory } from './request/body-memory.ts';
import { createHeadCheck } from './request/framing.ts';
import { createRunOnce } from './request/idempotency.ts';
import { createLoginLimit } from './request/login-limit.ts';
import { createOpenLimits } from './request/open-limits.ts';
import { createRateLimit } from './request/rate-limit.ts';
import { createCors } from './response/cors.ts';
import type { ServerDeps } from './server.ts';

export type ServerContext = ReturnType<typeof createContext>;

/** The state that all requests share. `draining` is aborted when the service begins to shut down. */
export function createContext(
  { config, metrics, nowMs, newId, verify, cachedCaller, isRevoked, ...deps }: ServerDeps,
  draining: AbortSignal,
) {
  // As many as there are requests that wait for something.
  setMaxListeners(0, draining);
  const { apiRatePerSecond: apiRate, tokenRatePerSecond: tokenRate, keyRatePerSecond: keyRate, shedDelayMs } = config;
  const log = deps.log ?? noLog;
  const verifier: Verifier = { verify, cachedCaller, isRevoked };
  return {
    ...{ verifier, log, draining, nowMs },
    /** Every request is logged. */
    logsRequests: log.enabled('debug'),
    newId: createCorrelationIds(newId()),
    cors: createCors(config.corsOrigins),
    /** The public address that links begin with; empty: links are paths. */
    baseUrl: linkBase(config),
    /** Throws 400, 414, 417, 421 or 501. */
    checkHead: createHeadCheck(config),
    remoteAddress: createRemoteAddress(config.trustProxy),
    /** Rate limits: each call counts one request of the key, or throws 429. Undefined: no limit. */
    takeApiToken: createRateLimit({ name: 'api', perSecond: apiRate, burst: 2 * apiRate, nowMs, metrics })?.take,
    takeLoginToken: createRateLimit({ name: 'token', perSecond: tokenRate, burst: 20 * tokenRate, nowMs, metrics })
      ?.take,
    takeKeyToken: createRateLimit({ name: 'key', perSecond: keyRate, burst: 4 * keyRate, nowMs, metrics })?.take,
    /** The limit on failed authentications from an address. */
    loginLimit: createLoginLimit({ isLimited: tokenRate > 0, nowMs, metrics }),
    bodyMemory: new BodyMemory(deps.bodyMemoryBytes ?? Number.POSITIVE_INFINITY),
    loopDelay: deps.loopDelay ?? startLoopDelay(),
    /** Requests are refused while the delay of the event loop is greater. Infinity: never. */
    shedDelayMs: shedDelayMs === 0 ? Number.POSITIVE_INFINITY : shedDelayMs,
    /** Runs a handler unless one with the same Idempotency-Key is running. Throws 409. */
    runOnce: createRunOnce(),
    /** `requests`: how many have begun, but for those that ask how the node is. */
    state: { inFlight: 0, requests: 0 },
    /** Calls that wait and end with their token (waiting-calls.ts). */
    waiting: new Set<Exchange>(),
    /** Bounds what a client may have open. */
    occupy: createOpenLimits(config),
    /** Remembers calls of clients that are known; undefined: they are not remembered. */
    calls: deps.calls,
    /** Counts responses by the class of their status. */
    responses: countResponses(metrics),
  };
}

/** They stand at 0 from the start: the first 5xx is then an increase, and not a series that appears. */
function countResponses(metrics: Metrics): number[] {
  const counts = statusClasses.map(() => 0);
  for (const [at, status] of statusClasses.entries()) {
    const help = 'Responses, by the class of their status.';
    metrics.total('http_responses_total', help, () => counts[at]!, { status });
  }
  return counts;
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
