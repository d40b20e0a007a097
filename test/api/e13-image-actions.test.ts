import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '../images/pictures.ts';
import { fileIn, openImages } from './open-images.ts';
import { refusalOf } from './open-resources.ts';

const { api, upload, read } = await openImages();
const small = await png(20, 10);

type Action = Readonly<Record<string, unknown>>;

/** A variant of its own with images, all of them current unless `staged`. Returns its last state and the addresses. */
async function variantWith(sku: string, count: number, staged = false) {
  let variant: { id: string; version: number; images: string[] } | undefined;
  for (let at = 0; at < count; at += 1) variant = await upload(`?sku=${sku}&staged=${staged}&filename=${at}`, small);
  return variant!;
}

const act = (id: string, version: number, ...actions: readonly Action[]) =>
  api.call({ method: 'POST', path: `/shop/resource/${id}`, body: { version, actions } });

/** Both projections as the numbers in the names of their images. */
async function orders(id: string): Promise<readonly string[]> {
  const numbers = async (staged: boolean) => {
    const { images } = (await read(`/shop/resource/${id}?staged=${staged}`)) as { images: readonly string[] };
    return images.map((url) => fileIn(url).split('-', 1)[0]).join('');
  };
  return [await numbers(false), await numbers(true)];
}

test('moveImageToPosition moves the staged image, with staged false both, and a publish shows it', async () => {
  const { id, version, images } = await variantWith('move', 4);
  const move = (imageUrl: string, position: number, more: Action = {}) => ({
    ...{ action: 'moveImageToPosition', imageUrl, position, ...more },
  });
  const first = await act(id, version, move(images[3]!, 0), move(images[1]!, 3));
  assert.deepEqual([first.status, first.json.version, first.json.hasStagedChanges], [200, version + 1, true]);
  assert.deepEqual(await orders(id), ['0123', '3021']);
  const both = await act(id, version + 1, move(`https://shop.example${images[2]}`, 0, { staged: false }));
  assert.equal(both.status, 200, both.text);
  assert.deepEqual(await orders(id), ['2013', '2301']);
  assert.equal((await act(id, version + 2, { action: 'publish' })).status, 200);
  assert.deepEqual(await orders(id), ['2301', '2301']);
  const { imageDetails, images: last } = await read(`/shop/resource/${id}`);
  assert.deepEqual(
    imageDetails.map(({ url }: { url: string }) => url),
    last,
  );
  // Where it is, or back where it was: nothing is staged any more, and every request has a version of its own.
  const same = await act(id, version + 3, move(images[2]!, 0));
  assert.deepEqual([same.json.version, same.json.hasStagedChanges], [version + 4, undefined]);
});

test('moveImageToPosition in two projections: in the one with fewer images the last place is the end', async () => {
  const { id, images } = await variantWith('longer', 2);
  const { version, images: all } = await upload('?sku=longer&filename=2', small);
  assert.equal(all.length, 3);
  const action = { action: 'moveImageToPosition', imageUrl: images[0], position: 2, staged: false };
  assert.equal((await act(id, version, action)).status, 200);
  assert.deepEqual(await orders(id), ['10', '120']);
});

test('removeImage removes from the staged projection, which can be undone, or from both', async () => {
  const { id, version, images } = await variantWith('remove', 3);
  const remove = (imageUrl: string | undefined, more: Action = {}) => ({ action: 'removeImage', imageUrl, ...more });
  assert.equal((await act(id, version, remove(images[1]))).status, 200);
  assert.deepEqual(await orders(id), ['012', '02']);
  refusalOf(await act(id, version + 1, remove(images[1])), 400, 'InvalidOperation');
  assert.equal((await act(id, version + 1, { action: 'revertStagedChanges' })).status, 200);
  assert.deepEqual(await orders(id), ['012', '012']);
  assert.equal((await act(id, version + 2, remove(images[0]), remove(images[2], { staged: false }))).status, 200);
  assert.deepEqual(await orders(id), ['01', '1']);
  // One that is in the current projection only can be removed there.
  assert.equal((await act(id, version + 3, remove(images[0], { staged: false }))).status, 200);
  assert.deepEqual(await orders(id), ['1', '1']);
  assert.equal((await act(id, version + 4, remove(images[1], { staged: false }))).status, 200);
  assert.deepEqual(await orders(id), ['', '']);
  const again = await upload('?sku=remove&staged=false&filename=7', small);
  assert.deepEqual([again.id, again.images.length], [id, 1]);
});

