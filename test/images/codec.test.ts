import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { openCodec } from '../../src/images/codec/open-codec.ts';
import { openTestCodec } from './open-test-codec.ts';
import { gif, greyProfile, jpeg, jpegSegment, png, pngChunk, withChunks, withExif, withSegments } from './pictures.ts';

const { folder, codec, prepare } = openTestCodec();

async function facts(bytes: Uint8Array) {
  const { format, width, height, pages = 1, pageHeight } = await sharp(bytes).metadata();
  return [format, width, pageHeight ?? height, pages];
}

test('prepare: an image keeps its coding and gets the renditions it is large enough for', async () => {
  for (const [bytes, type, format] of [
    [await jpeg(800, 600), 'image/jpeg', 'jpeg'],
    [await png(800, 600), 'image/png', 'png'],
    [await gif(800, 600), 'image/gif', 'gif'],
  ] as const) {
    const prepared = await prepare(bytes, type);
    const pixels = async (image: Uint8Array) => (await sharp(image).raw().toBuffer()).toString('base64');
    assert.equal(await pixels(prepared.bytes), await pixels(bytes));
    const made = await Promise.all(prepared.renditions.map(async ({ name, bytes: made }) => [name, await facts(made)]));
    assert.deepEqual(made, [
      ['thumb', [format, 50, 38, 1]],
      ['small', [format, 150, 113, 1]],
      ['medium', [format, 400, 300, 1]],
      ['large', [format, 700, 525, 1]],
    ]);
  }
});

test('prepare: an animated GIF stays animated in all its renditions, with its delays and its loop', async () => {
  const { bytes, renditions } = await prepare(await gif(200, 100, 4), 'image/gif');
  assert.deepEqual(
    renditions.map(({ name }) => name),
    ['thumb', 'small'],
  );
  for (const image of [bytes, ...renditions.map((rendition) => rendition.bytes)]) {
    const { pages, delay, loop } = await sharp(image).metadata();
    assert.deepEqual([pages, delay, loop], [4, [70, 70, 70, 70], 3]);
  }
  assert.deepEqual(await facts(renditions[0]!.bytes), ['gif', 50, 25, 4]);
});

test('prepare: a GIF whose frames do not fill its canvas keeps its proportions, the rest being transparent', async () => {
  for (const [w, h, frames] of [
    [640, 480, 2],
    [640, 480, 1],
    [3000, 200, 1],
    [300, 200, 2],
  ] as const) {
    const bytes = await gif(100, 50, frames);
    bytes.writeUInt16LE(w, 6);
    bytes.writeUInt16LE(h, 8);
    const { dimensions, renditions } = await prepare(bytes, 'image/gif');
    assert.deepEqual(dimensions, { w, h });
    const thumb = renditions[0]!.bytes;
    assert.deepEqual(await facts(thumb), ['gif', 50, Math.round((h * 50) / w), frames]);
    const { data, info } = await sharp(thumb).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const alphaAt = (x: number, y: number) => data[(y * info.width + x) * 4 + 3];
    assert.deepEqual([alphaAt(0, 0), alphaAt(info.width - 1, info.height - 1)], [255, 0], `${w} × ${h}`);
  }
});

test('prepare: place, camera and every other Exif data are in nothing that is kept', async () => {
  const sent = await withExif(await jpeg(200, 100), 1);
  assert.ok(sent.includes('SecretCamera'));
  const { bytes, renditions } = await prepare(sent, 'image/jpeg');
  for (const image of [bytes, ...renditions.map((rendition) => rendition.bytes)]) {
    assert.ok(!Buffer.from(image).includes('SecretCamera'));
    const { exif, xmp, iptc, comments } = await sharp(image).metadata();
    assert.deepEqual([exif, xmp, iptc, comments], [undefined, undefined, undefined, undefined]);
  }
});

test('prepare: each of the eight orientations is applied to the picture, and then not said any more', async () => {
  // Four quarters of different colours, so that every turn and mirror image looks different.
  const quarters = Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]);
  const base = await sharp(quarters, { raw: { width: 2, height: 2, channels: 3 } })
    .resize(120, 80, { kernel: 'nearest', fit: 'fill' })
    .jpeg({ quality: 100 })
    .toBuffer();
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const sent = await withExif(base, orientation);
    const { bytes, dimensions, renditions } = await prepare(sent, 'image/jpeg');
    const expected = sharp(await sharp(sent).autoOrient().png().toBuffer());
    const { width, height } = await expected.metadata();
    assert.deepEqual([dimensions.w, dimensions.h], [width, height]);
    assert.equal((await sharp(bytes).metadata()).orientation, undefined);
    for (const image of [bytes, renditions[0]!.bytes]) {
      assert.deepEqual(
        await cornersOf(image),
        await cornersOf(await expected.toBuffer()),
        `orientation ${orientation}`,
      );
    }
  }
});

