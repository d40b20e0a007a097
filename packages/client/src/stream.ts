import type { Event as ApiEvent } from '../dist/api-types.js';
import { ConnectionError } from './errors.ts';
import { bodyOf, parseJson } from './json.ts';
import { queryOf } from './request.ts';
import { firstPauseMs, longestPauseMs, pause, type Received } from './send.ts';
import type { TokenSource } from './tokens.ts';

/** A request whose response is read line by line, while it arrives. */
export interface StreamCall {
  readonly method: 'GET' | 'POST';
  /** From the project key on, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/**
 * Sends a request; the response has status 200 and lines of JSON, or else says why the service cannot give them now, so
 * that it is worth to try again. Throws a `ServiceError` for what is no use to try again.
 */
export type Streamer = (call: StreamCall, signal: AbortSignal) => Promise<Response | Received>;

/** Makes the function that all streams of a project go through. */
export function createStreamer(
  fetchOf: typeof fetch,
  tokens: TokenSource,
  base: string,
  common: Readonly<Record<string, string>>,
): Streamer {
  async function open(call: StreamCall, signal: AbortSignal, isSecond = false): Promise<Response | Received> {
    const token = await tokens.get();
    const { path, headers: own, ...init } = call;
    const headers = { ...common, accept: 'application/x-ndjson', ...own, authorization: `Bearer ${token}` };
    const response = await fetchOf(base + path, { ...init, headers, signal });
    const { status } = response;
    if (status === 200) return response;
    const text = await response.text();
    if (status === 401 && !isSecond) {
      tokens.drop(token);
      return open(call, signal, true);
    }
    const received = { status, headers: response.headers, text };
    if (status !== 429 && status < 500) bodyOf(received);
    return received;
  }
  return open;
}

/** The status of an error of the service; 0 for one of the connection. */
function statusOf(error: unknown): number {
  const status = (error as { readonly status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : 0;
}

const isTemporary = (status: number) => status === 0 || status === 429 || status >= 500;

/** The chunks of a stream, which is cancelled if the caller stops early. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The whole lines of a body that are not empty; what follows the last line end was cut off. */
async function* linesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (stream === null) return;
  let rest = '';
  const texts = stream.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string>);
  for await (const text of chunksOf(texts)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield line;
  }
}

/** Limits of retries: failures in a row without progress, and silence of the connection. */
export interface Patience {
  readonly retries: number;
  readonly timeoutMs: number;
}

/** Reads responses line by line, and waits where one was lost. */
export interface LineReader {
  /** The lines of a response as JSON. Throws where the service cannot give it now, and where the connection is lost. */
  read(
    call: StreamCall,
    signal: AbortSignal | undefined,
    onResponse?: (response: Response) => void,
  ): AsyncGenerator<unknown>;
  /** Waits before the next attempt, or throws: what is no use to try again, and what has failed too often. */
  recover(error: unknown, failures: number, signal: AbortSignal | undefined): Promise<void>;
}

export function createLineReader(open: Streamer, { retries, timeoutMs }: Patience): LineReader {
  /** Milliseconds of `Retry-After`, by the error of its response. */
  const asked = new WeakMap<object, number>();

  function refusalOf(response: Received): unknown {
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    try {
      return bodyOf(response);
    } catch (error) {
      if (Number.isFinite(seconds)) asked.set(error as object, seconds * 1000);
      return error;
    }
  }

  async function* read(
    call: StreamCall,
    signal: AbortSignal | undefined,
    onResponse?: (response: Response) => void,
  ): AsyncGenerator<unknown> {
    const silence = new AbortController();
    const end = () => silence.abort(signal?.reason);
    const wait = () => setTimeout(end, timeoutMs);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', end, { once: true });
    let timer = wait();
    try {
      const response = await open(call, silence.signal);
      if (!('body' in response)) throw refusalOf(response);
      onResponse?.(response);
      for await (const line of linesOf(response.body)) {
        clearTimeout(timer);
        yield parseJson(line);
        timer = wait();
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      silence.abort();
    }
  }

  async function recover(error: unknown, failures: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const status = statusOf(error);
    const askedMs = asked.get(error as object) ?? 0;
    if (!isTemporary(status) || askedMs > longestPauseMs || failures > retries) {
      if (status > 0) throw error;
      const facts = { status: 0, code: 'NoResponse' };
      throw new ConnectionError('The connection failed again and again', facts, { cause: error });
    }
    await pause(askedMs + Math.random() * firstPauseMs * 2 ** failures, signal);
  }

  return { read, recover };
}

/** A change of a resource. */
export type Event = ApiEvent;

export interface EventOptions {
  /** The `id` of the last event that you are done with; `latest`: only what comes from now on. Default: all that is kept. */
  readonly after?: string;
  readonly types?: readonly Event['type'][];
  /** The id of a resource. */
  readonly resource?: string;
  /** The id of a client. */
  readonly actor?: string;
  /** Adds the resource as it is after each change, as `data`. */
  readonly include?: 'resource';
  readonly signal?: AbortSignal;
}

/** The service sends something every 15 seconds: after three times that the connection is dead. */
const silenceMs = 45_000;
/** Makes the function that follows the events of a project. */
export function createEvents(open: Streamer) {
  const { read } = createLineReader(open, { retries: 0, timeoutMs: silenceMs });
  return async function* events(options: EventOptions = {}): AsyncGenerator<Event> {
    const { types, signal, ...others } = options;
    let { after } = options;
    for (let failures = 0; ; failures += 1) {
      try {
        const query = queryOf({ ...others, types: types?.join(','), after });
        for await (const line of read({ method: 'GET', path: `/events?${query}` }, signal)) {
          const event = line as { readonly id: string; readonly type: string };
          // Only what was delivered counts: the caller may stop in between.
          if (event.type !== 'heartbeat') yield event as Event;
          after = event.id;
          failures = -1;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!isTemporary(statusOf(error))) throw error;
      }
      await pause(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures)), signal);
    }
  };
}
