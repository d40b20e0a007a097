import type { Event as ApiEvent } from './api-types.ts';
import { parseJson } from './json.ts';
import { queryOf } from './request.ts';
import { pause } from './send.ts';
import { isRefusal, linesOf, type Streamer } from './stream.ts';

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
export function createEvents(open: Streamer) {
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
        const response = await open({ method: 'GET', path: `/events?${query}` }, silence.signal);
        for await (const line of linesOf('body' in response ? response.body : null)) {
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
