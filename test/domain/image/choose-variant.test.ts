import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { decideAddImage } from '../../../src/domain/image/add-image.ts';
import { chooseVariant, type WantedVariant } from '../../../src/domain/image/choose-variant.ts';
import { type ImageFacts, variantProjectOf } from '../../../src/domain/image/variant.ts';
import type { ResourceStore } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { commitDecided } from '../../../src/domain/resource/write/commit.ts';
import { overriding } from '../../storage/overriding.ts';
import { openTestStore, temporaryFolder } from '../../storage/sqlite/open-test-store.ts';

/** Uploads that meet between the look for a variant and the commit, as with several processes. */
let folder = temporaryFolder();
let opened: Store | undefined;
let store: ResourceStore;

async function close(): Promise<void> {
  await opened?.close();
  folder.remove();
}
beforeEach(async () => {
  await close();
  folder = temporaryFolder();
  opened = await openTestStore(folder.file);
  store = opened.resources;
});
after(close);

const facts: ImageFacts = {
  ...{ file: `x-${'0'.repeat(32)}.png`, type: 'image/png', dimensions: { w: 1, h: 1 }, sizeBytes: 1 },
};

/** Adds an image to the variant that is wanted, and returns the number and the sku that it has then. */
async function add(through: ResourceStore, sku: string | undefined, number?: number) {
  const context = { nowIso: '2026-01-02T03:04:05.678Z', clientId: 'test', newId: () => 'id', maxDocumentBytes: 1e6 };
  const wanted: WantedVariant = { sku, number };
  let added: readonly unknown[] = [];
  await commitDecided(
    {
      ...{ store: through, projectKey: variantProjectOf('shop'), context, preconditions: {} },
      responseOf({ record, documents: { current } }) {
        added = [current.variant, record.key, record.version];
        return { status: 200, headers: {}, body: '' };
      },
    },
    async () => decideAddImage('shop', await chooseVariant(through, 'shop', wanted), facts, false, context),
  );
  return added;
}

test('a new sku whose free number others take again and again, after it was found, gets the next one', async () => {
  let others = 0;
  const raced: ResourceStore = overriding(store, {
    async get(projectKey, id) {
      const found = await store.get(projectKey, id);
      if (found === undefined && others < 20) {
        others += 1;
        await add(store, `other-${others}`, Number(id.replace('image-variant-', '')));
      }
      return found;
    },
  });
  const [number, sku, version] = await add(raced, 'mine');
  assert.equal(others, 20);
  assert.deepEqual([sku, version], ['mine', 1]);
  assert.equal((await chooseVariant(store, 'shop', { sku: 'mine', number: undefined })).number, number);
  for (let other = 1; other <= 20; other += 1) {
    const { target } = await chooseVariant(store, 'shop', { sku: `other-${other}`, number: undefined });
    assert.equal(target?.resource.version, 1, `other-${other}`);
  }
});

/** The store, and another upload that ends just after the sku was looked for in vain. */
function racedBy(other: () => Promise<unknown>): ResourceStore {
  let isFirst = true;
  return overriding(store, {
    async getByKey(projectKey, key) {
      const found = await store.getByKey(projectKey, key);
      if (isFirst) {
        isFirst = false;
        await other();
      }
      return found;
    },
  });
}

test('two uploads of one new sku, with and without a number, are for one variant, whichever is first', async () => {
  assert.deepEqual(
    await add(
      racedBy(() => add(store, 'a')),
      'a',
    ),
    [1, 'a', 2],
  );
  assert.deepEqual(
    await add(
      racedBy(() => add(store, 'b', 9)),
      'b',
      9,
    ),
    [9, 'b', 2],
  );
  assert.deepEqual(
    await add(
      racedBy(() => add(store, 'c', 5)),
      'c',
    ),
    [5, 'c', 2],
  );
});

test('a sku and a number that a client sent and that name different variants are refused, the race lost or not', async () => {
  await add(store, 'a', 1);
  await assert.rejects(add(store, 'a', 2), /the sku 'a' is that of variant 1/);
  await assert.rejects(add(store, 'b', 1), /variant 1 has the sku 'a', not 'b'/);
  await assert.rejects(
    add(
      racedBy(() => add(store, 'd', 3)),
      'c',
      3,
    ),
    /variant 3 has the sku 'd', not 'c'/,
  );
});
