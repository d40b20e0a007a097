import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRange } from '../../src/http/routes/images/files.ts';
import { gif, jpeg, png } from '../images/pictures.ts';
import { fileIn, openImages } from './open-images.ts';
import { refusalOf } from './open-resources.ts';

const { api, upload } = await openImages();
const base = await api.listen();
const sent = await png(300, 200, true);
const { images, imageDetails } = await upload('?filename=a', sent);
const path: string = images[0];
const size: number = imageDetails[0].sizeBytes;
const whole = Buffer.from(await (await fetch(base + path)).arrayBuffer());
const get = (headers: Readonly<Record<string, string>> = {}, method = 'GET') => fetch(base + path, { method, headers });

test('an image is served to all clients, byte for byte, with immutable cache headers, and cannot be executed', async () => {
  const response = await get();
  assert.equal(response.status, 200);
  assert.equal(whole.length, size);
  const { headers } = response;
  assert.deepEqual(
    ['content-type', 'content-length', 'cache-control', 'x-content-type-options', 'accept-ranges'].map((name) =>
      headers.get(name),
    ),
    ['image/png', String(size), 'public, max-age=31536000, immutable', 'nosniff', 'bytes'],
  );
  assert.match(headers.get('content-security-policy')!, /default-src 'none'.*sandbox/);
  assert.equal(headers.get('content-disposition'), `inline; filename="${fileIn(path)}"`);
  assert.match(headers.get('etag')!, /^"[0-9a-f]{32}"$/);
  assert.equal(headers.get('vary'), null);
});

test('each format and each rendition is served with the type that it has', async () => {
  const gifs = await upload('?sku=gif', await gif(80, 80, 2), 'image/gif');
  const jpegs = await upload('?sku=jpeg', await jpeg(80, 80), 'image/jpeg');
  for (const [variant, type] of [
    [gifs, 'image/gif'],
    [jpegs, 'image/jpeg'],
  ] as const) {
    const { url, renditions } = variant.imageDetails[0];
    for (const one of [url, renditions.thumb.url]) {
      assert.equal((await fetch(base + one)).headers.get('content-type'), type);
    }
    const tags = await Promise.all(
      [url, renditions.thumb.url].map(async (one) => (await fetch(base + one)).headers.get('etag')),
    );
    assert.notEqual(tags[0], tags[1]);
  }
});

test('HEAD on an image returns the headers of GET, whatever range is requested', async () => {
  for (const headers of [{}, { range: 'bytes=0-1' }]) {
    const response = await get(headers, 'HEAD');
    assert.deepEqual([response.status, response.headers.get('content-length')], [200, String(size)]);
    assert.equal((await response.arrayBuffer()).byteLength, 0);
  }
});

test('a matching If-None-Match on an image is 304 without a body, another one is 200', async () => {
  const etag = (await get()).headers.get('etag')!;
  for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const response = await get({ 'if-none-match': condition });
    assert.deepEqual([response.status, response.headers.get('etag'), await response.text()], [304, etag, '']);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  }
  assert.equal((await get({ 'if-none-match': '"x"' })).status, 200);
});

const ranges: readonly (readonly [string, number, number])[] = [
  ['bytes=0-0', 0, 0],
  ['bytes=10-19', 10, 19],
  [`bytes=${size - 5}-`, size - 5, size - 1],
  ['bytes=-5', size - 5, size - 1],
  [`bytes=-${size + 5}`, 0, size - 1],
  [`bytes=7-${size + 100}`, 7, size - 1],
  [`bytes=7-${'9'.repeat(20)}`, 7, size - 1],
  [`bytes=-${'9'.repeat(400)}`, 0, size - 1],
];
for (const [range, first, last] of ranges) {
  test(`a GET of an image with Range ${range.replace(/\d{3,}/, 'n')} is 206 with exactly these bytes`, async () => {
    const response = await get({ range });
    assert.deepEqual([response.status, response.headers.get('content-range')], [206, `bytes ${first}-${last}/${size}`]);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(whole.subarray(first, last + 1)));
  });
}

test('an invalid range, several ranges, and a range for another entity tag get the whole image', async () => {
  const ignored = ['bytes=5-2', 'bytes=a-b', 'bytes=-', 'items=0-1', 'bytes=0-1,5-6', 'bytes'];
  for (const range of ignored) assert.equal((await get({ range })).status, 200, range);
  assert.equal((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
  const etag = (await get()).headers.get('etag')!;
  assert.equal((await get({ range: 'bytes=0-1', 'if-range': etag })).status, 206);
});

test('a range behind the end of an image is 416 and names its size', async () => {
  for (const range of [`bytes=${size}-`, 'bytes=-0', 'bytes=99999999-99999999', `bytes=${'9'.repeat(20)}-`]) {
    const response = await api.call({ path, scope: 'none', headers: { range } });
    refusalOf(response, 416, 'RangeNotSatisfiable');
    assert.equal(response.headers['content-range'], `bytes */${size}`);
  }
  assert.equal(parseRange(undefined, 10), undefined);
});

test('what is no image of the project is 404 as JSON, in whatever way its name is written', async () => {
  const file = fileIn(path);
  const missing = [
    `/shop/images/${file.replace('a-', 'b-')}`,
    `/shop/images/${file.replace('.png', '-zoom.png')}`,
    `/other/images/${file}`,
    '/shop/images/x.png',
    '/shop/images/..%2F..%2Fadmin-client.json',
    '/shop/images/%2e%2e%2fgrs.db',
    `/shop/images/..%2fshop%2f${file}`,
    `/shop/images/${file}%00`,
    `/shop/images/${file}/x`,
    '/shop/images/',
    '/shop/images/.incoming',
    `/.incoming/images/${file}`,
  ];
  for (const one of missing) {
    const response = await api.call({ path: one, scope: 'manage_project:shop' });
    assert.ok(response.status === 404 || response.status === 400, `${one} ${response.status}`);
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(response.headers['cache-control'], 'no-store');
  }
});

test('an image cannot be written or deleted at its address', async () => {
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
    const response = await api.call({ method, path, scope: 'manage_project:shop' });
    refusalOf(response, 405, 'MethodNotAllowed');
    assert.equal(response.headers.allow, 'GET, HEAD');
  }
});
