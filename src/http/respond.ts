import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidJson, ServiceError } from '../contract/errors.ts';
import { projectKeyPattern } from '../contract/scopes.ts';
import { parseJsonBytes } from '../domain/json/parse.ts';
import { closeExchange, type Exchange, openExchange, type ServerContext } from './exchange.ts';
import { loginKey } from './request/address.ts';
import { authenticate, requireScope } from './request/authorize.ts';
import { checkBodyHeaders, clientGone, hasBody, noBytes, readBody, streamBody } from './request/body.ts';
import { checkFraming } from './request/framing.ts';
import { readIdempotency } from './request/idempotency.ts';
import { noQuery, parseQuery } from './request/query.ts';
import { errorResponse, isInternal } from './response/errors.ts';
import { sendResponse } from './response/send.ts';
import type { ApiRequest } from './route.ts';
import { notFound, type Router } from './router.ts';

const control = /\p{Cc}/u;

/**
 * One request from its head to its response, from top to bottom. The order of the steps is the order in which a client
 * is refused (decision 3). A step that does not have to wait does not: a read with a token seen before is answered
 * within one turn of the event loop, hence `await` only where there is a promise.
 */
export async function respond(
  context: ServerContext,
  router: Router,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { endpoint, params } = router.find(request);
  const { route, body } = endpoint;
  const exchange = openExchange(context, endpoint, request, response);
  try {
    // All parties read the request alike, it is for this node, and there is time for it: 400, 414, 421, 501, 503.
    checkFraming(request);
    context.checkHost(request);
    if (route.access !== 'public' && context.loopDelay.currentMs > context.shedDelayMs) throw overloaded();
    if (endpoint.inProject && !projectKeyPattern.test(params.projectKey!)) throw notFound();

    // Who sends it, and how often: 401, 429.
    let caller = endpoint.needsToken ? authenticate(request.headers.authorization, context.verifier) : undefined;
    if (caller instanceof Promise) caller = await caller;
    exchange.clientId = caller?.clientId;
    if (caller) context.takeApiToken?.(caller.clientId);
    else if (route.access === 'client') context.takeLoginToken?.(loginKey(request, context.remoteAddress(request)));

    // Whether there is such a path, and whether the caller may use it: 404, 403. (405 is an endpoint of its own.)
    for (const name of endpoint.paramNames) if (params[name] === '') throw notFound();
    if (caller && endpoint.scopes) requireScope(caller, endpoint.scopes, params.projectKey!);

    // The body: 413, 415.
    let bytes = noBytes;
    let stream: ApiRequest['stream'];
    if (body?.kind === 'stream') {
      checkBodyHeaders(request, body, endpoint.maxBytes);
      stream = streamBody(request, response, endpoint.maxBytes);
    } else if (body && hasBody(request)) {
      checkBodyHeaders(request, body, endpoint.maxBytes);
      bytes = await readBody(request, response, endpoint.maxBytes);
    }

    // The values in it, JSON first: 400.
    const json = body?.kind === 'json' && bytes.length > 0 ? parseJsonBytes(bytes) : undefined;
    if (json === undefined && body?.kind === 'json' && body.required)
      throw invalidJson('a JSON body expected, it is empty');
    const url = request.url!.startsWith('/') ? request.url! : originForm(request.url!);
    // Percent-encoding lets control characters into a path. No id and no key has any (decision 7).
    if (url.includes('%'))
      for (const name of endpoint.paramNames) if (control.test(params[name]!)) throw malformedPath(name);
    const mark = url.indexOf('?');
    const query = mark < 0 ? noQuery : parseQuery(url.slice(mark + 1), endpoint.query, route.strictQuery === true);
    const idempotency = route.idempotent ? readIdempotency(request, url, caller, bytes) : undefined;

    // What the endpoint is for: 404, 409, 412, and whatever else only it can tell.
    const apiRequest: ApiRequest = {
      method: request.method!,
      url,
      projectKey: params.projectKey ?? '',
      params,
      query,
      headers: request.headers as ApiRequest['headers'],
      json,
      bytes,
      stream,
      caller,
      correlationId: exchange.correlationId,
      idempotency,
    };
    let result = idempotency
      ? context.runOnce(idempotency.scope, () => route.handler(apiRequest))
      : route.handler(apiRequest);
    if (result instanceof Promise) result = await result;
    sendResponse(exchange, result);
  } catch (error) {
    sendError(exchange, error);
  }
}

/** Spreads the repeats over a few seconds: a response that comes too late for everybody would help nobody (decision 33). */
function overloaded(): ServiceError {
  const seconds = 1 + Math.floor(Math.random() * 5);
  const message = 'The service has more load than it can answer in time. Please try again later.';
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': String(seconds) });
}

/** RFC 9112 §3.2.2: a target in absolute form means the same as its path and query. */
function originForm(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

function malformedPath(name: string): ServiceError {
  return new ServiceError('InvalidInput', `Malformed path: ${name}: no control characters expected.`);
}

const tokenPath = '/oauth/token';

/** Sends an error, and logs it where it is the service's own. */
function sendError(exchange: Exchange, error: unknown): void {
  const { context, request, response, correlationId, endpoint } = exchange;
  if (error === clientGone || response.headersSent) {
    closeExchange(exchange, 499);
    return;
  }
  const isTokenEndpoint = request.url?.split('?', 1)[0] === tokenPath;
  const answer = errorResponse(error, correlationId, isTokenEndpoint ? 'oauth' : 'usual');
  // Refusals for lack of capacity are counted, but not logged one by one: under overload the log would be part of the load.
  const isQuiet = error instanceof ServiceError && (error.code === 'OverCapacity' || error.code === 'NotImplemented');
  if (answer.status >= 500 && !isQuiet) {
    const { operationId } = endpoint.route;
    const fields = { correlationId, operationId, status: answer.status, error };
    context.log.write(isInternal(error) ? 'error' : 'warn', 'request failed', fields);
  }
  sendResponse(exchange, answer);
}
