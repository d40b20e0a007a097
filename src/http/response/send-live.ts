import type { ServerResponse } from 'node:http';
import type { Exchange } from '../exchange.ts';
import type { LiveBody } from '../route.ts';

/**
 * Sends a body of unknown length. Only what the connection has not taken yet is in memory. When the service shuts down, it ends
 * after the text that is being sent. If the body fails, the connection is cut off, which tells the client that it is not
 * whole.
 */
export async function sendLive(exchange: Exchange, { open, slowReaderMs }: LiveBody): Promise<void> {
  const { response, context, correlationId, endpoint } = exchange;
  const ended = new AbortController();
  const end = () => ended.abort();
  response.once('close', end);
  context.draining.addEventListener('abort', end, { once: true });
  if (response.destroyed || context.draining.aborted) end();
  // A time-out that an earlier response on this connection set would cut off a quiet body.
  response.socket?.setTimeout?.(0);
  response.flushHeaders();
  try {
    for await (const text of open(ended.signal)) {
      if (!response.write(text)) await drained(response, ended.signal, slowReaderMs);
      if (ended.signal.aborted) break;
    }
    response.end();
  } catch (error) {
    if (!response.destroyed) {
      const { operationId } = endpoint.route;
      context.log.write('warn', 'a live response ended early', { correlationId, operationId, error });
    }
    response.destroy();
  } finally {
    response.off('close', end);
    context.draining.removeEventListener('abort', end);
  }
}

/** Resolves when the connection has taken everything, or when the body is to end. Cuts off a client that takes nothing. */
async function drained(response: ServerResponse, signal: AbortSignal, slowReaderMs: number): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  const timer = setTimeout(() => response.destroy(), slowReaderMs);
  response.once('drain', done);
  signal.addEventListener('abort', done, { once: true });
  await promise;
  clearTimeout(timer);
  response.off('drain', done);
  signal.removeEventListener('abort', done);
}
