import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ImageType } from '../../src/domain/image/format.ts';
import { inspectImage } from '../../src/images/codec/container/inspect.ts';
import { reduceTo } from '../../src/images/codec/container/ranges.ts';
import { walkZlib } from '../../src/images/structure/inflate.ts';
import { walkLzw } from '../../src/images/structure/lzw.ts';
import { blackPng, craftedGif, gif, jpeg, png, pngChunk, pngHeader, pngOf } from './pictures.ts';

const limits = { maxPixels: 50_000_000, maxFrames: 500 };

function outcomeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'InvalidInput', String((error as Error).stack));
    return (error as Error).message;
  }
  return 'accepted';
}

const refusalOf = (bytes: Buffer, type: ImageType) => outcomeOf(() => inspectImage(bytes, type, limits));

/** Bytes that look like noise, and are the same every time. */
function noise(length: number, mask = 255): Buffer {
  let seed = 1;
  const next = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 16) & mask;
  };
  return Buffer.from(Array.from({ length }, next));
}

const rawOf = (width: number, height: number, frames: number, channels: 3 | 4, pixels: Buffer) =>
  sharp(pixels, {
    raw: { width, height: height * frames, channels, ...(frames > 1 && { pageHeight: height }) },
    animated: frames > 1,
  });

/** Codes of a GIF with their widths, packed as its data is. */
function pack(...codes: readonly (readonly [code: number, width: number])[]): Buffer {
  const bits = codes.flatMap(([code, width]) => Array.from({ length: width }, (_, i) => (code >> i) & 1));
  return Buffer.from(
    Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
      bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, i) => sum | (bit << i), 0),
    ),
  );
}

/** One block for the data of a frame. */
const blockOf = (data: Buffer) => Buffer.concat([Buffer.from([data.length]), data]);

/** A GIF of one frame with these blocks; by default it is 2 × 2 and uses four colours. */
function gifOf(codeSize: number, blocks: readonly Buffer[], width = 2, height = 2, flags = 0): Buffer {
  const head = Buffer.from('474946383961000000008100000000000000ff0000ffff000000ff'.padEnd(50, '0'), 'hex');
  const canvas = Buffer.concat([head.subarray(0, 13), Buffer.alloc(12, 7)]);
  canvas.writeUInt16LE(width, 6);
  canvas.writeUInt16LE(height, 8);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, width, 0, height, 0, flags]);
  const table = Buffer.alloc((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1), 9);
  return Buffer.concat([canvas, frame, table, Buffer.from([codeSize]), ...blocks, Buffer.from([0, 0x3b])]);
}

const [clear, end] = [4, 5];
const fourPixels = [
  [clear, 3],
  [0, 3],
  [1, 3],
  [2, 3],
  [3, 4],
] as const;

test('pixels: every GIF that the library writes is accepted: frames, colours, transparency, interlaced', async () => {
  for (const [width, height, frames] of [
    [1, 1, 1],
    [7, 5, 3],
    [50, 50, 4],
    [133, 97, 2],
  ] as const) {
    for (const options of [{}, { colours: 2 }, { colours: 4, dither: 0 }, { progressive: true }, { reuse: false }]) {
      for (const channels of [3, 4] as const) {
        for (const mask of [0, 0x80, 255]) {
          const pixels = noise(width * height * frames * channels, mask);
          const bytes = await rawOf(width, height, frames, channels, pixels).gif(options).toBuffer();
          const of = `${width} × ${height} × ${frames}, ${JSON.stringify(options)}, ${channels} channels, mask ${mask}`;
          assert.equal(refusalOf(bytes, 'image/gif'), 'accepted', of);
        }
      }
    }
  }
});

test('pixels: an animation whose frames are parts of its canvas, with colours of their own, is accepted', async () => {
  const [width, height, frames] = [60, 40, 6];
  const pixels = Buffer.alloc(width * height * 4 * frames, 255);
  for (let frame = 0; frame < frames; frame += 1) {
    for (let i = 0; i < 40; i += 1) pixels.fill(noise(20, 255), (frame * width * height + i * width + frame * 3) * 4);
  }
  const bytes = await rawOf(width, height, frames, 4, pixels).gif({ reuse: false, effort: 10 }).toBuffer();
  assert.equal(refusalOf(bytes, 'image/gif'), 'accepted');
  const local = gifOf(2, [blockOf(pack(...fourPixels, [end, 4]))], 2, 2, 0xc1);
  assert.equal(refusalOf(local, 'image/gif'), 'accepted', 'interlaced, with a colour table of the frame');
});

