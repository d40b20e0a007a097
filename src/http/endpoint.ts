import { durationBounds, type Metrics } from '../telemetry/metrics.ts';
import { prepareParameters } from './request/query.ts';
import type { Route } from './route.ts';

/** A route, with everything that can be computed before the first request. */
export type Endpoint = ReturnType<typeof createEndpoint>;

/** Methods whose body, if any, has no meaning and is ignored (RFC 9110 §9.3). */
const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

const inProject = ({ path }: Route) => path.startsWith('/:projectKey/') || path === '/:projectKey';

/** Throws for an invalid route, so that the process does not start with it. */
export function checkRoutes(routes: readonly Route[]): void {
  const operations = new Set<string>();
  for (const route of routes) {
    const name = `Route ${route.method} ${route.path} (${route.operationId})`;
    // In TypeScript a route cannot lack `access`. In an operator's JavaScript module it can.
    const access: unknown = route.access;
    const isScopes = Array.isArray(access) && access.length > 0;
    const isNamed = access === 'public' || access === 'client' || access === 'service';
    if (!isNamed && !isScopes) throw new Error(`${name}: access is missing`);
    if (isScopes && !inProject(route)) throw new Error(`${name}: scopes need a path that begins with /:projectKey`);
    if (route.published && !isScopes) throw new Error(`${name}: published needs scopes as access`);
    if (operations.has(route.operationId)) throw new Error(`${name}: the operationId is taken`);
    operations.add(route.operationId);
  }
}

/** The classes of statuses in metrics, in the order of their first digit. */
export const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/**
 * Prepares a route and its metrics. With an empty list as `access` a token is required, but no scope; only the router
 * does this, for paths that do not exist. `maxBodyBytes` applies to routes without a limit of their own.
 */
export function createEndpoint(route: Route, metrics: Metrics, maxBodyBytes: number) {
  const { access, body, method, operationId } = route;
  return {
    route,
    /** A bearer token is required. */
    needsToken: typeof access !== 'string' || access === 'service',
    /** Names of scopes, one of which is required; undefined if none is. */
    scopes: typeof access === 'string' || access.length === 0 ? undefined : access,
    /** The path begins with a project key. */
    inProject: inProject(route),
    paramNames: [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    /** Undefined if the route takes no body, or if its method gives a body no meaning. */
    body: bodyless.has(method) ? undefined : body,
    maxBytes: body?.isBulk ? Number.POSITIVE_INFINITY : (body?.maxBytes ?? maxBodyBytes),
    query: prepareParameters(route.query ?? {}),
    /** Durations by status class: 0 is 1xx, 4 is 5xx. */
    durations: statusClasses.map((status) => {
      const labels = { operation: operationId, status };
      const help = 'Duration of requests; a series appears with its first request.';
      return metrics.histogram('http_request_duration_seconds', help, durationBounds, labels, 'onceObserved');
    }),
  };
}
