import { hash } from 'node:crypto';

/** Fills an array with random bytes of cryptographic quality. */
type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => unknown;

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const randomBytesPerId = 8;
const idsPerFill = 128;
const counterLimit = 0x1000;

/**
 * Generates UUIDs of version 7 (RFC 9562 §5.7) in lower case that rise from call to call within this process: the twelve
 * bits after the time count ids of the same millisecond. If they run out, or the clock steps back, the time runs ahead
 * of the clock.
 */
export function createUuidV7(nowMs: () => number, fillRandom: FillRandom): () => string {
  const pool = new Uint8Array(randomBytesPerId * idsPerFill);
  let used = pool.length;
  let time = 0;
  let counter = 0;

  return () => {
    if (used === pool.length) {
      fillRandom(pool);
      used = 0;
    }
    const now = nowMs();
    counter = now > time ? 0 : counter + 1;
    if (now > time) time = now;
    if (counter >= counterLimit) {
      counter = 0;
      time += 1;
    }
    used += randomBytesPerId;
    return uuidText(time, counter, pool, used - randomBytesPerId);
  };
}

/** Formats the random bytes from `at` on. Every request gets an id, so only its text is allocated. */
function uuidText(time: number, counter: number, random: Uint8Array, at: number): string {
  const stamp = time.toString(16).padStart(12, '0');
  const version = (0x7000 | counter).toString(16);
  let text = `${stamp.slice(0, 8)}-${stamp.slice(8)}-${version}-${hex[0x80 | (random[at]! & 0x3f)]}${hex[random[at + 1]!]}-`;
  for (let next = at + 2; next < at + randomBytesPerId; next += 1) text += hex[random[next]!]!;
  return text;
}

/** A UUID of version 8 (RFC 9562 §5.8) made from texts: the same texts give the same UUID on every machine. */
export function uuidV8(...texts: readonly string[]): string {
  const digest = Buffer.from(hash('sha256', JSON.stringify(texts), 'hex'), 'hex');
  digest.writeUInt8(0x80 | (digest.readUInt8(6) & 0x0f), 6);
  digest.writeUInt8(0x80 | (digest.readUInt8(8) & 0x3f), 8);
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
