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

/** Which of the routes have a path like this one, whatever their method. `path` is as sent, without query. */
export function routesAt(routes: readonly Route[], path: string): readonly Route[] {
  const isProject = isProjectKey(firstSegment(path));
  return routes.filter((route) => (isProject || !inProject(route)) && pathForm(route.path).test(path));
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
