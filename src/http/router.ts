import type { IncomingMessage } from 'node:http';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { malformedParameter, ServiceError } from '../contract/errors.ts';
import { projectKeyPattern } from '../contract/scopes.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import type { Cors } from './response/cors.ts';
import type { ApiRequest, HttpResponse, Params, Route } from './route.ts';

/** What a request is for: the endpoint that its method and path name, and the parameters in the path. */
export interface Routed {
  readonly endpoint: Endpoint;
  /** Percent-decoded once. */
  readonly params: Params;
}

export interface Router {
  /** Never fails: what no route has leads to an endpoint that says 404, 405 or 501 when its turn comes. */
  find(request: IncomingMessage): Routed;
}

export interface RouterOptions {
  readonly metrics: Metrics;
  readonly maxBodyBytes: number;
  readonly cors: Cors | undefined;
}

/** Longest path segment as it is sent: 256 characters of up to four bytes, each byte as `%XX`. */
const maxSegmentChars = 256 * 4 * 3;

/** Methods that have a meaning (RFC 9110 §9, RFC 5789), whether or not a path has them. Others are 501. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY']);

const noParams: Params = Object.freeze({});

/** What the router demands as a handler: endpoints are looked up, not called. */
const unused = () => undefined;

/** 404 of the HTTP layer itself. */
export function notFound(): ServiceError {
  return new ServiceError('ResourceNotFound', 'There is nothing at this path.');
}

/** Makes the router of the routes, each with its endpoint. Throws for two routes with one method and path. */
export function createRouter(routes: readonly Route[], options: RouterOptions): Router {
  const unknown = createUnknown(routes, options);
  // Told apart from a path that is not there by what `find` then has in its store.
  const paths = findMyWay({
    maxParamLength: maxSegmentChars,
    onBadUrl: unused,
    onMaxParamLength: unused,
    querystringParser: () => noParams,
  });
  for (const route of routes) {
    const endpoint = createEndpoint(route, options.metrics, options.maxBodyBytes);
    const hasOwnHead = routes.some(({ method, path }) => method === 'HEAD' && path === route.path);
    const methods: HTTPMethod[] = route.method === 'GET' && !hasOwnHead ? ['GET', 'HEAD'] : [route.method];
    paths.on(methods, route.path, unused, endpoint);
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = absentMethods(routes, path) as readonly HTTPMethod[];
    if (methods.length > 0) paths.on([...methods], path, unused, unknown);
  }
  return {
    find(request) {
      const url = request.url ?? '/';
      const found = paths.find(request.method as HTTPMethod, url);
      if (found === null || found.store === unknown) return { endpoint: unknown.at(request, url), params: noParams };
      if (found.store === null) return { endpoint: unknown.unreadable(url), params: noParams };
      return { endpoint: found.store as Endpoint, params: found.params as Params };
    },
  };
}

/**
 * Where requests end that no route takes: 404, 405 with Allow, 501, and the preflights of browsers. Inside a project a
 * token is asked for first, as everywhere there (decision 3).
 */
function createUnknown(routes: readonly Route[], { metrics, maxBodyBytes, cors }: RouterOptions) {
  const endpointFor = (operationId: string, access: Route['access'], handler: Route['handler']): Endpoint => {
    const route = {
      method: 'GET',
      path: '/',
      tag: '',
      summary: '',
      responses: {},
      operationId,
      access,
      handler,
    } as const;
    return createEndpoint(route, metrics, maxBodyBytes);
  };
  const refuse = (request: ApiRequest) => refuseAt(routes, request);
  const outside = endpointFor('unknown', 'public', refuse);
  const inside = endpointFor('unknownInProject', [], refuse);
  const preflight = endpointFor('preflight', 'public', (request) => preflightResponse(routes, cors, request));
  return {
    at(request: IncomingMessage, url: string): Endpoint {
      if (cors?.isPreflight(request)) return preflight;
      return projectKeyPattern.test(firstSegment(pathOf(url))) ? inside : outside;
    },
    /** For a path that cannot be decoded, or with a segment that is longer than any id. */
    unreadable(url: string): Endpoint {
      const handler = () => {
        const isTooLong = decodedPath(pathOf(url))
          .split('/')
          .some(({ length }) => length > maxSegmentChars);
        if (isTooLong) throw segmentTooLong();
        throw malformedParameter('path', 'percent-encoded UTF-8 expected');
      };
      return { ...outside, route: { ...outside.route, handler } };
    },
  };
}

const segmentTooLong = () =>
  new ServiceError('UriTooLong', `A segment of the path is longer than ${maxSegmentChars} characters.`);

function refuseAt(routes: readonly Route[], { method, url }: ApiRequest): HttpResponse {
  if (!knownMethods.has(method)) {
    throw new ServiceError('NotImplemented', `${method}: the HTTP method is unknown to the service.`);
  }
  const methods = methodsOf(routesAt(routes, pathOf(url)));
  if (methods.length === 0) throw notFound();
  const allow = methods.join(', ');
  throw new ServiceError('MethodNotAllowed', `${method}: this path has only ${allow}.`, {}, { allow });
}

function preflightResponse(routes: readonly Route[], cors: Cors | undefined, { url }: ApiRequest): HttpResponse {
  const known = routesAt(routes, pathOf(url));
  if (known.length === 0 || !cors) throw notFound();
  const headers = known.flatMap((route) => route.headers?.map(({ name }) => name) ?? []);
  return { status: 204, body: '', headers: cors.preflightHeaders(methodsOf(known), headers) };
}

/** The path of a request target in origin or absolute form (RFC 9112 §3.2). */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] || '/';
}

/** The first segment of a path; empty where there is none. */
const firstSegment = (path: string) => path.split('/', 2)[1] ?? '';

/**
 * Which of the routes have the path of a request, whatever their method. `path` is as sent, without query. Where several
 * match, as the literal ones beside `/:id`, it is the most specific one, as for the router.
 */
function routesAt(routes: readonly Route[], path: string): readonly Route[] {
  const isProject = projectKeyPattern.test(firstSegment(path));
  const decoded = decodedPath(path);
  const inProject = (route: Route) => route.path.startsWith('/:projectKey');
  const found = routes.filter((route) => (isProject || !inProject(route)) && pathForm(route.path).test(decoded));
  const best = found.find(({ path: one }) => found.every((other) => pathForm(other.path).test(one)));
  return found.filter((route) => route.path === best?.path);
}

/** As the router reads a path: an encoded letter is a letter, an encoded slash separates nothing. */
function decodedPath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * Methods that a path does not have, but a more general one does that it matches as well. A literal segment is never an
 * id (decision 7), so such a request must end as 405 and not as that of a resource which cannot exist.
 */
function absentMethods(routes: readonly Route[], path: string): readonly string[] {
  const own = methodsOf(routes.filter((route) => route.path === path));
  const general = routes.filter((route) => pathForm(route.path).test(path));
  return methodsOf(general).filter((method) => !own.includes(method));
}

function pathForm(pattern: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.split(/:\w+/).map(literal).join('[^/]+')}$`);
}

/** The methods of an Allow header. Every GET is answered to HEAD too (decision 11). */
function methodsOf(routes: readonly Route[]): readonly string[] {
  const methods = new Set<string>(routes.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
