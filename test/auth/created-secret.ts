import { crc32 } from 'node:zlib';

/** True for a text that `createSecret` may have made, as a scanner of repositories would tell it by its checksum. */
export function isCreatedSecret(text: string): boolean {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text.slice(0, -6)));
  return /^grs_[A-Za-z0-9_-]{49}$/.test(text) && bytes.toString('base64url') === text.slice(-6);
}
