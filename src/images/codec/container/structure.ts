import { ServiceError } from '../../../contract/errors.ts';
import type { Dimensions } from '../../../domain/image/rendition.ts';

/** Facts from the container of an image; nothing is decoded. */
export interface ImageStructure {
  readonly dimensions: Dimensions;
  /** 1 but for animations. */
  readonly frames: number;
  /** How to turn the picture, 1–8 as in Exif; 1 is not at all. */
  readonly orientation: number;
  /** Memory that the decoder needs at once for pixels, in bytes: little where it goes from line to line. */
  readonly decodedBytes: number;
  /** The parts that make up the picture, without metadata. */
  readonly kept: readonly Range[];
}

/** Bytes from `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The refusal of bytes that are no usable image: 400 (decision 25). */
export function badImage(problem: string): ServiceError {
  return new ServiceError('InvalidInput', `The image cannot be used: ${problem}.`);
}

/** More parts than any program writes into a file, and few enough to cost nothing. */
const maxParts = 50_000;

/** Collects ranges in their order and joins adjacent ones. Throws 400 where there are too many. */
export function createRanges() {
  const ranges: { from: number; to: number }[] = [];
  let parts = 0;
  return {
    /** Counts a part that is left out. */
    leaveOut(): void {
      parts += 1;
      if (parts > maxParts) throw badImage(`it has more than ${maxParts} parts`);
    },
    keep(from: number, to: number): void {
      this.leaveOut();
      const last = ranges.at(-1);
      if (last?.to === from) last.to = to;
      else ranges.push({ from, to });
    },
    all: (): readonly Range[] => ranges,
  };
}

/** The file reduced to these ranges; the same buffer where nothing is left out. */
export function reduceTo(bytes: Buffer, ranges: readonly Range[]): Buffer {
  const [first] = ranges;
  if (ranges.length === 1 && first?.from === 0 && first.to === bytes.length) return bytes;
  return Buffer.concat(ranges.map(({ from, to }) => bytes.subarray(from, to)));
}

const orientationTag = 0x0112;

/** The orientation in an Exif block, from its TIFF header on; 1 if it is missing or invalid. */
export function readOrientation(tiff: Buffer): number {
  if (tiff.length < 14) return 1;
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const read16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const entries = read16(directory);
  for (let at = directory + 2, entry = 0; entry < entries && at + 12 <= tiff.length; entry += 1, at += 12) {
    if (read16(at) !== orientationTag) continue;
    const value = read16(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
