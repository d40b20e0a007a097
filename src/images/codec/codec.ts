import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { ImageType } from '../../domain/image/format.ts';
import {
  type Dimensions,
  type PlannedRendition,
  planRenditions,
  type RenditionName,
} from '../../domain/image/rendition.ts';
import { badImage } from '../refusal.ts';
import { inspectImage, type PictureLimits, readStructure } from './container/inspect.ts';
import { reduceTo } from './container/ranges.ts';
import { type Scale, scaleAll, scaleOfGif } from './scale.ts';

/** Decodes and encodes. Loaded by codec-thread.ts only: loading the library takes longer than a start may. */

// One core for one picture: the others are for requests. Nothing is asked twice, so a cache would only hold memory.
sharp.concurrency(1);
sharp.cache(false);

/** A picture of more pixels, frames counted, gets most renditions after its upload was answered (decision 62). */
const promptPixels = 4_000_000;

/** Of JPEGs. */
const renditionQuality = 82;

/** Longest time for one picture. */
const timeoutSeconds = 60;

interface MadeRendition {
  readonly name: RenditionName;
  readonly bytes: Uint8Array;
}

/** An image that was checked, fit to be served. */
export interface PreparedImage {
  readonly bytes: Uint8Array;
  readonly dimensions: Dimensions;
  readonly renditions: readonly MadeRendition[];
  /** There are more renditions to be made. */
  readonly isDeferred: boolean;
}

/**
 * Checks an uploaded file and takes out of it what is no picture; pictures that are to be turned are turned and encoded
 * anew, all others keep their coding (decision 61). Throws 400 for what is no whole, decodable image.
 */
export async function prepareImage(path: string, type: ImageType, limits: PictureLimits): Promise<PreparedImage> {
  const sent = await readFile(path);
  const structure = inspectImage(sent, type, limits);
  const bare = reduceTo(sent, structure.kept);
  const isTurned = structure.orientation > 1;
  const bytes = isTurned ? await decoded(() => turn(bare, type, structure.orientation)) : bare;
  const { w, h } = structure.dimensions;
  const dimensions = structure.orientation > 4 ? { w: h, h: w } : { w, h };
  const planned = planRenditions(dimensions).filter(({ isOriginal }) => !isOriginal);
  const isPrompt = w * h * structure.frames <= promptPixels;
  const prompt = isPrompt ? planned : planned.slice(0, 1);
  // To make the first rendition decodes the whole picture, but of a JPEG the library only decodes what a small one needs.
  if (type === 'image/jpeg') await decoding(lastPixelOf(open(bytes, type), dimensions));
  else if (prompt.length === 0) await decoding(open(bytes, type).raw());
  const renditions = await makeRenditions(bytes, type, dimensions, prompt);
  return { bytes, dimensions, renditions, isDeferred: planned.length > prompt.length };
}

/**
 * Makes renditions, the smallest first. The picture is decoded once: all but the largest are made of the pixels of the
 * largest, which has twice their sides at least, or nearly so.
 */
async function makeRenditions(
  bytes: Uint8Array,
  type: ImageType,
  from: Dimensions,
  planned: readonly PlannedRendition[],
): Promise<readonly MadeRendition[]> {
  const largest = planned.at(-1);
  const scale = await decoded(() => scaleOf(bytes, type, from));
  const isShared = planned.length > 1 && scale === scaleAll && (await decoded(() => keepsPixels(open(bytes, type))));
  const source = largest && isShared ? await pixelsOf(bytes, type, largest.dimensions) : () => open(bytes, type);
  const made: MadeRendition[] = [];
  for (const { name, dimensions } of planned) {
    const isSource = isShared && name === largest?.name;
    const image = isSource ? source() : scale(source(), dimensions);
    made.push({ name, bytes: await decoding(encode(image, type, renditionQuality)) });
  }
  return made;
}

