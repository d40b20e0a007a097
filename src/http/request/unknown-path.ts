import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';
import { isProjectKey } from '../../contract/scopes.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { createEndpoint, type Endpoint, firstSegment, methodsOf, routesAt } from '../endpoint.ts';
import type { Answer, ApiRequest, Route } from '../route.ts';
import type { Gate } from './exchange.ts';
import { notFound, serve } from './pipeline.ts';

/** Methods that have a meaning (RFC 9110 §9, RFC 5789), whether or not a path has them. Others are 501. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY']);

export interface UnknownPath {
  /** Answers what the router has no route for. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** What a request is counted under whose target cannot even be read. */
  readonly endpoint: Endpoint;
}

/**
 * Makes the end of the way for paths and methods that no route has: 404, 405 with Allow, 501, and the preflights of
 * browsers. Inside a project a token is asked for first, as everywhere there (decision 3).
 */
export function createUnknownPath(gate: Gate, routes: readonly Route[], metrics: Metrics): UnknownPath {
  const endpointFor = (operationId: string, access: Route['access'], handler: Route['handler']): Endpoint =>
    createEndpoint({ ...unknownRoute, operationId, access, handler }, metrics, gate.config);
  const refuseUnknown = (request: ApiRequest) => refuseAt(routes, request);
  const outside = endpointFor('unknown', 'public', refuseUnknown);
  const inside = endpointFor('unknownInProject', [], refuseUnknown);
  const preflight = endpointFor('preflight', 'public', (request) => answerPreflight(gate, routes, request));
  return {
    endpoint: outside,
    answer(request, response) {
      const isInside = isProjectKey(firstSegment(pathOf(request.url ?? '/')));
      const endpoint = gate.cors?.isPreflight(request) ? preflight : isInside ? inside : outside;
      serve(gate, endpoint, request, response, noParams);
    },
  };
}

const noParams = Object.freeze({});

const unknownRoute = {
  method: 'GET',
  path: '/',
  tag: '',
  summary: '',
  responses: {},
} as const satisfies Partial<Route>;

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] || '/';
}

function refuseAt(routes: readonly Route[], { method, url }: ApiRequest): Answer {
  if (!knownMethods.has(method)) {
    throw new ServiceError('NotImplemented', `${method}: the HTTP method is unknown to the service.`);
  }
  const methods = methodsOf(routesAt(routes, pathOf(url)));
  if (methods.length === 0) throw notFound();
  const allow = methods.join(', ');
  throw new ServiceError('MethodNotAllowed', `${method}: this path has only ${allow}.`, {}, { allow });
}

function answerPreflight({ cors }: Gate, routes: readonly Route[], { url }: ApiRequest): Answer {
  const known = routesAt(routes, pathOf(url));
  if (known.length === 0 || !cors) throw notFound();
  const headers = known.flatMap((route) => route.headers?.map(({ name }) => name) ?? []);
  return { status: 204, body: '', headers: cors.preflightHeaders(methodsOf(known), headers) };
}
