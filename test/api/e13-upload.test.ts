import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gif, jpeg, png } from '../images/pictures.ts';
import { fileIn, openImages } from './open-images.ts';
import { refusalOf, versionIn } from './open-resources.ts';

const { api, send, upload, read, act, filesOf, temporaries } = await openImages();
const small = await png(20, 10);

test('E13 is 200 with the variant, its image and the renditions, all of which exist', async () => {
  const response = await send('?sku=shape&filename=Fr%C3%B6nt%20view.jpg', await jpeg(800, 600), 'image/jpeg');
  assert.equal(response.status, 200, response.text);
  assert.equal(versionIn(response.headers.etag), 1);
  const { images, imageDetails, ...variant } = response.json;
  assert.deepEqual([variant.version, variant.sku, variant.attributes], [1, 'shape', {}]);
  assert.equal(variant.id, `image-variant-${variant.variant}`);
  assert.match(images[0], /^\/shop\/images\/Front-view-[0-9a-f]{32}\.jpg$/);
  const [details] = imageDetails;
  assert.deepEqual([details.url, details.dimensions, details.mimeType], [images[0], { w: 800, h: 600 }, 'image/jpeg']);
  const renditions = Object.entries<{ dimensions: object; status: string; url: string }>(details.renditions);
  assert.deepEqual(
    renditions.map(([name, { dimensions, status }]) => [name, dimensions, status]),
    [
      ['thumb', { w: 50, h: 38 }, 'ready'],
      ['small', { w: 150, h: 113 }, 'ready'],
      ['medium', { w: 400, h: 300 }, 'ready'],
      ['large', { w: 700, h: 525 }, 'ready'],
      ['zoom', { w: 800, h: 600 }, 'ready'],
    ],
  );
  for (const [, { url }] of renditions) assert.equal((await api.call({ path: url, scope: 'none' })).status, 200, url);
  const original = await api.call({ path: images[0], scope: 'none' });
  assert.equal(Number(original.headers['content-length']), details.sizeBytes);
  assert.deepEqual(temporaries(), []);
});

test('E13 without staged puts the image into the staged projection only, until publish', async () => {
  const made = await upload('?sku=stage', small);
  assert.equal(made.hasStagedChanges, true);
  const current = await read(`/shop/resource/${made.id}`);
  assert.deepEqual([current.images, current.imageDetails, current.version], [[], [], 1]);
  assert.deepEqual((await read(`/shop/resource/${made.id}?staged=true`)).images, made.images);
  const published = await act(made.id, 1, 'publish');
  assert.equal(published.status, 200, published.text);
  assert.deepEqual([published.json.images, published.json.version], [made.images, 2]);
  assert.equal('hasStagedChanges' in published.json, false);
});

test('E13 with staged=false puts the image into both projections, beside what is staged', async () => {
  const staged = await upload('?sku=both', small);
  const both = await upload('?sku=both&staged=false', small);
  assert.deepEqual([both.version, both.images.length, both.hasStagedChanges], [2, 1, true]);
  const next = await read(`/shop/resource/${both.id}?staged=true`);
  assert.deepEqual(next.images, [...staged.images, ...both.images]);
});

test('revertStagedChanges on a variant drops its staged images', async () => {
  const first = await upload('?sku=revert&staged=false', small);
  await upload('?sku=revert', small);
  const reverted = await act(first.id, 2, 'revertStagedChanges', 'doSomeThing');
  assert.deepEqual([reverted.status, reverted.json.version, reverted.json.images], [200, 3, first.images]);
  assert.deepEqual((await read(`/shop/resource/${first.id}?staged=true`)).images, first.images);
});

test('E10 on a variant refuses other actions, and a stale version before it looks at them', async () => {
  const made = await upload('?sku=actions&staged=false', small);
  for (const action of [
    { action: 'setKey', key: 'x' },
    { action: 'setField', path: 'images', value: [] },
  ]) {
    const body = { version: 1, actions: [{ action: 'doSomeThing' }, action] };
    const response = await api.call({ method: 'POST', path: `/shop/resource/${made.id}`, body });
    assert.match(
      refusalOf(response, 400, 'InvalidOperation').message,
      /only moveImageToPosition, removeImage, setImageLabel, publish, revertStagedChanges, doSomeThing\./,
    );
  }
  refusalOf(await act(made.id, 1, 'noSuchAction'), 400, 'InvalidInput');
  assert.equal(refusalOf(await act(made.id, 7, 'setKey'), 409, 'ConcurrentModification').currentVersion, 1);
  assert.equal((await read(`/shop/resource/${made.id}`)).version, 1);
});

