import type { IncomingMessage, ServerResponse } from 'node:http';
import { notJson, ServiceError } from '../contract/errors.ts';
import { projectKeyPattern } from '../contract/scopes.ts';
import { parseJsonBytes } from '../domain/json/parse.ts';
import { systemRefusal } from '../domain/system-errors.ts';
import { clientGone, disconnectSignal, letArrive } from './connection/connections.ts';
import { tokenEnded } from './connection/waiting-calls.ts';
import type { Endpoint } from './endpoint.ts';
import { closeExchange, type Exchange, openExchange, type ServerContext } from './exchange.ts';
import { addressGroup, loginKey } from './request/address.ts';
import { admitPage, authenticate, requireScope, requireServiceScope } from './request/authorize.ts';
import { announcedBytes, inflateBody, isGzip, noBytes, readBody, streamBody } from './request/body.ts';
import { readIdempotency } from './request/idempotency.ts';
import { noQuery, parseForm, parseQuery } from './request/query.ts';
import { errorResponse, isInternal } from './response/errors.ts';
import { withLink } from './response/link.ts';
import { sendResponse } from './response/send.ts';
import type { ApiRequest, QueryValues, Route } from './route.ts';
import { notFound, type Router } from './router.ts';

/** Bodies of more bytes are large: they share a bounded part of the memory. */
const largeBytes = 65_536;

const control = /\p{Cc}/u;

/**
 * Handles one request from its head to its response, from top to bottom. The order of the steps is the order of the
 * checks (decision 3). It awaits only promises: a read with a cached token and a cached record gets its response in the
 * same turn of the event loop.
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
  let freeMemory: (() => void) | undefined;
  try {
    // Is the request well-formed and for this node, and is there capacity? 400, 414, 417, 421, 501, 503.
    context.checkHead(request);
    if (route.access !== 'public' && context.loopDelay.currentMs > context.shedDelayMs) throw overloaded();
    if (endpoint.inProject && !projectKeyPattern.test(params.projectKey!)) throw notFound();

    // Who is the caller, and is it within its rate? 401, 429.
    let caller = endpoint.needsToken ? authenticate(request, context) : undefined;
    if (caller instanceof Promise) caller = await caller;
    exchange.caller = caller;
    exchange.projectKey = params.projectKey;
    if (caller?.origins) admitPage(request, context, caller.clientId, caller.origins);
    else if (caller) context.takeApiToken?.(caller.clientId);
    const loginLimit = route.access === 'client' ? takeLogin(context, request) : undefined;

    // Does the path exist, and may the caller use it? 404, 403. (405 comes from an endpoint of its own.)
    for (const name of endpoint.paramNames) if (params[name] === '') throw notFound();
    const { scopes } = endpoint;
    const isPublished = caller && scopes && requireScope(caller, scopes, params.projectKey!, route.published);
    if (caller && route.access === 'service') requireServiceScope(caller);

    // Can the body be read? 413, 415.
    let bytes = noBytes;
    let stream: ApiRequest['stream'];
    const announced = body ? announcedBytes(request, body, endpoint.maxBytes) : 0;
    if (announced > 0) context.waiting.add(exchange);
    if (body?.kind === 'stream') {
      stream = streamBody(request, response, endpoint.maxBytes);
      if (body.isBulk) letArrive(request.socket, response);
    } else if (announced > 0) {
      if (announced > largeBytes) freeMemory = await context.bodyMemory.take(announced);
      const encoding = request.headers['content-encoding'];
      bytes = await readBody(request, response, endpoint.maxBytes);
      if (encoding !== undefined && isGzip(encoding)) bytes = await inflateBody(bytes, endpoint.maxBytes);
      if (caller && context.verifier.isRevoked(caller)) throw tokenEnded();
    }

    // Are the body, the path and the query valid? 400.
    if (body?.kind === 'json' && body.required && bytes.length === 0) {
      throw notJson('the body is empty; expected a JSON value');
    }
    const json = body?.kind === 'json' && bytes.length > 0 ? parseJsonBytes(bytes) : undefined;
    const url = request.url!.startsWith('/') ? request.url! : originForm(request.url!);
    if (url.includes('%')) checkParams(endpoint.paramNames, params);
    const query = url.includes('?') || body?.asQuery ? queryOf(endpoint, url, bytes) : noQuery;
    const hasKey = route.idempotent && request.headers['idempotency-key'] !== undefined;
    const idempotency = hasKey ? readIdempotency(request, url, caller, bytes) : undefined;

    // The endpoint itself: 404, 409, 412, and everything else that only it can check.
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
      isPublished,
      loginLimit,
      correlationId: exchange.correlationId,
      // Few endpoints have anything to stop.
      signal: () => disconnectSignal(request.socket),
      tokenEnded: () => tokenSignal(exchange),
      occupy: (kind) => context.occupy(exchange.caller, response, kind),
      idempotency,
      draining: context.draining,
    };
    let result = idempotency
      ? context.runOnce(idempotency.scope, () => route.handler(apiRequest))
      : route.handler(apiRequest);
    if (result instanceof Promise) {
      context.waiting.add(exchange);
      result = await result;
      // If the token ended meanwhile, the result of a read is not sent; a write is acknowledged.
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && exchange.caller && context.verifier.isRevoked(exchange.caller)) throw tokenEnded();
    }
    // No link can repeat a form.
    const isLinked = result.next !== undefined && request.method !== 'POST';
    await sendResponse(exchange, isLinked ? withLink(result, url, context.baseUrl) : result);
  } catch (error) {
    const isRefined = route.refine && error instanceof ServiceError;
    sendError(exchange, isRefined ? await refined(exchange, route.refine!, error) : error);
  } finally {
    freeMemory?.();
  }
}

/** Aborted when the token of the caller ends. */
function tokenSignal(exchange: Exchange): AbortSignal {
  exchange.tokenEnded ??= new AbortController();
  return exchange.tokenEnded.signal;
}

