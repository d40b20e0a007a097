import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/settings.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { LoopDelay } from '../telemetry/loop-delay.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RecentCalls } from '../telemetry/recent-calls.ts';
import { trackConnections } from './connection/connections.ts';
import { drainServer } from './connection/drain.ts';
import { createListener } from './connection/listener.ts';
import { endRevokedCalls } from './connection/waiting-calls.ts';
import { checkRoutes } from './endpoint.ts';
import { createContext, type ServerContext } from './exchange.ts';
import type { Verifier } from './request/authorize.ts';
import { respond } from './respond.ts';
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

export type HttpServer = ReturnType<typeof createServer>;

/** Makes the HTTP server of the routes. Throws for an invalid route. */
export function createServer(deps: ServerDeps) {
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
    /** Listens as configured. Resolves to the address: `http://127.0.0.1:8080`. */
    listen: () => listen(listener, config),
    /** Handles a request, whether or not it came from a socket of this server. */
    handle,
    /** The underlying server of node:http. */
    listener,
    /** How many requests have begun, but for those that ask how the node is. */
    requests: () => context.state.requests,
    /** Stops the server within the configured time, without losing a response. */
    async drain(): Promise<void> {
      drainStart.abort(new ServiceError('OverCapacity', 'The service is shutting down.'));
      if (listener.listening) await drainServer(listener, connections, config.drainTimeoutMs);
      context.loopDelay.stop();
      stopLooking();
    },
  };
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
