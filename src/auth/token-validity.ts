import { Cache } from '../cache/cache.ts';
import type { Caller } from '../contract/scopes.ts';
import type { ClientStore, Revocation } from '../domain/ports/client-store.ts';
import { reportCache } from '../telemetry/cache-metrics.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { clockToleranceSeconds } from './token.ts';

/** Which tokens are valid: those that were verified lately, and those that were revoked. */

/** What this process knows to be revoked. */
export type Revocations = ReturnType<typeof createRevocations>;

/** Other processes stamp revocations by their own clocks before they wait for the commit, so read back this far. */
const overlapMs = (clockToleranceSeconds + 10) * 1000;

/** Ids of logins and of tokens are UUIDs, which have none. */
const loginEnd = '~';

/** The jti of a token that belongs to a login, where it does: `login~token`. */
export function jtiOf(tokenId: string, loginId: string | undefined): string {
  return loginId === undefined ? tokenId : `${loginId}${loginEnd}${tokenId}`;
}

/** The login that a token belongs to; undefined for one that belongs to none. */
export function loginOf(jti: string): string | undefined {
  const end = jti.indexOf(loginEnd);
  return end < 0 ? undefined : jti.slice(0, end);
}

/**
 * Revoked tokens and clients in memory. An entry stays until it expires, even if a reload does not return it: a
 * revocation that is still being written must already hold. A deleted client stays refused whenever its token was
 * issued, because client ids are never reused.
 */
export function createRevocations(nowMs: () => number) {
  const jtis = new Map<string, number>();
  const clientIds = new Map<string, number>();
  let reloadedAtMs = 0;

  function add({ kind, subject, expiresAtMs }: Revocation): void {
    const map = kind === 'jti' ? jtis : clientIds;
    map.set(subject, Math.max(expiresAtMs, map.get(subject) ?? 0));
  }

  function prune(beforeMs: number): void {
    for (const map of [jtis, clientIds]) {
      for (const [subject, expiresAtMs] of map) if (expiresAtMs < beforeMs) map.delete(subject);
    }
  }

  return {
    /** Whether the token of a caller has expired, or it, its login or its client was revoked. */
    isRevoked(caller: Pick<Caller, 'jti' | 'clientId' | 'expiresAtMs'>): boolean {
      const { jti, clientId, expiresAtMs = Number.POSITIVE_INFINITY } = caller;
      if (nowMs() >= expiresAtMs || jtis.has(jti) || clientIds.has(clientId)) return true;
      return jti.includes(loginEnd) && jtis.has(loginOf(jti)!);
    },
    add,
    /**
     * Reads what other processes revoked since the last call; with `all` reads everything and drops expired entries.
     * Returns how many of the rows read are damaged.
     */
    async reload(clients: ClientStore, atMs: number, all: boolean): Promise<number> {
      const found = await clients.listRevocations(atMs, all ? undefined : reloadedAtMs - overlapMs);
      for (const revocation of found.revocations) add(revocation);
      if (all) prune(atMs);
      reloadedAtMs = atMs;
      return found.damaged;
    },
  };
}

const maxTokens = 10_000;
const maxAgeMs = 60_000;

interface Entry {
  readonly caller: Caller;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Caches verified tokens by their text for a minute, never past their expiry, and drops revoked ones at once: checking a signature
 * takes a hundred microseconds, a look-up half of one.
 */
export function createTokenCache(revocations: Revocations, clock: () => number, metrics?: Metrics) {
  const entries = new Cache<string, Entry>({ maxEntries: maxTokens });
  if (metrics) reportCache(metrics, 'tokens', entries);
  return {
    /** The caller of a token that was verified in the last minute and is not revoked. Takes less than a microsecond. */
    get(tokenText: string, nowMs = clock()): Caller | undefined {
      const entry = entries.get(tokenText);
      if (entry === undefined) return undefined;
      // The lower bound: a clock that was set back must not extend the minute.
      const isCurrent = nowMs < entry.untilMs && nowMs >= entry.fromMs;
      if (isCurrent && !revocations.isRevoked(entry.caller)) return entry.caller;
      entries.delete(tokenText);
      return undefined;
    },
    put(tokenText: string, caller: Caller, nowMs: number, expiresAtMs: number): void {
      if (expiresAtMs <= nowMs) return;
      const untilMs = Math.min(nowMs + maxAgeMs, expiresAtMs);
      entries.set(tokenText, { caller, fromMs: nowMs, untilMs });
    },
    clear: () => entries.clear(),
    size: () => entries.size,
  };
}