test('pixels: codes of a GIF may begin with 2 to 8 bits, and a full table need not be cleared', () => {
  for (let codeSize = 2; codeSize <= 8; codeSize += 1) {
    const [cleared, ended] = [1 << codeSize, (1 << codeSize) + 1];
    // A code for each pixel, and no clear code: the table is full after a while, its codes then stay at 12 bits.
    const codes: [number, number][] = [[cleared, codeSize + 1]];
    let [next, width] = [ended + 1, codeSize + 1];
    for (let pixel = 0; pixel < 10_000; pixel += 1) {
      codes.push([pixel % cleared, width]);
      if (pixel > 0 && next < 4096) next += 1;
      if (next === 1 << width && width < 12) width += 1;
    }
    const data = pack(...codes, [ended, width]);
    assert.equal(
      outcomeOf(() => walkLzw(data, codeSize, 10_000)),
      'accepted',
      `${codeSize}`,
    );
    assert.match(
      outcomeOf(() => walkLzw(data, codeSize, 9999)),
      /follow/,
    );
    assert.match(
      outcomeOf(() => walkLzw(data, codeSize, 10_001)),
      /too few pixels/,
    );
  }
  for (const codeSize of [0, 1, 9, 12, 255]) {
    assert.match(
      outcomeOf(() => walkLzw(pack(...fourPixels, [end, 4]), codeSize, 4)),
      /another size/,
    );
  }
});

const ends: readonly (readonly [string, readonly Buffer[]])[] = [
  ['as it should', [pack(...fourPixels, [end, 4])]],
  ['in blocks of one byte', [...pack(...fourPixels, [end, 4])].map((byte) => Buffer.from([byte]))],
  ['without an end code', [pack(...fourPixels)]],
  ['with an end code that is a bit too narrow', [pack(...fourPixels, [end, 3])]],
  ['with a cleared table', [pack(...fourPixels, [clear, 4], [end, 3])]],
  ['without a clear code at the beginning', [pack(...fourPixels.slice(1), [end, 4])]],
  ['with one byte of zeros', [pack(...fourPixels, [end, 4]), Buffer.alloc(1)]],
];
for (const [name, blocks] of ends) {
  test(`pixels: a GIF that ends ${name} is accepted, as encoders write it`, () => {
    assert.equal(refusalOf(gifOf(2, blocks.map(blockOf)), 'image/gif'), 'accepted');
  });
}

const whole = pack(...fourPixels, [end, 4]);
const noData = Buffer.from('47494638396132003200800000000000ffffff2c0000000032003200000200 3b'.replace(' ', ''), 'hex');
const cutGifs: readonly (readonly [string, Buffer, RegExp])[] = [
  ['no data for its pixels', noData, /too few pixels/],
  ['a code too few', gifOf(2, [blockOf(pack(...fourPixels.slice(0, -1), [end, 3]))]), /too few pixels/],
  ['data that is cut off', gifOf(2, [blockOf(pack(...fourPixels.slice(0, 2)))]), /too few pixels/],
  ['a code too many', gifOf(2, [blockOf(pack(...fourPixels, [1, 4], [2, 4], [3, 4], [end, 4]))]), /follow/],
  ['a code that is not in its table', gifOf(2, [blockOf(pack([clear, 3], [0, 3], [7, 3]))]), /stands for nothing/],
  ['such a code at the beginning', gifOf(2, [blockOf(pack([clear, 3], [6, 3]))]), /stands for nothing/],
  ['too many pixels in its last code', gifOf(2, [blockOf(pack([0, 3], [6, 3], [7, 3], [end, 4]))], 1, 4), /too many/],
  ['another block behind its pixels', gifOf(2, [blockOf(whole), blockOf(Buffer.from('<script>'))]), /nothing may/],
  ['text in the same block', gifOf(2, [blockOf(Buffer.concat([whole, Buffer.from('PK')]))]), /nothing may follow/],
  ['a foreign byte', gifOf(2, [blockOf(Buffer.concat([whole, Buffer.from([1])]))]), /nothing may follow/],
  ['two bytes of zeros', gifOf(2, [blockOf(Buffer.concat([whole, Buffer.alloc(2)]))]), /nothing may follow/],
];
for (const [name, bytes, message] of cutGifs) {
  test(`pixels: a GIF with ${name} is refused`, () => assert.match(refusalOf(bytes, 'image/gif'), message));
}