/** Counts a login of an API client. Throws 429. */
function takeLogin(context: ServerContext, request: IncomingMessage): ApiRequest['loginLimit'] {
  const address = context.remoteAddress(request);
  context.takeLoginToken?.(loginKey(request, address));
  return context.loginLimit(addressGroup(address));
}

/** Spreads retries over a few seconds. A late response to everyone would help no one (decision 33). */
function overloaded(): ServiceError {
  const seconds = 1 + Math.floor(Math.random() * 5);
  const message = 'The service is overloaded. Please try again later.';
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': String(seconds) });
}

/** A target in absolute form means the same as its path and query (RFC 9112 §3.2.2). */
function originForm(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

/** The parameters of the URL, and of a form that has more of them. */
function queryOf({ body, query }: Endpoint, url: string, bytes: Uint8Array): QueryValues {
  const mark = url.indexOf('?');
  const inUrl = mark < 0 ? '' : url.slice(mark + 1);
  if (!body?.asQuery) return parseQuery(inUrl, query);
  body.asQuery.refuse?.(bytes);
  return parseForm(inUrl, bytes, query);
}

/** Control characters need percent-encoding to be in a path. No id and no key has any (decision 7). */
function checkParams(names: readonly string[], params: ApiRequest['params']): void {
  for (const name of names) {
    if (!control.test(params[name]!)) continue;
    throw new ServiceError('InvalidInput', `Malformed path: ${name}: control characters are not allowed.`);
  }
}

const tokenPath = '/oauth/token';

/** An error with what the caller may see of it; as it is where that cannot be read. */
async function refined(
  { caller, projectKey = '' }: Exchange,
  refine: NonNullable<Route['refine']>,
  error: ServiceError,
) {
  return refine(error, { caller, projectKey }).catch(() => error);
}

/** Sends an error, and logs it if the service is at fault. */
function sendError(exchange: Exchange, thrown: unknown): void {
  const { context, request, response, correlationId, endpoint } = exchange;
  const error = thrown instanceof ServiceError ? thrown : (systemRefusal(thrown) ?? thrown);
  if (error === clientGone || response.headersSent) {
    closeExchange(exchange, 499);
    return;
  }
  const isTokenEndpoint = request.url?.split('?', 1)[0] === tokenPath;
  const result = errorResponse(error, correlationId, isTokenEndpoint ? 'oauth' : 'usual');
  // Refusals for lack of capacity are counted but not logged: under overload, logging them would add to the load. What
  // has a cause is the fault of a disk or a machine.
  const isExpected = error instanceof ServiceError && error.cause === undefined;
  const isQuiet = isExpected && (error.code === 'OverCapacity' || error.code === 'NotImplemented');
  if (result.status >= 500 && !isQuiet) {
    const { operationId } = endpoint.route;
    const fields = { correlationId, operationId, status: result.status, error };
    context.log.write(isInternal(error) ? 'error' : 'warn', 'request failed', fields);
  }
  void sendResponse(exchange, result);
}
