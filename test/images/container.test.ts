import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { ImageType } from '../../src/domain/image/file-name.ts';
import { inspectImage } from '../../src/images/codec/container/inspect.ts';
import { reduceTo } from '../../src/images/codec/container/structure.ts';
import {
  blackPng,
  craftedGif,
  gif,
  jpeg,
  jpegSegment,
  noise,
  png,
  pngChunk,
  pngHeader,
  pngOf,
  pngSignature,
  withChunks,
  withExif,
  withSegments,
} from './pictures.ts';

const limits = { maxPixels: 50_000_000, maxFrames: 500, maxDecodedBytes: 1e9 };
const inspect = (bytes: Buffer, type: ImageType) => inspectImage(bytes, type, limits);
const bare = (bytes: Buffer, type: ImageType) => reduceTo(bytes, inspect(bytes, type).kept);

function refusalOf(bytes: Buffer, type: ImageType): string {
  try {
    inspect(bytes, type);
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'InvalidInput', String((error as Error).stack));
    return (error as Error).message;
  }
  return 'accepted';
}

const smallPng = await png(7, 5);
const smallJpeg = await jpeg(70, 50, true);
const smallGif = await gif(7, 5, 3);
const zip = Buffer.from('504b0304140000000000', 'hex');
const idat = pngChunk('IDAT', deflateSync(Buffer.alloc(2)));

test('container: whole images of each format are accepted with their dimensions and frames', () => {
  const found = [inspect(smallPng, 'image/png'), inspect(smallJpeg, 'image/jpeg'), inspect(smallGif, 'image/gif')];
  assert.deepEqual(
    found.map(({ dimensions: { w, h }, frames, orientation }) => [w, h, frames, orientation]),
    [
      [7, 5, 1, 1],
      [70, 50, 1, 1],
      [7, 5, 3, 1],
    ],
  );
});

test('container: every form of picture that the library writes is accepted', async () => {
  const forms: readonly (readonly [ImageType, (image: Sharp) => readonly Sharp[]])[] = [
    [
      'image/jpeg',
      (image) => [{}, { progressive: true }, { chromaSubsampling: '4:4:4' }].map((o) => image.clone().jpeg(o)),
    ],
    ['image/png', (image) => [{}, { progressive: true }, { palette: true }].map((o) => image.clone().png(o))],
    ['image/gif', (image) => [{}, { progressive: true }, { colours: 2 }].map((o) => image.clone().gif(o))],
  ];
  for (const [width, height] of [
    [1, 1],
    [17, 9],
    [133, 97],
  ] as const) {
    for (const channels of [3, 4] as const) {
      for (const colours of ['srgb', 'b-w', 'rgb16', 'grey16', 'cmyk'] as const) {
        const raw = { width, height, channels };
        const image = sharp(noise(width * height * channels), { raw }).toColourspace(colours);
        for (const [type, write] of forms) {
          for (const written of write(image)) {
            const { dimensions } = inspect(await written.toBuffer(), type);
            assert.deepEqual(dimensions, { w: width, h: height }, `${type} ${colours} ${channels}`);
          }
        }
      }
    }
  }
});

const otherTypes: readonly (readonly [string, Buffer, ImageType])[] = [
  ['a PNG as JPEG', smallPng, 'image/jpeg'],
  ['a JPEG as PNG', smallJpeg, 'image/png'],
  ['a GIF as PNG', smallGif, 'image/png'],
  ['an SVG as PNG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'],
  ['HTML as JPEG', Buffer.from('<!doctype html><script>1</script>'), 'image/jpeg'],
  ['a PDF as GIF', Buffer.from('%PDF-1.7'), 'image/gif'],
  ['WebP as JPEG', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/jpeg'],
  ['the JSON of a typed array as JPEG', Buffer.from('{"0":255,"1":216}'), 'image/jpeg'],
  ['nothing as PNG', Buffer.alloc(0), 'image/png'],
];
for (const [name, bytes, type] of otherTypes) {
  test(`container: ${name} is refused for what its first bytes are`, () => {
    assert.match(refusalOf(bytes, type), /Content-Type says .*, but the bytes (?:are|do not)/);
  });
}

/** A frame header of 16 × 16 grey pixels, and of so many bytes more than its components need. */
const jpegFrame = (more = 0) =>
  jpegSegment(0xc0, Buffer.concat([Buffer.from('08001000100101110 0'.replace(' ', ''), 'hex'), Buffer.alloc(more)]));

const end = Buffer.from('ffd9', 'hex');

function jpegOfHeight(height: number): Buffer {
  const changed = Buffer.from(smallJpeg);
  changed.writeUInt16BE(height, changed.indexOf(Buffer.from('ffc0', 'hex')) + 5);
  return changed;
}

/** Puts a second block into the first control extension of a GIF. */
function withLongControl(bytes: Buffer): Buffer {
  const at = bytes.indexOf(Buffer.from('21f904', 'hex')) + 7;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from('\x06secret', 'latin1'), bytes.subarray(at)]);
}