test('pixels: a GIF whose last frame is cut off at any of its blocks is refused', async () => {
  const bytes = await rawOf(90, 90, 3, 3, noise(90 * 90 * 3 * 3))
    .gif()
    .toBuffer();
  const { to } = inspectImage(bytes, 'image/gif', limits).kept.at(-1)!;
  assert.equal(to, bytes.length);
  const blocks: number[] = [];
  // From its first block of 255 bytes on, the last frame goes on to the trailer.
  let at = bytes.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0, 90, 0, 90, 0]));
  at += 11 + ((bytes[at + 9]! & 0x80) === 0 ? 0 : 3 * 2 ** ((bytes[at + 9]! & 7) + 1));
  for (; bytes[at] !== 0; at += 1 + bytes[at]!) blocks.push(at);
  assert.ok(blocks.length > 10);
  for (const block of blocks) {
    const cut = Buffer.concat([bytes.subarray(0, block), Buffer.from([0, 0x3b])]);
    assert.match(refusalOf(cut, 'image/gif'), /too few pixels/);
  }
});

test('pixels: a GIF with more in a control block than how to show a frame is refused', async () => {
  const bytes = await gif(7, 5, 2);
  const at = bytes.indexOf(Buffer.from('21f904', 'hex'));
  const more = Buffer.concat([bytes.subarray(0, at + 7), blockOf(Buffer.from('secret')), bytes.subarray(at + 7)]);
  assert.match(refusalOf(more, 'image/gif'), /control block/);
});

test('pixels: damage anywhere in a GIF is accepted or refused, never a fault', async () => {
  const bytes = await gif(40, 30, 2);
  for (let at = 6; at < bytes.length; at += 1) {
    for (const bit of [1, 4, 0x80]) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= bit;
      refusalOf(damaged, 'image/gif');
    }
  }
});

test('pixels: a GIF costs what its bytes are, whatever they claim', () => {
  // Nothing but clear codes is what costs most: 100 KB of them, and 50 million pixels of 1 KB.
  const started = performance.now();
  const clears = Buffer.alloc(99_999, pack(...Array.from({ length: 8 }, () => [clear, 3] as const)));
  assert.match(
    outcomeOf(() => walkLzw(clears, 2, 1)),
    /too few/,
  );
  assert.match(refusalOf(craftedGif(1000, 1000, 51), 'image/gif'), /51000000 pixels/);
  assert.ok(performance.now() - started < 5000);
});

test('pixels: every PNG that the library writes is accepted: depths, colours, palettes, interlaced', async () => {
  for (const [width, height] of [
    [1, 1],
    [2, 3],
    [9, 9],
    [133, 97],
  ] as const) {
    for (const options of [{}, { progressive: true }, { palette: true, colours: 2 }, { compressionLevel: 0 }]) {
      for (const colours of ['srgb', 'b-w', 'rgb16', 'grey16'] as const) {
        for (const channels of [3, 4] as const) {
          const image = rawOf(width, height, 1, channels, noise(width * height * channels)).toColourspace(colours);
          const bytes = await image.png(options).toBuffer();
          assert.equal(refusalOf(bytes, 'image/png'), 'accepted', `${width} ${JSON.stringify(options)} ${colours}`);
        }
      }
    }
  }
});

