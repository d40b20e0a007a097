import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { variantIdOf, variantProjectOf } from '../../src/domain/image/variant.ts';
import { overriding } from '../storage/overriding.ts';
import { uncheckedRecord } from '../storage/records.ts';
import { openParts } from './open-parts.ts';
import { png } from './pictures.ts';

type Parts = Awaited<ReturnType<typeof openParts>>;

async function withParts(use: (parts: Parts) => Promise<void>, more: Parameters<typeof openParts>[0] = {}) {
  const parts = await openParts(more);
  try {
    await use(parts);
  } finally {
    await parts.close();
  }
}

/** An image with a row: of a project without any variant nothing is swept. */
async function keepListed({ keep, commitRow, names }: Parts): Promise<readonly string[]> {
  const { facts } = await keep(await png(20, 10), 'image/png');
  await commitRow(facts);
  return names();
}

test('a crash between files and row leaves files without a row, which are swept after their time of grace', () =>
  withParts(async (parts) => {
    const { keep, names, sweep, passGrace } = parts;
    const listed = await keepListed(parts);
    await keep(await png(200, 100), 'image/png');
    assert.equal((await names()).length, 1 + 3);
    assert.equal(await sweep(), 0, 'an upload that is still under way is left alone');
    passGrace();
    assert.equal(await sweep(), 3);
    assert.deepEqual(await names(), listed);
  }));

test('files with a row, of staged images as well, are never swept; those of a reverted change are', () =>
  withParts(async ({ keep, names, commitRow, sweep, passGrace, store }) => {
    const { facts } = await keep(await png(200, 100), 'image/png');
    await commitRow(facts);
    passGrace();
    assert.equal(await sweep(), 0);
    assert.equal((await names()).length, 3);
    const record = (await store.get(variantProjectOf('shop'), variantIdOf(1)))!;
    const [before, after] = [
      { current: JSON.parse(record.current), staged: JSON.parse(record.staged!) },
      { current: { ...JSON.parse(record.current), version: 2 } },
    ];
    const next = { ...record, version: 2, current: JSON.stringify(after.current), staged: undefined };
    assert.equal(
      await store.commit({
        kind: 'update',
        expectedVersion: 1,
        expectedIncarnation: record.incarnation,
        next: uncheckedRecord(next),
        before,
        after,
      }),
      'committed',
    );
    assert.equal(await sweep(), 3);
    assert.deepEqual(await names(), []);
  }));

test('a sweep deletes nothing where the rows cannot be read, or where the service is ending', () =>
  withParts(async ({ keep, names, sweep, passGrace, store }) => {
    await keep(await png(20, 10), 'image/png');
    passGrace();
    const scan = () => Promise.reject(new Error('of the test'));
    await assert.rejects(sweep({ store: overriding(store, { scan }) }), /of the test/);
    assert.equal(await sweep({ isClosing: () => true }), 0);
    assert.equal((await names()).length, 1);
  }));

test('temporary files of a process that died are swept after their time of grace', () =>
  withParts(async ({ imageFolder, sweep, passGrace }) => {
    const folder = join(imageFolder, '.incoming');
    mkdirSync(folder, { recursive: true });
    for (const name of ['upload-1', 'put-2']) writeFileSync(join(folder, name), 'half an image');
    await sweep();
    assert.equal(readdirSync(folder).length, 2);
    passGrace();
    await sweep();
    assert.deepEqual(readdirSync(folder), []);
  }));

test('an upload over the quota leaves no file, and its refusal uses nothing up', () =>
  withParts(
    async ({ keep, names }) => {
      await keep(await png(20, 10), 'image/png');
      await assert.rejects(keep(await png(200, 100), 'image/png'), { code: 'QuotaExceeded' });
      assert.equal((await names()).length, 1);
    },
    { quota: { maxImages: 1 } },
  ));

test('what is swept is free again for the quota', () =>
  withParts(
    async (parts) => {
      const { keep, names, sweep, passGrace } = parts;
      await keepListed(parts);
      await keep(await png(200, 100), 'image/png');
      await assert.rejects(keep(await png(20, 10), 'image/png'), { code: 'QuotaExceeded' });
      passGrace();
      assert.equal(await sweep(), 3);
      await keep(await png(20, 10), 'image/png');
      assert.equal((await names()).length, 2);
    },
    { quota: { maxImages: 2 } },
  ));

test('the quota of bytes counts renditions too, and a new process counts it from the files', () =>
  withParts(async ({ keep, newQuota }) => {
    const { facts } = await keep(await png(200, 100, true), 'image/png');
    const quota = newQuota({ maxImages: 0, maxBytes: facts.sizeBytes + 100 });
    await assert.rejects(quota.check('shop', 0), { code: 'QuotaExceeded' });
    await quota.check('other', 100);
    await newQuota({ maxImages: 2, maxBytes: facts.sizeBytes * 4 }).check('shop', 1);
  }));

test('the quota is counted again after a while, so that it includes the files of other processes', () =>
  withParts(async ({ files, newQuota, passGrace }) => {
    const quota = newQuota({ maxImages: 1, maxBytes: 0 });
    await quota.check('shop', 0);
    await files.put(`shop/x-${'0'.repeat(32)}.png`, Buffer.from('x'));
    await quota.check('shop', 0);
    passGrace();
    await assert.rejects(quota.check('shop', 0), { code: 'QuotaExceeded' });
  }));
