import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../../src/contract/errors.ts';
import { MirrorContent } from '../../../src/store/postgres/mirror-content.ts';
import { MirroredProject } from '../../../src/store/postgres/mirrored-project.ts';
import { creation, document } from '../records.ts';
import { allOf, assertMirrors, createFolder, createMany, listIds, openNode } from './mirrored.ts';
import { startPostgres, startStandby } from './postgres-server.ts';
import { ask, caughtUp } from './standby.ts';
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** What can become of the file of a mirror, and of the log that it follows. */

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

const names = (count: number) => Array.from({ length: count }, (_, n) => `r${String(n).padStart(4, '0')}`);

test('a mirror whose first page is damaged while its service is stopped: the start makes it anew, and says so', async (t) => {
  const folder = createFolder(t);
  const node = await openNode(t, postgres, folder);
  await createMany(node, 'damaged', names(50));
  assert.equal((await listIds(node, allOf('damaged'))).length, 50);
  await node.close();
  const file = openSync(node.file, 'r+');
  writeSync(file, Buffer.alloc(4096, 7), 0, 4096, 0);
  closeSync(file);
  const again = await openNode(t, postgres, folder);
  assert.equal((await listIds(again, allOf('damaged'))).length, 50);
  assert.match(again.notes.join('\n'), /^the mirror is made anew: /m);
  await assertMirrors(postgres, again, 'damaged');
});

test('two services with one folder: the second one is refused, and the first one serves as before', async (t) => {
  const folder = createFolder(t);
  const node = await openNode(t, postgres, folder);
  await createMany(node, 'two', names(10));
  await assert.rejects(openNode(t, postgres, folder), { message: /^Another process serves this data folder/i });
  assert.equal((await listIds(node, allOf('two'))).length, 10);
});

/** A disk of so many bytes; undefined where this user may not mount one. */
function mountDisk(bytes: number): { readonly path: string; remove(): void } | undefined {
  const path = mkdtempSync(join(tmpdir(), 'mirror-disk-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', path]).status === 0;
  const remove = () => {
    if (isMounted) spawnSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true, force: true });
  };
  if (isMounted) return { path, remove };
  remove();
  return undefined;
}

test('a full disk under the mirror: writes and reads by id go on, lists are 503 and say why; with room again nothing is lacking', async (t) => {
  const disk = mountDisk(24 * 1024 * 1024);
  if (!disk) return t.skip('this user may not mount a file system');
  t.after(() => disk.remove());
  const node = await openNode(t, postgres, join(disk.path, 'mirror'));
  const { resources } = node.store;
  await createMany(node, 'full', names(20));
  assert.equal((await listIds(node, allOf('full'))).length, 20);
  const ballast = join(disk.path, 'ballast');
  const fill = () => spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096']);
  fill();
  assert.ok(statSync(ballast).size > 0);
  const text = 'word '.repeat(20_000);
  for (let n = 0; n < 40; n += 1) {
    assert.equal(await resources.commit(creation('full', document(`large-${n}`, 1, { text }))), 'committed');
    assert.equal((await resources.get('full', `large-${n}`))?.id, `large-${n}`);
  }
  const refusal = (await resources.list(allOf('full')).catch((error: unknown) => error)) as ServiceError;
  assert.ok(refusal instanceof ServiceError);
  assert.equal(refusal.status, 503, refusal.message);
  assert.match(refusal.message, /^There is no room on the disk to index the last changes/);
  assert.equal((await node.store.status()).queryProblem, refusal.message);
  rmSync(ballast);
  for (;;) {
    const page = await resources.list(allOf('full')).catch((error: unknown) => error);
    if (!(page instanceof ServiceError)) break;
    assert.equal(page.status, 503, page.message);
    await pause(50);
  }
  assert.equal((await node.store.status()).queryProblem, undefined);
  await assertMirrors(postgres, node, 'full');
});

test('a mirror that nobody asks any more says by itself that there is room again; a project that fails alone is not the disk', async () => {
  let failure: 'full' | 'error' | undefined = 'full';
  const enqueue = async () => (failure === undefined ? [] : { failure, message: 'no' });
  const content = new MirrorContent({ db: undefined as never, declaredPaths: [], enqueue: enqueue as never });
  const apply = () => content.apply('p', new MirroredProject(undefined), [], undefined);
  await assert.rejects(apply(), { code: 'OverCapacity' });
  assert.match(String(content.problem()), /^There is no room on the disk/);
  await pause(1);
  assert.notEqual(content.problem(), undefined);
  await pause(1);
  failure = undefined;
  assert.notEqual(content.problem(), undefined);
  await pause(1);
  assert.equal(content.problem(), undefined);
  failure = 'error';
  await assert.rejects(apply(), { code: 'OverCapacity' });
  assert.equal(content.problem(), undefined);
});

test('a standby that lacks the last changes takes over: the mirror, which has them, is made anew from it', async (t) => {
  const primary = await startPostgres();
  t.after(() => primary.close());
  const standby = await startStandby(primary);
  t.after(() => standby.close());
  const url = `postgres://grs@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
  const both: TestPostgres = { url, run: (text) => ask(standby, text), close: async () => {} };
  const node = await openNode(t, both, createFolder(t));
  await createMany(node, 'p', names(30));
  await caughtUp(primary, standby);
  // From now on the standby gets nothing: as one that is asynchronous, and a moment behind.
  await ask(standby, "ALTER SYSTEM SET primary_conninfo = ''");
  await ask(standby, 'SELECT pg_reload_conf()');
  while (
    (await ask<{ count: number }>(primary, 'SELECT count(*)::int AS count FROM pg_stat_replication'))[0]!.count > 0
  )
    await pause(20);
  await createMany(node, 'p', ['lost-1', 'lost-2', 'lost-3']);
  assert.equal((await listIds(node, allOf('p'))).length, 33);
  await primary.stopAtOnce();
  await ask(standby, 'SELECT pg_promote()');
  // Written on, to the numbers that the lost changes had.
  for (const id of ['next-1', 'next-2', 'next-3', 'next-4']) {
    for (;;) {
      const outcome = await node.store.resources
        .commit(creation('p', document(id, 1)))
        .catch((error: unknown) => error);
      if (outcome === 'committed') break;
      assert.equal((outcome as ServiceError).status, 503);
    }
  }
  const found = await listIds(node, allOf('p'));
  assert.deepEqual(
    found.filter((id) => !id.startsWith('r')),
    ['next-1', 'next-2', 'next-3', 'next-4'],
  );
  assert.equal(found.length, 34);
  assert.match(node.notes.join('\n'), /the log of project p is not the one that its mirror followed/);
});
