import assert from 'node:assert/strict';
import net from 'node:net';
import type { InjectOptions } from 'light-my-request';
import { parseConfig } from '../../src/config/parse.ts';
import type { Config } from '../../src/config/settings.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Caller } from '../../src/contract/scopes.ts';
import type { ApiRequest, HttpResponse, Route } from '../../src/http/route.ts';
import { createServer, type HttpServer, type ServerDeps } from '../../src/http/server.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { inject } from '../inject.ts';

/** Tokens of the tests: `write-p` may do all in project p, `read-p` only read there. Anything else is no token. */
const callers: ReadonlyMap<string, Caller> = new Map(
  ['p', 'p2'].flatMap((project): [string, Caller][] => [
    [`write-${project}`, callerOf(`writer-${project}`, ['manage_test', 'view_test'], project)],
    [`read-${project}`, callerOf(`reader-${project}`, ['view_test'], project)],
  ]),
);

function callerOf(clientId: string, scopes: readonly string[], project: string): Caller {
  return { clientId, jti: clientId, scopes: new Set(scopes.map((scope) => `${scope}:${project}`)) };
}

const verify: ServerDeps['verify'] = async (token) => {
  const caller = callers.get(token);
  if (!caller) throw new ServiceError('invalid_token', 'The access token is not valid.');
  return caller;
};

/** A route with the parts that every route has; `overrides` has the rest. */
export function route(overrides: Partial<Route> & Pick<Route, 'operationId' | 'path'>): Route {
  return {
    method: 'GET',
    tag: 'Things',
    summary: 'A thing',
    access: ['manage_test', 'view_test'],
    responses: { 200: { description: 'The thing.' } },
    handler: echo,
    ...overrides,
  };
}

/** Returns what reached the handler. */
export function echo(request: ApiRequest): HttpResponse {
  const { method, params, query, json, bytes, idempotency } = request;
  const values = Object.fromEntries(query);
  const seen = { method, params, query: values, json, length: bytes.length, idempotency };
  return { status: 200, body: JSON.stringify(seen) };
}

const thing = { type: 'object' };
const jsonBody = { kind: 'json', contentTypes: ['application/json'], required: true, schema: thing } as const;

/** A small API with one route of each sort. */
export const routes: readonly Route[] = [
  route({ operationId: 'countThings', method: 'HEAD', path: '/:projectKey/things' }),
  route({
    operationId: 'listThings',
    path: '/:projectKey/things',
    query: { limit: { type: 'integer', description: 'How many.', minimum: 0, maximum: 500 } },
  }),
  route({
    operationId: 'createThing',
    method: 'POST',
    path: '/:projectKey/things',
    access: ['manage_test'],
    query: { expand: { type: 'string', description: 'What to expand.' } },
    body: jsonBody,
    idempotent: true,
  }),
  route({ operationId: 'getThingByKey', path: '/:projectKey/things/key=:key' }),
  route({ operationId: 'getThing', path: '/:projectKey/things/:id' }),
  route({ operationId: 'deleteThing', method: 'DELETE', path: '/:projectKey/things/:id', access: ['manage_test'] }),
  route({ operationId: 'openThing', path: '/health/live', access: 'public' }),
  route({
    operationId: 'login',
    method: 'POST',
    path: '/oauth/token',
    access: 'client',
    body: {
      kind: 'form',
      contentTypes: ['application/x-www-form-urlencoded'],
      required: false,
      schema: thing,
    },
  }),
];

export interface Fixture {
  readonly server: HttpServer;
  readonly port: number;
}

/** Settings of the tests: a free port, and the given environment on top. */
export function settings(environment: Readonly<Record<string, string>> = {}): Config {
  return parseConfig({ PORT: '0', ...environment });
}

/** A server, and the way to it without a socket. */
export interface BuiltServer extends HttpServer {
  inject(request: InjectOptions): ReturnType<typeof inject>;
}

/** A server of the small API, or of `more.routes`, that does not listen yet. */
export function build(environment: Readonly<Record<string, string>> = {}, more: Partial<ServerDeps> = {}): BuiltServer {
  // A machine that does much else is late as well: requests are shed only where a test says how late it is.
  const shedding = more.loopDelay ? {} : { SHED_DELAY_MS: '0' };
  const server = createServer({
    config: settings({ ...shedding, ...environment }),
    routes,
    metrics: createMetrics(),
    verify,
    cachedCaller: () => undefined,
    isRevoked: () => false,
    nowMs: Date.now,
    newId: () => 'test',
    ...more,
  });
  return { ...server, inject: (request) => inject(server, request) };
}

/** Starts a server, hands it to `use`, and ends it. */
export async function withServer(
  use: (fixture: Fixture) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
  more: Partial<ServerDeps> = {},
): Promise<void> {
  const server = build({ DRAIN_TIMEOUT_MS: '200', ...environment }, more);
  const address = await server.listen();
  try {
    await use({ server, port: Number(new URL(address).port) });
  } finally {
    await server.drain();
  }
}

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/**
 * Sends bytes as they are and returns everything that comes back until the other side ends the connection, or until
 * `until` says that it is enough.
 */
export function exchange(
  port: number,
  bytes: string | Buffer,
  until: (text: string) => boolean = () => false,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (until(text)) socket.destroy();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? undefined : reject(error)));
  socket.on('close', () => resolve(text));
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return promise;
}

/** Reads the responses in a text, one after the other. Interim responses (100) are skipped. */
export function parseResponses(text: string): readonly RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    assert.ok(end > 0, `expected a whole head in ${JSON.stringify(rest.slice(0, 200))}`);
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      fields.map((field) => [field.split(':')[0]!.toLowerCase(), field.replace(/^[^:]*: ?/, '')]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const status = Number(line.split(' ')[1]);
    if (status !== 100) responses.push({ status, headers, text: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + (status === 100 ? 0 : length));
  }
  assert.equal(rest, '', 'expected nothing after the last response');
  return responses;
}

/** Asserts the one shape of errors (decision 2), and gives the body for a closer look. */
export function assertError(
  response: { status: number; text: string; type: string | undefined },
  code: string,
): unknown {
  const body = JSON.parse(response.text);
  assert.equal(body.errors?.[0]?.code, code, response.text);
  assert.equal(body.statusCode, response.status);
  assert.equal(body.message, body.errors[0].message);
  assert.equal(response.type, 'application/json; charset=utf-8');
  return body;
}