test('E2 returns a variant where no resource has the id, to GET and HEAD, with ETag and 304', async () => {
  const { id } = await upload('?sku=read', small);
  const tag = String((await api.call({ path: `/shop/resource/${id}` })).headers.etag);
  assert.equal(versionIn(tag), 1);
  for (const method of ['GET', 'HEAD']) {
    const response = await api.call({ method, path: `/shop/resource/${id}`, scope: 'view_test:shop' });
    assert.deepEqual([response.status, response.headers.etag], [200, tag]);
  }
  const headers = { 'if-none-match': tag };
  assert.equal((await api.call({ path: `/shop/resource/${id}`, headers })).status, 304);
  refusalOf(await api.call({ path: `/other/resource/${id}` }), 404, 'ResourceNotFound');
  refusalOf(await api.call({ path: '/shop/resource/image-variant-999999' }), 404, 'ResourceNotFound');
  refusalOf(await api.call({ path: '/shop/resource/key=read' }), 404, 'ResourceNotFound');
  refusalOf(await api.call({ method: 'DELETE', path: `/shop/resource/${id}` }), 404, 'ResourceNotFound');
  await api.call({ method: 'PUT', path: '/shop/resource', body: { id, colour: 'red' } });
  assert.equal((await read(`/shop/resource/${id}`)).colour, 'red');
});

test('E13 without sku and variant is for variant 1, and a sku given later is set', async () => {
  const post = (query: string) =>
    api.call({
      ...{ method: 'POST', path: `/first/resource/images${query}`, body: small },
      headers: { 'content-type': 'image/png' },
    });
  const first = (await post('')).json;
  assert.deepEqual([first.variant, first.sku, first.version], [1, undefined, 1]);
  assert.equal((await post('?variant=1')).json.version, 2);
  const named = (await post('?variant=1&sku=one')).json;
  assert.deepEqual([named.variant, named.sku, named.version], [1, 'one', 3]);
  assert.equal((await post('?sku=one')).json.variant, 1);
  assert.equal((await post('')).json.sku, 'one');
  refusalOf(await post('?variant=1&sku=two'), 400, 'InvalidInput');
  refusalOf(await post('?variant=2&sku=one'), 400, 'InvalidInput');
  const second = (await post('?sku=two')).json;
  assert.deepEqual([second.variant, second.sku], [2, 'two']);
  assert.equal((await post('?variant=7&sku=seven')).json.variant, 7);
  assert.equal((await post('?sku=three')).json.variant, 3);
});

test('E13: an animated GIF and a JPEG in one variant stay in their order, each in its own format', async () => {
  const first = await upload('?sku=mixed', await gif(120, 60, 3), 'image/gif');
  const second = await upload('?sku=mixed', await jpeg(60, 60), 'image/jpeg');
  assert.deepEqual(second.images.slice(0, 1), first.images);
  const types = second.imageDetails.map(({ mimeType }: { mimeType: string }) => mimeType);
  assert.deepEqual(types, ['image/gif', 'image/jpeg']);
});

test('E13: fifty uploads for one variant at the same time are all stored, each with a version of its own', async () => {
  const uploads = Array.from({ length: 50 }, () => upload('?sku=race&staged=false', small));
  const responses = await Promise.all(uploads);
  const versions = responses.map(({ version }) => version).sort((a, b) => a - b);
  assert.deepEqual(
    versions,
    Array.from({ length: 50 }, (_, i) => i + 1),
  );
  const { images } = await read(`/shop/resource/${responses[0].id}`);
  assert.equal(new Set(images).size, 50);
  const files = filesOf('shop');
  for (const url of images) assert.ok(files.includes(fileIn(url)), url);
});

test('E13: new skus at the same time get a variant each', async () => {
  const responses = await Promise.all(Array.from({ length: 12 }, (_, i) => upload(`?sku=new-${i}`, small)));
  assert.equal(new Set(responses.map(({ variant }) => variant)).size, 12);
});

