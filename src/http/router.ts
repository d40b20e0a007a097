import type { IncomingMessage } from 'node:http';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { malformedParameter, ServiceError } from '../contract/errors.ts';
import { projectKeyPattern } from '../contract/scopes.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import type { Cors } from './response/cors.ts';
import { type ApiRequest, anyParameter, type HttpResponse, type Params, type Route } from './route.ts';

/** Where a request goes: the endpoint of its method and path, and the parameters in the path. */
export interface Routed {
  readonly endpoint: Endpoint;
  /** Percent-decoded once. */
  readonly params: Params;
}

export interface Router {
  /** Never throws: a request that matches no route goes to an endpoint whose handler throws 404, 405, 414 or 501. */
  find(request: IncomingMessage): Routed;
}

export interface RouterOptions {
  readonly metrics: Metrics;
  readonly maxBodyBytes: number;
  readonly cors: Cors | undefined;
}

/** Longest path segment on the wire: 256 characters of up to four bytes, each byte as `%XX`. */
const maxSegmentChars = 256 * 4 * 3;

/** Methods with a defined meaning (RFC 9110 §9, RFC 5789), whether or not any path has them. Others are 501. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY']);

/** Methods that routes can have, sorted as `Allow` lists them. */
const routeMethods = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

const noParams: Params = Object.freeze({});

/** find-my-way wants a handler for each route. Ours are looked up and never called. */
const unused = () => undefined;

/** Stands at a path for the methods that the path does not have, but a more general path would take. */
const noEndpoint = Symbol('no endpoint');

/** A literal segment without an endpoint of its own: methods and paths of the routes below it. */
interface Beginning {
  readonly allow: string;
  readonly below: string;
}

/** 404 for a path that does not exist. */
export function notFound(): ServiceError {
  return new ServiceError('ResourceNotFound', 'There is nothing at this path.');
}

function methodNotAllowed(method: string, problem: string, allow: string): ServiceError {
  return new ServiceError('MethodNotAllowed', `${method}: ${problem}.`, {}, { allow });
}

function refuseEncoding(): never {
  throw malformedParameter('path', 'expected percent-encoded UTF-8');
}

function refuseLongSegment(): never {
  throw new ServiceError('UriTooLong', `A segment of the path is longer than ${maxSegmentChars} characters.`);
}

/** True if another route of the same method and path takes all bodies but forms (decision 109). */
function isSecondForForms(route: Route, routes: readonly Route[]): boolean {
  if (route.body?.kind !== 'form') return false;
  return routes.some((other) => other !== route && other.method === route.method && other.path === route.path);
}

