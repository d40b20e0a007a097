import type { Error as ErrorBody } from '../dist/api-types.js';
import { ConnectionError } from './errors.ts';

/** A request as the client sends it. */
export interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Blob | undefined;
  /** Sending it twice has the effect of sending it once: it only reads, or has an Idempotency-Key. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes of the body that are on their way. */
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
}

/** A response whose body has arrived. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** Empty without a body. */
  readonly text: string;
}

export type Sender = (url: string, request: Sent) => Promise<Received>;

export interface SendOptions {
  readonly fetch: typeof fetch;
  /** How often a request is sent again. */
  readonly retries: number;
  /** The longest a single attempt may take. */
  readonly timeoutMs: number;
}

export const firstPauseMs = 200;
/** Longer than this nobody waits: the error is thrown instead. */
export const longestPauseMs = 30_000;

/**
 * Sends requests, and sends them again where that is safe: after 429 and 503 that say that nothing was done, and after a
 * lost connection or another 5xx only what is repeatable. It waits for as long as `Retry-After` says, or a random part
 * of a pause that doubles, so that many clients do not come back at once.
 */
export function createSender({ fetch, retries, timeoutMs }: SendOptions): Sender {
  function respond(url: string, init: AttemptInit, { body, onProgress }: Sent): Promise<Response> {
    if (body === undefined) return fetch(url, init);
    if (onProgress === undefined || !(body instanceof Blob)) return fetch(url, { ...init, body });
    if (browserUpload) return fetchWithProgress(browserUpload, url, init, body, onProgress);
    return fetch(url, withProgress(init, body, onProgress));
  }

  async function attempt(url: string, request: Sent): Promise<Received> {
    const limit = AbortSignal.timeout(timeoutMs);
    const { method, headers, signal } = request;
    // It may have been aborted while the token was on its way.
    signal?.throwIfAborted();
    const init = { method, headers, signal: signal ? AbortSignal.any([signal, limit]) : limit };
    try {
      const response = await respond(url, init, request);
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      const problem = limit.aborted ? `No response within ${timeoutMs} ms` : 'The connection failed';
      throw new ConnectionError(`${problem}: ${method} ${url}`, { status: 0, code: 'NoResponse' }, { cause });
    }
  }

  return async (url, request) => {
    for (let retry = 0; ; retry += 1) {
      const outcome = await attempt(url, request).catch((error: unknown) => {
        if (error instanceof ConnectionError) return error;
        throw error;
      });
      const pauseMs = retry < retries ? pauseAfter(outcome, request.isRepeatable, retry) : undefined;
      if (pauseMs === undefined) {
        if (outcome instanceof ConnectionError) throw outcome;
        return outcome;
      }
      await pause(pauseMs, request.signal);
    }
  };
}

/** How long to wait before sending again; undefined if it is not sent again. */
function pauseAfter(outcome: Received | ConnectionError, isRepeatable: boolean, retry: number): number | undefined {
  const randomMs = Math.random() * firstPauseMs * 2 ** retry;
  if (outcome instanceof ConnectionError) return isRepeatable ? randomMs : undefined;
  const { status, headers } = outcome;
  if (status < 400 || ![409, 429, 502, 503, 504].includes(status)) return undefined;
  const code = codeOf(outcome);
  const wasRefused = status === 429 || code === 'OverCapacity';
  // The first of two requests with one Idempotency-Key is not done yet.
  if (status === 409 && code !== 'RequestInProgress') return undefined;
  if (!wasRefused && !isRepeatable) return undefined;
  const seconds = Number(headers.get('retry-after') ?? 0);
  const pauseMs = (Number.isFinite(seconds) ? seconds * 1000 : 0) + randomMs;
  return pauseMs <= longestPauseMs ? pauseMs : undefined;
}

function codeOf({ text }: Received): unknown {
  try {
    return (JSON.parse(text) as ErrorBody).errors[0]?.code;
  } catch {
    return undefined;
  }
}

/** Ends early, with its reason, when the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

/** The body in pieces, each reported when it was taken. */
function withProgress(init: AttemptInit, blob: Blob, onProgress: (sentBytes: number) => void): RequestInit {
  let sentBytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      sentBytes += piece.byteLength;
      controller.enqueue(piece);
      onProgress(sentBytes);
    },
  });
  return { ...init, body: blob.stream().pipeThrough(count), duplex: 'half' } as RequestInit;
}

/** The part of XMLHttpRequest that is used, so that programs without the types of browsers can be compiled too. */
interface Upload {
  readonly upload: { onprogress: unknown };
  readonly status: number;
  readonly responseText: string;
  onload: unknown;
  onerror: unknown;
  onabort: unknown;
  onloadend: unknown;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

/** Undefined outside of browsers, where only XMLHttpRequest tells how much of a body was sent. */
const browserUpload = Reflect.get(globalThis, 'XMLHttpRequest') as (new () => Upload) | undefined;

/** An attempt without its body. */
interface AttemptInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

/** Does what `fetch` does with a blob, and tells the progress. Rejects with `TypeError` if the connection fails, as fetch does. */
function fetchWithProgress(
  BrowserUpload: new () => Upload,
  url: string,
  { method, headers, signal }: AttemptInit,
  body: Blob,
  onProgress: (sentBytes: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new BrowserUpload();
    const abort = () => request.abort();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }: { readonly loaded: number }) => onProgress(loaded);
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
      const pairs = lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      resolve(new Response(request.responseText, { status: request.status, headers: pairs }));
    };
    request.onerror = () => reject(new TypeError('The connection failed.'));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) reject(signal.reason);
    else {
      signal.addEventListener('abort', abort);
      request.send(body);
    }
  });
}
