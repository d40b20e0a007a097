import { ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/scopes.ts';
import type { Exchange } from '../exchange.ts';

/** The end of a token is noticed so late at most. */
const lookMs = 250;

/** 401 for a token that ended while its request was being handled. */
export function tokenEnded(): ServiceError {
  return new ServiceError('invalid_token', 'The access token has expired or was revoked while the request waited.');
}

/**
 * Ends calls whose token expires or is revoked: what began before would otherwise read and write for as long as the client
 * likes. One whose body is still arriving, or whose response has begun, is cut off. Others get 401 where they
 * wait by `tokenEnded` of the exchange; a write that is being committed keeps its response.
 *
 * `waiting`: calls that wait for their body, for something to happen, or for a client that reads; those that are over are
 * removed. Returns the function that stops it.
 */
export function endRevokedCalls(waiting: Set<Exchange>, isRevoked: (caller: Caller) => boolean): () => void {
  const look = () => {
    for (const exchange of waiting) {
      const { caller, request, response } = exchange;
      if (response.closed) waiting.delete(exchange);
      else if (caller === undefined || !isRevoked(caller)) continue;
      else if (response.headersSent || request.complete === false) response.destroy();
      else exchange.tokenEnded?.abort(tokenEnded());
    }
  };
  const looking = setInterval(look, lookMs).unref();
  return () => clearInterval(looking);
}