const broken: readonly (readonly [string, Buffer, ImageType, RegExp])[] = [
  [
    'a GIF that is a script',
    Buffer.from(`GIF89a/*${' '.repeat(32)}*/=1;alert(1)`),
    'image/gif',
    /cut off|damaged|canvas/,
  ],
  ['a PNG that is cut off', smallPng.subarray(0, -13), 'image/png', /cut off/],
  ['a JPEG that is cut off', smallJpeg.subarray(0, -20), 'image/jpeg', /cut off/],
  ['a JPEG without its last byte', smallJpeg.subarray(0, -1), 'image/jpeg', /cut off/],
  ['a GIF that is cut off', smallGif.subarray(0, -6), 'image/gif', /cut off/],
  ['a GIF without its trailer', smallGif.subarray(0, -1), 'image/gif', /cut off/],
  ['a PNG of 8 bytes', pngSignature, 'image/png', /cut off/],
  ['a PNG without pixels', pngOf(pngHeader(1, 1)), 'image/png', /no pixels: its IDAT/],
  ['a PNG with two headers', pngOf(pngHeader(1, 1), pngHeader(9, 9), idat), 'image/png', /two headers/],
  ['a PNG with scattered pixels', pngOf(pngHeader(1, 1), idat, pngChunk('tEXt', zip), idat), 'image/png', /in a row/],
  [
    'a PNG with an unknown critical chunk',
    withChunks(smallPng, pngChunk('EVIL', zip)),
    'image/png',
    /critical chunk EVIL/,
  ],
  ['a PNG with a palette of wrong length', pngOf(pngHeader(1, 1), pngChunk('PLTE', zip), idat), 'image/png', /PLTE/],
  [
    'a PNG with something in its IEND',
    Buffer.concat([smallPng.subarray(0, -12), pngChunk('IEND', zip)]),
    'image/png',
    /length of IEND/,
  ],
  ['a PNG of no width', pngOf(pngHeader(0, 1), idat), 'image/png', /no dimensions/],
  ['a JPEG without a picture', Buffer.from('ffd8ffd9', 'hex'), 'image/jpeg', /picture/],
  ['a JPEG in lossless coding', withSegments(smallJpeg, jpegSegment(0xc3, Buffer.alloc(9))), 'image/jpeg', /baseline/],
  ['a JPEG of no height', jpegOfHeight(0), 'image/jpeg', /no dimensions/],
  ['a JPEG with two frames', Buffer.concat([smallJpeg.subarray(0, -2), jpegFrame(), end]), 'image/jpeg', /two frames/],
  ['a JPEG with a longer frame header', withSegments(smallJpeg, jpegFrame(1)), 'image/jpeg', /wrong length/],
  ['a GIF without a picture', craftedGif(1, 1, 0), 'image/gif', /picture/],
  [
    'a 58-byte PNG that claims 2³¹−1 pixels squared',
    pngOf(pngHeader(2 ** 31 - 1, 2 ** 31 - 1), pngChunk('IDAT', Buffer.alloc(1))),
    'image/png',
    /at most 32767 on a side/,
  ],
  ['a PNG of 30,000 × 30,000', blackPng(30_000, 30_000), 'image/png', /900000000 pixels/],
  ['a GIF with 20,000 frames', craftedGif(1, 1, 20_000), 'image/gif', /20000 frames; expected at most 500/],
  ['a GIF of 65,535 × 65,535', craftedGif(65_535, 65_535, 1), 'image/gif', /at most 32767 on a side/],
  [
    'a GIF with more in a control block than how to show a frame',
    withLongControl(smallGif),
    'image/gif',
    /control block/,
  ],
  ['a GIF of many large frames', craftedGif(1000, 1000, 51), 'image/gif', /51000000 pixels in all/],
];
for (const [name, bytes, type, message] of broken) {
  test(`container: ${name} is refused`, () => assert.match(refusalOf(bytes, type), message));
}