test('pixels: the walk over a zlib stream agrees with zlib on where it ends and what comes out', () => {
  const { Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_FILTERED, Z_DEFAULT_STRATEGY } = constants;
  for (const strategy of [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED]) {
    for (const level of [0, 1, 6, 9]) {
      for (const raw of [Buffer.alloc(0), noise(1), noise(70_000), noise(70_000, 0x11), Buffer.alloc(70_000, 'ab')]) {
        const stream = deflateSync(raw, { strategy, level, memLevel: raw.length % 2 === 0 ? 1 : 8 });
        const walk = (bytes: Buffer, expected = raw.length) => outcomeOf(() => walkZlib(bytes, expected));
        assert.equal(walk(stream), 'accepted');
        assert.match(walk(stream, raw.length + 1), /fewer pixels/);
        if (raw.length > 0) assert.match(walk(stream, raw.length - 1), /more pixels/);
        assert.match(walk(Buffer.concat([stream, Buffer.alloc(1)])), /nothing may follow/);
        for (const cut of [1, 4, 5, stream.length]) {
          assert.match(walk(stream.subarray(0, stream.length - cut)), /too early|inflated/);
        }
      }
    }
  }
});

test('pixels: damage anywhere in a zlib stream is accepted or refused, never a fault', () => {
  const raw = noise(3000, 0x1f);
  const stream = deflateSync(raw);
  for (let at = 0; at < stream.length; at += 1) {
    const damaged = Buffer.from(stream);
    damaged[at]! ^= 1 << (at % 8);
    outcomeOf(() => walkZlib(damaged, raw.length));
  }
  for (let seed = 0; seed < 256; seed += 1) {
    const made = Buffer.concat([Buffer.from([0x78, 0x9c, seed]), noise(200).subarray(seed % 100)]);
    outcomeOf(() => walkZlib(made, 1000));
  }
});

const pixel = deflateSync(Buffer.alloc(2));
const foreign = Buffer.from('<script>alert(1)</script>');
const ihdr = pngHeader(1, 1);
const grey = (name: string, data: Buffer) => pngOf(ihdr, pngChunk(name, data), pngChunk('IDAT', pixel));
const badPngs: readonly (readonly [string, Buffer, RegExp])[] = [
  ['foreign bytes in its IDAT', pngOf(ihdr, pngChunk('IDAT', Buffer.concat([pixel, foreign]))), /nothing may follow/],
  ['a further IDAT', pngOf(ihdr, pngChunk('IDAT', pixel), pngChunk('IDAT', foreign)), /nothing may follow/],
  ['one byte too many', pngOf(ihdr, pngChunk('IDAT', Buffer.concat([pixel, Buffer.alloc(1)]))), /nothing may follow/],
  ['a row too many', pngOf(ihdr, pngChunk('IDAT', deflateSync(Buffer.alloc(4)))), /more pixels/],
  ['a row too few', pngOf(pngHeader(1, 2), pngChunk('IDAT', pixel)), /fewer pixels/],
  ['no checksum of its pixels', pngOf(ihdr, pngChunk('IDAT', pixel.subarray(0, -4))), /too early/],
  ['a palette of no proper length', grey('PLTE', foreign), /length of PLTE/],
  [
    'something in its IEND',
    Buffer.concat([pngOf(ihdr, pngChunk('IDAT', pixel)).subarray(0, -12), pngChunk('IEND', foreign)]),
    /length of IEND/,
  ],
];
for (const [name, bytes, message] of badPngs) {
  test(`pixels: a PNG with ${name} is refused`, () => assert.match(refusalOf(bytes, 'image/png'), message));
}

test('pixels: of what helps to show a PNG only one of each, in its proper length and before the pixels, is kept', () => {
  const gamma = pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
  const wrong = [pngChunk('pHYs', foreign), pngChunk('sRGB', foreign), pngChunk('cHRM', foreign), gamma];
  const bytes = pngOf(ihdr, gamma, ...wrong, pngChunk('IDAT', pixel), pngChunk('sRGB', Buffer.alloc(1)));
  const kept = reduceTo(bytes, inspectImage(bytes, 'image/png', limits).kept);
  assert.ok(kept.equals(pngOf(ihdr, gamma, pngChunk('IDAT', pixel))));
});

test('pixels: a PNG of empty and of many IDAT chunks is accepted', async () => {
  const bytes = await png(50, 50, true);
  const at = bytes.indexOf('IDAT');
  const data = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4));
  const parts = Array.from({ length: data.length }, (_, i) => pngChunk('IDAT', data.subarray(i, i + 1)));
  const scattered = pngOf(bytes.subarray(8, 33), pngChunk('IDAT', Buffer.alloc(0)), ...parts);
  assert.equal(refusalOf(scattered, 'image/png'), 'accepted');
});