test('prepare: a JPEG that is turned keeps its colours and its profile, in each colour space', async () => {
  const quarters = Buffer.from([250, 60, 40, 40, 250, 60, 40, 60, 250, 250, 220, 40]);
  const picture = () =>
    sharp(quarters, { raw: { width: 2, height: 2, channels: 3 } }).resize(64, 64, { kernel: 'nearest', fit: 'fill' });
  const fine = { quality: 100, chromaSubsampling: '4:4:4' };
  for (const [name, sent] of [
    ['RGB of a wider gamut', withProfile(await picture().jpeg(fine).toBuffer(), await profileOf('p3'))],
    ['RGB without a profile', await picture().jpeg(fine).toBuffer()],
    ['CMYK', await picture().toColourspace('cmyk').withIccProfile('cmyk').jpeg(fine).toBuffer()],
    ['CMYK without a profile', await picture().toColourspace('cmyk').jpeg(fine).toBuffer()],
    ['grey', withProfile(await picture().toColourspace('b-w').jpeg(fine).toBuffer(), greyProfile())],
    ['grey without a profile', await picture().toColourspace('b-w').jpeg(fine).toBuffer()],
  ] as const) {
    // By half a turn, written into the file itself so that nothing else in it changes.
    const { bytes } = await prepare(withSegments(sent, jpegSegment(0xe1, halfTurn)), 'image/jpeg');
    const [before, after] = [await sharp(sent).metadata(), await sharp(bytes).metadata()];
    assert.deepEqual([after.space, after.channels, after.icc], [before.space, before.channels, before.icc], name);
    const [expected, found] = [await middles(await sharp(sent).rotate(180).png().toBuffer()), await middles(bytes)];
    const differs = found.filter((value, at) => Math.abs(value - expected[at]!) > 6);
    assert.deepEqual(differs, [], `${name}: ${found} instead of ${expected}`);
  }
});

const halfTurn = Buffer.from('457869660000' + '4d4d002a00000008000101120003000000010003000000000000', 'hex');

/** Red, green and blue in the middle of each quarter, as its profile means them. */
async function middles(image: Uint8Array): Promise<readonly number[]> {
  const { data, info } = await sharp(image).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const { width, channels } = info;
  return [16, 48].flatMap((y) =>
    [16, 48].flatMap((x) => [...data.subarray((y * width + x) * channels, (y * width + x) * channels + 3)]),
  );
}

async function profileOf(name: string): Promise<Buffer> {
  const image = await sharp(await jpeg(2, 2))
    .withIccProfile(name)
    .jpeg()
    .toBuffer();
  return (await sharp(image).metadata()).icc!;
}

/** A JPEG whose pixels stay and mean other colours. */
function withProfile(bytes: Buffer, profile: Buffer): Buffer {
  return withSegments(
    bytes,
    jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile])),
  );
}

/** Which of its channels are bright in each quarter of a picture. */
async function cornersOf(image: Uint8Array): Promise<readonly string[]> {
  const pixels = await sharp(image).removeAlpha().resize(16, 16, { fit: 'fill' }).raw().toBuffer();
  return [4 * 16 + 4, 4 * 16 + 12, 12 * 16 + 4, 12 * 16 + 12].map((at) =>
    [...pixels.subarray(at * 3, at * 3 + 3)].map((value) => (value > 128 ? 1 : 0)).join(''),
  );
}

test('prepare: a PNG with an orientation is turned without loss', async () => {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');
  const { bytes, dimensions } = await prepare(withChunks(await png(60, 30), pngChunk('eXIf', tiff)), 'image/png');
  assert.deepEqual([dimensions, await facts(bytes)], [{ w: 30, h: 60 }, ['png', 30, 60, 1]]);
});

test('prepare: a large picture gets all renditions, and the stored image gets the same ones again', async () => {
  const prepared = await prepare(await jpeg(2500, 2000), 'image/jpeg');
  assert.deepEqual(
    prepared.renditions.map(({ name }) => name),
    ['thumb', 'small', 'medium', 'large', 'zoom'],
  );
  assert.deepEqual(await facts(prepared.renditions.at(-1)!.bytes), ['jpeg', 1400, 1120, 1]);
  assert.deepEqual(await codec.prepare(prepared.bytes, 'image/jpeg'), prepared);
});

test('prepare: where a picture is no larger than the rendition, the original stands for it', async () => {
  const { renditions } = await prepare(await png(300, 200), 'image/png');
  assert.equal(renditions.map(({ name }) => name).includes('medium'), false);
});

test('codec: an error is reported as one, and the thread goes on', async () => {
  await assert.rejects(codec.prepare(join(folder, 'missing'), 'image/png'), /ENOENT/);
  assert.equal((await prepare(await png(3, 3), 'image/png')).renditions.length, 0);
});

test('codec: one more task is 503 with Retry-After where a hundred wait', async () => {
  const other = openCodec({ maxPixels: 1000, maxFrames: 1, maxDecodedBytes: 1e9 });
  const tasks = Array.from({ length: 101 }, () => other.prepare(join(folder, 'none'), 'image/png'));
  const settled = Promise.allSettled(tasks);
  await assert.rejects(other.prepare(join(folder, 'none'), 'image/png'), {
    code: 'OverCapacity',
    headers: { 'retry-after': '5' },
  });
  other.close();
  await settled;
});

test('codec: what is under way when it is closed is rejected, not left waiting', async () => {
  const other = openCodec({ maxPixels: 1000, maxFrames: 1, maxDecodedBytes: 1e9 });
  const task = other.prepare(join(folder, 'upload'), 'image/png');
  const queued = other.prepare(join(folder, 'upload'), 'image/png');
  other.close();
  await assert.rejects(task, /closing/);
  await assert.rejects(queued, /closing/);
});
