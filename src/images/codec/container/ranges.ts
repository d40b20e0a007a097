import type { Dimensions } from '../../../domain/image/rendition.ts';
import { badImage } from '../../refusal.ts';

/** What a file says about itself, found by parsing its container; nothing is decoded. */
export interface ImageStructure {
  readonly dimensions: Dimensions;
  /** 1 but for animations. */
  readonly frames: number;
  /** How to turn the picture, 1–8 as Exif has it; 1 is not at all. */
  readonly orientation: number;
  /** The parts that make the picture, without everything that only tells about it. */
  readonly kept: readonly Range[];
}

/** Bytes from `from` up to, and without, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Parts of a file: far more than any program writes, and few enough to cost nothing. */
const maxParts = 50_000;

/** Gathers ranges in their order; neighbours become one. Throws where there are too many. */
export function createRanges() {
  const ranges: { from: number; to: number }[] = [];
  let parts = 0;
  return {
    /** Counts a part that is passed over. */
    pass(): void {
      parts += 1;
      if (parts > maxParts) throw badImage(`it has more than ${maxParts} parts`);
    },
    keep(from: number, to: number): void {
      this.pass();
      const last = ranges.at(-1);
      if (last?.to === from) last.to = to;
      else ranges.push({ from, to });
    },
    all: (): readonly Range[] => ranges,
  };
}

/** The file reduced to these ranges. */
export function reduceTo(bytes: Buffer, ranges: readonly Range[]): Buffer {
  const [first] = ranges;
  if (ranges.length === 1 && first?.from === 0 && first.to === bytes.length) return bytes;
  return Buffer.concat(ranges.map(({ from, to }) => bytes.subarray(from, to)));
}
