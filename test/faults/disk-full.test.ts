import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { creation, document } from '../storage/records.ts';
import { openTestStore } from '../storage/sqlite/open-test-store.ts';
import { compareAcknowledged, type State } from './acknowledged.ts';
import { dataFolder, type ProcessAnswer, runCommand, type ServiceProcess, startService } from './service-process.ts';

const smallBytes = 3 * 1024 * 1024;
const largeBytes = 64 * 1024 * 1024;
const fullDisk = /^The disk of DATA_DIR is full\. Make room, or set DATA_DIR to a folder on another disk\.$/m;
const folder = dataFolder();
let service: ServiceProcess | undefined;

/** Makes the data folder a file system in memory of its own, or gives it another size. */
function mount(bytes: number, ...options: readonly string[]): boolean {
  const args = ['-t', 'tmpfs', '-o', [`size=${bytes}`, 'mode=0700', ...options].join(), 'tmpfs', folder.path];
  return spawnSync('mount', args).status === 0;
}

const canMount = mount(smallBytes);
if (!canMount) console.log('The test of a full disk is skipped: this user may not mount a file system.');
after(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
  if (canMount) spawnSync('umount', [folder.path]);
  folder.remove();
});

interface Document {
  readonly id: string;
  readonly version: number;
  readonly filler: string;
}

const filler = (n: number) => `${n} `.padEnd(20_000, 'x');

async function createOne(n: number, token: string): Promise<ProcessAnswer> {
  const body = { id: `r${n}`, key: `k${n}`, filler: filler(n) };
  return service!.request({ method: 'POST', path: '/full/resource', token, body });
}

/** The acknowledged resources as reads return them. */
async function readAll(told: ReadonlyMap<string, State>, token: string): Promise<Map<string, State>> {
  const found = new Map<string, State>();
  for (const id of told.keys()) {
    const { status, text } = await service!.request({ path: `/full/resource/${id}`, token });
    if (status !== 200) continue;
    const { version, filler: value } = JSON.parse(text) as Document;
    found.set(id, { version, value });
  }
  return found;
}

test('a full disk: writes are 507 and store nothing, reads go on, writes go on when there is room, nothing is lost', {
  skip: !canMount,
}, async (t) => {
  service = await startService(folder.path);
  const token = await service.token('manage_test:full');
  const told = new Map<string, State>();
  const refused: number[] = [];
  for (let n = 0; refused.length < 20; n += 1) {
    assert.ok(n < 1000, 'the disk never became full');
    const answer = await createOne(n, token);
    if (answer.status === 201) told.set(`r${n}`, { version: 1, value: filler(n) });
    else {
      assert.equal(answer.status, 507, answer.text);
      assert.equal(JSON.parse(answer.text).errors[0].code, 'InsufficientStorage');
      assert.match(String(answer.headers['retry-after']), /^\d+$/);
      refused.push(n);
    }
  }
  assert.deepEqual(compareAcknowledged(told, await readAll(told, token)).lost, []);
  const path = '/full/resource/sorted-query-parameters?limit=0';
  const listed = await service.request({ path, token });
  // The last changes may have found no room in the indexes: then no list is answered without them.
  if (listed.status !== 200) {
    assert.equal(listed.status, 503, listed.text);
    assert.match(listed.text, /no room on the disk to index/);
  } else assert.equal(JSON.parse(listed.text).total, told.size);
  const readiness = await service.request({ path: '/health/ready' });
  assert.equal(readiness.status, 503);
  assert.match(readiness.text, /the disk is full/);

  assert.ok(mount(largeBytes, 'remount'));
  for (const n of refused) {
    const answer = await createOne(n, token);
    // Version 1: the refused write has left nothing.
    assert.deepEqual([answer.status, JSON.parse(answer.text).version], [201, 1]);
    told.set(`r${n}`, { version: 1, value: filler(n) });
  }
  assert.equal(JSON.parse((await service.request({ path, token })).text).total, told.size);
  assert.equal((await service.request({ path: '/health/ready' })).status, 200);

  service.kill('SIGKILL');
  await service.ended;
  service = await startService(folder.path);
  const comparison = compareAcknowledged(told, await readAll(told, token));
  assert.deepEqual(comparison, { lost: [], changed: [], unacknowledged: [] });
  const check = await runCommand(['check'], { DATA_DIR: folder.path });
  assert.equal(check.code, 0, check.stdout);
  t.diagnostic(`${told.size} acknowledged, ${refused.length} refused in between, 0 lost`);
});

