import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFolderStore, storageError } from '../../src/images/files/folder-store.ts';
import { imageStoreSuite } from './image-store.suite.ts';

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'grs-images-'));
  return { folder, store: createFolderStore(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

imageStoreSuite({
  name: 'a folder',
  async open() {
    const { store, remove } = openFolder();
    return { store, close: async () => remove() };
  },
});

test('folder store: no name leads out of its folder', async () => {
  const { store, remove } = openFolder();
  try {
    for (const name of ['../x.png', 'p/../x.png', 'p/x', 'p/q/x.png', '/etc/x.png', 'p/.x.png', '', 'p/x.png\0']) {
      await assert.rejects(store.find(name), /not the name of an image/, name);
      await assert.rejects(store.put(name, Buffer.from('x')), /not the name of an image/, name);
    }
  } finally {
    remove();
  }
});

test('folder store: a put leaves no temporary file, and what it wrote is for its owner only', async () => {
  const { folder, store, remove } = openFolder();
  try {
    await store.put('p/x.png', Buffer.from('x'));
    assert.deepEqual(readdirSync(join(folder, '.incoming')), []);
    assert.deepEqual([statSync(join(folder, 'p')).mode & 0o77, statSync(join(folder, 'p/x.png')).mode & 0o77], [0, 0]);
  } finally {
    remove();
  }
});

test('folder store: a file that was copied with the times of another is as old as the copy', async () => {
  const { folder, store, remove } = openFolder();
  try {
    await store.put('p/x.png', Buffer.from('x'));
    utimesSync(join(folder, 'p/x.png'), 1_000_000_000, 1_000_000_000);
    const { storedAtMs } = (await store.find('p/x.png'))!;
    assert.ok(Math.abs(storedAtMs - Date.now()) < 600_000);
  } finally {
    remove();
  }
});

test('folder store: temporary files and foreign files are not listed', async () => {
  const { folder, store, remove } = openFolder();
  try {
    await store.put('p/x.png', Buffer.from('x'));
    writeFileSync(join(folder, '.incoming', 'put-1'), 'x');
    writeFileSync(join(folder, 'stray.png'), 'x');
    mkdirSync(join(folder, 'p', 'folder.png'));
    const found: string[] = [];
    for await (const { name } of store.list()) found.push(name);
    assert.deepEqual(found, ['p/x.png']);
  } finally {
    remove();
  }
});

test('folder store: a put that fails leaves nothing behind', async () => {
  const { folder, store, remove } = openFolder();
  try {
    await store.put('p/x.png', Buffer.from('x'));
    writeFileSync(join(folder, 'q'), 'no folder');
    await assert.rejects(store.put('q/y.png', Buffer.from('y')));
    assert.equal(await store.find('q/y.png'), undefined);
    assert.deepEqual(readdirSync(join(folder, '.incoming')), []);
  } finally {
    remove();
  }
});

test('a full disk is 507 InsufficientStorage, a disk that fails 503, any other error is passed on', () => {
  const of = (code: string) => storageError(Object.assign(new Error('of the test'), { code })) as { status?: number };
  for (const code of ['ENOSPC', 'EDQUOT']) assert.equal(of(code).status, 507);
  assert.equal(of('EIO').status, 503);
  assert.equal((of('ENOENT') as Error).message, 'of the test');
});
