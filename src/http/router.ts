import type { IncomingMessage } from 'node:http';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { malformedParameter, ServiceError } from '../contract/errors.ts';
import { projectKeyPattern } from '../contract/scopes.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import { pathOf } from './openapi/operation.ts';
import type { Cors } from './response/cors.ts';
import { type ApiRequest, anyParameter, type HttpResponse, type Params, type Route } from './route.ts';

export type Router = ReturnType<typeof createRouter>;

interface RouterOptions {
  readonly metrics: Metrics;
  readonly maxBodyBytes: number;
  readonly cors: Cors;
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

/**
 * Stands at a path that ends with a literal segment for the methods that the path does not have, but a more general path would
 * take. `below`: the routes of longer paths.
 */
interface NoEndpoint {
  readonly below: readonly Route[];
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

/** A path, and its beginnings that end with a literal segment. */
function literalPaths({ path }: Route): readonly string[] {
  return [path, ...[...path.matchAll(/(?<=\/[^/:=]+)\//g)].map(({ index }) => path.slice(0, index))];
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
export function createRouter(routes: readonly Route[], options: RouterOptions) {
  const paths = findMyWay({
    maxParamLength: maxSegmentChars,
    onBadUrl: refuseEncoding,
    onMaxParamLength: refuseLongSegment,
    querystringParser: () => noParams,
  });
  const { metrics, maxBodyBytes } = options;
  const formRoutes = routes.filter((route) => isSecondForForms(route, routes));
  /** The endpoints with the same method and path that take forms (decision 109). */
  const forForms = new Map<Endpoint, Endpoint>();
  for (const route of routes) {
    if (formRoutes.includes(route)) continue;
    const endpoint = createEndpoint(route, metrics, maxBodyBytes);
    const second = formRoutes.find(({ method, path }) => method === route.method && path === route.path);
    if (second) forForms.set(endpoint, createEndpoint(second, metrics, maxBodyBytes));
    const hasOwnHead = routes.some(({ method, path }) => method === 'HEAD' && path === route.path);
    const methods: HTTPMethod[] = route.method === 'GET' && !hasOwnHead ? ['GET', 'HEAD'] : [route.method];
    paths.on(methods, route.path, unused, endpoint);
  }

  const plainOf = plainEquals(routes);

  /** The endpoints of a path by method, sorted; empty if there is nothing at the path. */
  function endpointsAt(url: string): ReadonlyMap<HTTPMethod, Endpoint> {
    const endpoints = new Map<HTTPMethod, Endpoint>();
    for (const method of routeMethods) {
      const { store, params } = paths.find(method, url) ?? {};
      if (!store || 'below' in store) continue;
      const { inProject, paramNames } = store as Endpoint;
      if (inProject && !isInProject(url)) continue;
      if (paramNames.every((name) => params![name] !== '')) endpoints.set(method, store);
    }
    return endpoints;
  }

  // A literal segment is never an id (decision 7): DELETE …/images is 405, not a deletion of the resource `images`. Nor is one
  // that longer paths begin with, such as …/artificially-complex.
  const taken = [...new Set(routes.flatMap(literalPaths))].map((path) => {
    const general = [...endpointsAt(path.replace(':projectKey', 'p'))].filter(([, { route }]) => route.path !== path);
    return { path, methods: general.map(([method]) => method) };
  });
  for (const { path, methods } of taken) {
    const below = routes.filter((route) => route.path.startsWith(`${path}/`));
    if (methods.length > 0) paths.on(methods, path, unused, { below } satisfies NoEndpoint);
  }

  /** The routes below a path that has none itself. */
  function routesBelow(url: string): readonly Route[] {
    const store = paths.find('GET', url)?.store;
    return store && 'below' in store ? store.below : [];
  }

  /** The endpoints of a path that take publishable keys. */
  const publishedAt = (url: string) =>
    new Map([...endpointsAt(url)].filter(([, each]) => each.route.published || forForms.get(each)?.route.published));

  const fallback = createFallback({ endpointsAt, publishedAt, routesBelow }, options);
  return {
    /**
     * The endpoint of a request, and the parameters in its path, percent-decoded once. Never throws: a request that matches no
     * route goes to an endpoint whose handler throws 404, 405, 414 or 501.
     */
    find(request: IncomingMessage): { readonly endpoint: Endpoint; readonly params: Params } {
      const { url: sent = '/' } = request;
      const url = sent.includes('%3') ? plainOf(sent) : sent;
      const found = paths.find(request.method as HTTPMethod, url);
      if (found === null) return { endpoint: fallback.at(request, url), params: noParams };
      if (found.store === null) {
        const { outside } = fallback;
        const handler = found.handler as unknown as Route['handler'];
        return { endpoint: { ...outside, route: { ...outside.route, handler } }, params: noParams };
      }
      if ('below' in found.store) return { endpoint: fallback.at(request, url), params: noParams };
      const endpoint = found.store as Endpoint;
      const second = forForms.get(endpoint);
      const isForm = second !== undefined && formType.test(request.headers['content-type'] ?? '');
      return { endpoint: isForm ? second : endpoint, params: found.params as Params };
    },
  };
}

interface FallbackPaths {
  readonly endpointsAt: (url: string) => ReadonlyMap<string, Endpoint>;
  readonly publishedAt: (url: string) => ReadonlyMap<string, Endpoint>;
  readonly routesBelow: (url: string) => readonly Route[];
}

/**
 * The endpoints of requests that match no route: 404, 405 with `Allow`, 501, and CORS preflights. Inside a project a token is
 * required before a 404, but not before a 405 (decision 3).
 */
function createFallback(
  { endpointsAt, publishedAt, routesBelow }: FallbackPaths,
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
    const below = routesBelow(url);
    if (below.length === 0) return notFound();
    const methods = [...new Set(below.map((route) => route.method))].sort();
    const whole = `${methods.join(', ')} ${[...new Set(below.map(pathOf))].join(', ')}`;
    if (!methods.some((one) => one === method))
      return methodNotAllowed(method, `there is only ${whole}`, methods.join(', '));
    return new ServiceError('ResourceNotFound', `There is nothing at this path, only below it: ${whole}`);
  }

  function refuse({ method, url }: ApiRequest): never {
    throw refusalOf(method, url);
  }

  /**
   * A preflight has no key, so that those for what keys may read are allowed from every origin: the response to the request itself
   * has no header for the wrong one.
   */
  function answerPreflight({ url, headers: { origin } }: ApiRequest): HttpResponse {
    const isAllowed = cors.isAllowed(origin);
    const endpoints = isAllowed ? endpointsAt(url) : publishedAt(url);
    if (endpoints.size === 0) throw notFound();
    const names = [...endpoints.values()].flatMap(({ route }) => route.headers?.map(({ name }) => name) ?? []);
    const headers = cors.preflightHeaders([...endpoints.keys()], names);
    return {
      status: 204,
      body: '',
      headers: isAllowed ? headers : { ...headers, 'access-control-allow-origin': origin! },
    };
  }

  const outside = create('unknown', 'public', refuse);
  const inside = create('unknownInProject', [], refuse);
  const preflight = create('preflight', 'public', answerPreflight);
  return {
    outside,
    at(request: IncomingMessage, url: string): Endpoint {
      const isPreflight = cors.isPreflight(request);
      if (isPreflight && (cors.isAllowed(request.headers.origin) || publishedAt(url).size > 0)) return preflight;
      return isInProject(url) && refusalOf(request.method ?? '', url).code === 'ResourceNotFound' ? inside : outside;
    },
  };
}

/** True if the path begins with a project key. The target may be in absolute form (RFC 9112 §3.2). */
function isInProject(url: string): boolean {
  const [, segment = ''] = /^(?:https?:\/\/[^/?#]*)?\/([^/?]*)/i.exec(url) ?? [];
  return projectKeyPattern.test(segment);
}
