import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '../images/pictures.ts';
import { openImages } from './open-images.ts';
import { refusalOf } from './open-resources.ts';

const { api, upload, read } = await openImages({ REGION: 'eu-1', CLOUD_PROVIDER: 'aws', DOMAIN: 'example.com' });
const small = await png(20, 10);

test('listing images of a project without any returns an empty page', async () => {
  assert.deepEqual(await read('/empty/resource/images'), { limit: 20, offset: 0, count: 0, total: 0, results: [] });
});

test('listing images returns the variants by number, in pages, in the requested projection', async () => {
  for (let variant = 12; variant >= 1; variant -= 1) {
    await upload(`?variant=${variant}&sku=sku-${variant}&staged=${variant % 2 === 0}`, small);
  }
  const page = await read('/shop/resource/images?limit=5&offset=5');
  assert.deepEqual([page.limit, page.offset, page.count, page.total], [5, 5, 5, 12]);
  assert.deepEqual(
    page.results.map(({ variant, images }: { variant: number; images: unknown[] }) => [variant, images.length]),
    [
      [6, 0],
      [7, 1],
      [8, 0],
      [9, 1],
      [10, 0],
    ],
  );
  const staged = await read('/shop/resource/images?staged=true&withTotal=false');
  assert.equal('total' in staged, false);
  assert.ok(staged.results.every(({ images }: { images: unknown[] }) => images.length === 1));
});

test('listing images by sku, by variant and by both returns that variant, as E2 does, or none', async () => {
  const { results } = await read('/shop/resource/images?sku=sku-3');
  assert.deepEqual(results, [await read('/shop/resource/image-variant-3')]);
  assert.deepEqual((await read('/shop/resource/images?variant=3')).results, results);
  assert.deepEqual((await read('/shop/resource/images?variant=3&sku=sku-3')).results, results);
  assert.equal((await read('/shop/resource/images?variant=3&sku=sku-4')).count, 0);
  assert.equal((await read('/shop/resource/images?sku=SKU-3')).count, 0);
  assert.equal((await read('/other/resource/images?sku=sku-3')).count, 0);
});

test('listing images by several skus returns those that exist, all of them at once', async () => {
  const bySkus = (skus: readonly string[], more = '') =>
    read(`/shop/resource/images?${skus.map((sku) => `sku=${sku}`).join('&')}${more}`);
  const variants = ({ results }: { results: readonly { variant: number }[] }) => results.map(({ variant }) => variant);
  assert.deepEqual(variants(await bySkus(['sku-7', 'sku-2', 'nobody', 'sku-7'])), [2, 7]);
  assert.deepEqual(variants(await bySkus(['sku-7', 'sku-2'], '&variant=7')), [7]);
  const many = Array.from({ length: 100 }, (_, at) => `sku-${at + 1}`);
  const page = await bySkus(many);
  assert.deepEqual([page.limit, page.count, page.total], [100, 12, 12]);
  assert.deepEqual(variants(await bySkus(many, '&limit=2&offset=1')), [2, 3]);
  const met: number[] = [];
  for (let after = ''; ; ) {
    const part = await bySkus(many, `&limit=5${after}`);
    met.push(...variants(part));
    if (part.next === undefined) break;
    after = `&cursor=${part.next}`;
  }
  assert.deepEqual(met, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const first = await api.call({ path: '/shop/resource/images?limit=10' });
  const [, link] = /^<[^>]*(\/shop\/[^>]*)>; rel="next"$/.exec(first.headers.link ?? '') ?? [];
  assert.deepEqual(variants(await read(link!)), [11, 12]);
  const ofOther = await api.call({ path: `/shop/resource/images?staged=true&cursor=${first.json.next}` });
  refusalOf(ofOther, 400, 'InvalidInput');
  const refused = await api.call({
    path: `/shop/resource/images?${[...many, 'x'].map((sku) => `sku=${sku}`).join('&')}`,
  });
  assert.equal(refused.status, 400);
  assert.match(refused.json.message, /Malformed parameter: sku: expected at most 100, not 101/);
});

test('addresses of images are absolute under the public address', async () => {
  const [variant] = (await read('/shop/resource/images?variant=3')).results;
  const [details] = variant.imageDetails;
  for (const url of [variant.images[0], details.url, details.renditions.thumb.url]) {
    assert.match(url, /^https:\/\/api\.eu-1\.aws\.example\.com\/shop\/images\//);
  }
});

test('listing images refuses a misspelled parameter and limits beyond the bounds', async () => {
  for (const query of [
    'skuu=x',
    'limit=501',
    'limit=-1',
    'offset=10001',
    'variant=0',
    'variant=x',
    'staged=maybe',
    'sku=',
  ]) {
    refusalOf(await api.call({ path: `/shop/resource/images?${query}` }), 400, 'InvalidInput');
  }
});

test('listing images needs a scope to read resources or to upload images', async () => {
  const list = (scope: string) => api.call({ path: '/shop/resource/images', scope });
  for (const scope of ['view_test:shop', 'manage_test:shop', 'manage_products:shop', 'manage_project:shop']) {
    assert.equal((await list(scope)).status, 200, scope);
  }
  refusalOf(await list('view_test:other'), 403, 'insufficient_scope');
  refusalOf(await list('none'), 401, 'invalid_token');
});

test('the resources of a project do not show its variants, in lists, existence checks and by key', async () => {
  assert.equal((await read('/shop/resource')).total, 0);
  assert.equal((await read('/shop/resource/sorted-query-parameters')).total, 0);
  assert.equal((await api.call({ method: 'HEAD', path: '/shop/resource' })).status, 404);
  for (const path of ['/shop~images/resource', '/~renditions/resource', '/shop%7Eimages/resource/image-variant-3']) {
    assert.equal((await api.call({ path, scope: 'manage_project:shop' })).status, 404, path);
  }
});

test('what a variant does not have is 404 with what its id is for', async () => {
  const path = '/shop/resource/image-variant-1';
  for (const request of [{ method: 'DELETE', path }, { path: `${path}/history` }, { path: `${path}?version=1` }]) {
    const { message } = refusalOf(
      await api.call({ scope: 'manage_project:shop', ...request }),
      404,
      'ResourceNotFound',
    );
    assert.match(message, /Variants of images are read and updated by this id/);
  }
});
