import { type ImageType, imageFormats, imageTypes } from '../../../domain/image/file-name.ts';
import { inspectGif } from './gif.ts';
import { inspectJpeg } from './jpeg.ts';
import { inspectPng, pngSignature } from './png.ts';
import { badImage, type ImageStructure } from './structure.ts';

/** Bounds of a picture, checked before it is decoded. */
export interface PictureLimits {
  /** Width times height times frames. */
  readonly maxPixels: number;
  readonly maxFrames: number;
  /** Memory for decoding. */
  readonly maxDecodedBytes: number;
}

/** No display is as wide, and some decoders have a limit here. */
const maxSide = 32_767;

interface Format {
  readonly matches: (bytes: Buffer) => boolean;
  readonly inspect: (bytes: Buffer) => ImageStructure;
}

const formats: Readonly<Record<ImageType, Format>> = {
  'image/jpeg': { matches: (bytes) => bytes.toString('latin1', 0, 3) === '\xff\xd8\xff', inspect: inspectJpeg },
  'image/png': { matches: (bytes) => bytes.subarray(0, 8).equals(pngSignature), inspect: inspectPng },
  'image/gif': { matches: (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)), inspect: inspectGif },
};

/**
 * Checks that the bytes are one whole image of the declared type and nothing else, within the limits (decision 25).
 * Whether its pixels can be decoded is for the decoder to say. Throws 400. Costs one pass over the bytes, whatever the
 * picture claims to be.
 */
export function inspectImage(bytes: Buffer, type: ImageType, limits: PictureLimits): ImageStructure {
  const found = imageTypes.find((known) => formats[known].matches(bytes));
  if (found !== type) {
    const looks =
      found === undefined ? 'do not look like an image of a known format' : `are ${imageFormats[found].name}`;
    throw badImage(`Content-Type says ${type}, but the bytes ${looks}`);
  }
  const structure = formats[type].inspect(bytes);
  checkLimits(structure, limits);
  return structure;
}

function checkLimits(
  { dimensions: { w, h }, frames, decodedBytes }: ImageStructure,
  { maxPixels, maxFrames, maxDecodedBytes }: PictureLimits,
): void {
  if (frames > maxFrames) throw badImage(`it has ${frames} frames; expected at most ${maxFrames}`);
  if (Math.max(w, h) > maxSide) throw badImage(`it is ${w} × ${h} pixels; expected at most ${maxSide} on a side`);
  const pixels = w * h * frames;
  if (pixels > maxPixels) throw badImage(`it has ${pixels} pixels in all; expected at most ${maxPixels}`);
  if (decodedBytes > maxDecodedBytes) {
    const [needed, allowed] = [decodedBytes, maxDecodedBytes].map((bytes) => Math.ceil(bytes / 1_000_000));
    const remedy = 'send it smaller, turned upright, or without interlacing or progressive coding';
    throw badImage(`decoding it takes ${needed} MB of memory, and this service has ${allowed} MB for that; ${remedy}`);
  }
}
