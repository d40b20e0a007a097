import { ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/scopes.ts';
import type { Exchange } from '../exchange.ts';

/** The end of a token is noticed so late at most. */
const lookMs = 250;

/** Calls that wait: for their body, for something to happen, or for a client that reads. */
export interface WaitingCalls {
  /** Ends the call once the token of its caller ends, unless it is over before. */
  add(exchange: Exchange): void;
}

/** 401 for a token that ended while its request was being handled. */
export function tokenEnded(): ServiceError {
  return new ServiceError('invalid_token', 'The access token has expired or was revoked while the request waited.');
}

/**
 * Ends calls whose token expires or is revoked: what began before would otherwise read and write for as long as the client
 * likes. One whose body is still arriving, or whose response has begun, is cut off. Others get 401 where they
 * wait by `tokenEnded` of the exchange; a write that is being committed keeps its response.
 */
export function createWaitingCalls(isRevoked: (caller: Caller) => boolean): WaitingCalls {
  const waiting = new Set<Exchange>();
  let looking: NodeJS.Timeout | undefined;

  function look(): void {
    for (const exchange of waiting) {
      const { caller, request, response } = exchange;
      if (!isRevoked(caller!)) continue;
      if (response.headersSent || request.complete === false) response.destroy();
      else exchange.tokenEnded?.abort(tokenEnded());
    }
  }

  return {
    add(exchange) {
      if (exchange.caller === undefined || waiting.has(exchange)) return;
      waiting.add(exchange);
      looking ??= setInterval(look, lookMs).unref();
      exchange.response.once('close', () => {
        waiting.delete(exchange);
        if (waiting.size > 0) return;
        clearInterval(looking);
        looking = undefined;
      });
    },
  };
}
