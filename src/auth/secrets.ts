import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Secrets begin with this, so that scanners of repositories and logs recognise a leaked one. */
const prefix = 'grs_';
const scheme = 'sha256:';

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}

/** A new client secret: prefix, 256 random bits, checksum; only letters, digits, `-` and `_`, so it needs no encoding. */
export function createSecret(): string {
  const text = prefix + randomBytes(32).toString('base64url');
  return text + checksum(text);
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

/**
 * The digest that is stored. One round of SHA-256 is enough, because a stored secret is always one of ours: 256 random
 * bits cannot be guessed, and a slow hash would only help attackers to overload the service. The digest names its
 * scheme, so that there can be others.
 */
export function hashSecret(secret: string): string {
  return scheme + digest(secret).toString('base64url');
}

// No text is known to have this digest. Secrets of unknown clients are compared with it.
const unmatched = Buffer.alloc(32);

/**
 * Compares in constant time. Without a hash (the client is unknown) it does the same work and returns false, so that
 * the time does not reveal which client ids exist.
 */
export function secretMatches(secret: string, hash: string | undefined): boolean {
  const known = hash?.startsWith(scheme) ? Buffer.from(hash.slice(scheme.length), 'base64url') : unmatched;
  const expected = known.length === unmatched.length ? known : unmatched;
  return timingSafeEqual(digest(secret), expected) && expected !== unmatched;
}
