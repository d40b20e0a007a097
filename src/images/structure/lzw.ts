import { badImage } from '../refusal.ts';

/** Codes have at most 12 bits (GIF89a, appendix F); a full table stays as it is until it is cleared. */
const maxWidth = 12;
const maxCodes = 2 ** maxWidth;

const damaged = (how: string) => badImage(`it is damaged: ${how}`);

/**
 * Walks the compressed pixels of one frame of a GIF. Only the lengths of what the codes stand for are added up, so it costs
 * as much as the data is long, whatever comes out. Throws 400 where it is not exactly that many pixels.
 *
 * Encoders differ behind the last pixel: some write no end code, or one that is a bit too narrow, or clear the table
 * once more, or fill up with a byte of zeros. Nothing else may be there.
 */
export function walkLzw(data: Uint8Array, codeSize: number, pixels: number): void {
  if (codeSize < 2 || codeSize > 8)
    throw damaged('the GIF has a frame whose codes begin with another size than 2 to 8 bits');
  const clear = 1 << codeSize;
  const end = clear + 1;
  const lengths = new Uint16Array(maxCodes).fill(1, 0, clear);
  let width = codeSize + 1;
  let next = end + 1;
  let previous = -1;
  let left = pixels;
  let at = 0;
  let bits = 0;
  let count = 0;
  while (left > 0) {
    while (count < width) {
      if (at === data.length) throw damaged('a frame of the GIF has too few pixels');
      bits |= data[at++]! << count;
      count += 8;
    }
    const code = bits & ((1 << width) - 1);
    bits >>>= width;
    count -= width;
    if (code === clear) {
      width = codeSize + 1;
      next = end + 1;
      previous = -1;
      continue;
    }
    if (code === end) throw damaged('a frame of the GIF has too few pixels');
    if (previous >= 0 && next < maxCodes) {
      lengths[next] = lengths[previous]! + 1;
      next += 1;
      if (next === 1 << width && width < maxWidth) width += 1;
    }
    if (code >= next || (previous < 0 && code > end)) throw damaged('the GIF has a code that stands for nothing');
    left -= lengths[code]!;
    previous = code;
  }
  if (left < 0) throw damaged('a frame of the GIF has too many pixels');
  const rest = readRest(data.subarray(at), bits, count);
  if (rest.peek(width) === clear) {
    rest.skip(width);
    width = codeSize + 1;
  }
  if (rest.peek(width) === end) rest.skip(width);
  if (!rest.isEmpty()) throw badImage('nothing may follow the pixels of a frame of the GIF');
}

/** What is left behind the last pixel, with the bits of it that were read already. */
function readRest(data: Uint8Array, readBits: number, readCount: number) {
  // More than a clear code, an end code and padding is refused, so no more is looked at.
  let value = readBits;
  let count = readCount;
  let at = 0;
  const fill = (width: number) => {
    for (; count < width && at < data.length; at += 1, count += 8) value |= data[at]! << count;
  };
  return {
    /** The next code; bits that are missing are 0. */
    peek(width: number): number {
      fill(width);
      return value & ((1 << width) - 1);
    },
    skip(width: number): void {
      value >>>= width;
      count = Math.max(0, count - width);
    },
    /** True where only the rest of a byte follows, and one byte of zeros at most. */
    isEmpty(): boolean {
      const bytes = (count >> 3) + data.length - at;
      if (bytes === 0) return true;
      fill(16);
      return bytes === 1 && value >>> (count & 7) === 0;
    },
  };
}
