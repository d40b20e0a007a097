import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Pictures for tests: made by the library, or byte by byte where no library would make them. */

const red = { r: 200, g: 30, b: 30 };

/** A JPEG of one colour, or with noise that does not compress. */
export function jpeg(width: number, height: number, noise = false): Promise<Buffer> {
  return plain(width, height, noise).jpeg().toBuffer();
}

/** A PNG of one colour, or with noise; without compression it is made in a moment. */
export function png(width: number, height: number, noise = false, compressionLevel = 6): Promise<Buffer> {
  return plain(width, height, noise).png({ compressionLevel }).toBuffer();
}

function plain(width: number, height: number, noise: boolean) {
  const create = { width, height, channels: 3 as const, background: red };
  return sharp({ create: noise ? { ...create, noise: { type: 'gaussian', mean: 128, sigma: 40 } } : create });
}

/** Bytes that look like noise, and are the same every time. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let seed = 1;
  for (let at = 0; at < length; at += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[at] = seed >> 16;
  }
  return bytes;
}

/** A GIF whose frames have colours of their own. */
export function gif(width: number, height: number, frames = 1): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3 * frames);
  for (let frame = 0; frame < frames; frame += 1) {
    pixels.fill((frame * 61) % 256, frame * width * height * 3, (frame + 1) * width * height * 3);
  }
  const raw = { width, height: height * frames, channels: 3 as const, pageHeight: height };
  return sharp(pixels, { raw, animated: true }).gif({ delay: 70, loop: 3 }).toBuffer();
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

export function pngHeader(width: number, height: number, depth = 1, colour = 0): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, 0], 8);
  return pngChunk('IHDR', data);
}

/** A black 1-bit PNG, whole in every respect: 30,000 × 30,000 of it are a few hundred KB at most. */
export function blackPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return pngOf(pngHeader(width, height), pngChunk('IDAT', deflateSync(rows, { level: 9 })));
}

export function pngOf(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([pngSignature, ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
}

/** Puts chunks behind the header of a PNG. */
export function withChunks(bytes: Buffer, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([bytes.subarray(0, 33), ...chunks, bytes.subarray(33)]);
}

export function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** Puts segments behind the first marker of a JPEG. */
export function withSegments(bytes: Buffer, ...segments: readonly Buffer[]): Buffer {
  return Buffer.concat([bytes.subarray(0, 2), ...segments, bytes.subarray(2)]);
}

/** A JPEG with an orientation, a place on earth and a camera in its Exif block. */
export function withExif(bytes: Buffer, orientation: number): Promise<Buffer> {
  const gps = { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' };
  return sharp(bytes)
    .withMetadata({ orientation })
    .withExifMerge({ IFD0: { Make: 'SecretCamera' }, IFD3: gps })
    .jpeg()
    .toBuffer();
}

/** A frame of a GIF, one pixel with its compressed data. */
const tinyFrame = Buffer.from('2c00000000010001000002024401 00'.replace(/ /g, ''), 'hex');

/** A GIF with that canvas and that many frames of one pixel. */
export function craftedGif(width: number, height: number, frames: number): Buffer {
  const head = Buffer.from('47494638396100000000800000000000ffffff', 'hex');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => tinyFrame), Buffer.from([0x3b])]);
}

/** A colour profile of grey pixels whose numbers are in proportion to light. */
export function greyProfile(): Buffer {
  const description = [Buffer.from('desc\0\0\0\0\0\0\0\x02g\0', 'latin1'), Buffer.alloc(80)];
  const tags = [
    ['desc', Buffer.concat(description)],
    ['wtpt', Buffer.from('58595a20000000000000f6d6000100000000d32d', 'hex')],
    ['kTRC', Buffer.from('63757276000000000000000101000000', 'hex')],
    ['cprt', Buffer.from('text\0\0\0\0x\0\0\0', 'latin1')],
  ] as const;
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length, 0);
  let end = 128 + table.length;
  for (const [i, [name, data]] of tags.entries()) {
    table.write(name, 4 + 12 * i, 'latin1');
    table.writeUInt32BE(end, 8 + 12 * i);
    table.writeUInt32BE(data.length, 12 + 12 * i);
    end += data.length;
  }
  const head = Buffer.alloc(128);
  head.writeUInt32BE(end, 0);
  head.writeUInt32BE(0x02400000, 8);
  head.write('mntrGRAYXYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  head.set(Buffer.from('0000f6d6000100000000d32d', 'hex'), 68);
  return Buffer.concat([head, table, ...tags.map(([, data]) => data)]);
}
