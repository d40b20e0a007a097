import { bodyOf } from './json.ts';
import type { Received } from './send.ts';
import type { TokenSource } from './tokens.ts';

/** A request whose response is read line by line, while it arrives. */
export interface StreamCall {
  readonly method: 'GET' | 'POST';
  /** From the project key on, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
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

/** An error of the service, rather than of the connection. */
export function isRefusal(error: unknown): boolean {
  const status = (error as { readonly status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400;
}

/** The whole lines of a body that are not empty; what follows the last line end was cut off. */
export async function* linesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const reader = stream?.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string>).getReader();
  if (reader === undefined) return;
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line !== '') yield line;
    }
  } finally {
    // Whoever stops early wants no more of it.
    await reader.cancel().catch(() => {});
  }
}
