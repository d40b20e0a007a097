import assert from 'node:assert/strict';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { beginAttempt, deferredProject, listDeferred, maxAttempts, settle } from '../../src/domain/image/deferred.ts';
import { renditionFileName } from '../../src/domain/image/file-name.ts';
import { renditionNames } from '../../src/domain/image/rendition.ts';
import { variantProjectOf } from '../../src/domain/image/variant.ts';
import { withDatabase } from '../storage/sqlite/open-test-store.ts';
import { openParts } from './open-parts.ts';
import { jpeg, png } from './pictures.ts';

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

test('with the files of an image that nothing refers to, what was still to be made of it is forgotten', () =>
  withParts(async ({ keep, commitRow, names, sweep, passGrace, store }) => {
    const { facts } = await keep(await png(20, 10), 'image/png');
    await commitRow(facts);
    await keep(await jpeg(2500, 2000), 'image/jpeg');
    passGrace();
    assert.equal((await listDeferred(store)).length, 1);
    assert.equal(await sweep(), 2, 'the picture and its one rendition');
    assert.deepEqual([await listDeferred(store), await names()], [[], [facts.file]]);
  }));

/** Sweeps, and makes what the sweep noted. Answers what was noted. */
async function mend({ sweep, newRenditions, store }: Parts) {
  const renditions = newRenditions();
  assert.equal(await sweep({ renditions }), 0);
  const noted = await listDeferred(store);
  await renditions.idle();
  assert.deepEqual(await listDeferred(store), []);
  return noted.map(({ file }) => file);
}

const filesOf = (file: string) => [file, ...renditionNames.map((name) => renditionFileName(file, name))].sort();

test('renditions that are missing without a note, as after an import from an older file, are made by a sweep', () =>
  withParts(async (parts) => {
    const { keep, commitRow, names, store } = parts;
    const { facts } = await keep(await jpeg(2500, 2000), 'image/jpeg');
    await commitRow(facts);
    await settle(store, { projectKey: 'shop', file: facts.file });
    assert.equal((await names()).length, 2);
    assert.deepEqual(await mend(parts), [facts.file]);
    assert.deepEqual(await names(), filesOf(facts.file));
    assert.deepEqual(await mend(parts), [], 'and once only');
  }));

test('a rendition that was made with the upload and was not copied is made again; without its original nothing is', () =>
  withParts(async (parts) => {
    const { keep, commitRow, names, imageFolder } = parts;
    const { facts } = await keep(await png(2000, 100), 'image/png');
    await commitRow(facts);
    const remove = (file: string) => unlinkSync(join(imageFolder, 'shop', file));
    remove(renditionFileName(facts.file, 'medium'));
    assert.deepEqual(await mend(parts), [facts.file]);
    assert.deepEqual(await names(), filesOf(facts.file));
    remove(renditionFileName(facts.file, 'medium'));
    remove(facts.file);
    assert.deepEqual(await mend(parts), []);
  }));

test('a sweep leaves renditions alone that are noted, and those that were given up', () =>
  withParts(async ({ keep, commitRow, sweep, store }) => {
    const { facts } = await keep(await jpeg(2500, 2000), 'image/jpeg');
    await commitRow(facts);
    const added: unknown[] = [];
    const renditions = { add: (image: unknown) => void added.push(image) };
    await sweep({ renditions });
    const image = { projectKey: 'shop', file: facts.file };
    for (let attempts = 0; attempts <= maxAttempts; attempts += 1)
      await beginAttempt(store, image, '2026-01-01T00:00:00.000Z');
    assert.deepEqual(await listDeferred(store), []);
    await sweep({ renditions });
    assert.deepEqual(added, []);
  }));

test('a damaged note of renditions is attempted again; a damaged variant keeps all files of its project', () =>
  withParts(async ({ keep, commitRow, names, sweep, passGrace, store, imageFolder }) => {
    const damage = (projectKey: string) =>
      withDatabase(join(imageFolder, '..', 'grs.db'), (db) => {
        const sql = 'UPDATE resource SET checksum = checksum + 1 WHERE project_key = ?';
        assert.equal(db.prepare(sql).run(projectKey).changes, 1);
      });
    const { facts } = await keep(await jpeg(2500, 2000), 'image/jpeg');
    await commitRow(facts);
    damage(deferredProject);
    const image = { projectKey: 'shop', file: facts.file };
    assert.deepEqual(await listDeferred(store), [{ ...image, touchedAtMs: 0 }]);
    assert.equal(await beginAttempt(store, image, '2026-01-01T00:00:00.000Z'), true);
    assert.equal((await listDeferred(store))[0]!.touchedAtMs, Date.parse('2026-01-01T00:00:00.000Z'));
    damage(deferredProject);
    await settle(store, image);
    assert.deepEqual(await listDeferred(store), []);
    await keep(await png(30, 10), 'image/png');
    const all = await names();
    passGrace();
    damage(variantProjectOf('shop'));
    assert.equal(await sweep(), 0);
    assert.deepEqual(await names(), all);
  }));
