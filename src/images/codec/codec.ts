import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { ImageType } from '../../domain/image/file-name.ts';
import { type Dimensions, planRenditions, type RenditionName } from '../../domain/image/rendition.ts';
import { inspectImage, type PictureLimits } from './container/inspect.ts';
import { badImage, reduceTo } from './container/structure.ts';
import type { CodecTask } from './open-codec.ts';

/** Decodes and encodes. Loaded by codec-thread.ts only: loading the library takes longer than a start may. */

// One core per picture leaves the others for requests. No input is used twice, so a cache would only hold memory.
sharp.concurrency(1);
sharp.cache(false);

/** Of JPEGs. */
const renditionQuality = 82;
const turnedQuality = 92;

/** Longest time for one picture. */
const timeoutSeconds = 60;

/** An image that was checked and can be served. */
export type PreparedImage = Awaited<ReturnType<typeof prepareImage>>;

/**
 * Checks an uploaded file, or the bytes of a stored image, and strips it of metadata. A picture with an orientation is turned and re-encoded, all others
 * keep their coding (decision 61). Throws 400 where the file is not one whole, decodable image.
 */
export async function prepareImage({ source, type }: CodecTask, limits: PictureLimits) {
  const sent = typeof source === 'string' ? await readFile(source) : Buffer.from(source);
  const { kept, orientation, dimensions: coded } = inspectImage(sent, type, limits);
  const stripped = reduceTo(sent, kept);
  const dimensions = orientation > 4 ? { w: coded.h, h: coded.w } : coded;
  const planned = planRenditions(dimensions).filter(({ isOriginal }) => !isOriginal);
  try {
    const bytes = orientation > 1 ? await turn(stripped, type, orientation) : stripped;
    // Making a rendition decodes the whole picture, except for a JPEG, of which it only decodes what it needs.
    if (type === 'image/jpeg') await lastPixelOf(open(bytes, type), dimensions).toBuffer();
    else if (planned.length === 0) await open(bytes, type).raw().toBuffer();
    return { bytes, dimensions, renditions: await makeRenditions(bytes, type, dimensions, planned) };
  } catch (error) {
    const isLate = (error as Error).message.startsWith('timeout:');
    if (isLate) throw badImage(`scaling it takes over ${timeoutSeconds} seconds; send it smaller or with fewer frames`);
    throw badImage('it is damaged; expected a picture that can be decoded to its end');
  }
}

/**
 * Makes renditions, the smallest first. The picture is decoded once: all but the largest are made from the pixels of the
 * largest, whose sides are at least about twice as long.
 */
async function makeRenditions(
  bytes: Uint8Array,
  type: ImageType,
  from: Dimensions,
  planned: ReturnType<typeof planRenditions>,
) {
  const largest = planned.at(-1);
  const scale = await scaleOf(bytes, type, from);
  const isShared = planned.length > 1 && scale === scaleAll && (await keepsPixels(open(bytes, type)));
  const source = largest && isShared ? await pixelsOf(bytes, type, largest.dimensions) : () => open(bytes, type);
  const made: { readonly name: RenditionName; readonly bytes: Uint8Array }[] = [];
  for (const { name, dimensions } of planned) {
    const isSource = isShared && name === largest?.name;
    const image = isSource ? source() : scale(source(), dimensions);
    made.push({ name, bytes: await encode(image, type, renditionQuality).toBuffer() });
  }
  return made;
}

/** True where one byte per channel holds all of a picture: not with 16 bits, transparency or several frames. */
async function keepsPixels(image: Sharp): Promise<boolean> {
  const { depth, hasAlpha, pages = 1 } = await image.metadata();
  return depth === 'uchar' && !hasAlpha && pages === 1;
}

/** The picture, decoded and scaled once, as the input of further steps. */
async function pixelsOf(bytes: Uint8Array, type: ImageType, dimensions: Dimensions): Promise<() => Sharp> {
  const image = scaleAll(open(bytes, type), dimensions).raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return () => sharp(data, { raw: { width, height, channels } }).timeout({ seconds: timeoutSeconds });
}

/** The last pixel: the decoder reads all pixels before it, and no memory is needed for them. */
function lastPixelOf(image: Sharp, { w, h }: Dimensions): Sharp {
  return image.extract({ left: w - 1, top: h - 1, width: 1, height: 1 }).raw();
}

/** The limits are checked before anything is decoded, and by all frames together. */
function open(bytes: Uint8Array, type: ImageType): Sharp {
  const input = sharp(bytes, { failOn: 'warning', limitInputPixels: false, animated: type === 'image/gif' });
  return input.timeout({ seconds: timeoutSeconds });
}

function encode(image: Sharp, type: ImageType, quality: number): Sharp {
  switch (type) {
    case 'image/jpeg':
      // With optimised tables all coefficients would be kept in memory: 6 bytes for each pixel.
      return image.jpeg({ quality, optimiseCoding: false });
    case 'image/png':
      return image.png();
    case 'image/gif':
      return image.gif({ effort: 3 });
  }
}

/** Scales a picture, as it comes from its file, to other dimensions of the same proportions. */
type Scale = (picture: Sharp, to: Dimensions) => Sharp;

const scaleAll: Scale = (picture, { w, h }) => picture.resize(w, h, { fit: 'fill' });

const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * How an image is scaled. Of a GIF the decoder ignores some dimensions, such as 640 × 480 and all beyond 2048: it then
 * returns only the part that has frames, from the upper left corner on. The rest is transparent, as browsers show it.
 */
async function scaleOf(bytes: Uint8Array, type: ImageType, canvas: Dimensions): Promise<Scale> {
  if (type !== 'image/gif') return scaleAll;
  const { width, height, pageHeight = height } = await open(bytes, type).metadata();
  if (width === canvas.w && pageHeight === canvas.h) return scaleAll;
  return (picture, to) => {
    const w = Math.max(1, Math.round((width * to.w) / canvas.w));
    const h = Math.max(1, Math.round((pageHeight * to.h) / canvas.h));
    return scaleAll(picture, { w, h }).extend({ right: to.w - w, bottom: to.h - h, background: transparent });
  };
}

/** Clockwise rotation in degrees, by Exif orientation. */
const rotations: Readonly<Record<number, number>> = { 3: 180, 5: 270, 6: 90, 7: 90, 8: 270 };

/** Turns a picture as its Exif orientation says: mirrored first, then rotated. */
async function turn(bytes: Uint8Array, type: ImageType, orientation: number): Promise<Uint8Array> {
  let image = open(bytes, type);
  if (type === 'image/jpeg') image = keepColours(image, (await image.metadata()).space);
  if (orientation === 4) image = image.flip();
  if (orientation === 2 || orientation === 5 || orientation === 7) image = image.flop();
  const degrees = rotations[orientation];
  return encode(degrees === undefined ? image : image.rotate(degrees), type, turnedQuality).toBuffer();
}

/** Keeps the colour space, and with it the profile, which is valid for that space only. */
function keepColours(image: Sharp, space: string | undefined): Sharp {
  const kept = image.keepIccProfile();
  if (space === 'cmyk') return kept.pipelineColourspace('cmyk').toColourspace('cmyk');
  return space === 'b-w' ? kept.toColourspace('b-w') : kept;
}
