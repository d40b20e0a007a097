import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blackPng, craftedGif, gif, jpeg, png, pngChunk, pngHeader, pngOf, withChunks } from '../images/pictures.ts';
import { startTestApi } from '../start-test-api.ts';
import { replacement } from '../storage/records.ts';
import { openImages } from './open-images.ts';
import { refusalOf } from './open-resources.ts';

const maxBytes = 200_000;
const { api, send, filesOf, temporaries } = await openImages({ IMAGE_MAX_BYTES: String(maxBytes) });
const small = await png(20, 10);
const smallJpeg = await jpeg(20, 10);
const zip = Buffer.from('504b0304140000000000', 'hex');

function assertNothingKept(): void {
  assert.deepEqual([filesOf('shop'), temporaries()], [[], []]);
}

const unusable: readonly (readonly [string, Buffer, string, RegExp])[] = [
  ['no bytes', Buffer.alloc(0), 'image/png', /body is empty/],
  ['a PNG of 30,000 × 30,000', blackPng(30_000, 30_000), 'image/png', /pixels in all; expected at most 50000000/],
  [
    'a 58-byte PNG that claims 2³¹−1 a side',
    pngOf(pngHeader(2 ** 31 - 1, 2 ** 31 - 1)),
    'image/png',
    /no pixels: its IDAT/,
  ],
  ['a GIF of 65,535 × 65,535', craftedGif(65_535, 65_535, 1), 'image/gif', /on a side/],
  ['a GIF of 5,000 frames', craftedGif(1, 1, 5000), 'image/gif', /5000 frames; expected at most 500/],
  ['a PNG declared as JPEG', small, 'image/jpeg', /Content-Type says image\/jpeg, but the bytes are PNG/],
  [
    'an SVG declared as PNG',
    Buffer.from('<svg onload="alert(1)"/>'),
    'image/png',
    /do not look like an image of a known format/,
  ],
  ['a script that begins as a GIF', Buffer.from('GIF89a/*  */=1;alert(1)//'), 'image/gif', /cannot be used/],
  ['a JPEG that is cut off', smallJpeg.subarray(0, -30), 'image/jpeg', /cut off/],
  ['a PNG with pixels that are none', pngOf(pngHeader(9, 9), pngChunk('IDAT', zip)), 'image/png', /damaged/],
  [
    'a buffer sent as JSON',
    Buffer.from(JSON.stringify({ ...small })),
    'image/png',
    /do not look like an image of a known format/,
  ],
];
for (const [name, bytes, type, message] of unusable) {
  test(`E13 with ${name} is 400 InvalidInput and stores nothing`, async () => {
    assert.match(refusalOf(await send('', bytes, type), 400, 'InvalidInput').message, message);
    assertNothingKept();
  });
}

test('E13 with bytes behind the end of the picture, as phones append them, stores the picture without them', async () => {
  const isolated = await startTestApi();
  try {
    const pictures = [
      [small, 'image/png'],
      [smallJpeg, 'image/jpeg'],
      [await gif(9, 9), 'image/gif'],
    ] as const;
    for (const [bytes, type] of pictures) {
      const sizes: number[] = [];
      for (const tail of [Buffer.alloc(0), zip, Buffer.from('\n'), Buffer.concat([bytes, Buffer.alloc(90_000)])]) {
        const request = {
          method: 'POST',
          path: `/p${type.slice(6)}/resource/images`,
          headers: { 'content-type': type },
        };
        const response = await isolated.call({ ...request, body: Buffer.concat([bytes, tail]) });
        assert.equal(response.status, 200, response.text);
        const { url, sizeBytes } = response.json.imageDetails.at(-1);
        const file = await isolated.call({ path: url });
        assert.equal(file.status, 200);
        sizes.push(sizeBytes);
      }
      assert.equal(new Set(sizes).size, 1, `${type}: ${sizes}`);
    }
  } finally {
    await isolated.close();
  }
});

test('E13 with compressed texts and profiles in a PNG stores the picture without them', async () => {
  const isolated = await startTestApi();
  try {
    const bytes = withChunks(small, pngChunk('zTXt', Buffer.concat([Buffer.from('k\0\0'), Buffer.alloc(50_000)])));
    const headers = { 'content-type': 'image/png' };
    const response = await isolated.call({ method: 'POST', path: '/shop/resource/images', body: bytes, headers });
    assert.equal(response.status, 200, response.text);
    assert.ok(response.json.imageDetails[0].sizeBytes < 1000);
  } finally {
    await isolated.close();
  }
});

test('E13 with a type that is none of the three, or none at all, is 415', async () => {
  for (const type of [
    'image/svg+xml',
    'image/webp',
    'image/png; x',
    'image/png, image/gif',
    'application/json',
    'x',
    '',
  ]) {
    const error = refusalOf(await send('', small, type), 415, 'UnsupportedMediaType');
    assert.match(error.message, /expected image\/jpeg, image\/png, image\/gif/);
  }
  const empty = await api.call({ method: 'POST', path: '/shop/resource/images' });
  assert.match(refusalOf(empty, 415, 'UnsupportedMediaType').message, /missing/);
  assertNothingKept();
});

test('E13 with a compressed body is 415', async () => {
  refusalOf(await send('', small, 'image/png', { 'content-encoding': 'gzip' }), 415, 'UnsupportedMediaType');
});

test('E13 over the limit of bytes is 413, and at the limit it is looked at', async () => {
  refusalOf(await send('', Buffer.alloc(maxBytes + 1), 'image/png'), 413, 'ContentTooLarge');
  refusalOf(await send('', Buffer.alloc(maxBytes), 'image/png'), 400, 'InvalidInput');
  const filler = withChunks(small, pngChunk('tEXt', Buffer.alloc(maxBytes - small.length - 12)));
  const other = { method: 'POST', path: '/limit/resource/images', headers: { 'content-type': 'image/png' } };
  assert.equal(filler.length, maxBytes);
  assert.equal((await api.call({ ...other, body: filler })).status, 200);
  assertNothingKept();
});