test('setImageLabel sets and removes what an image shows, and uploads and moves keep it', async () => {
  const { id, version, images } = await variantWith('label', 2);
  const label = (text?: string | null, more: Action = {}) => ({
    ...{ action: 'setImageLabel', imageUrl: images[0], ...(text !== undefined && { label: text }), ...more },
  });
  const labels = async (staged = false) => {
    const { imageDetails } = await read(`/shop/resource/${id}?staged=${staged}`);
    return imageDetails.map((image: { label?: string }) => image.label);
  };
  assert.equal((await act(id, version, label('Ein blauer Schuh 👟'))).status, 200);
  assert.deepEqual(
    [await labels(), await labels(true)],
    [
      [undefined, undefined],
      ['Ein blauer Schuh 👟', undefined],
    ],
  );
  assert.equal((await act(id, version + 1, label('both', { staged: false }))).status, 200);
  const moved = { action: 'moveImageToPosition', imageUrl: images[0], position: 1, staged: false };
  assert.equal((await act(id, version + 2, moved)).status, 200);
  await upload('?sku=label&staged=false', small);
  assert.deepEqual(await labels(), [undefined, 'both', undefined]);
  const next = version + 4;
  refusalOf(await act(id, next, label('x'.repeat(501))), 400, 'InvalidOperation');
  assert.equal((await act(id, next, label(''))).status, 200);
  assert.deepEqual(await labels(true), [undefined, '', undefined]);
  assert.equal((await act(id, next + 1, label(null, { staged: false }))).status, 200);
  assert.deepEqual(await labels(true), [undefined, undefined, undefined]);
});

test('actions on images are refused with their reason, all of a request together, and change nothing then', async () => {
  const { id, version, images } = await variantWith('refused', 2);
  const [imageUrl] = images;
  const cases: readonly (readonly [Action, string, RegExp])[] = [
    [
      { action: 'removeImage', imageUrl: 'other.jpg' },
      'InvalidOperation',
      /actions\[1\]: imageUrl: .* not 'other\.jpg'/,
    ],
    [{ action: 'removeImage', imageUrl: '' }, 'InvalidOperation', /imageUrl: /],
    [{ action: 'removeImage', imageUrl: '/x', staged: false }, 'InvalidOperation', /one of the images of the variant/],
    [{ action: 'removeImage' }, 'InvalidJsonInput', /actions\[1\]\.imageUrl: Missing required value/],
    [{ action: 'removeImage', imageUrl, staged: 'no' }, 'InvalidJsonInput', /actions\[1\]\.staged: /],
    [{ action: 'removeImage', imageUrl, sku: 'a' }, 'InvalidJsonInput', /removeImage takes imageUrl, staged/],
    [{ action: 'setImageLabel', imageUrl, label: 7 }, 'InvalidJsonInput', /actions\[1\]\.label: /],
    [{ action: 'moveImageToPosition', imageUrl, position: 2 }, 'InvalidOperation', /position: expected 0 to 1, not 2/],
    [{ action: 'moveImageToPosition', imageUrl, position: -1 }, 'InvalidOperation', /position: expected 0 to 1/],
    [{ action: 'moveImageToPosition', imageUrl, position: 1e18 }, 'InvalidOperation', /position: expected 0 to 1/],
    [{ action: 'moveImageToPosition', imageUrl, position: 0.5 }, 'InvalidJsonInput', /actions\[1\]\.position: /],
    [
      { action: 'setField', path: 'images', value: [] },
      'InvalidOperation',
      /has only moveImageToPosition, removeImage/,
    ],
    [{ action: 'restore', version: 1 }, 'InvalidOperation', /has only moveImageToPosition/],
  ];
  const fine = { action: 'setImageLabel', imageUrl, label: 'not kept' };
  for (const [action, code, message] of cases) {
    const refused = await act(id, version, fine, action);
    assert.match(refusalOf(refused, 400, code).message, message, JSON.stringify(action));
  }
  refusalOf(await act(id, version - 1, fine), 409, 'ConcurrentModification');
  const { version: now, imageDetails } = await read(`/shop/resource/${id}?staged=true`);
  assert.deepEqual([now, imageDetails[0].label], [version, undefined]);
});

test('actions on images are refused on resources, whatever fields those have', async () => {
  const fields = { images: ['/shop/images/a.jpg'], imageDetails: [{ url: '/shop/images/a.jpg' }] };
  const made = await api.call({ method: 'POST', path: '/shop/resource', body: { key: 'no-variant', ...fields } });
  assert.equal(made.status, 201, made.text);
  for (const action of [
    { action: 'removeImage', imageUrl: '/shop/images/a.jpg' },
    { action: 'setImageLabel', imageUrl: '/shop/images/a.jpg' },
    { action: 'moveImageToPosition', imageUrl: '/shop/images/a.jpg', position: 0 },
  ]) {
    const refused = await act(made.json.id, 1, action);
    assert.match(refusalOf(refused, 400, 'InvalidOperation').message, /only a variant of images has images/);
  }
});
