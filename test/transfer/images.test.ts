import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { decideAddImage } from '../../src/domain/image/add-image.ts';
import { type ImageFacts, variantIdOf, variantProjectOf } from '../../src/domain/image/variant.ts';
import type { ResourceRecord } from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { parseRecord } from '../../src/domain/resource/resource.ts';
import { exportProject } from '../../src/transfer/export.ts';
import { writeHeader, writeRecord } from '../../src/transfer/file-format.ts';
import { createImport } from '../../src/transfer/import.ts';
import { uncheckedRecord } from '../storage/records.ts';
import { openTestStore, temporaryFolder } from '../storage/sqlite/open-test-store.ts';

/** What of the images of a project moves along with it. */
const folders = [temporaryFolder(), temporaryFolder()] as const;
let stores: readonly [Store, Store] | undefined;

async function close(): Promise<void> {
  for (const store of stores ?? []) await store.close();
  for (const folder of folders) folder.remove();
}
beforeEach(async () => {
  await close();
  for (const [i, folder] of [temporaryFolder(), temporaryFolder()].entries()) Object.assign(folders[i]!, folder);
  stores = [await openTestStore(folders[0].file), await openTestStore(folders[1].file)];
});
after(close);

const from = () => stores![0].resources;
const to = () => stores![1].resources;
const nowIso = '2026-01-02T03:04:05.678Z';
const fileOf = (name: string) => `${name}-${'0'.repeat(32)}.jpg`;

/** Adds an image to variant 1 of a project, current or staged. */
async function add(project: string, name: string, staged: boolean): Promise<void> {
  const file = fileOf(name);
  const facts: ImageFacts = {
    ...{ file, type: 'image/jpeg', dimensions: { w: 2500, h: 2000 }, sizeBytes: 7 },
  };
  const found = await from().get(variantProjectOf(project), variantIdOf(1));
  const chosen = { target: found && parseRecord(found), number: 1, sku: 'shoe' };
  const context = { nowIso, clientId: 'test', newId: () => 'id', maxDocumentBytes: 1e6 };
  const { change } = decideAddImage(project, chosen, facts, staged, context);
  assert.equal(await from().commit(change!), 'committed');
}

async function exported(project: string): Promise<string> {
  let text = '';
  const options = { store: from(), project, exportedAt: nowIso, onProgress: () => {} };
  for await (const chunk of exportProject(options)) text += chunk;
  return text;
}

async function imported(text: string, project: string) {
  const work = createImport({
    store: to(),
    project,
    overwrite: false,
    nowMs: Date.now,
    onHeader: () => {},
    onProgress: () => {},
  });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  await work.run(chunks());
  const { created, unchanged, refused } = work.counts;
  return { created, unchanged, refused };
}

const variantIn = async (project: string) => (await to().get(variantProjectOf(project), variantIdOf(1)))!;
const texts = ({ current, staged }: ResourceRecord) => [current, staged];

test('import under another name: all addresses of images, staged ones as well, are those of that project', async () => {
  await add('shop', 'front', false);
  await add('shop', 'back', true);
  const source = (await from().get(variantProjectOf('shop'), variantIdOf(1)))!;
  const file = await exported('shop');
  assert.deepEqual(await imported(file, 'shop'), { created: 1, unchanged: 0, refused: 0 });
  assert.deepEqual({ ...(await variantIn('shop')) }, { ...source });
  assert.deepEqual(await imported(file, 'shop2'), { created: 1, unchanged: 0, refused: 0 });
  const moved = await variantIn('shop2');
  assert.ok(source.staged?.includes('/shop/images/back-'));
  assert.deepEqual(
    texts(moved),
    texts(source).map((text) => text?.replaceAll('"/shop/images/', '"/shop2/images/')),
  );
  const others = ({ projectKey: _, current: __, staged: ___, ...rest }: ResourceRecord) => rest;
  assert.deepEqual(others(moved), others(source));
  assert.deepEqual(await imported(file, 'shop2'), { created: 0, unchanged: 1, refused: 0 });
  assert.equal((await to().getByKey(variantProjectOf('shop2'), 'shoe'))?.id, variantIdOf(1));
});

test('import under another name leaves alone what a client wrote, though it looks like such an address', async () => {
  const text = JSON.stringify({ id: 'a', version: 1, createdAt: nowIso, images: ['/shop/images/a.png'] });
  for (const projectKey of ['shop', 'shop~backend', 'shop~settings']) {
    const record = { projectKey, id: 'a', key: undefined, version: 1, createdAt: nowIso, lastModifiedAt: nowIso };
    const next = uncheckedRecord({ ...record, current: text, staged: undefined, history: '' });
    await from().commit({ kind: 'create', next, after: parseRecord(next).documents });
  }
  await imported(await exported('shop'), 'shop2');
  for (const projectKey of ['shop2', 'shop2~backend', 'shop2~settings'])
    assert.equal((await to().get(projectKey, 'a'))?.current, text);
});

test('a variant that is not a JSON object is refused under another name as under its own, before it is stored', async () => {
  await add('shop', 'front', false);
  const source = (await from().get(variantProjectOf('shop'), variantIdOf(1)))!;
  for (const current of ['[1]', '{"images":']) {
    for (const project of ['shop', 'shop2']) {
      const text =
        writeHeader({ project: 'shop', exportedAt: nowIso }) + writeRecord('~images', { ...source, current });
      await assert.rejects(imported(text, project), /line 2: the document of image-variant-1 is not a JSON object/);
    }
  }
});