test('pixels: a PNG of 900 million pixels in 110 KB costs nothing, within the limits and beyond', () => {
  const bomb = blackPng(30_000, 30_000);
  const before = process.memoryUsage().rss;
  const started = performance.now();
  assert.match(refusalOf(bomb, 'image/png'), /900000000 pixels/);
  inspectImage(bomb, 'image/png', { maxPixels: 1e9, maxFrames: 1 });
  assert.ok(performance.now() - started < 5000);
  assert.ok(process.memoryUsage().rss - before < 50_000_000);
});

test('pixels: every baseline JPEG that the library writes is accepted: colours, sampling, tables', async () => {
  for (const [width, height] of [
    [1, 1],
    [8, 8],
    [17, 9],
    [133, 97],
  ] as const) {
    for (const options of [{}, { chromaSubsampling: '4:4:4' }, { optimiseCoding: false }, { quality: 100 }]) {
      for (const colours of ['srgb', 'b-w', 'cmyk'] as const) {
        for (const progressive of [false, true]) {
          const image = rawOf(width, height, 1, 3, noise(width * height * 3)).toColourspace(colours);
          const bytes = await image.jpeg({ ...options, progressive }).toBuffer();
          assert.equal(refusalOf(bytes, 'image/jpeg'), 'accepted', `${width} ${JSON.stringify(options)} ${colours}`);
        }
      }
    }
  }
});

const noisy = await jpeg(70, 50, true);
const behindPixels = (...parts: readonly (Buffer | string)[]) =>
  Buffer.concat([noisy.subarray(0, -2), ...parts.map((part) => Buffer.from(part)), noisy.subarray(-2)]);

/** A grey JPEG of 8 × 80 with a restart behind each of its ten blocks, which are two bits each. */
function restarting(end = '', restarts = 9): Buffer {
  const table = `01${'00'.repeat(15)}00`;
  const head = `ffd8ffdb004300${'01'.repeat(64)}ffc0000b080050000801011100ffc4002600${table.slice(0, 34)}10${table}`;
  const scan = Array.from({ length: restarts }, (_, i) => `3fffd${i % 8}`).join('');
  return Buffer.from(`${head}ffdd00040001ffda0008010100003f00${scan}3f${end}ffd9`, 'hex');
}

test('pixels: a JPEG with restarts is accepted, and decoded', async () => {
  assert.equal(refusalOf(restarting(), 'image/jpeg'), 'accepted');
  const { data } = await sharp(restarting(), { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
  assert.ok(data.every((value) => value === 128));
});

const badJpegs: readonly (readonly [string, Buffer, RegExp])[] = [
  ['text behind its pixels', behindPixels('<script>'), /nothing may follow/],
  ['a byte behind its pixels', behindPixels(Buffer.alloc(1)), /nothing may follow/],
  ['a stuffed byte behind its pixels', behindPixels(Buffer.from('ff00', 'hex')), /nothing may follow/],
  ['a restart behind its pixels', behindPixels(Buffer.from('ffd0', 'hex')), /nothing may follow/],
  ['bytes behind a restart behind its pixels', behindPixels(Buffer.from('ffd0', 'hex'), 'PK'), /nothing may follow/],
  ['a restart too many', restarting('ffd1'), /nothing may follow/],
  ['a restart too few', restarting('', 8), /restart out of place/],
  ['text behind a restart', restarting('ffd13c'), /nothing may follow/],
  ['pixels that are cut off', Buffer.concat([noisy.subarray(0, -300), noisy.subarray(-2)]), /too few pixels/],
];
for (const [name, bytes, message] of badJpegs) {
  test(`pixels: a baseline JPEG with ${name} is refused`, () => assert.match(refusalOf(bytes, 'image/jpeg'), message));
}

test('pixels: fill bytes before a marker of a JPEG are accepted', () => {
  assert.equal(refusalOf(behindPixels(Buffer.alloc(3, 0xff)), 'image/jpeg'), 'accepted');
});

test('pixels: damage anywhere in a JPEG is accepted or refused, never a fault', () => {
  for (let at = 2; at < noisy.length; at += 1) {
    const damaged = Buffer.from(noisy);
    damaged[at]! ^= 1 << (at % 8);
    refusalOf(damaged, 'image/jpeg');
  }
});
