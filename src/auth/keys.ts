import type { CryptoKey, JWK } from 'jose';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';
import type { ClientStore, SigningKey } from '../domain/ports/client-store.ts';
import { cursorSecret, type SharedSecret } from './cursors.ts';
import { tokensOutliveMs } from './token.ts';

/** The one algorithm of our tokens: accepted everywhere, short signatures, fast to verify. */
export const algorithm = 'ES256';

const dayMs = 86_400_000;

/** A signing key, imported. */
type Key = Awaited<ReturnType<typeof importKey>>;

export type KeyRing = ReturnType<typeof createKeyRing>;

/**
 * When a key that is missing now should begin to sign; undefined where none is missing. The next key is created a day
 * ahead, so that clients that cache our key set have it by then. Times are whole days: processes that start together
 * propose the same time, and the store accepts only one key for it.
 */
export function dueActiveFromMs(keys: readonly SigningKey[], nowMs: number, rotationMs: number): number | undefined {
  const nextMs = Math.max(...keys.map((key) => key.activeFromMs), Number.NEGATIVE_INFINITY) + rotationMs;
  if (nextMs <= nowMs) return Math.floor(nowMs / dayMs) * dayMs;
  return nextMs - dayMs <= nowMs ? nextMs : undefined;
}

/** Creates a key that signs from `activeFromMs` on and is published until the last of its tokens has expired. */
export async function createSigningKey(nowMs: number, activeFromMs: number, rotationMs: number): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return {
    kid: await calculateJwkThumbprint(jwk, 'sha256'),
    privateJwk: JSON.stringify(jwk),
    createdAtMs: nowMs,
    activeFromMs,
    expiresAtMs: activeFromMs + rotationMs + tokensOutliveMs,
  };
}

async function importKey(stored: SigningKey) {
  const { d, kty, crv, x, y } = JSON.parse(stored.privateJwk) as Record<'d' | 'kty' | 'crv' | 'x' | 'y', string>;
  return {
    kid: stored.kid,
    activeFromMs: stored.activeFromMs,
    expiresAtMs: stored.expiresAtMs,
    privateKey: (await importJWK({ kty, crv, x, y, d }, algorithm)) as CryptoKey,
    publicKey: (await importJWK({ kty, crv, x, y }, algorithm)) as CryptoKey,
    publicJwk: { kty, crv, x, y, kid: stored.kid, use: 'sig', alg: algorithm },
    cursorSecret: cursorSecret(stored.kid, d),
  };
}

/** The signing keys that this process knows of those of the store: none before `reload` or `rotate`. */
export function createKeyRing(deps: {
  readonly clients: ClientStore;
  readonly nowMs: () => number;
  readonly keyRotationDays: number;
}) {
  const { clients, nowMs } = deps;
  const rotationMs = deps.keyRotationDays * dayMs;
  // Oldest first. A Map, because the names that are looked up come from tokens.
  let ring: ReadonlyMap<string, Key> = new Map();
  let generation = 0;

  const published = () => [...ring.values()].filter((key) => key.expiresAtMs > nowMs());

  async function load(stored: readonly SigningKey[]): Promise<void> {
    const next = new Map<string, Key>();
    for (const key of stored) next.set(key.kid, ring.get(key.kid) ?? (await importKey(key)));
    if (published().some(({ kid }) => !next.has(kid))) generation += 1;
    ring = next;
  }

  /** The newest key whose time has come. */
  function signer(): Key {
    const keys = published();
    // If the clock was set back, no key may be active yet: the oldest one then signs.
    const key = keys.findLast(({ activeFromMs }) => activeFromMs <= nowMs()) ?? keys[0];
    if (!key) throw new Error('There is no signing key: rotate() has not run, or could not store one.');
    return key;
  }

  return {
    signer,
    /** The secrets of cursors, the one to sign with first. All processes have the same. */
    cursorSecrets: (): readonly SharedSecret[] => [signer(), ...published()].map((key) => key.cursorSecret),
    /** The key that a token names, as long as it has not expired. Never reads the store. */
    publicKey(kid: string): CryptoKey | undefined {
      const key = ring.get(kid);
      return key && key.expiresAtMs > nowMs() ? key.publicKey : undefined;
    },
    /** RFC 7517 key set of all public keys, the next one included. */
    jwks: (): { readonly keys: readonly JWK[] } => ({ keys: published().map((key) => key.publicJwk) }),
    reload: async () => load(await clients.listSigningKeys()),
    /** Adds a key where one is due, and reloads. */
    async rotate(): Promise<void> {
      const stored = await clients.listSigningKeys();
      const activeFromMs = dueActiveFromMs(stored, nowMs(), rotationMs);
      if (activeFromMs === undefined) return load(stored);
      await clients.addSigningKey(await createSigningKey(nowMs(), activeFromMs, rotationMs));
      return load(await clients.listSigningKeys());
    },
    /** Replaces all keys by a new one if a revocation is damaged, and reloads. Every token issued so far ends then. */
    async replaceAll(): Promise<void> {
      const activeFromMs = Math.floor(nowMs() / dayMs) * dayMs;
      await clients.replaceSigningKeys(await createSigningKey(nowMs(), activeFromMs, rotationMs));
      return load(await clients.listSigningKeys());
    },
    /** Grows when a key has gone before it expired: tokens that were verified with it must be verified again. */
    get generation(): number {
      return generation;
    },
  };
}