const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The beginnings of paths that end with a literal segment and have no route, each once. */
function beginningsOf(routes: readonly Route[]): readonly string[] {
  const known = new Set(routes.map(({ path }) => path));
  const beginnings = routes.flatMap(({ path }) =>
    [...path.matchAll(/(?<=\/[^/:=]+)\//g)].map(({ index }) => path.slice(0, index)),
  );
  return [...new Set(beginnings)].filter((path) => !known.has(path));
}

/**
 * A function that writes `key%3Dk` as `key=k` where routes have such a segment: clients that encode whole segments then
 * reach what they mean. No id begins with `key=` (decision 7).
 */
function plainEquals(routes: readonly Route[]): (url: string) => string {
  const names = new Set(routes.flatMap(({ path }) => [...path.matchAll(/\/([\w-]+)=:/g)].map(([, name]) => name)));
  const encoded = new RegExp(`^([^?]*?/(?:${[...names].join('|')}))%3[Dd]`);
  return (url) => (names.size > 0 ? url.replace(encoded, '$1=') : url);
}

/** Makes the router of the routes, each with its endpoint. Throws if two routes have the same method and path. */
export function createRouter(routes: readonly Route[], options: RouterOptions): Router {
  const paths = findMyWay({
    maxParamLength: maxSegmentChars,
    onBadUrl: refuseEncoding,
    onMaxParamLength: refuseLongSegment,
    querystringParser: () => noParams,
  });
  const { metrics, maxBodyBytes } = options;
  const formRoutes = routes.filter((route) => isSecondForForms(route, routes));
  for (const route of routes) {
    if (formRoutes.includes(route)) continue;
    const second = formRoutes.find(({ method, path }) => method === route.method && path === route.path);
    const forForms = second && createEndpoint(second, metrics, maxBodyBytes);
    const hasOwnHead = routes.some(({ method, path }) => method === 'HEAD' && path === route.path);
    const methods: HTTPMethod[] = route.method === 'GET' && !hasOwnHead ? ['GET', 'HEAD'] : [route.method];
    paths.on(methods, route.path, unused, createEndpoint(route, metrics, maxBodyBytes, forForms));
  }

  const plainOf = plainEquals(routes);

  /** The endpoints of a path by method, sorted; empty if there is nothing at the path. */
  function endpointsAt(url: string): ReadonlyMap<HTTPMethod, Endpoint> {
    const endpoints = new Map<HTTPMethod, Endpoint>();
    for (const method of routeMethods) {
      const { store, params } = paths.find(method, url) ?? {};
      if (!store || store === noEndpoint) continue;
      const { inProject, paramNames } = store as Endpoint;
      if (inProject && !isInProject(url)) continue;
      if (paramNames.every((name) => params![name] !== '')) endpoints.set(method, store);
    }
    return endpoints;
  }

  // A literal segment is never an id (decision 7): DELETE …/images is 405, not a deletion of the resource `images`.
  const taken = [...new Set(routes.map(({ path }) => path))].map((path) => {
    const general = [...endpointsAt(path.replace(':projectKey', 'p'))].filter(([, { route }]) => route.path !== path);
    return { path, methods: general.map(([method]) => method) };
  });
  for (const { path, methods } of taken) if (methods.length > 0) paths.on(methods, path, unused, noEndpoint);

  // Nor is one that longer paths begin with, such as …/artificially-complex.
  const beginnings = findMyWay({ maxParamLength: maxSegmentChars });
  for (const path of beginningsOf(routes)) {
    const methods = [...endpointsAt(path.replace(':projectKey', 'p')).keys()];
    if (methods.length === 0) continue;
    paths.on(methods, path, unused, noEndpoint);
    const below = routes.filter((route) => route.path.startsWith(`${path}/`));
    const allow = [...new Set(below.map(({ method }) => method))].sort().join(', ');
    const shown = [...new Set(below.map((route) => route.path.replaceAll(/:(\w+)/g, '{$1}')))].join(', ');
    beginnings.on('GET', path, unused, { allow, below: shown } satisfies Beginning);
  }
  const beginningAt = (url: string) => beginnings.find('GET', url)?.store as Beginning | undefined;

  const fallback = createFallback(endpointsAt, beginningAt, options);
  return {
    find(request) {
      const { url: sent = '/' } = request;
      const url = sent.includes('%3') ? plainOf(sent) : sent;
      const found = paths.find(request.method as HTTPMethod, url);
      if (found === null || found.store === noEndpoint)
        return { endpoint: fallback.at(request, url), params: noParams };
      if (found.store === null) {
        const { outside } = fallback;
        const handler = found.handler as unknown as Route['handler'];
        return { endpoint: { ...outside, route: { ...outside.route, handler } }, params: noParams };
      }
      const endpoint = found.store as Endpoint;
      const { forForms } = endpoint;
      const isForm = forForms !== undefined && formType.test(request.headers['content-type'] ?? '');
      return { endpoint: isForm ? forForms : endpoint, params: found.params as Params };
    },
  };
}

/**
 * The endpoints of requests that match no route: 404, 405 with `Allow`, 501, and CORS preflights. Inside a project a token is
 * required before a 404, but not before a 405 (decision 3).
 */
function createFallback(
  endpointsAt: (url: string) => ReadonlyMap<string, Endpoint>,
  beginningAt: (url: string) => Beginning | undefined,
  { metrics, maxBodyBytes, cors }: RouterOptions,
) {
  function create(operationId: string, access: Route['access'], handler: Route['handler']): Endpoint {
    const described = { method: 'GET', path: '/', tag: '', summary: '', responses: {}, query: anyParameter } as const;
    return createEndpoint({ ...described, operationId, access, handler }, metrics, maxBodyBytes);
  }

  function refusalOf(method: string, url: string): ServiceError {
    if (!knownMethods.has(method)) {
      return new ServiceError('NotImplemented', `${method}: the HTTP method is unknown to the service.`);
    }
    const allow = [...endpointsAt(url).keys()].join(', ');
    if (allow !== '') return methodNotAllowed(method, `this path has only ${allow}`, allow);
    const beginning = beginningAt(url);
    if (!beginning) return notFound();
    const whole = `${beginning.allow} ${beginning.below}`;
    if (!beginning.allow.split(', ').includes(method))
      return methodNotAllowed(method, `there is only ${whole}`, beginning.allow);
    return new ServiceError('ResourceNotFound', `There is nothing at this path, only below it: ${whole}`);
  }

  function refuse({ method, url }: ApiRequest): never {
    throw refusalOf(method, url);
  }

  function answerPreflight({ url }: ApiRequest): HttpResponse {
    const endpoints = endpointsAt(url);
    if (endpoints.size === 0 || !cors) throw notFound();
    const names = [...endpoints.values()].flatMap(({ route }) => route.headers?.map(({ name }) => name) ?? []);
    return { status: 204, body: '', headers: cors.preflightHeaders([...endpoints.keys()], names) };
  }

  const outside = create('unknown', 'public', refuse);
  const inside = create('unknownInProject', [], refuse);
  const preflight = create('preflight', 'public', answerPreflight);
  return {
    outside,
    at(request: IncomingMessage, url: string): Endpoint {
      if (cors?.isPreflight(request)) return preflight;
      return isInProject(url) && refusalOf(request.method ?? '', url).code === 'ResourceNotFound' ? inside : outside;
    },
  };
}

/** True if the path begins with a project key. The target may be in absolute form (RFC 9112 §3.2). */
function isInProject(url: string): boolean {
  const [, segment = ''] = /^(?:https?:\/\/[^/?#]*)?\/([^/?]*)/i.exec(url) ?? [];
  return projectKeyPattern.test(segment);
}
