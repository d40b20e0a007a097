import { bodyOf, stringifyJson } from './json.ts';
import type { Sender } from './send.ts';
import type { TokenSource } from './tokens.ts';

export type QueryValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

/** A request in the terms of the API. */
export interface ApiCall {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the project key on: `/resource`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a blob as it is. */
  readonly body?: unknown;
  /** The service honours an Idempotency-Key, so the client makes one, and may send the request again. */
  readonly isIdempotent?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
}

export interface ApiResult {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; undefined without a body. */
  readonly body: unknown;
}

/** Sends a request with a token; throws a `ServiceError` for every status from 400 on. */
export type Requester = (call: ApiCall) => Promise<ApiResult>;

/** A URL that is longer is sent as a form, where the service takes one. */
const longestQuery = 6000;
const formPaths = /^\/resource(\/sorted-query-parameters|\/searchApiPattern)?$/;

export function queryOf(query: ApiCall['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  return parameters.toString();
}

/** Makes the function that all requests in a project go through. */
export function createRequester(
  send: Sender,
  tokens: TokenSource,
  base: string,
  common: Readonly<Record<string, string>>,
): Requester {
  function prepare({ method = 'GET', path, query, headers, body, isIdempotent }: ApiCall) {
    const text = queryOf(query);
    const isForm = method === 'GET' && text.length > longestQuery && formPaths.test(path);
    const isBlob = body instanceof Blob;
    const own: Record<string, string> = { accept: 'application/json', ...common, ...headers };
    if (isForm) own['content-type'] = 'application/x-www-form-urlencoded';
    else if (body !== undefined && !isBlob) own['content-type'] = 'application/json';
    if (isIdempotent) own['idempotency-key'] ??= crypto.randomUUID();
    return {
      url: base + path + (text === '' || isForm ? '' : `?${text}`),
      method: isForm ? 'POST' : method,
      headers: own,
      body: isForm ? text : isBlob || body === undefined ? body : stringifyJson(body),
      isRepeatable: method === 'GET' || method === 'HEAD' || isIdempotent === true,
    };
  }

  return async (call) => {
    const { url, headers, ...request } = prepare(call);
    const { signal, onProgress } = call;
    for (let isSecond = false; ; isSecond = true) {
      const token = await tokens.get();
      const authorized = { ...headers, authorization: `Bearer ${token}` };
      const response = await send(url, { ...request, headers: authorized, signal, onProgress });
      // A token may have been revoked, or the keys of the service replaced: nothing was done, whatever the method.
      if (response.status === 401 && !isSecond) {
        tokens.drop(token);
        continue;
      }
      return { status: response.status, headers: response.headers, body: bodyOf(response) };
    }
  };
}
