import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkVariant, decideAddImage } from '../../src/domain/image/add-image.ts';
import { chooseVariant } from '../../src/domain/image/choose-variant.ts';
import type { ImageType } from '../../src/domain/image/file-name.ts';
import type { ImageFacts } from '../../src/domain/image/variant.ts';
import { variantProjectOf } from '../../src/domain/image/variant.ts';
import type { ImageStore } from '../../src/domain/ports/image-store.ts';
import type { ResourceStore } from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { commitDecided } from '../../src/domain/resource/write/commit.ts';
import { createUuidV7 } from '../../src/domain/uuid.ts';
import { type Codec, openCodec } from '../../src/images/codec/open-codec.ts';
import { createFolderStore, temporaryFolder } from '../../src/images/files/folder-store.ts';
import { createQuota, type QuotaLimits } from '../../src/images/files/quota.ts';
import { createSpool } from '../../src/images/files/spool.ts';
import { type SweepParts, sweepImages } from '../../src/images/files/sweeper.ts';
import { type StoredImage, storeImage } from '../../src/images/upload/store-image.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { openTestStore } from '../storage/sqlite/open-test-store.ts';

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The parts of the service that images need, on a folder and a database of their own, to be called one by one. */
export async function openParts(more: { readonly quota?: Partial<QuotaLimits> } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'grs-parts-'));
  const opened: Store = await openTestStore(join(folder, 'grs.db'));
  const store: ResourceStore = opened.resources;
  const imageFolder = join(folder, 'images');
  const files: ImageStore = createFolderStore(imageFolder);
  const codec: Codec = openCodec({ maxPixels: 50_000_000, maxFrames: 500, maxDecodedBytes: 1e9 });
  const quota = createQuota(files, { maxImages: 0, maxBytes: 0, ...more.quota }, () => nowMs());
  const clock = { nowMs: Date.now() };
  const nowMs = () => clock.nowMs;
  const newId = createUuidV7(Date.now);
  const spool = createSpool(join(imageFolder, temporaryFolder), 0);
  const base = { store, files, codec, quota, nowMs, newId, log: noLog };
  const sweepParts = { ...base, spool, isClosing: () => false };

  async function keep(bytes: Uint8Array, type: ImageType): Promise<StoredImage> {
    const spooled = await spool.receive(once(bytes), bytes.length);
    try {
      return await storeImage(base, { projectKey: 'shop', spooled, type, filename: 'x' });
    } finally {
      await spool.remove(spooled);
    }
  }

  async function commitRow(facts: ImageFacts): Promise<void> {
    const context = { nowIso: new Date().toISOString(), clientId: 'test', newId, maxDocumentBytes: 1_000_000 };
    const write = {
      ...{ store, projectKey: variantProjectOf('shop'), context, preconditions: {} },
      responseOf: () => ({ status: 200, headers: {}, body: '' }),
    };
    await commitDecided(write, async () => {
      const chosen = await chooseVariant(store, 'shop', { sku: undefined, number: 1 });
      checkVariant(chosen, {});
      return decideAddImage('shop', chosen, facts, true, context);
    });
  }

  async function names(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { name } of files.list()) found.push(name.split('/')[1]!);
    return found.sort();
  }

  return {
    ...{ store, files, imageFolder, keep, commitRow, names },
    newQuota: (limits: QuotaLimits) => createQuota(files, limits, nowMs),
    sweep: (more: Partial<SweepParts> = {}) => sweepImages({ ...sweepParts, ...more }),
    passMinutes: (minutes: number) => {
      clock.nowMs = Date.now() + minutes * 60_000;
    },
    /** Lets the hour pass in which a file may still get its row. */
    passGrace: () => {
      clock.nowMs = Date.now() + 61 * 60_000;
    },
    async close() {
      codec.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