test('a full disk with changes to index: queries are 503 and say so, reads and images go on, all is well at once when there is room', {
  skip: !canMount,
}, async () => {
  const disk = dataFolder();
  const args = ['-t', 'tmpfs', '-o', `size=${largeBytes * 5},mode=0700`, 'tmpfs', disk.path];
  assert.equal(spawnSync('mount', args).status, 0);
  let started: ServiceProcess | undefined;
  try {
    started = await startService(disk.path);
    const use = started;
    const token = await use.token('manage_project:full');
    const call = (path: string, method = 'GET', body?: object) =>
      use.request({ path, method, token, ...(body && { body }) });
    const image = readFileSync(new URL('../../docs/console.png', import.meta.url));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' };
    const upload = `http://127.0.0.1:${use.port}/full/resource/images?sku=s&filename=front.png`;
    const uploaded = await fetch(upload, { method: 'POST', body: image, headers });
    assert.equal(uploaded.status, 200);
    const [, file] = /"(?:https?:..[^"/]+)?(\/full\/images\/front[^"]+)"/.exec(await uploaded.text())!;
    assert.equal((await call('/full/resource', 'POST', { id: 'a', color: 'red' })).status, 201);
    const { bavail, bsize } = statfsSync(disk.path);
    const other = join(disk.path, 'other');
    writeFileSync(other, Buffer.alloc(bavail * bsize, 1));
    assert.equal((await call('/full/resource', 'POST', { id: 'b', color: 'red' })).status, 507);
    const red = encodeURIComponent('color = "red"');
    const queries = [
      '/full/resource',
      `/full/resource/sorted-query-parameters?where=${red}`,
      '/full/resource/searchApiPattern?text.en=red',
    ];
    for (const path of queries) {
      const { status, text } = await call(path);
      assert.equal(status, 503, text);
      assert.match(text, /no room on the disk to index the last changes.*Reads by id or key still work/);
    }
    assert.equal((await call(`/full/resource?where=${red}`, 'HEAD')).status, 503);
    assert.equal((await call('/full/resource/a')).status, 200);
    const served = await fetch(`http://127.0.0.1:${use.port}${file}`);
    assert.deepEqual([served.status, (await served.arrayBuffer()).byteLength > 1000], [200, true]);
    assert.match((await use.request({ path: '/health/ready' })).text, /the disk is full/);

    rmSync(other);
    // Nobody queries meanwhile: who looks at this does not send any.
    const since = performance.now();
    while ((await use.request({ path: '/health/ready' })).status !== 200) assert.ok(performance.now() - since < 1000);
    for (const path of queries.slice(0, 2)) assert.equal(JSON.parse((await call(path)).text).total, 1);
    assert.equal((await call('/full/resource', 'POST', { id: 'b', color: 'red' })).status, 201);
  } finally {
    started?.kill('SIGKILL');
    await started?.ended;
    spawnSync('umount', [disk.path]);
    disk.remove();
  }
});

test('a start on a full disk ends with exit code 70 and says what to do', { skip: !canMount }, async () => {
  const small = dataFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16384,mode=0700', 'tmpfs', small.path]);
  assert.equal(mounted.status, 0);
  try {
    // Full, and with room for a first file alone.
    for (const bytes of [16_384, 8192]) {
      writeFileSync(join(small.path, 'other'), 'x'.repeat(bytes));
      const { code, stderr } = await runCommand(['serve'], { DATA_DIR: small.path, PORT: '0' });
      assert.match(stderr, fullDisk);
      assert.doesNotMatch(stderr, /\n +at /);
      assert.equal(code, 70);
    }
  } finally {
    spawnSync('umount', [small.path]);
    small.remove();
  }
});

/**
 * Makes a store on a disk of its own, and starts the service on it while there is no room for what the start has to do, and then
 * with room. `left` is called between the two.
 */
async function startWithoutRoom(
  settings: Readonly<Record<string, string>>,
  make: (file: string) => Promise<void>,
  left: (file: string) => void,
  use: (service: ServiceProcess) => Promise<void>,
): Promise<void> {
  const disk = dataFolder();
  const args = ['-t', 'tmpfs', '-o', `size=${largeBytes},mode=0700`, 'tmpfs', disk.path];
  assert.equal(spawnSync('mount', args).status, 0);
  try {
    const file = join(disk.path, 'grs.db');
    await make(file);
    const { bavail, bsize } = statfsSync(disk.path);
    const other = join(disk.path, 'other');
    // Room for the files that every start makes.
    writeFileSync(other, Buffer.alloc(bavail * bsize - 512 * 1024, 1));
    const { code, stdout, stderr } = await runCommand(['serve'], { DATA_DIR: disk.path, PORT: '0', ...settings });
    assert.match(stderr, fullDisk, stdout + stderr);
    assert.doesNotMatch(stderr, /\n +at /);
    assert.doesNotMatch(stdout, /"listening"/);
    assert.equal(code, 70);
    left(file);
    rmSync(other);
    const started = await startService(disk.path, settings);
    await use(started);
    started.kill('SIGTERM');
    assert.equal((await started.ended).code, 0);
    const check = await runCommand(['check'], { DATA_DIR: disk.path });
    assert.deepEqual([check.code, check.stdout.trim()], [0, 'All is well.'], check.stderr);
  } finally {
    spawnSync('umount', [disk.path]);
    disk.remove();
  }
}

test('no room to rebuild the indexes at a start: exit code 70 and says so; the next start with room rebuilds them', {
  skip: !canMount,
}, async () => {
  const count = 300;
  const wordsOf = (n: number) => Array.from({ length: 150 }, (_, at) => `w${(n * 150 + at).toString(36)}`).join(' ');
  const make = async (file: string) => {
    const store = await openTestStore(file);
    const documents = Array.from({ length: count }, (_, n) => document(`r${n}`, 1, { text: wordsOf(n) }));
    await Promise.all(documents.map((each) => store.resources.commit(creation('full', each))));
    await store.close();
  };
  const use = async (started: ServiceProcess) => {
    const token = await started.token('view_test:full');
    const where = encodeURIComponent(`text = "${wordsOf(7)}"`);
    const path = `/full/resource/sorted-query-parameters?where=${where}`;
    assert.equal(JSON.parse((await started.request({ path, token })).text).total, 1);
    const all = await started.request({ path: '/full/resource?limit=0', token });
    assert.equal(JSON.parse(all.text).total, count);
  };
  await startWithoutRoom({ INDEXED_PATHS: 'text' }, make, () => {}, use);
});
