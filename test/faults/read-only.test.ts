import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { withDatabase } from '../storage/sqlite/open-test-store.ts';
import { dataFolder, runCommand, type ServiceProcess, startService } from './service-process.ts';

/** File systems that are mounted read-only, before the service starts or while it runs. */

const folder = dataFolder();
const disk = join(folder.path, 'disk');
const data = join(disk, 'data');
const image = join(folder.path, 'disk.img');
mkdirSync(disk);
let service: ServiceProcess | undefined;

const run = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;
const unmount = () => run('umount', disk);
const canMount = run('mount', '-t', 'tmpfs', 'tmpfs', disk) && unmount();

/** A disk of its own, which can become read-only while files on it are open for writing. */
function mountDisk(): boolean {
  writeFileSync(image, '');
  truncateSync(image, 32 * 1024 * 1024);
  return run('mkfs.ext4', '-q', image) && run('mount', '-o', 'loop,errors=remount-ro', image, disk);
}
const canMountDisk = canMount && mountDisk() && unmount();
if (!canMount) console.log('Tests of read-only file systems are skipped: this user may not mount one.');
else if (!canMountDisk)
  console.log('The test of a disk that becomes read-only is skipped: no image of one can be mounted here.');

after(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
  unmount();
  folder.remove();
});

async function write(id: string, token: string) {
  const body = { id, name: { en: 'Blue shoe' } };
  return service!.request({ method: 'PUT', path: '/kept/resource', token, body });
}

/** Starts a service in the data folder, writes two resources, and ends it. */
async function fill(end: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  service = await startService(data);
  const token = await service.token('manage_project:kept');
  for (const id of ['a', 'b']) assert.equal((await write(id, token)).status, 201);
  service.kill(end);
  await service.ended;
}

const count = (file: string) =>
  withDatabase(file, (db) => (db.prepare('SELECT count(*) AS n FROM resource').get() as { n: number }).n);

for (const end of ['SIGTERM', 'SIGKILL'] as const) {
  test(`a store on a read-only file system, after ${end}: check and backup read it, all that writes is refused in a sentence`, {
    skip: !canMount,
  }, async () => {
    assert.ok(run('mount', '-t', 'tmpfs', 'tmpfs', disk));
    try {
      await fill(end);
      assert.ok(run('mount', '-o', 'remount,ro', disk));
      const before = readdirSync(data);
      const environment = { DATA_DIR: data };
      const check = await runCommand(['check'], environment);
      assert.deepEqual([check.code, check.stdout.trim()], [0, 'All is well.'], check.stderr);
      const copy = join(folder.path, `copy-${end}`);
      const backup = await runCommand(['backup', copy], environment);
      assert.equal(backup.code, 0, backup.stderr);
      assert.equal(count(join(copy, 'grs.db')), 2);
      const rebuild = await runCommand(['check', '--rebuild-indexes'], environment);
      assert.equal(rebuild.code, 70, rebuild.stderr);
      const refusal = /\n\S+ is on a read-only file system\. Mount it writable, or copy .* DATA_DIR to the copy\.\n$/;
      assert.match(rebuild.stderr, refusal);
      const started = await runCommand(['serve'], environment);
      assert.equal(started.code, 78);
      assert.match(started.stderr, /its file system is read-only; name a folder on a disk that can be written/);
      assert.doesNotMatch(started.stderr, /\n\s+at /);
      assert.deepEqual(readdirSync(data), before);
    } finally {
      assert.ok(unmount());
    }
  });
}

test('a disk that becomes read-only under the service: reads go on, writes are 503 and say so, nothing acknowledged is lost', {
  skip: !canMountDisk,
}, async () => {
  assert.ok(mountDisk());
  service = await startService(data);
  const token = await service.token('manage_project:kept');
  const ask = (path: string) => service!.request({ path, token });
  for (const id of ['a', 'b']) assert.equal((await write(id, token)).status, 201);
  const queries = [
    '/kept/resource/sorted-query-parameters',
    '/kept/resource/searchApiPattern?text.en=shoe',
    '/kept/resource/sorted-query-parameters?sort=name.en',
  ];
  for (const path of queries) assert.equal((await ask(path)).status, 200);
  assert.ok(run('mount', '-o', 'remount,abort', disk));

  const first = await write('c', token);
  assert.equal(first.status, 503, first.text);
  for (const method of ['PUT', 'DELETE'] as const) {
    const path = method === 'PUT' ? '/kept/resource' : '/kept/resource/a?version=1';
    const { status, text } = await service.request({
      method,
      path,
      token,
      ...(method === 'PUT' && { body: { id: 'd' } }),
    });
    assert.equal(status, 503, text);
    assert.match(
      text,
      /The file system of the service is read-only at present\. Nothing was stored; reads still work\./,
    );
  }
  for (const path of ['/kept/resource/a', '/kept/resource/b', ...queries]) {
    const { status, text } = await ask(path);
    assert.equal(status, 200, `${path}: ${text}`);
    assert.match(text, /Blue shoe/);
  }
  const ready = await ask('/health/ready');
  assert.equal(ready.status, 503);
  assert.match(ready.text, /The file system of the data folder has become read-only/);

  service.kill('SIGTERM');
  const { code, stdout } = await service.ended;
  assert.equal(code, 0, stdout);
  assert.ok(unmount());
  assert.ok(run('mount', '-o', 'loop,errors=remount-ro', image, disk));
  service = await startService(data);
  const again = await service.token('manage_project:kept');
  for (const id of ['a', 'b']) {
    const { status, text } = await service.request({ path: `/kept/resource/${id}`, token: again });
    assert.deepEqual([status, JSON.parse(text).version], [200, 1]);
  }
  assert.equal((await write('c', again)).status, 201);
  service.kill('SIGTERM');
  await service.ended;
  rmSync(data, { recursive: true });
});