for (const [name, bytes, type] of [
  ['PNG', smallPng, 'image/png'],
  ['JPEG', smallJpeg, 'image/jpeg'],
  ['GIF', smallGif, 'image/gif'],
] as const) {
  const behind = [zip, Buffer.from('\n'), Buffer.alloc(5000), Buffer.from([0xff]), bytes, Buffer.concat([bytes, zip])];
  test(`container: what follows the end of a ${name} is left out`, () => {
    const alone = inspectImage(bytes, type, limits);
    for (const tail of behind) {
      const sent = Buffer.concat([bytes, tail]);
      const structure = inspectImage(sent, type, limits);
      assert.deepEqual(structure, alone);
      assert.deepEqual(reduceTo(sent, structure.kept), reduceTo(bytes, alone.kept));
    }
  });
}

test('container: a PNG with a flipped bit anywhere behind its signature is refused', () => {
  for (let at = pngSignature.length; at < smallPng.length; at += 1) {
    const flipped = Buffer.from(smallPng);
    flipped[at]! ^= 0x10;
    assert.notEqual(refusalOf(flipped, 'image/png'), 'accepted', `byte ${at}`);
  }
});

test('container: every image cut short anywhere is refused', () => {
  for (const [bytes, type] of [
    [smallPng, 'image/png'],
    [smallJpeg, 'image/jpeg'],
    [smallGif, 'image/gif'],
  ] as const) {
    for (let length = 0; length < bytes.length; length += 1) {
      assert.notEqual(refusalOf(bytes.subarray(0, length), type), 'accepted', `${type} ${length}`);
    }
  }
});

test('container: damage anywhere in a JPEG or GIF is accepted or refused, never another error', () => {
  for (const [bytes, type] of [
    [smallJpeg, 'image/jpeg'],
    [smallGif, 'image/gif'],
  ] as const) {
    for (let at = 2; at < bytes.length; at += 1) {
      for (const bit of [1, 4, 0x80]) {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= bit;
        refusalOf(damaged, type);
      }
    }
  }
});

test('container: a PNG of 900 million pixels in 110 KB costs no memory, within the limits and beyond', () => {
  const bomb = blackPng(30_000, 30_000);
  const before = process.memoryUsage().rss;
  assert.match(refusalOf(bomb, 'image/png'), /900000000 pixels/);
  inspectImage(bomb, 'image/png', { maxPixels: 1e9, maxFrames: 1, maxDecodedBytes: 1e10 });
  assert.ok(process.memoryUsage().rss - before < 50_000_000);
});

test('container: pictures that are decoded as a whole need memory for all pixels, others for a few lines', async () => {
  const picture = () => sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } });
  const pixels = 400 * 300;
  const cases: readonly (readonly [what: string, image: Sharp, type: ImageType, bytesPerPixel: number])[] = [
    ['baseline', picture().jpeg(), 'image/jpeg', 0],
    ['turned', picture().jpeg().withMetadata({ orientation: 6 }), 'image/jpeg', 3],
    ['progressive, half of the colours', picture().jpeg({ progressive: true }), 'image/jpeg', 3],
    ['progressive', picture().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }), 'image/jpeg', 6],
    ['progressive in four colours', picture().toColourspace('cmyk').jpeg({ progressive: true }), 'image/jpeg', 8],
    ['from line to line', picture().png(), 'image/png', 0],
    ['interlaced', picture().png({ progressive: true }), 'image/png', 3],
    [
      'interlaced of 16 bits',
      picture().toColourspace('rgb16').ensureAlpha().png({ progressive: true }),
      'image/png',
      8,
    ],
    ['interlaced grey', picture().toColourspace('b-w').png({ progressive: true }), 'image/png', 1],
  ];
  for (const [what, image, type, bytesPerPixel] of cases) {
    const bytes = await image.toBuffer();
    assert.equal(inspect(bytes, type).decodedBytes, pixels * bytesPerPixel, what);
    const tooLittle = { ...limits, maxDecodedBytes: pixels * bytesPerPixel - 1 };
    assert.throws(() => inspectImage(bytes, type, tooLittle), /MB of memory, and this service has/, what);
  }
});

