import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { malformedParameter, ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/scopes.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { Idempotency } from '../../domain/resource/write/commit.ts';
import { startBackgroundTask } from '../../telemetry/background-task.ts';
import type { Log } from '../../telemetry/log.ts';

/**
 * Reads the Idempotency-Key of a request (decision 33): the scope to store the response under, and a hash of the request
 * to compare repeats with. Throws `ServiceError` `InvalidInput`.
 */
export function readIdempotency(
  { headers, method }: IncomingMessage,
  url: string,
  caller: Caller | undefined,
  bytes: Uint8Array,
): Idempotency {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw malformedParameter('Idempotency-Key', 'expected 1 to 255 printable ASCII characters');
  }
  const path = url.split('?', 1)[0];
  // Each session has a document of its own: what one was answered is not for another.
  const session = headers['x-session-id'];
  const head = Buffer.from(`${method}\n${url}\n${headers['content-type'] ?? ''}\n`);
  return {
    scope: [caller?.clientId ?? '', method, path, key, ...(session === undefined ? [] : [session])].join('\n'),
    requestHash: hash('sha256', Buffer.concat([head, bytes]), 'hex'),
  };
}

/**
 * Makes the function that runs requests of one scope one at a time: two at once could both find no stored response. It
 * throws `RequestInProgress` (409) while another one runs.
 */
export function createRunOnce(): <T>(scope: string, run: () => Eventually<T>) => Promise<T> {
  const running = new Set<string>();
  return async (scope, run) => {
    if (running.has(scope)) {
      const message = 'A request with the same Idempotency-Key is still running. Repeat yours to get its response.';
      throw new ServiceError('RequestInProgress', message, {}, { 'retry-after': '1' });
    }
    running.add(scope);
    try {
      return await run();
    } finally {
      running.delete(scope);
    }
  };
}

const deleteEveryMs = 10 * 60_000;

/** Deletes stored responses regularly after they expire. Returns the function that ends it. */
export function startDeletingExpired(store: ResourceStore, nowMs: () => number, log: Log): () => void {
  const run = () => store.deleteExpiredResponses(nowMs());
  return startBackgroundTask({ everyMs: deleteEveryMs, run, log, failedEvent: 'cleaning-failed' });
}
