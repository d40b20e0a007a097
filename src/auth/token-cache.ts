import type { Caller } from '../contract/caller.ts';
import type { Revocations } from './revocations.ts';

/** Verified tokens by their text: a signature costs a hundred microseconds, a look-up half of one. */
export interface TokenCache {
  get(tokenText: string, nowMs: number): Caller | undefined;
  put(tokenText: string, caller: Caller, nowMs: number, expiresAtMs: number): void;
  size(): number;
}

export const maxCachedTokens = 10_000;
const maxAgeMs = 60_000;

interface Entry {
  readonly caller: Caller;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Generation of the revocations that the token was last held against. */
  checked: number;
}

/** Keeps at most `maxCachedTokens` for a minute at most, never past their expiry, and gives up revoked ones at once. */
export function createTokenCache(revocations: Revocations): TokenCache {
  const entries = new Map<string, Entry>();
  return {
    get(tokenText, nowMs) {
      const entry = entries.get(tokenText);
      if (entry === undefined) return undefined;
      // A clock that was set back must not stretch the minute, hence the lower bound.
      if (nowMs >= entry.untilMs || nowMs < entry.fromMs) {
        entries.delete(tokenText);
        return undefined;
      }
      if (entry.checked !== revocations.generation()) {
        if (revocations.isRevoked(entry.caller.jti, entry.caller.clientId)) {
          entries.delete(tokenText);
          return undefined;
        }
        entry.checked = revocations.generation();
      }
      return entry.caller;
    },
    put(tokenText, caller, nowMs, expiresAtMs) {
      if (expiresAtMs <= nowMs) return;
      entries.delete(tokenText);
      if (entries.size >= maxCachedTokens) entries.delete(entries.keys().next().value!);
      const untilMs = Math.min(nowMs + maxAgeMs, expiresAtMs);
      entries.set(tokenText, { caller, fromMs: nowMs, untilMs, checked: -1 });
    },
    size: () => entries.size,
  };
}