/**
 * True where nothing is lost between two steps, in which pixels have one byte a channel: 16 bits would be, and colours
 * that are nearly transparent, and animations.
 */
async function keepsPixels(image: Sharp): Promise<boolean> {
  const { depth, hasAlpha, pages = 1 } = await image.metadata();
  return depth === 'uchar' && !hasAlpha && pages === 1;
}

/** The picture, decoded and scaled, to be taken up from there as often as wanted. */
async function pixelsOf(bytes: Uint8Array, type: ImageType, dimensions: Dimensions): Promise<() => Sharp> {
  const image = scaleAll(open(bytes, type), dimensions).raw();
  const { data, info } = await decoded(() => image.toBuffer({ resolveWithObject: true }));
  const { width, height, channels } = info;
  return () => sharp(data, { raw: { width, height, channels } }).timeout({ seconds: timeoutSeconds });
}

/** Makes a rendition of an image that was prepared; undefined where the original stands for it. */
export async function renderImage(
  bytes: Uint8Array,
  type: ImageType,
  rendition: RenditionName,
): Promise<Uint8Array | undefined> {
  const { dimensions } = readStructure(Buffer.from(bytes), type);
  const planned = planRenditions(dimensions).find(({ name }) => name === rendition);
  if (planned === undefined || planned.isOriginal) return undefined;
  const scale = await scaleOf(bytes, type, dimensions);
  return encode(scale(open(bytes, type), planned.dimensions), type, renditionQuality).toBuffer();
}

/** The last pixel alone, which takes no memory, and for which all before it are decoded. */
function lastPixelOf(image: Sharp, { w, h }: Dimensions): Sharp {
  return image.extract({ left: w - 1, top: h - 1, width: 1, height: 1 }).raw();
}

/** The limits were checked already, with frames and before anything was decoded. */
function open(bytes: Uint8Array, type: ImageType): Sharp {
  const input = sharp(bytes, { failOn: 'warning', limitInputPixels: false, animated: type === 'image/gif' });
  return input.timeout({ seconds: timeoutSeconds });
}

function encode(image: Sharp, type: ImageType, quality: number): Sharp {
  switch (type) {
    case 'image/jpeg':
      return image.jpeg({ quality });
    case 'image/png':
      return image.png();
    case 'image/gif':
      return image.gif({ effort: 3 });
  }
}

function scaleOf(bytes: Uint8Array, type: ImageType, dimensions: Dimensions): Promise<Scale> {
  return type === 'image/gif' ? scaleOfGif(open(bytes, type), dimensions) : Promise.resolve(scaleAll);
}

/** Turns a picture as its Exif orientation says: mirrored first, then rotated clockwise. */
async function turn(bytes: Uint8Array, type: ImageType, orientation: number): Promise<Uint8Array> {
  let image = open(bytes, type);
  if (type === 'image/jpeg') image = keepColours(image, (await image.metadata()).space);
  if (orientation === 4) image = image.flip();
  if (orientation === 2 || orientation === 5 || orientation === 7) image = image.flop();
  const degrees = new Map([
    [3, 180],
    [5, 270],
    [6, 90],
    [7, 90],
    [8, 270],
  ]).get(orientation);
  return encode(degrees === undefined ? image : image.rotate(degrees), type, 92).toBuffer();
}

/** Colours stay as they are, and so does the profile that says what they mean: it fits no other colour space. */
function keepColours(image: Sharp, space: string | undefined): Sharp {
  const kept = image.keepIccProfile();
  if (space === 'cmyk') return kept.pipelineColourspace('cmyk').toColourspace('cmyk');
  return space === 'b-w' ? kept.toColourspace('b-w') : kept;
}

function decoding(image: Sharp): Promise<Uint8Array> {
  return decoded(() => image.toBuffer());
}

/** What cannot be decoded is the client's doing. */
async function decoded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw badImage('it is damaged, a picture that can be decoded to its end expected');
  }
}
