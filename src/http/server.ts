import { once, setMaxListeners } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/settings.ts';
import { type Log, noLog } from '../telemetry/log.ts';
import { type LoopDelay, startLoopDelay } from '../telemetry/loop-delay.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RecentCalls } from '../telemetry/recent-calls.ts';
import { trackConnections } from './connection/connections.ts';
import { drainServer } from './connection/drain.ts';
import { createListener } from './connection/listener.ts';
import { endRevokedCalls } from './connection/waiting-calls.ts';
import { checkRoutes, statusClasses } from './endpoint.ts';
import { createCorrelationIds, type ServerContext } from './exchange.ts';
import { createRemoteAddress, linkBase } from './request/address.ts';
import type { Verifier } from './request/authorize.ts';
import { BodyMemory } from './request/body-memory.ts';
import { createHeadCheck } from './request/framing.ts';
import { createRunOnce } from './request/idempotency.ts';
import { createLoginLimit } from './request/login-limit.ts';
import { createOpenLimits } from './request/open-limits.ts';
import { createRateLimit } from './request/rate-limit.ts';
import { respond } from './respond.ts';
import { createCompress } from './response/compress.ts';
import { createCors } from './response/cors.ts';
import type { Route } from './route.ts';
import { createRouter } from './router.ts';

export interface ServerDeps extends Verifier {
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly metrics: Metrics;
  readonly nowMs: () => number;
  /** Called once, at the start: correlation ids are its result and a counter. */
  readonly newId: () => string;
  readonly log?: Log;
  readonly loopDelay?: LoopDelay;
  /** Memory for large bodies; absent: without a bound. */
  readonly bodyMemoryBytes?: number;
  /** Remembers the calls of clients. */
  readonly calls?: RecentCalls;
}

export interface HttpServer {
  /** Listens as configured. Resolves to the address: `http://127.0.0.1:8080`. */
  listen(): Promise<string>;
  /** Handles a request, whether or not it came from a socket of this server. */
  readonly handle: RequestListener;
  /** The underlying server of node:http. */
  readonly listener: Server;
  /** Stops the server within the configured time, without losing a response. */
  drain(): Promise<void>;
  /** True as soon as `drain` was called: the node is no longer ready. */
  isDraining(): boolean;
  /** How many requests have begun, but for those that ask how the node is. */
  requests(): number;
}

/** Makes the HTTP server of the routes. Throws for an invalid route. */
export function createServer(deps: ServerDeps): HttpServer {
  const { config, routes, metrics } = deps;
  checkRoutes(routes);
  const drainStart = new AbortController();
  const context = createContext(deps, drainStart.signal);
  const router = createRouter(routes, { metrics, maxBodyBytes: config.maxBodyBytes, cors: context.cors });
  const handle: RequestListener = respond.bind(undefined, context, router);
  const stopLooking = endRevokedCalls(context.waiting, deps.isRevoked);
  const listener = createListener(config, context.newId, handle);
  const connections = trackConnections(listener);
  registerMetrics(metrics, context, connections);
  return {
    listen: () => listen(listener, config),
    handle,
    listener,
    isDraining: () => context.state.draining,
    requests: () => context.state.requests,
    async drain() {
      context.state.draining = true;
      drainStart.abort();
      if (listener.listening) await drainServer(listener, connections, config.drainTimeoutMs);
      context.loopDelay.stop();
      stopLooking();
    },
  };
}

function createContext(
  { config, metrics, nowMs, newId, verify, cachedCaller, isRevoked, ...deps }: ServerDeps,
  draining: AbortSignal,
): ServerContext {
  // As many as there are requests that wait for something.
  setMaxListeners(0, draining);
  const { apiRatePerSecond: apiRate, tokenRatePerSecond: tokenRate, shedDelayMs } = config;
  const log = deps.log ?? noLog;
  return {
    verifier: { verify, cachedCaller, isRevoked },
    log,
    logsRequests: log.enabled('debug'),
    newId: createCorrelationIds(newId()),
    cors: config.corsOrigins.length > 0 ? createCors(config.corsOrigins) : undefined,
    baseUrl: linkBase(config),
    compress: createCompress(),
    checkHead: createHeadCheck(config),
    remoteAddress: createRemoteAddress(config.trustProxy),
    takeApiToken: createRateLimit({ name: 'api', perSecond: apiRate, burst: 2 * apiRate, nowMs, metrics })?.take,
    takeLoginToken: createRateLimit({ name: 'token', perSecond: tokenRate, burst: 20 * tokenRate, nowMs, metrics })
      ?.take,
    loginLimit: createLoginLimit({ isLimited: tokenRate > 0, nowMs, metrics }),
    bodyMemory: new BodyMemory(deps.bodyMemoryBytes ?? Number.POSITIVE_INFINITY),
    loopDelay: deps.loopDelay ?? startLoopDelay(),
    shedDelayMs: shedDelayMs === 0 ? Number.POSITIVE_INFINITY : shedDelayMs,
    runOnce: createRunOnce(),
    state: { draining: false, inFlight: 0, requests: 0 },
    draining,
    waiting: new Set(),
    occupy: createOpenLimits(config),
    calls: deps.calls,
    nowMs,
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

async function listen(listener: Server, { port, host, workers }: Config): Promise<string> {
  // With reusePort each process has its own queue, and the kernel distributes connections (decision 78).
  listener.listen({ port, host, reusePort: workers > 1 && process.platform === 'linux' });
  await once(listener, 'listening');
  const bound = listener.address() as AddressInfo;
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

function registerMetrics(metrics: Metrics, { state, log }: ServerContext, connections: ReadonlySet<unknown>): void {
  metrics.gauge('http_requests_in_flight', 'Requests in progress.', () => state.inFlight);
  metrics.gauge('http_connections', 'Open connections.', () => connections.size);
  metrics.gauge('log_lines_dropped', 'Log lines dropped because the reader did not keep up.', () => log.dropped());
}