const badQueries: readonly (readonly [string, RegExp])[] = [
  ['variant=NaN', /variant: expected an integer/],
  ['variant=-1', /variant/],
  ['variant=0', /variant/],
  ['variant=1.5', /variant: expected an integer/],
  ['variant=99999999999', /variant/],
  ['variant=1&variant=2', /more than once/],
  ['sku=', /sku: expected 1 to 256 characters/],
  [`sku=${'x'.repeat(257)}`, /sku: expected 1 to 256 characters/],
  ['sku=a%00b', /sku/],
  ['staged=maybe', /staged/],
];
for (const [query, message] of badQueries) {
  test(`E13 with ${query.slice(0, 30)} is 400 and stores nothing`, async () => {
    assert.match(refusalOf(await send(`?${query}`, small, 'image/png'), 400, 'InvalidInput').message, message);
    assertNothingKept();
  });
}

test('E13 takes any text of 256 characters as sku, and looks for nothing else with it', async () => {
  const skus = ["' OR 1=1 --", '%', '*', '"', '__proto__', 'x'.repeat(256), '../x', '图片'];
  const made = new Map<string, number>();
  for (const sku of skus) {
    const path = `/skus/resource/images?sku=${encodeURIComponent(sku)}`;
    const response = await api.call({ method: 'POST', path, body: small, headers: { 'content-type': 'image/png' } });
    assert.deepEqual([response.status, response.json.sku], [200, sku], response.text);
    made.set(sku, response.json.variant);
  }
  assert.equal(new Set(made.values()).size, skus.length);
});

test('E13 stores a file under a name of its own, whatever filename says', async () => {
  const isolated = await openImages();
  for (const filename of ['../../x', 'C:\\x', 'a\0b', 'a\r\nX: y', 'x'.repeat(300), '.htaccess', '\u202egnp.exe']) {
    const { images } = await isolated.upload(`?filename=${encodeURIComponent(filename)}`, small);
    assert.match(images.at(-1), /^\/shop\/images\/[A-Za-z0-9_][A-Za-z0-9_-]{0,63}-[0-9a-f]{32}\.png$/, filename);
    assert.equal((await isolated.api.call({ path: images.at(-1), scope: 'none' })).status, 200);
  }
  assert.equal(isolated.filesOf('shop').length, 7);
});

test('E13 needs manage_products: 401 without a token, 403 with another scope, before type and size', async () => {
  const call = (scope: string) =>
    api.call({ method: 'POST', path: '/shop/resource/images', body: Buffer.alloc(maxBytes + 1), scope });
  refusalOf(await call('none'), 401, 'invalid_token');
  for (const scope of ['manage_test:shop', 'view_test:shop', 'manage_products:other']) {
    refusalOf(await call(scope), 403, 'insufficient_scope');
  }
  refusalOf(await call('manage_products:shop'), 415, 'UnsupportedMediaType');
});

test('E13 over the quota of images or of bytes of a project is 413 QuotaExceeded; other projects are not concerned', async () => {
  const few = await openImages({ IMAGE_QUOTA_COUNT: '2' });
  await few.upload('', small);
  await few.upload('', small);
  refusalOf(await few.send('', small, 'image/png'), 413, 'QuotaExceeded');
  assert.equal(few.filesOf('shop').length, 2);
  const other = { method: 'POST', path: '/other/resource/images', headers: { 'content-type': 'image/png' } };
  assert.equal((await few.api.call({ ...other, body: small })).status, 200);
  const light = await openImages({ IMAGE_QUOTA_BYTES: String(small.length + 5) });
  await light.upload('', small);
  refusalOf(await light.send('', small, 'image/png'), 413, 'QuotaExceeded');
});

test('E13 where the disk has only its reserve left is 507, while resources are still written', async () => {
  const full = await openImages({}, { imageDiskReserveBytes: 900_000_000_000_000 });
  refusalOf(await full.send('', small, 'image/png'), 507, 'InsufficientStorage');
  assert.deepEqual([full.filesOf('shop'), full.temporaries()], [[], []]);
  assert.equal((await full.api.call({ method: 'POST', path: '/shop/resource', body: {} })).status, 201);
});

test('E13: a variant has at most 200 images', async () => {
  const full = await openImages();
  const tiny = await png(1, 1);
  await full.upload('?staged=false', tiny);
  // As after 198 more.
  const { resources } = full.api.app.store;
  const stored = await resources.get('shop~images', 'image-variant-1');
  const current = JSON.parse(stored!.current);
  const [images, imageDetails] = [Array(199).fill(current.images[0]), Array(199).fill(current.imageDetails[0])];
  const many = { ...current, version: current.version + 1, images, imageDetails };
  const expected = { expectedIncarnation: stored!.incarnation };
  const change = Object.assign(replacement('shop~images', current, many), expected);
  assert.equal(await resources.commit(change), 'committed');
  assert.equal((await full.upload('?staged=false', tiny)).images.length, 200);
  for (const query of ['?staged=false', '']) {
    refusalOf(await full.send(query, tiny, 'image/png'), 400, 'InvalidOperation');
  }
  assert.equal(full.filesOf('shop').length, 2);
  assert.equal((await full.upload('?variant=2', tiny)).version, 1);
});

test('E13 in a project that its paths cannot name is 404', async () => {
  refusalOf(
    await api.call({ method: 'POST', path: '/shop~images/resource/images', body: small, scope: 'manage_project:shop' }),
    404,
    'ResourceNotFound',
  );
});
