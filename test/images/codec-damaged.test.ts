import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { ImageType } from '../../src/domain/image/file-name.ts';
import { openTestCodec } from './open-test-codec.ts';
import { noise, pngChunk, pngHeader, pngOf } from './pictures.ts';

/** Whether pixels are all there, which is for the decoder to say: the containers of these files are whole. */

const { prepare } = openTestCodec();

const picture = (width: number, height: number, frames = 1) =>
  sharp(noise(width * height * frames * 3), {
    raw: { width, height: height * frames, channels: 3, ...(frames > 1 && { pageHeight: height }) },
    animated: frames > 1,
  });

async function assertRefused(bytes: Buffer, type: ImageType, of: string): Promise<void> {
  await assert.rejects(prepare(bytes, type), { code: 'InvalidInput', status: 400, message: /cannot be used/ }, of);
}

const accept = (bytes: Buffer, type: ImageType, of?: string) => assert.doesNotReject(prepare(bytes, type), of);

/** Where a file is cut, as a part of it. */
const cuts = [0.3, 0.5, 0.9, 0.99];

const sizes = [
  [60, 41],
  [400, 300],
] as const;

for (const [name, options] of [
  ['a baseline JPEG', { progressive: false }],
  ['a progressive JPEG', { progressive: true }],
  ['a JPEG with all of its colours', { chromaSubsampling: '4:4:4' }],
] as const) {
  test(`damaged: ${name} is refused where pixels are missing, with and without its end`, async () => {
    // Most renditions of the largest one are made after the upload was answered.
    for (const [width, height] of [...sizes, [2048, 2048] as const]) {
      const bytes = await picture(width, height).jpeg(options).toBuffer();
      await accept(bytes, 'image/jpeg');
      // Down to the last rows: of a large picture its smallest rendition alone would not show that they are missing.
      for (const cut of [0.3, 0.5, 1 - 16 / height]) {
        const part = bytes.subarray(0, 700 + Math.floor((bytes.length - 700) * cut));
        const of = `${width} × ${height}, ${cut}`;
        await assertRefused(part, 'image/jpeg', of);
        await assertRefused(Buffer.concat([part, bytes.subarray(-2)]), 'image/jpeg', `${of}, with its end`);
      }
    }
  });
}

test('damaged: the decoder says nothing of what is missing in the last eight rows of some baseline JPEGs', async () => {
  const upper = (image: Uint8Array) =>
    sharp(image).extract({ left: 0, top: 0, width: 400, height: 296 }).raw().toBuffer();
  const bytes = await picture(400, 300).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
  const prepared = await prepare(Buffer.concat([bytes.subarray(0, -102), bytes.subarray(-2)]), 'image/jpeg');
  assert.ok((await upper(prepared.bytes)).equals(await upper(bytes)));
});

test('damaged: garbage instead of the pixels of a JPEG is refused', async () => {
  for (const progressive of [false, true]) {
    const bytes = await picture(400, 300).jpeg({ progressive }).toBuffer();
    const garbage = Buffer.from(bytes).fill(0x5a, bytes.length >> 1, bytes.length - 2);
    await assertRefused(garbage, 'image/jpeg', `progressive: ${progressive}`);
  }
});

/** A grey JPEG of 8 × 80 with a restart after each of its ten blocks, which take two bits each. */
function restarting(): Buffer {
  const table = `01${'00'.repeat(15)}00`;
  const head = `ffd8ffdb004300${'01'.repeat(64)}ffc0000b080050000801011100ffc4002600${table.slice(0, 34)}10${table}`;
  const scan = Array.from({ length: 9 }, (_, i) => `3fffd${i % 8}`).join('');
  return Buffer.from(`${head}ffdd00040001ffda0008010100003f00${scan}3fffd9`, 'hex');
}

test('damaged: a JPEG with restarts is accepted', async () => {
  const { renditions } = await prepare(restarting(), 'image/jpeg');
  const pixels = await sharp(renditions[0]!.bytes).raw().toBuffer();
  assert.ok(pixels.every((value) => value === 128));
});

/** The parts of a PNG: its chunks before the pixels, and the compressed pixels. */
function partsOf(bytes: Buffer): { readonly head: Buffer; readonly pixels: Buffer } {
  const head = bytes.subarray(8, bytes.indexOf('IDAT') - 4);
  const pixels: Buffer[] = [];
  for (let at = 8 + head.length; bytes.toString('latin1', at + 4, at + 8) === 'IDAT'; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    pixels.push(bytes.subarray(at + 8, end));
    at = end + 4;
  }
  return { head, pixels: Buffer.concat(pixels) };
}

