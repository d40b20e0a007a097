import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { malformedParameter, ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/scopes.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';

export interface Idempotency {
  readonly scope: string;
  readonly requestHash: string;
}

/**
 * The Idempotency-Key of a request (decision 33): under which scope its response is stored, and what the request was,
 * for a repeat to be compared with. Undefined without the header. Throws `ServiceError` `InvalidInput`.
 */
export function readIdempotency(
  { headers, method }: IncomingMessage,
  url: string,
  caller: Caller | undefined,
  bytes: Uint8Array,
): Idempotency | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw malformedParameter('Idempotency-Key', '1 to 255 printable ASCII characters expected');
  }
  const path = url.split('?', 1)[0];
  const head = Buffer.from(`${method}\n${url}\n${headers['content-type'] ?? ''}\n`);
  return {
    scope: [caller?.clientId ?? '', method, path, key].join('\n'),
    requestHash: hash('sha256', Buffer.concat([head, bytes]), 'hex'),
  };
}

/**
 * Makes the function that runs one request of a scope at a time: two at once could both find no stored response. It
 * throws `RequestInProgress` (409) while another one runs.
 */
export function createRunOnce(): <T>(scope: string, run: () => Eventually<T>) => Promise<T> {
  const running = new Set<string>();
  return async (scope, run) => {
    if (running.has(scope)) {
      const message = 'A request with the same Idempotency-Key is still running. Repeat yours to get its answer.';
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
