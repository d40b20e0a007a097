import type { Event as ApiEvent } from './api-types.ts';
import { bodyOf, parseJson } from './json.ts';
import { queryOf } from './request.ts';
import { pause } from './send.ts';
import type { TokenSource } from './tokens.ts';

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
const firstPauseMs = 200;
const longestPauseMs = 30_000;

/** Makes the function that follows the events of a project. */
export function createEvents(
  fetchOf: typeof fetch,
  tokens: TokenSource,
  base: string,
  common: Readonly<Record<string, string>>,
) {
  /** Opens a stream; undefined if the service cannot give one now. Throws what is no use to try again. */
  async function open(query: string, signal: AbortSignal, isSecond = false): Promise<Response | undefined> {
    const token = await tokens.get();
    const headers = { ...common, accept: 'application/x-ndjson', authorization: `Bearer ${token}` };
    const response = await fetchOf(`${base}/events?${query}`, { method: 'GET', headers, signal });
    const { status } = response;
    if (status === 200) return response;
    const text = await response.text();
    if (status === 401 && !isSecond) {
      tokens.drop(token);
      return open(query, signal, true);
    }
    if (status !== 429 && status < 500) bodyOf({ status, headers: response.headers, text });
    return undefined;
  }

  return async function* events(options: EventOptions = {}): AsyncGenerator<Event> {
    const { types, signal, ...others } = options;
    let { after } = options;
    for (let failures = 0; ; failures += 1) {
      signal?.throwIfAborted();
      const silence = new AbortController();
      const end = () => silence.abort(signal?.reason);
      signal?.addEventListener('abort', end, { once: true });
      let timer = setTimeout(end, silenceMs);
      try {
        const query = queryOf({ ...others, types: types?.join(','), after });
        const response = await open(query, silence.signal);
        for await (const line of linesOf(response)) {
          clearTimeout(timer);
          const event = parseJson(line) as { readonly id: string; readonly type: string };
          // Only what was delivered counts: the caller may stop in between.
          if (event.type !== 'heartbeat') yield event as Event;
          after = event.id;
          failures = -1;
          timer = setTimeout(end, silenceMs);
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (isRefusal(error)) throw error;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        silence.abort();
      }
      await pause(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures)), signal);
    }
  };
}

/** An error of the service, rather than of the connection. */
function isRefusal(error: unknown): boolean {
  const status = (error as { readonly status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400;
}

/** The whole lines of a body that are not empty. What follows the last line end was cut off. */
async function* linesOf(response: Response | undefined): AsyncGenerator<string> {
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield line;
  }
}
