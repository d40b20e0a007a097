import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildClient } from './build-client.ts';

// 11 KiB, since the code has no comments any more.
const maxCompressedBytes = 11_264;

const { folder, remove } = await buildClient();
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const modules = files.filter((file) => file.endsWith('.js'));

describe('the client package', () => {
  after(remove);

  test('has at most 11 KiB, compressed, all modules together', () => {
    const bytes = gzipSync(modules.map((file) => readFileSync(join(folder, file), 'utf8')).join('')).length;
    assert.ok(bytes > 2000 && bytes <= maxCompressedBytes, `${bytes} bytes`);
  });

  test('depends on nothing: no package, and no module of Node', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(new URL('../../packages/client/package.json', import.meta.url), 'utf8'),
    );
    assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
    for (const file of modules) {
      const text = readFileSync(join(folder, file), 'utf8');
      const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name!);
      assert.deepEqual(
        imported.filter((name) => !/^\.{1,2}\/(?:[a-z-]+\/)?[a-z-]+\.js$/.test(name)),
        [],
        file,
      );
    }
  });

  test('is loaded by Node as it was built', async () => {
    const { createClient, where } = await import(join(folder, 'index.js'));
    assert.equal(typeof createClient, 'function');
    assert.equal(String(where`a = ${'b'}`), 'a = "b"');
  });
});
