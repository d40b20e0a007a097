import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import type { ImageType } from '../../src/domain/image/file-name.ts';
import { openTestCodec } from './open-test-codec.ts';

const { prepare } = openTestCodec();

/** Four fields whose colours and opacities differ, `w` × `h` pixels. */
function fields(w: number, h: number, channels: 1 | 2 | 3 | 4): Sharp {
  const colours = [
    [200, 30, 30, 255],
    [30, 200, 30, 128],
    [30, 30, 200, 255],
    [250, 220, 40, 60],
  ];
  const chosen = channels < 3 ? [0, 3] : [0, 1, 2, 3];
  const corner = Buffer.from(colours.flatMap((colour) => chosen.slice(0, channels).map((at) => colour[at]!)));
  const small = sharp(corner, { raw: { width: 2, height: 2, channels } });
  return small.resize(w, h, { kernel: 'nearest', fit: 'fill' });
}

/** Red, green, blue and opacity in the middle of each of the four fields. */
async function samples(image: Uint8Array): Promise<readonly number[]> {
  const { data, info } = await sharp(image)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: w, height: h, channels } = info;
  return [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].flatMap((x) => {
      const at = (Math.floor(y * h) * w + Math.floor(x * w)) * channels;
      return [...data.subarray(at, at + channels)];
    }),
  );
}

const pictures: readonly (readonly [string, ImageType, () => Promise<Buffer>])[] = [
  ['a colour JPEG', 'image/jpeg', () => fields(1800, 1000, 3).jpeg().toBuffer()],
  ['a grey JPEG', 'image/jpeg', () => fields(1800, 1000, 1).toColourspace('b-w').jpeg().toBuffer()],
  ['a CMYK JPEG', 'image/jpeg', () => fields(1800, 1000, 3).toColourspace('cmyk').jpeg().toBuffer()],
  ['a JPEG with a profile', 'image/jpeg', () => fields(1800, 1000, 3).withIccProfile('p3').jpeg().toBuffer()],
  ['a PNG', 'image/png', () => fields(1800, 1000, 3).png().toBuffer()],
  ['a PNG with transparency', 'image/png', () => fields(1800, 1000, 4).png().toBuffer()],
  ['a PNG with a palette', 'image/png', () => fields(1800, 1000, 4).png({ palette: true }).toBuffer()],
  ['a grey PNG', 'image/png', () => fields(1800, 1000, 1).toColourspace('b-w').png().toBuffer()],
  ['a grey PNG with transparency', 'image/png', () => fields(1800, 1000, 2).toColourspace('b-w').png().toBuffer()],
  ['a PNG of 16 bits', 'image/png', () => fields(1800, 1000, 4).toColourspace('rgb16').png().toBuffer()],
];

for (const [name, type, make] of pictures) {
  test(`prepare: the five renditions of ${name} are like those made of it one by one`, async () => {
    const { bytes, renditions } = await prepare(await make(), type);
    assert.equal(renditions.length, 5);
    for (const rendition of renditions) {
      const alone = await scaled(bytes, type, await sharp(rendition.bytes).metadata());
      const [expected, found] = [await samples(alone), await samples(rendition.bytes)];
      // What the coding of a JPEG does to colours.
      const differs = found.filter((value, at) => Math.abs(value - expected[at]!) > (type === 'image/jpeg' ? 6 : 1));
      assert.deepEqual(differs, [], `${rendition.name}: ${found} instead of ${expected}`);
      assert.deepEqual(await form(rendition.bytes), await form(alone));
    }
  });
}

/** The picture scaled by itself, to the dimensions of its rendition. */
function scaled(bytes: Uint8Array, type: ImageType, { width, height }: { width: number; height: number }) {
  const image = sharp(bytes).resize(width, height, { fit: 'fill' });
  return (type === 'image/jpeg' ? image.jpeg({ quality: 82, optimiseCoding: false }) : image.png()).toBuffer();
}

async function form(image: Uint8Array) {
  const { width, height, depth, hasAlpha, space, channels } = await sharp(image).metadata();
  return { width, height, depth, hasAlpha, space, channels };
}
