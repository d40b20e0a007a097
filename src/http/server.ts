import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { malformedParameter, ServiceError } from '../contract/errors.ts';
import { type Log, noLog } from '../telemetry/log.ts';
import { type LoopDelay, startLoopDelay } from '../telemetry/loop-delay.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { noteResponse, trackConnections } from './connection/connections.ts';
import { drainServer } from './connection/drain.ts';
import { createListener } from './connection/listener.ts';
import { answerParserError, type ParserError } from './connection/wire-errors.ts';
import { absentMethods, checkRoutes, createEndpoint } from './endpoint.ts';
import { createHostCheck, createRemoteAddress } from './request/address.ts';
import type { Verifier } from './request/authorize.ts';
import { createCorrelationIds, type Gate, openExchange, type Params } from './request/exchange.ts';
import { createRunningScopes } from './request/idempotency.ts';
import { refuse, serve } from './request/pipeline.ts';
import { createRateLimit } from './request/rate-limit.ts';
import { createUnknownPath, type UnknownPath } from './request/unknown-path.ts';
import { createCors } from './response/cors.ts';
import type { Route } from './route.ts';

/** Longest path segment as it is sent: 256 characters of up to four bytes, each byte as `%XX`. */
const maxSegmentChars = 256 * 4 * 3;

export interface ServerDeps extends Verifier {
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly metrics: Metrics;
  readonly nowMs: () => number;
  /** Asked once, at the start: correlation ids are its answer and a number. */
  readonly newId: () => string;
  readonly log?: Log;
  readonly loopDelay?: LoopDelay;
}

export interface HttpServer {
  /** Listens as the settings say, and answers the address: `http://127.0.0.1:8080`. */
  listen(): Promise<string>;
  /** Fastify's: sends a request through everything but the socket. */
  readonly inject: FastifyInstance['inject'];
  /** Ends the server without losing an answer; within the time of the setting. */
  drain(): Promise<void>;
  /** True from the beginning of `drain` on: readiness is over. */
  isDraining(): boolean;
  readonly app: FastifyInstance;
}

/** Makes the HTTP server out of routes that are plain data. Throws for a route that is declared wrongly. */
export function createServer(deps: ServerDeps): HttpServer {
  checkRoutes(deps.routes);
  const gate = createGate(deps);
  const unknownPath = createUnknownPath(gate, deps.routes, deps.metrics);
  const app = createApp(gate, unknownPath, deps.routes);
  for (const route of deps.routes) register(app, gate, route, deps);
  const connections = trackConnections(app.server);
  registerMetrics(deps.metrics, gate, connections);
  return {
    listen: () => listen(app, deps.config),
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    isDraining: () => gate.state.draining,
    app,
    async drain() {
      gate.state.draining = true;
      if (app.server.listening) await drainServer(app.server, connections, deps.config.drainTimeoutMs);
      gate.loopDelay.stop();
    },
  };
}

function createGate({ config, nowMs, newId, verify, cachedCaller, log, loopDelay }: ServerDeps): Gate {
  const { apiRatePerSecond: apiRate, tokenRatePerSecond: tokenRate } = config;
  return {
    config,
    verifier: { verify, cachedCaller },
    log: log ?? noLog,
    newId: createCorrelationIds(newId()),
    cors: config.corsOrigins.length > 0 ? createCors(config.corsOrigins) : undefined,
    checkHost: createHostCheck(config),
    remoteAddress: createRemoteAddress(config.trustProxy),
    takeApiToken: createRateLimit({ name: 'api', perSecond: apiRate, burst: 2 * apiRate, nowMs }),
    takeLoginToken: createRateLimit({ name: 'token', perSecond: tokenRate, burst: 10 * tokenRate, nowMs }),
    loopDelay: loopDelay ?? startLoopDelay(),
    running: createRunningScopes(),
    state: { draining: false, inFlight: 0 },
  };
}

/**
 * Fastify, as a router. Its body parsers would look at a body before the scope is known, so every request is taken over
 * (`hijack`) as soon as it is routed, and goes through our pipeline. What Fastify would answer by itself ends there too.
 */
function createApp(gate: Gate, unknownPath: UnknownPath, routes: readonly Route[]): FastifyInstance {
  const takeOver = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    noteResponse(request.raw, reply.raw);
    unknownPath.answer(request.raw, reply.raw);
  };
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: maxSegmentChars, querystringParser: () => noQuerystring },
    serverFactory: (handle) => createListener(gate.config, gate.newId, handle),
    // Fastify's type of the error is that of its JSON form.
    clientErrorHandler: (error: unknown, socket) =>
      answerParserError(error as ParserError, socket as Socket, gate.newId),
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      noteResponse(request.raw, reply.raw);
      const exchange = openExchange(gate, unknownPath.endpoint, request.raw, reply.raw, {});
      refuse(exchange, error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? segmentTooLong() : badEncoding());
    },
  });
  app.setNotFoundHandler(takeOver);
  // A body without a route: its type is of no interest.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setErrorHandler((_error, request, reply) => takeOver(request, reply));
  for (const url of new Set(routes.map(({ path }) => path))) {
    const method = [...absentMethods(routes, url)];
    if (method.length > 0) app.route({ method, url, onRequest: takeOver, handler: () => undefined });
  }
  return app;
}

/** Queries are read by the tables of the routes, and only where there is one. */
const noQuerystring = Object.freeze({});

const segmentTooLong = () =>
  new ServiceError('UriTooLong', `A segment of the path is longer than ${maxSegmentChars} characters.`);
const badEncoding = () => malformedParameter('path', 'percent-encoded UTF-8 expected');

function register(app: FastifyInstance, gate: Gate, route: Route, { metrics, routes, config }: ServerDeps): void {
  const endpoint = createEndpoint(route, metrics, config);
  const hasOwnHead = routes.some(({ method, path }) => method === 'HEAD' && path === route.path);
  app.route({
    method: route.method === 'GET' && !hasOwnHead ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    onRequest: (request, reply) => {
      reply.hijack();
      noteResponse(request.raw, reply.raw);
      serve(gate, endpoint, request.raw, reply.raw, request.params as Params);
    },
    // Never reached: the request was taken over above.
    handler: () => undefined,
  });
}

/** Not Fastify's listen: for a name with several addresses it makes servers that `drain` would not know. */
async function listen(app: FastifyInstance, { port, host, workers }: Config): Promise<string> {
  await app.ready();
  // Each process has a queue of its own then, and the kernel spreads connections over them (decision 78).
  app.server.listen({ port, host, reusePort: workers > 1 && process.platform === 'linux' });
  await once(app.server, 'listening');
  const bound = app.server.address() as AddressInfo;
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

function registerMetrics(metrics: Metrics, { state, log }: Gate, connections: ReadonlySet<unknown>): void {
  metrics.gauge('http_requests_in_flight', 'Requests being answered.', () => state.inFlight);
  metrics.gauge('http_connections', 'Open connections.', () => connections.size);
  metrics.gauge('log_lines_dropped', 'Log lines lost because the reader did not keep up.', () => log.dropped());
}
