import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { checkDatabase } from '../../src/store/sqlite/maintenance/check.ts';
import { openDatabase } from '../../src/store/sqlite/write/open-database.ts';
import { compareAcknowledged, type State } from './acknowledged.ts';
import { failWhileRunning, skip, skipAttached, startInjecting } from './failing-disk.ts';
import { dataFolder, NoAnswer, type ServiceProcess, startService } from './service-process.ts';

/** A disk that fails in `grs.db` itself, which nothing but a checkpoint writes: what it copies has been acknowledged. */

/** Checkpoints begin at a quarter of a MiB, so that little has to be written under a tracer. */
const shortLog = ['--import', new URL('../../tools/prove/power-loss/short-log.ts', import.meta.url).href];
const longBytes = 256 * 1024;
const filler = 'x'.repeat(50_000);

interface Written {
  readonly told: ReadonlyMap<string, State>;
  readonly statuses: ReadonlySet<number>;
}

/** Creates and replaces resources, of which few are more than the log may have before a checkpoint. Ends when the service does. */
async function write({ request }: ServiceProcess, token: string, count: number): Promise<Written> {
  const told = new Map<string, State>();
  const statuses = new Set<number>();
  for (let n = 0; n < count; n += 1) {
    const id = `r${n % 8}`;
    try {
      const body = { id, value: `write ${n}`, filler };
      const { status, text } = await request({ method: 'PUT', path: '/disk/resource', token, body });
      statuses.add(status);
      if (status < 300)
        told.set(id, { version: (JSON.parse(text) as { version: number }).version, value: `write ${n}` });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (error.kind === 'refused') break;
    }
  }
  return { told, statuses };
}

/** Opens the store as a start does when the disk works again: all is there, and a check of everything finds nothing. */
async function assertWhole(dataDir: string, told: ReadonlyMap<string, State>): Promise<void> {
  const options = { file: join(dataDir, 'grs.db'), declaredPaths: [], acceptLoss: false };
  const { db, close } = openDatabase(options, () => {});
  try {
    const rows = db.prepare("SELECT id, version, current ->> 'value' AS value FROM resource").all();
    const found = new Map(rows.map((row) => [String(row.id), row as unknown as State]));
    const { lost, changed } = compareAcknowledged(told, found);
    assert.deepEqual({ lost, changed }, { lost: [], changed: [] });
    assert.deepEqual(await checkDatabase(db, () => {}), []);
  } finally {
    close();
  }
}

/** The size of the log; 0 without one. */
function logBytes(dataDir: string): number {
  const file = join(dataDir, 'grs.db-wal');
  return existsSync(file) ? statSync(file).size : 0;
}

/** Makes the database, so that what fails is not its creation. */
async function makeStore(dataDir: string): Promise<void> {
  openDatabase({ file: join(dataDir, 'grs.db'), declaredPaths: [], acceptLoss: false }, () => {}).close();
}

type Failure = readonly [name: string, faults: readonly string[]];
const failures: readonly Failure[] = [
  [
    'the database cannot be synced, and pages that were written to it are lost',
    ['fsync,fdatasync:error=EIO:when=1+', 'pwrite64:retval=4096:when=1+'],
  ],
  ['the database cannot be written', ['pwrite64:error=EIO:when=1+']],
];

for (const [name, faults] of failures) {
  test(`a checkpoint: ${name}: exit code 70, the log stays, nothing acknowledged is lost`, { skip }, async () => {
    const folder = dataFolder();
    try {
      await makeStore(folder.path);
      const service = await startInjecting(folder.path, faults, 'grs.db', shortLog);
      const { told, statuses } = await write(service, await service.token('manage_test:disk'), 1000);
      // One that serves on has not noticed: it would not end by itself.
      const running = setTimeout(() => service.kill('SIGKILL'), 60_000);
      const { code, stdout, stderr } = await service.ended;
      clearTimeout(running);
      assert.equal(code, 70, stdout + stderr);
      assert.match(stdout, /"event":"ending","reason":"a checkpoint failed: [^"]+"/);
      // Where pages that were written are lost, the key that signed the token may be among them, until the process ends.
      const expected = faults.some((fault) => fault.includes('retval')) ? [201, 401, 503] : [201, 503];
      assert.deepEqual(
        [...statuses].filter((status) => !expected.includes(status)),
        [],
      );
      assert.ok(logBytes(folder.path) >= longBytes, `the log has ${logBytes(folder.path)} bytes`);
      await assertWhole(folder.path, told);
    } finally {
      folder.remove();
    }
  });
}

test('a checkpoint that finds no room: writes go on in the log, and it is copied when there is room', {
  skip,
}, async () => {
  const folder = dataFolder();
  try {
    await makeStore(folder.path);
    // The first three writes to the database fail for want of room.
    const service = await startInjecting(folder.path, ['pwrite64:error=ENOSPC:when=1..3'], 'grs.db', shortLog);
    const token = await service.token('manage_test:disk');
    const first = await write(service, token, 20);
    assert.deepEqual([...first.statuses], [201]);
    assert.ok(logBytes(folder.path) >= longBytes, `the log has ${logBytes(folder.path)} bytes`);
    // A disk without room for the copy is no problem of the service; its threads for queries may be starting still.
    const health = async () => (await service.request({ path: '/health/ready' })).text;
    for (let look = 0; look < 600 && /"queries":"(?!ok)/.test(await health()); look += 1) await pause(50);
    assert.match(await health(), /"status":"ready"/);
    let last = first;
    // After each write it is tried again; at rest the log is cut off.
    for (let look = 0; look < 600 && logBytes(folder.path) > 0; look += 1) {
      if (look % 60 === 0) last = await write(service, token, 8);
      await pause(50);
    }
    assert.equal(logBytes(folder.path), 0);
    service.kill('SIGKILL');
    await service.ended;
    await assertWhole(folder.path, last.told);
  } finally {
    folder.remove();
  }
});

test('pages of the database cannot be read: reads are 503 while it lasts, and go on afterwards', {
  skip: skipAttached,
}, async () => {
  const folder = dataFolder();
  try {
    const before = await startService(folder.path);
    const { told } = await write(before, await before.token('manage_test:disk'), 8);
    before.kill('SIGTERM');
    assert.equal((await before.ended).code, 0);

    const service = await startService(folder.path);
    const token = await service.token('manage_test:disk');
    const get = async (path: string) => (await service.request({ path: `/disk/resource${path}`, token })).status;
    const paths = ['/r1', '/r2', '?limit=5', '/sorted-query-parameters?sort=value%20desc', '/export'];
    const readAgain = await failWhileRunning(service, 'pread64', join(folder.path, 'grs.db'));
    for (const path of paths) assert.equal(await get(path), 503, path);
    await readAgain();
    for (const path of paths) assert.equal(await get(path), 200, path);

    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
    await assertWhole(folder.path, told);
  } finally {
    folder.remove();
  }
});
