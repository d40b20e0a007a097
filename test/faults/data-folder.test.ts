import assert from 'node:assert/strict';
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  dataFolder,
  NoAnswer,
  runCommand,
  type ServiceProcess,
  serviceSettings,
  startService,
} from './service-process.ts';

/** What happens to the files of a data folder beside the service: other names of the database, and folders that go away. */

const databaseOf = (folder: string) => join(folder, 'grs.db');

async function create({ request }: ServiceProcess, token: string): Promise<number | undefined> {
  try {
    return (await request({ method: 'POST', path: '/shop/resource', token, body: { a: 1 } })).status;
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

describe('A second name of the database', () => {
  const others: readonly (readonly [what: string, link: (from: string, to: string) => void, says: RegExp])[] = [
    ['a hard link', linkSync, /grs\.db is also the file of 1 other name \(hard links\).*find \/ -xdev -samefile/],
    ['a symbolic link', symlinkSync, /Another process serves this data folder/],
    ['a symbolic link to a symbolic link', linkTwice, /Another process serves this data folder/],
  ];

  function linkTwice(from: string, to: string): void {
    symlinkSync(from, `${to}-between`);
    symlinkSync(`${to}-between`, to);
  }

  for (const [what, link, says] of others) {
    test(`${what} in another folder: a second service is refused, the first goes on and loses nothing`, async (t) => {
      const [first, second] = [dataFolder(), dataFolder()];
      t.after(() => [first, second].map((folder) => folder.remove()));
      const service = await startService(first.path);
      const token = await service.token('manage_test:shop');
      assert.equal(await create(service, token), 201);
      mkdirSync(second.path, { recursive: true });
      link(databaseOf(first.path), databaseOf(second.path));
      const refused = await runCommand(['serve'], serviceSettings(second.path));
      assert.equal(refused.code, 70, refused.stderr);
      assert.match(refused.stderr, says);
      assert.equal(await create(service, token), 201);
      const list = await service.request({ path: '/shop/resource/sorted-query-parameters?limit=1', token });
      assert.equal(JSON.parse(list.text).total, 2);
      service.kill('SIGTERM');
      assert.equal((await service.ended).code, 0);
    });
  }
});

describe('A folder that goes away under the service', () => {
  const goings: readonly (readonly [what: string, go: (folder: string) => void, file: RegExp])[] = [
    ['is deleted', (folder) => rmSync(folder, { recursive: true }), /grs\.db: it was deleted or moved/],
    ['is moved', (folder) => renameSync(folder, `${folder}-moved`), /grs\.db: it was deleted or moved/],
    [
      'loses the log of the database',
      (folder) => rmSync(`${databaseOf(folder)}-wal`),
      /grs\.db-wal: (it was deleted or moved|another file is in its place)/,
    ],
    [
      'loses its lock, so that a second service could begin',
      (folder) => rmSync(`${databaseOf(folder)}-lock`),
      /grs\.db-lock: it was deleted or moved/,
    ],
    [
      'is exchanged for another',
      (folder) => {
        renameSync(folder, `${folder}-moved`);
        mkdirSync(folder);
      },
      /grs\.db: it was deleted or moved/,
    ],
  ];
  for (const [what, go, says] of goings) {
    for (const writes of [true, false]) {
      const how = writes ? 'the next write is not acknowledged' : 'it is noticed without a write';
      test(`${what}: ${how}, the log says why, exit code 70`, async (t) => {
        const folder = dataFolder();
        t.after(() => {
          folder.remove();
          rmSync(`${folder.path}-moved`, { recursive: true, force: true });
        });
        const service = await startService(folder.path);
        const token = await service.token('manage_test:shop');
        assert.equal(await create(service, token), 201);
        go(folder.path);
        // The first write may come before the look that ends the service, or behind it.
        if (writes) assert.notEqual(await create(service, token), 201);
        const { code, stdout, stderr } = await service.ended;
        assert.equal(code, 70, stderr);
        assert.match(stdout + stderr, says);
      });
    }
  }
});
