import { durationBounds, type Histogram, type Metrics } from '../telemetry/metrics.ts';
import { prepareParameters, type QueryParameters } from './request/query.ts';
import type { Route, RouteBody } from './route.ts';

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
  /** The body that is read; undefined where the route takes none or its method gives a body no meaning. */
  readonly body: RouteBody | undefined;
  readonly maxBytes: number;
  readonly query: QueryParameters;
  /** Durations by status class: 0 for 1xx … 4 for 5xx. */
  readonly durations: readonly Histogram[];
}

/** Methods whose body, if there is one, has no meaning and is not looked at (RFC 9110 §9.3). */
const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

const inProject = ({ path }: Route) => path.startsWith('/:projectKey/') || path === '/:projectKey';

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

/**
 * Prepares a route, its metrics included. An empty list as access asks for a token and for no scope: `checkRoutes` lets
 * no route have it, it is for what the HTTP layer answers by itself. `maxBodyBytes` is for routes without a limit of
 * their own.
 */
export function createEndpoint(route: Route, metrics: Metrics, maxBodyBytes: number): Endpoint {
  return {
    route,
    needsToken: typeof route.access !== 'string',
    scopes: typeof route.access === 'string' || route.access.length === 0 ? undefined : route.access,
    inProject: inProject(route),
    paramNames: [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    body: bodyless.has(route.method) ? undefined : route.body,
    maxBytes: route.body?.maxBytes ?? maxBodyBytes,
    query: prepareParameters(route.query ?? {}),
    durations: ['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) =>
      metrics.histogram('http_request_duration_seconds', 'Time to answer a request.', durationBounds, {
        operation: route.operationId,
        status,
      }),
    ),
  };
}