test('container: of the chunks that help to show a PNG only one of each is kept, with its right length and before the pixels', () => {
  const gamma = pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
  const wrong = [pngChunk('pHYs', zip), pngChunk('sRGB', zip), pngChunk('cHRM', zip), gamma];
  const header = pngHeader(1, 1);
  const sent = pngOf(header, gamma, ...wrong, idat, pngChunk('sRGB', Buffer.alloc(1)));
  assert.ok(bare(sent, 'image/png').equals(pngOf(header, gamma, idat)));
});

test('container: fill bytes before a marker of a JPEG are accepted', () => {
  const filled = Buffer.concat([smallJpeg.subarray(0, -2), Buffer.alloc(3, 0xff), end]);
  assert.equal(refusalOf(filled, 'image/jpeg'), 'accepted');
});

test('container: texts, times, profiles and animation frames are taken out of a PNG, never inflated', () => {
  const bomb = deflateSync(Buffer.alloc(30_000_000));
  const texts = ['zTXt', 'iTXt', 'iCCP', 'eXIf', 'tIME', 'acTL', 'fdAT'].map((type) =>
    pngChunk(type, Buffer.concat([Buffer.from('secret\0\0'), bomb])),
  );
  assert.ok(bare(withChunks(smallPng, ...texts), 'image/png').equals(bare(smallPng, 'image/png')));
});

test('container: application data and comments are taken out of a JPEG, ten thousand of them as well', () => {
  const segments = Array.from({ length: 10_000 }, (_, i) =>
    jpegSegment(i % 2 ? 0xfe : 0xe1 + (i % 12), Buffer.from('secret')),
  );
  const colours = [
    jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01profile')),
    jpegSegment(0xee, Buffer.from('Adobe\0d\0\0\0\0\0')),
  ];
  const kept = bare(withSegments(smallJpeg, ...segments, ...colours), 'image/jpeg');
  assert.ok(kept.equals(bare(withSegments(smallJpeg, ...colours), 'image/jpeg')));
  assert.ok(kept.includes('ICC_PROFILE'));
});

test('container: an image of more parts than any program writes is refused', () => {
  const segments = Buffer.concat(Array.from({ length: 60_000 }, () => jpegSegment(0xfe, Buffer.alloc(0))));
  assert.match(refusalOf(withSegments(smallJpeg, segments), 'image/jpeg'), /more than 50000 parts/);
});

test('container: comments, texts and foreign data are taken out of a GIF, its loop is kept', () => {
  const comment = Buffer.from('21fe0673656372657400', 'hex');
  const foreign = Buffer.from('21ff0b584d502044617461584d5006736563726574 00'.replace(' ', ''), 'hex');
  const control = Buffer.from('21f90400000000 00'.replace(' ', ''), 'hex');
  const plainText = Buffer.concat([
    control,
    Buffer.from('21010c000000000000000000000001', 'hex'),
    Buffer.from('0161 00'.replace(' ', ''), 'hex'),
  ]);
  const more = Buffer.concat([smallGif.subarray(0, -1), comment, foreign, plainText, Buffer.from([0x3b])]);
  const kept = bare(more, 'image/gif');
  assert.ok(kept.equals(bare(smallGif, 'image/gif')));
  assert.ok(kept.includes('NETSCAPE2.0'));
});

test('container: the orientation is read from Exif in both byte orders, and is 1 where it is nonsense', async () => {
  assert.equal(inspect(await withExif(smallJpeg, 6), 'image/jpeg').orientation, 6);
  const tiff = (text: string) => Buffer.from(text, 'hex');
  const little = tiff('49492a0008000000010012010300010000000800000000000000');
  const big = tiff('4d4d002a00000008000101120003000000010003000000000000');
  const wild = tiff('4d4d002afffffff0000101120003000000010003000000000000');
  const of = (exif: Buffer) => inspect(withChunks(smallPng, pngChunk('eXIf', exif)), 'image/png').orientation;
  assert.deepEqual([of(little), of(big), of(wild), of(tiff('00')), of(Buffer.alloc(40))], [8, 3, 1, 1, 1]);
});
