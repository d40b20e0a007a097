import type { Exchange } from '../exchange.ts';

/** A revocation is noticed so late at most. */
const lookMs = 1000;

/**
 * Cuts off a response that goes on for long, and the body of its request, once the token of its caller is revoked: what
 * began before would otherwise read and write for as long as the client likes (decision 200).
 */
export function cutWhenRevoked({ response, caller, context }: Exchange): void {
  if (caller === undefined) return;
  const timer = setInterval(() => {
    if (context.verifier.isRevoked(caller)) response.destroy();
  }, lookMs).unref();
  response.once('close', () => clearInterval(timer));
}
