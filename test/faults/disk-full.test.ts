import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compareAcknowledged, type State } from './acknowledged.ts';
import { dataFolder, type ProcessAnswer, runCommand, type ServiceProcess, startService } from './service-process.ts';

const smallBytes = 3 * 1024 * 1024;
const largeBytes = 64 * 1024 * 1024;
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
  assert.equal(JSON.parse((await service.request({ path, token })).text).total, told.size);
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

test('a start on a full disk ends with exit code 70 and says what to do', { skip: !canMount }, async () => {
  const small = dataFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16384,mode=0700', 'tmpfs', small.path]);
  assert.equal(mounted.status, 0);
  try {
    // Full, and with room for a first file alone.
    for (const bytes of [16_384, 8192]) {
      writeFileSync(join(small.path, 'other'), 'x'.repeat(bytes));
      const { code, stderr } = await runCommand(['serve'], { DATA_DIR: small.path, PORT: '0' });
      assert.match(
        stderr,
        /^The disk of DATA_DIR is full\. Make room, or set DATA_DIR to a folder on another disk\.$/m,
      );
      assert.doesNotMatch(stderr, /\n +at /);
      assert.equal(code, 70);
    }
  } finally {
    spawnSync('umount', [small.path]);
    small.remove();
  }
});