for (const [name, progressive] of [
  ['a PNG', false],
  ['an interlaced PNG', true],
] as const) {
  test(`damaged: ${name} is refused where pixels are missing, wrong or garbage`, async () => {
    for (const [width, height] of [[3, 3], ...sizes] as const) {
      const bytes = await picture(width, height).png({ progressive, compressionLevel: 1 }).toBuffer();
      const { head, pixels } = partsOf(bytes);
      const withPixels = (data: Buffer) => pngOf(head, pngChunk('IDAT', data));
      await accept(withPixels(pixels), 'image/png');
      for (const cut of cuts) {
        const of = `${width} × ${height}, ${cut}`;
        await assertRefused(bytes.subarray(0, bytes.length * cut), 'image/png', of);
        await assertRefused(withPixels(pixels.subarray(0, pixels.length * cut)), 'image/png', `${of}, in whole chunks`);
      }
      await assertRefused(withPixels(pixels.subarray(0, -4)), 'image/png', 'without its checksum');
      await assertRefused(withPixels(Buffer.alloc(pixels.length, 0x5a)), 'image/png', 'garbage');
      for (const at of [pixels.length >> 1, pixels.length - 2]) {
        const flipped = Buffer.from(pixels);
        flipped[at]! ^= 0x10;
        await assertRefused(withPixels(flipped), 'image/png', `a flipped bit at ${at} of ${pixels.length}`);
      }
    }
  });
}

test('damaged: a PNG of a depth that there is not is refused', async () => {
  const { pixels } = partsOf(await picture(60, 40).png().toBuffer());
  await assertRefused(pngOf(pngHeader(60, 40, 3, 2), pngChunk('IDAT', pixels)), 'image/png', 'depth 3');
});

test('damaged: a PNG with fewer rows than its header says is refused', async () => {
  const { pixels } = partsOf(await picture(60, 40).png().toBuffer());
  await assertRefused(pngOf(pngHeader(60, 41, 8, 2), pngChunk('IDAT', pixels)), 'image/png', 'a row');
});

test('damaged: a PNG of empty and of many IDAT chunks is accepted', async () => {
  const { head, pixels } = partsOf(await picture(50, 50).png().toBuffer());
  const chunks = Array.from(pixels, (_, i) => pngChunk('IDAT', pixels.subarray(i, i + 1)));
  await accept(pngOf(head, pngChunk('IDAT', Buffer.alloc(0)), ...chunks), 'image/png');
});

interface Frame {
  /** Where its data begins, with the size of the first code. */
  readonly data: number;
  /** Where each of its blocks begins. */
  readonly blocks: readonly number[];
}

/** The last frame of a GIF, whose image block has no offset: its blocks go on to the trailer. */
function lastFrameOf(bytes: Buffer, width: number, height: number): Frame {
  const head = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16LE(width, 5);
  head.writeUInt16LE(height, 7);
  const flags = bytes.lastIndexOf(head) + 9;
  const data = flags + 1 + ((bytes[flags]! & 0x80) === 0 ? 0 : 3 * 2 ** ((bytes[flags]! & 7) + 1));
  const blocks: number[] = [];
  for (let at = data + 1; bytes[at] !== 0; at += 1 + bytes[at]!) blocks.push(at);
  return { data, blocks };
}

for (const [name, frames, progressive] of [
  ['a GIF', 1, false],
  ['an interlaced GIF', 1, true],
  ['an animated GIF', 3, false],
] as const) {
  test(`damaged: ${name} is refused where it is cut, and where its pixels are garbage`, async () => {
    for (const [width, height] of sizes) {
      const bytes = await picture(width, height, frames).gif({ progressive, reuse: false }).toBuffer();
      const { data, blocks } = lastFrameOf(bytes, width, height);
      await accept(bytes, 'image/gif');
      for (const cut of cuts) await assertRefused(bytes.subarray(0, bytes.length * cut), 'image/gif', `${cut}`);
      for (const value of [0x5a, 0xff]) {
        const garbage = Buffer.from(bytes);
        for (const at of blocks) garbage.fill(value, at + 1, at + 1 + garbage[at]!);
        await assertRefused(garbage, 'image/gif', `${value}`);
      }
      const codes = Buffer.from(bytes);
      codes[data] = 12;
      await assertRefused(codes, 'image/gif', 'codes of 12 bits');
    }
  });
}

test('damaged: pixels that are missing in a frame of a whole GIF are black, or as they are in the frame before', async () => {
  const pixelsOf = async (bytes: Buffer) => await sharp(bytes, { animated: true }).ensureAlpha().raw().toBuffer();
  for (const frames of [1, 2]) {
    const bytes = await picture(60, 40, frames).gif({ reuse: false }).toBuffer();
    const before = frames === 1 ? [0, 0, 0, 255] : [...(await pixelsOf(bytes)).subarray(60 * 40 * 4 - 4, 60 * 40 * 4)];
    const { blocks } = lastFrameOf(bytes, 60, 40);
    for (const block of [blocks[0]!, blocks[blocks.length >> 1]!, blocks.at(-1)!]) {
      const cut = Buffer.concat([bytes.subarray(0, block), Buffer.from([0, 0x3b])]);
      const prepared = await prepare(cut, 'image/gif');
      assert.deepEqual([...(await pixelsOf(Buffer.from(prepared.bytes))).subarray(-4)], before);
    }
  }
});

test('damaged: bytes after the last pixel inside the compressed data are not looked for', async () => {
  const { head, pixels } = partsOf(await picture(60, 40).png().toBuffer());
  await accept(pngOf(head, pngChunk('IDAT', Buffer.concat([pixels, Buffer.from('hidden')]))), 'image/png');
  const jpeg = await picture(60, 40).jpeg().toBuffer();
  await accept(Buffer.concat([jpeg.subarray(0, -2), Buffer.from('hidden'), jpeg.subarray(-2)]), 'image/jpeg');
});
