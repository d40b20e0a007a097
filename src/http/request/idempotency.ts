import { hash } from 'node:crypto';
import { malformedParameter, ServiceError } from '../../contract/errors.ts';

export interface Idempotency {
  readonly scope: string;
  readonly requestHash: string;
}

/** Checks an Idempotency-Key (decision 33). Throws `ServiceError` `InvalidInput`. */
export function checkIdempotencyKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw malformedParameter('Idempotency-Key', '1 to 255 printable ASCII characters expected');
  }
}

/** Under which scope the answer of a request is kept, and what the request was, for a repeat to be compared with. */
export function idempotencyOf(request: {
  readonly clientId: string;
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}): Idempotency {
  const { clientId, method, url, key, contentType, bytes } = request;
  const path = url.split('?', 1)[0];
  const head = Buffer.from(`${method}\n${url}\n${contentType}\n`);
  return {
    scope: [clientId, method, path, key].join('\n'),
    requestHash: hash('sha256', Buffer.concat([head, bytes]), 'hex'),
  };
}

/** The scopes whose first request still runs. Two of a scope at once could both find no stored answer. */
export interface RunningScopes {
  /** Throws `RequestInProgress` (409) while another request of the scope runs. */
  enter(scope: string): void;
  leave(scope: string): void;
}

/** An empty set of running scopes. */
export function createRunningScopes(): RunningScopes {
  const running = new Set<string>();
  return {
    enter(scope) {
      if (running.has(scope)) {
        const message = 'A request with the same Idempotency-Key is still running. Repeat yours to get its answer.';
        throw new ServiceError('RequestInProgress', message, {}, { 'retry-after': '1' });
      }
      running.add(scope);
    },
    leave: (scope) => void running.delete(scope),
  };
}
