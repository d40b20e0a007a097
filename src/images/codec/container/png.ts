import { crc32 } from 'node:zlib';
import { badImage, createRanges, type ImageStructure, readOrientation } from './structure.ts';

/**
 * The chunks that make up the picture, and the lengths they may have. Left out: texts, times, profiles (compressed, so
 * without a bound) and animation frames.
 */
const pictureChunks = new Map<string, (length: number) => boolean>([
  ['IHDR', (length) => length === 13],
  ['PLTE', (length) => length > 0 && length <= 768 && length % 3 === 0],
  ['tRNS', (length) => length > 0 && length <= 256],
  ['gAMA', (length) => length === 4],
  ['cHRM', (length) => length === 32],
  ['sRGB', (length) => length === 1],
  ['pHYs', (length) => length === 9],
  ['IDAT', () => true],
  ['IEND', (length) => length === 0],
]);

/** By colour type: grey, colours, a palette (decoded to colours with alpha), grey with alpha, colours with alpha. */
const channelsOf: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 4],
  [4, 2],
  [6, 4],
]);

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Chunk = ReturnType<typeof chunkAt>;

/** Parses all chunks of a PNG; what follows the last one is left out. Throws 400 at the first thing that is wrong. */
export function inspectPng(bytes: Buffer): ImageStructure {
  const ranges = createRanges();
  ranges.keep(0, pngSignature.length);
  const first = chunkAt(bytes, pngSignature.length);
  if (first.type !== 'IHDR' || first.data.length !== 13)
    throw badImage('expected a PNG that begins with its IHDR chunk');
  const dimensions = { w: first.data.readUInt32BE(0), h: first.data.readUInt32BE(4) };
  if (dimensions.w === 0 || dimensions.h === 0) throw badImage('the PNG has no dimensions');
  let orientation = 1;
  let chunk = first;
  const seen = new Set<string>();
  let before = '';
  for (; ; chunk = chunkAt(bytes, chunk.to)) {
    checkOrder(chunk, before, seen);
    if (isPicture(chunk, seen)) ranges.keep(chunk.from, chunk.to);
    else ranges.leaveOut();
    if (chunk.type === 'eXIf') orientation = readOrientation(chunk.data);
    if (chunk.type === 'IEND') break;
    before = chunk.type;
    seen.add(chunk.type);
  }
  if (!seen.has('IDAT')) throw badImage('the PNG has no pixels: its IDAT chunk is missing');
  const [depth = 8, colours = 6, , , interlace = 0] = first.data.subarray(8);
  const pixelBytes = (channelsOf.get(colours) ?? 4) * (depth === 16 ? 2 : 1);
  const copies = (interlace === 0 ? 0 : 1) + (orientation > 1 ? 1 : 0);
  const decodedBytes = dimensions.w * dimensions.h * pixelBytes * copies;
  return { dimensions, frames: 1, orientation, decodedBytes, kept: ranges.all() };
}

function chunkAt(bytes: Buffer, from: number) {
  if (from + 12 > bytes.length) throw badImage('the PNG is cut off; expected a whole one');
  const length = bytes.readUInt32BE(from);
  const to = from + 12 + length;
  if (to > bytes.length) throw badImage('the PNG is cut off; expected a whole one');
  const type = bytes.toString('latin1', from + 4, from + 8);
  if (!/^[A-Za-z]{4}$/.test(type)) throw badImage('the PNG has a chunk without a valid name');
  const crc = bytes.readUInt32BE(to - 4);
  if (crc32(bytes.subarray(from + 4, to - 4)) !== crc)
    throw badImage(`the PNG is damaged: the checksum of ${type} is wrong`);
  return { type, from, to, data: bytes.subarray(from + 8, to - 4) };
}

function checkOrder({ type, from, data }: Chunk, before: string, seen: ReadonlySet<string>): void {
  const isCritical = type < 'a';
  if (isCritical && !pictureChunks.has(type)) throw badImage(`the PNG has the unknown critical chunk ${type}`);
  if (type === 'IHDR' && from !== pngSignature.length) throw badImage('the PNG has two headers');
  if (type === 'IDAT' && seen.has(type) && before !== 'IDAT')
    throw badImage('the IDAT chunks of the PNG are not in a row');
  if (isCritical && !pictureChunks.get(type)!(data.length)) throw badImage(`the PNG has a wrong length of ${type}`);
  if (type === 'PLTE' && (seen.has(type) || seen.has('IDAT'))) throw badImage('the PNG has a palette out of place');
}

/** A chunk that helps to show the picture counts where decoders look for it: once, before the pixels, with its length. */
function isPicture({ type, data }: Chunk, seen: ReadonlySet<string>): boolean {
  if (type === 'IDAT' || type === 'IEND') return true;
  return pictureChunks.get(type)?.(data.length) === true && !seen.has(type) && !seen.has('IDAT');
}
