import type { ClientStore, Revocation } from '../domain/ports/client-store.ts';
import { clockToleranceSeconds } from './lifetime.ts';

/** What this process knows to be revoked. */
export interface Revocations {
  /** Grows with every addition, so that a cached token is looked at again only after one. */
  generation(): number;
  isRevoked(jti: string, clientId: string): boolean;
  add(revocation: Revocation): void;
  /** Takes over what other processes revoked since the last call; `all` reads everything and forgets the expired. */
  reload(clients: ClientStore, nowMs: number, all: boolean): Promise<void>;
}

/** Other processes stamp revocations by their own clock before they wait for the commit: look back this far. */
const overlapMs = (clockToleranceSeconds + 10) * 1000;

/**
 * Revoked tokens and clients in memory. Nothing is forgotten before its expiry, even if a reload does not show it:
 * a revocation that is still on its way to the disk must hold already. A deleted client stays refused whenever its
 * token was made, because client ids are never used twice.
 */
export function createRevocations(): Revocations {
  const jtis = new Map<string, number>();
  const clientIds = new Map<string, number>();
  let generation = 0;
  let reloadedAtMs = 0;

  function add({ kind, subject, expiresAtMs }: Revocation): void {
    const map = kind === 'jti' ? jtis : clientIds;
    const known = map.get(subject);
    if (known !== undefined && known >= expiresAtMs) return;
    map.set(subject, expiresAtMs);
    generation += 1;
  }

  function prune(nowMs: number): void {
    for (const map of [jtis, clientIds]) {
      for (const [subject, expiresAtMs] of map) if (expiresAtMs < nowMs) map.delete(subject);
    }
  }

  return {
    generation: () => generation,
    isRevoked: (jti, clientId) => jtis.has(jti) || clientIds.has(clientId),
    add,
    async reload(clients, nowMs, all) {
      const rows = await clients.listRevocations(nowMs, all ? 0 : reloadedAtMs - overlapMs);
      for (const row of rows) add(row);
      if (all) prune(nowMs);
      reloadedAtMs = nowMs;
    },
  };
}
