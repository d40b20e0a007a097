import { hash, randomUUID } from 'node:crypto';

const counterLimit = 0x1000;

/**
 * Generates UUIDs of version 7 (RFC 9562 §5.7) in lower case that rise from call to call within this process: the twelve
 * bits after the time count ids of the same millisecond. If they run out, or the clock steps back, the time runs ahead
 * of the clock. What follows is random, as in a UUID of version 4.
 */
export function createUuidV7(nowMs: () => number): () => string {
  let time = 0;
  let counter = 0;

  return () => {
    const now = nowMs();
    counter = now > time ? 0 : counter + 1;
    if (now > time) time = now;
    if (counter >= counterLimit) {
      counter = 0;
      time += 1;
    }
    const stamp = time.toString(16).padStart(12, '0');
    const version = (0x7000 | counter).toString(16);
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-${version}${randomUUID().slice(18)}`;
  };
}

/** A UUID of version 8 (RFC 9562 §5.8) made from texts: the same texts give the same UUID on every machine. */
export function uuidV8(...texts: readonly string[]): string {
  const digest = Buffer.from(hash('sha256', JSON.stringify(texts), 'hex'), 'hex');
  digest.writeUInt8(0x80 | (digest.readUInt8(6) & 0x0f), 6);
  digest.writeUInt8(0x80 | (digest.readUInt8(8) & 0x3f), 8);
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