test('E13: a new sku gets a free number where clients have chosen all powers of two', async () => {
  const path = '/powers/resource/images';
  const one = { method: 'POST', headers: { 'content-type': 'image/png' }, body: small };
  const chosen = Array.from({ length: 31 }, (_, i) => 2 ** i);
  for (const number of [...chosen, 3]) await api.call({ ...one, path: `${path}?variant=${number}` });
  const numbers: number[] = [];
  for (const sku of ['a', 'b']) {
    const response = await api.call({ ...one, path: `${path}?sku=${sku}` });
    assert.equal(response.status, 200, response.text);
    numbers.push(response.json.variant);
  }
  assert.deepEqual(numbers, [5, 6]);
});

test('E13 with an Idempotency-Key: a repeat gets the first response and leaves no file, other bytes are 422', async () => {
  const key = { 'idempotency-key': 'upload-1' };
  const first = await send('?sku=again', small, 'image/png', key);
  const files = filesOf('shop');
  const repeat = await send('?sku=again', small, 'image/png', key);
  assert.deepEqual([repeat.status, repeat.json], [200, first.json]);
  assert.deepEqual(filesOf('shop'), files);
  refusalOf(await send('?sku=again', await png(21, 10), 'image/png', key), 422, 'IdempotencyKeyReused');
  assert.deepEqual(filesOf('shop'), files);
});

test('E13 with a stale If-Match is 412 and stores nothing', async () => {
  const { headers } = await send('?sku=match', small, 'image/png');
  const files = filesOf('shop');
  const response = await send('?sku=match', small, 'image/png', { 'if-match': '"5"' });
  assert.equal(refusalOf(response, 412, 'ConcurrentModification').currentVersion, 1);
  assert.equal((await send('?sku=match', small, 'image/png', { 'if-match': headers.etag! })).status, 200);
  assert.equal(filesOf('shop').length, files.length + 1);
});

test('E13: createdBy and lastModifiedBy of a variant say who uploaded', async () => {
  await upload('?sku=who', small);
  const response = await send('?sku=who', small, 'image/png', { 'x-external-user-id': 'jane' });
  assert.deepEqual(response.json.createdBy, { clientId: 'test-admin' });
  assert.deepEqual(response.json.lastModifiedBy, { clientId: 'test-admin', externalUserId: 'jane' });
});

test('E13 of a large image is answered when all its renditions are ready', async () => {
  const made = await upload('?sku=large', await jpeg(2500, 2000), 'image/jpeg');
  const { renditions } = made.imageDetails[0];
  assert.deepEqual(
    Object.values(renditions as Record<string, { status: string }>).map(({ status }) => status),
    Array(5).fill('ready'),
  );
  const original = await api.call({ path: made.images[0], scope: 'none' });
  assert.deepEqual([original.status, original.headers['content-type']], [200, 'image/jpeg']);
  const zoom = await api.call({ path: renditions.zoom.url, scope: 'none' });
  assert.deepEqual([zoom.status, zoom.headers['content-type']], [200, 'image/jpeg']);
  assert.deepEqual(renditions.zoom.dimensions, { w: 1400, h: 1120 });
});

test('each upload is an event of the project, in one order with its changes; a repeat and a refused one are none', async () => {
  const { next } = (await api.call({ path: '/shop/events?after=latest' })).json;
  const headers = { 'idempotency-key': 'told', 'x-correlation-id': 'photo-1', 'x-external-user-id': 'jane' };
  const { id } = (await send('?sku=told', small, 'image/png', headers)).json;
  assert.equal((await send('?sku=told', small, 'image/png', headers)).json.id, id);
  await api.call({ method: 'POST', path: '/shop/resource', body: { id: 'between' } });
  await upload('?sku=told&staged=false', small);
  refusalOf(await send('?sku=told', Buffer.from('no image'), 'image/png'), 400, 'InvalidInput');
  const { results } = (await api.call({ path: `/shop/events?after=${next}&include=resource` })).json;
  const told = results.map(({ type, resource }: { type: string; resource: object }) => [type, resource]);
  const ofVariant = (version: number) => ['imageUploaded', { typeId: 'image-variant', id, version }];
  assert.deepEqual(told, [ofVariant(1), ['created', { typeId: 'resource', id: 'between', version: 1 }], ofVariant(2)]);
  const { id: _, sequence, at, ...first } = results[0];
  assert.deepEqual(first, {
    ...{ type: 'imageUploaded', resource: { typeId: 'image-variant', id, version: 1 }, cause: 'image' },
    ...{ actor: { clientId: 'test-admin', externalUserId: 'jane' }, correlationId: 'photo-1' },
  });
});
