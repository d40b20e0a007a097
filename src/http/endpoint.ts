import type { Config } from '../config.ts';
import { isProjectKey } from '../contract/scopes.ts';
import { durationBounds, type Histogram, type Metrics } from '../telemetry/metrics.ts';
import type { Route } from './route.ts';

/** A route with what can be worked out before the first request. */
export interface Endpoint {
  readonly route: Route;
  /** A bearer token is required. */
  readonly needsToken: boolean;
  /** Scope names of which one is required; undefined where none is. */
  readonly scopes: readonly string[] | undefined;
  /** The path has a project key. */
  readonly inProject: boolean;
  readonly paramNames: readonly string[];
  readonly maxBytes: number;
  /** Durations by status class: 0 for 1xx … 4 for 5xx. */
  readonly durations: readonly Histogram[];
}

/** Methods whose body, if there is one, has no meaning and is not looked at (RFC 9110 §9.3). */
const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** True where a body of the request is read: the route takes one and the method gives it a meaning. */
export function takesBody({ body, method }: Route): boolean {
  return body !== undefined && !bodyless.has(method);
}

/** Throws for a route that was declared wrongly, so that the process does not start with it. */
export function checkRoutes(routes: readonly Route[]): void {
  const operations = new Set<string>();
  for (const route of routes) {
    const name = `Route ${route.method} ${route.path} (${route.operationId})`;
    // Written in TypeScript a route cannot lack its access; a module of an operator may.
    const access: unknown = route.access;
    const isScopes = Array.isArray(access) && access.length > 0;
    if (access !== 'public' && access !== 'client' && !isScopes) throw new Error(`${name}: access is missing`);
    if (isScopes && !inProject(route)) throw new Error(`${name}: scopes need a /:projectKey at the start of the path`);
    if (operations.has(route.operationId)) throw new Error(`${name}: the operationId is taken`);
    operations.add(route.operationId);
  }
}

const inProject = ({ path }: Route) => path.startsWith('/:projectKey/') || path === '/:projectKey';

/**
 * Prepares a route, its metrics included. An empty list as access asks for a token and for no scope: `checkRoutes` lets
 * no route have it, it is for what the HTTP layer answers by itself.
 */
export function createEndpoint(route: Route, metrics: Metrics, config: Config): Endpoint {
  return {
    route,
    needsToken: typeof route.access !== 'string',
    scopes: typeof route.access === 'string' || route.access.length === 0 ? undefined : route.access,
    inProject: inProject(route),
    paramNames: [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    maxBytes: route.body?.maxBytes ?? config.maxBodyBytes,
    durations: ['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) =>
      metrics.histogram('http_request_duration_seconds', 'Time to answer a request.', durationBounds, {
        operation: route.operationId,
        status,
      }),
    ),
  };
}

/**
 * Which of the routes have the path of a request, whatever their method. `path` is as sent, without query. Where it fits
 * several, as the literal ones beside `/:id`, it is the most specific one, as for the router.
 */
export function routesAt(routes: readonly Route[], path: string): readonly Route[] {
  const isProject = isProjectKey(firstSegment(path));
  const read = decoded(path);
  const found = routes.filter((route) => (isProject || !inProject(route)) && pathForm(route.path).test(read));
  const best = found.find(({ path: one }) => found.every((other) => pathForm(other.path).test(one)));
  return found.filter((route) => route.path === best?.path);
}

/** As the router reads a path: an encoded letter is a letter, an encoded slash separates nothing. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * Methods that a path does not have, but a more general one does that it fits as well. A literal segment is never an id
 * (decision 7), so such a request must end as 405 and not as that of a resource which cannot exist.
 */
export function absentMethods(routes: readonly Route[], path: string): readonly string[] {
  const own = methodsOf(routes.filter((route) => route.path === path));
  const general = routes.filter((route) => pathForm(route.path).test(path));
  return methodsOf(general).filter((method) => !own.includes(method));
}

/** The first segment of a path; empty where there is none. */
export function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

function pathForm(pattern: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.split(/:\w+/).map(literal).join('[^/]+')}$`);
}

/** The methods of an Allow header. Every GET is answered to HEAD too (decision 11). */
export function methodsOf(routes: readonly Route[]): readonly string[] {
  const methods = new Set<string>(routes.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
