import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../contract/caller.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isProjectKey } from '../../contract/scopes.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';
import { type Endpoint, takesBody } from '../endpoint.ts';
import { errorAnswer, isFault } from '../errors.ts';
import { send } from '../response/response.ts';
import type { Answer } from '../route.ts';
import { addressGroup } from './address.ts';
import { identify, requireScope } from './authorize.ts';
import { checkBodyHeaders, clientGone, hasBody, noBytes, readBody, streamBody } from './body.ts';
import { dispatch } from './dispatch.ts';
import { closeExchange, type Exchange, type Gate, openExchange, type Params } from './exchange.ts';
import { checkFraming } from './framing.ts';
import { checkLoad } from './load-shedding.ts';

/**
 * The way of a request, in the order of decision 3: framing and load, 401, 404 or 405, 403, 413 or 415, 400. It goes on
 * without a turn of the event loop where nothing has to be waited for, as in a read with a token seen before.
 */
export function serve(
  gate: Gate,
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  params: Params,
): void {
  const exchange = openExchange(gate, endpoint, request, response, params);
  try {
    admit(exchange);
    const caller = authenticate(exchange);
    if (caller instanceof Promise) answerLater(exchange, proceedLater(exchange, caller));
    else {
      const answer = proceed(exchange, caller);
      if (answer instanceof Promise) answerLater(exchange, answer);
      else send(exchange, answer);
    }
  } catch (error) {
    refuse(exchange, error);
  }
}

async function proceedLater(exchange: Exchange, caller: Promise<Caller | undefined>): Promise<Answer> {
  return proceed(exchange, await caller);
}

function answerLater(exchange: Exchange, answer: Promise<Answer>): void {
  answer.then((ready) => send(exchange, ready)).catch((error: unknown) => refuse(exchange, error));
}

const tokenPath = '/oauth/token';

/** Answers an error, and logs it where it is the service's own. */
export function refuse(exchange: Exchange, error: unknown): void {
  if (error === clientGone || exchange.response.headersSent) {
    closeExchange(exchange, 499);
    return;
  }
  const isTokenEndpoint = exchange.request.url?.split('?', 1)[0] === tokenPath;
  const answer = errorAnswer(error, exchange.correlationId, isTokenEndpoint ? 'oauth' : 'usual');
  if (answer.status >= 500) logFailure(exchange, error, answer.status);
  send(exchange, answer);
}

function logFailure({ gate, correlationId, endpoint }: Exchange, error: unknown, status: number): void {
  // Counted, but not logged one by one: under overload the log would be part of the load.
  if (error instanceof ServiceError && (error.code === 'OverCapacity' || error.code === 'NotImplemented')) return;
  const level = isFault(error) ? 'error' : 'warn';
  const { operationId } = endpoint.route;
  gate.log.write(level, 'request failed', { correlationId, operationId, status, error });
}

/** What is checked of every request, before anybody asks who it is from. */
function admit(exchange: Exchange): void {
  const { gate, endpoint, request, params } = exchange;
  checkFraming(request);
  gate.checkHost(request);
  if (endpoint.route.access !== 'public') checkLoad(gate.config.shedDelayMs, gate.loopDelay.currentMs());
  if (endpoint.inProject && !isProjectKey(params.projectKey ?? '')) throw notFound();
}

/** 404 of the HTTP layer itself. */
export function notFound(): ServiceError {
  return new ServiceError('ResourceNotFound', 'There is nothing at this path.');
}

function authenticate({ gate, endpoint, request }: Exchange): Eventually<Caller | undefined> {
  if (endpoint.needsToken) return identify(request.headers.authorization, gate.verifier);
  if (endpoint.route.access === 'client') gate.takeLoginToken?.(loginKey(request, gate.remoteAddress(request)));
  return undefined;
}

/** Guessing is slowed down per client and address: nobody can lock out a client from elsewhere. */
function loginKey({ headers }: IncomingMessage, remoteAddress: string): string {
  const [, basic = ''] = /^basic +([\w+/=-]{1,1024})$/i.exec(headers.authorization ?? '') ?? [];
  const [clientId] = Buffer.from(basic, 'base64').toString().split(':', 1);
  return `${clientId}\n${addressGroup(remoteAddress)}`;
}

function proceed(exchange: Exchange, caller: Caller | undefined): Eventually<Answer> {
  const { gate, endpoint, request, response, params } = exchange;
  if (caller) {
    exchange.clientId = caller.clientId;
    gate.takeApiToken?.(caller.clientId);
  }
  for (const name of endpoint.paramNames) if (params[name] === '') throw notFound();
  if (caller && endpoint.scopes) requireScope(caller, endpoint.scopes, params.projectKey ?? '');
  if (endpoint.route.body?.kind === 'stream') {
    checkBodyHeaders(request, endpoint.route.body, endpoint.maxBytes);
    return dispatch(exchange, caller, noBytes, streamBody(request, response, endpoint.maxBytes));
  }
  if (!takesBody(endpoint.route) || !hasBody(request)) return dispatch(exchange, caller, noBytes);
  checkBodyHeaders(request, endpoint.route.body!, endpoint.maxBytes);
  return readBody(request, response, endpoint.maxBytes).then((bytes) => dispatch(exchange, caller, bytes));
}
