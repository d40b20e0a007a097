import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../contract/caller.ts';
import { invalidJson, ServiceError } from '../../contract/errors.ts';
import type { JsonValue } from '../../contract/json.ts';
import { parseJsonBytes } from '../../domain/json/parse.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';
import { type Endpoint, takesBody } from '../endpoint.ts';
import type { Answer, ApiRequest } from '../route.ts';
import type { Exchange, Params } from './exchange.ts';
import { checkIdempotencyKey, type Idempotency, idempotencyOf } from './idempotency.ts';
import { noQuery, parseQuery } from './query.ts';

/**
 * The last part of the way of a request: from bytes to the values that the handler takes. Everything here that is wrong
 * is 400, JSON before the rest (decision 3).
 */
export function dispatch(
  exchange: Exchange,
  caller: Caller | undefined,
  bytes: Uint8Array,
  stream?: AsyncIterable<Uint8Array>,
): Eventually<Answer> {
  const { gate, endpoint, request, params, correlationId } = exchange;
  const { route } = endpoint;
  const json = route.body?.kind === 'json' && takesBody(route) ? jsonOf(route.body.required, bytes) : undefined;
  const url = originForm(request.url ?? '/');
  // A parser lets no control character through that is not encoded.
  if (url.includes('%')) checkParams(endpoint, params);
  const idempotency = route.idempotent ? readIdempotency(request, url, caller, bytes) : undefined;
  const apiRequest: ApiRequest = {
    method: request.method ?? route.method,
    url,
    projectKey: params.projectKey ?? '',
    params,
    query: queryOf(endpoint, url),
    headers: request.headers as ApiRequest['headers'],
    json,
    bytes,
    stream,
    caller,
    correlationId,
    remoteAddress: gate.remoteAddress(request),
    idempotency,
  };
  return idempotency ? runOnce(exchange, apiRequest, idempotency.scope) : route.handler(apiRequest);
}

function jsonOf(required: boolean, bytes: Uint8Array): JsonValue | undefined {
  if (bytes.length > 0) return parseJsonBytes(bytes);
  if (required) throw invalidJson('a JSON body expected, it is empty');
  return undefined;
}

const control = /\p{Cc}/u;

/** Percent-encoding lets control characters into a path. No id and no key has any (decision 7). */
function checkParams({ paramNames }: Endpoint, params: Params): void {
  for (const name of paramNames) {
    if (control.test(params[name] ?? '')) {
      throw new ServiceError('InvalidInput', `Malformed path: ${name}: no control characters expected.`);
    }
  }
}

/** RFC 9112 §3.2.2: a target in absolute form means the same as its path and query. */
function originForm(url: string): string {
  return url.charCodeAt(0) === 0x2f ? url : url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

function queryOf({ route }: Endpoint, url: string): ApiRequest['query'] {
  const mark = url.indexOf('?');
  return mark < 0 ? noQuery : parseQuery(url.slice(mark + 1), route.query ?? {}, route.strictQuery === true);
}

function readIdempotency(
  { headers, method = '' }: IncomingMessage,
  url: string,
  caller: Caller | undefined,
  bytes: Uint8Array,
): Idempotency | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  checkIdempotencyKey(String(key));
  const contentType = headers['content-type'] ?? '';
  return idempotencyOf({ clientId: caller?.clientId ?? '', method, url, key: String(key), contentType, bytes });
}

async function runOnce({ gate, endpoint }: Exchange, request: ApiRequest, scope: string): Promise<Answer> {
  gate.running.enter(scope);
  try {
    return await endpoint.route.handler(request);
  } finally {
    gate.running.leave(scope);
  }
}
