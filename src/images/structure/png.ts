import { crc32 } from 'node:zlib';
import { badImage } from '../refusal.ts';
import { readOrientation } from './orientation.ts';
import { createRanges, type ImageStructure } from './ranges.ts';

/** What the picture is made of. Left out: texts, times, profiles (compressed, without bound) and animation frames. */
const pictureChunks: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'pHYs',
  'IDAT',
  'IEND',
]);

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Colour types and the bit depths that each may have (PNG, third edition, §11.2.1). */
const depths: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

interface Chunk {
  readonly type: string;
  readonly from: number;
  readonly to: number;
  readonly data: Buffer;
}

/** Walks all chunks of a PNG file up to its last byte. Throws 400 at the first thing that is wrong. */
export function inspectPng(bytes: Buffer): ImageStructure {
  const ranges = createRanges();
  ranges.keep(0, pngSignature.length);
  const first = chunkAt(bytes, pngSignature.length);
  if (first.type !== 'IHDR' || first.data.length !== 13)
    throw badImage('a PNG that begins with its IHDR chunk expected');
  const dimensions = readHeader(first.data);
  let orientation = 1;
  let chunk = first;
  let before = '';
  let hasPixels = false;
  for (; ; chunk = chunkAt(bytes, chunk.to)) {
    checkOrder(chunk, before, hasPixels);
    if (pictureChunks.has(chunk.type)) ranges.keep(chunk.from, chunk.to);
    else ranges.pass();
    if (chunk.type === 'eXIf') orientation = readOrientation(chunk.data);
    if (chunk.type === 'IDAT') hasPixels = true;
    if (chunk.type === 'IEND') break;
    before = chunk.type;
  }
  if (!hasPixels) throw badImage('a PNG with pixels expected, it has no IDAT chunk');
  if (chunk.to !== bytes.length) throw badImage('nothing may follow the end of the PNG');
  return { dimensions, frames: 1, orientation, kept: ranges.all() };
}

function chunkAt(bytes: Buffer, from: number): Chunk {
  if (from + 12 > bytes.length) throw badImage('the PNG is cut off, a whole one expected');
  const length = bytes.readUInt32BE(from);
  const to = from + 12 + length;
  if (to > bytes.length) throw badImage('the PNG is cut off, a whole one expected');
  const type = bytes.toString('latin1', from + 4, from + 8);
  if (!/^[A-Za-z]{4}$/.test(type)) throw badImage('the PNG has a chunk without a proper name');
  const crc = bytes.readUInt32BE(to - 4);
  if (crc32(bytes.subarray(from + 4, to - 4)) !== crc)
    throw badImage(`the PNG is damaged: the checksum of ${type} is wrong`);
  return { type, from, to, data: bytes.subarray(from + 8, to - 4) };
}

function readHeader(data: Buffer): ImageStructure['dimensions'] {
  const [w, h] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth, colour, compression, filter, interlace] = data.subarray(8);
  const isKnown = depths.get(colour!)?.includes(depth!) && compression === 0 && filter === 0 && interlace! <= 1;
  if (!isKnown || w === 0 || h === 0) throw badImage('the PNG has a header of no known form');
  return { w, h };
}

function checkOrder({ type, from }: Chunk, before: string, hasPixels: boolean): void {
  const isCritical = type < 'a';
  if (isCritical && !pictureChunks.has(type)) throw badImage(`the PNG has the unknown critical chunk ${type}`);
  if (type === 'IHDR' && from !== pngSignature.length) throw badImage('the PNG has two headers');
  if (type === 'IDAT' && hasPixels && before !== 'IDAT') throw badImage('the IDAT chunks of the PNG are not in a row');
}
