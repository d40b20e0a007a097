import assert from 'node:assert/strict';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renditionFileName } from '../../src/domain/image/file-name.ts';
import { renditionNames } from '../../src/domain/image/rendition.ts';
import { variantProjectOf } from '../../src/domain/image/variant.ts';
import { withDatabase } from '../storage/sqlite/open-test-store.ts';
import { openParts } from './open-parts.ts';
import { png } from './pictures.ts';

type Parts = Awaited<ReturnType<typeof openParts>>;

async function withParts(use: (parts: Parts) => Promise<void>): Promise<void> {
  const parts = await openParts();
  try {
    await use(parts);
  } finally {
    await parts.close();
  }
}

test('the files of a project without any variant are not swept: its variants may be still to come, as in an import', () =>
  withParts(async ({ keep, commitRow, names, sweep, passGrace }) => {
    const { facts } = await keep(await png(200, 100), 'image/png');
    passGrace();
    assert.equal(await sweep(), 0);
    await keep(await png(20, 10), 'image/png');
    assert.equal((await names()).length, 3 + 1);
    await commitRow(facts);
    assert.equal(await sweep(), 1, 'from its first variant on it is swept');
    assert.equal((await names()).length, 3);
  }));

test('a file without a row stays for an hour, in which its upload may still be under way', () =>
  withParts(async ({ keep, commitRow, names, sweep, passMinutes }) => {
    const { facts } = await keep(await png(20, 10), 'image/png');
    await commitRow(facts);
    await keep(await png(30, 10), 'image/png');
    for (const minutes of [0, 1, 59]) {
      passMinutes(minutes);
      assert.equal(await sweep(), 0, `after ${minutes} minutes`);
    }
    assert.equal((await names()).length, 2);
    passMinutes(61);
    assert.equal(await sweep(), 1);
  }));

const filesOf = (file: string) => [file, ...renditionNames.map((name) => renditionFileName(file, name))].sort();

test('renditions that were not copied with their original are made by a sweep; without the original none is', () =>
  withParts(async ({ keep, commitRow, names, sweep, imageFolder }) => {
    const { facts } = await keep(await png(2000, 100), 'image/png');
    await commitRow(facts);
    const remove = (file: string) => unlinkSync(join(imageFolder, 'shop', file));
    for (const name of ['medium', 'zoom'] as const) remove(renditionFileName(facts.file, name));
    const failing = { codec: { prepare: () => Promise.reject(new Error('of the test')) } };
    assert.equal(await sweep(failing), 0);
    assert.equal((await names()).length, 4, 'one that fails is left for the next sweep');
    assert.equal(await sweep(), 0);
    assert.deepEqual(await names(), filesOf(facts.file));
    remove(renditionFileName(facts.file, 'medium'));
    remove(facts.file);
    assert.equal(await sweep(), 0);
    assert.equal((await names()).length, 4);
  }));

test('a damaged variant keeps all files of its project', () =>
  withParts(async ({ keep, commitRow, names, sweep, passGrace, imageFolder }) => {
    const { facts } = await keep(await png(200, 100), 'image/png');
    await commitRow(facts);
    await keep(await png(30, 10), 'image/png');
    const all = await names();
    passGrace();
    withDatabase(join(imageFolder, '..', 'grs.db'), (db) => {
      const sql = 'UPDATE resource SET checksum = checksum + 1 WHERE project_key = ?';
      assert.equal(db.prepare(sql).run(variantProjectOf('shop')).changes, 1);
    });
    assert.equal(await sweep(), 0);
    assert.deepEqual(await names(), all);
  }));
