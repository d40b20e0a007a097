import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { ImageType } from '../../src/domain/image/file-name.ts';
import { openCodec } from '../../src/images/codec/open-codec.ts';

/** A codec for a test file, and an upload to prepare by it. */
export function openTestCodec() {
  const folder = mkdtempSync(join(tmpdir(), 'grs-codec-'));
  const codec = openCodec({ maxPixels: 50_000_000, maxFrames: 500, maxDecodedBytes: 1e9 });
  after(() => {
    codec.close();
    rmSync(folder, { recursive: true });
  });
  function prepare(bytes: Buffer, type: ImageType) {
    const file = join(folder, 'upload');
    writeFileSync(file, bytes);
    return codec.prepare(file, type);
  }
  return { folder, codec, prepare };
}
