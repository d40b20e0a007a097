import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Secrets begin with this, so that scanners of repositories and logs recognise one that leaked. */
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

/** True for a text that `createSecret` may have made: its checksum tells it from any other text of that length. */
export function isCreatedSecret(text: string): boolean {
  return /^grs_[A-Za-z0-9_-]{49}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

/**
 * What is stored of a secret. One round of SHA-256 is enough, because a stored secret is always one of ours: nobody
 * guesses 256 random bits, and a slow hash would only let strangers keep the service busy. The scheme is named, so
 * that another one can stand beside it.
 */
export function hashSecret(secret: string): string {
  return scheme + digest(secret).toString('base64url');
}

// A digest that no text is known to have: what an unknown client is compared with.
const unmatched = Buffer.alloc(32);

/**
 * Compares in a time that tells nothing. Without a hash (the client is unknown) the same work is done and the answer
 * is false, so that the time does not tell which client ids exist.
 */
export function secretMatches(secret: string, hash: string | undefined): boolean {
  const known = hash?.startsWith(scheme) ? Buffer.from(hash.slice(scheme.length), 'base64url') : unmatched;
  const expected = known.length === unmatched.length ? known : unmatched;
  return timingSafeEqual(digest(secret), expected) && expected !== unmatched;
}
