import { hash } from 'node:crypto';

/** A UUID (version 8, RFC 9562 §5.8) made of texts: the same texts have the same one on every machine. */
export function stableId(...texts: readonly string[]): string {
  const digest = Buffer.from(hash('sha256', JSON.stringify(texts), 'hex'), 'hex');
  digest.writeUInt8(0x80 | (digest.readUInt8(6) & 0x0f), 6);
  digest.writeUInt8(0x80 | (digest.readUInt8(8) & 0x3f), 8);
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
