import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { AcknowledgedFileFailed, openAcknowledgedFile } from '../../src/sqlite/acknowledged-file.ts';
import { isFatal } from '../../src/sqlite/connection.ts';
import { png } from '../images/pictures.ts';
import { findTool } from '../optional-tools.ts';
import { skip, startFailing } from './failing-disk.ts';
import { dataFolder, NoAnswer, type ProcessRequest, type ServiceProcess, startService } from './service-process.ts';

/** Creates and replaces until the service is gone. Returns how often each status came. */
async function writeUntilGone({ request }: ServiceProcess, token: string): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  for (let n = 0; n < 1000; n += 1) {
    try {
      const body = { id: `r${n % 10}`, someProperty: `write ${n}` };
      const { status } = await request({ method: 'PUT', path: '/disk/resource', token, body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (error.kind === 'refused') return statuses;
    }
  }
  return statuses;
}

type Failure = readonly [name: string, calls: string, when: string, file: string];
const failures: readonly Failure[] = [
  ['the log of the database cannot be synced', 'fsync,fdatasync', '25+', 'grs.db-wal'],
  ['the log of the database cannot be written', 'pwrite64', '400+', 'grs.db-wal'],
  ['the file of the last acknowledged commit cannot be written', 'pwrite64', '30+', 'grs.db-acknowledged'],
];

for (const [name, calls, when, file] of failures) {
  test(`${name}: writes are 503, never 500, and the service ends with exit code 70`, { skip }, async () => {
    const folder = dataFolder();
    try {
      const service = await startFailing(folder.path, calls, when, file);
      const statuses = await writeUntilGone(service, await service.token('manage_test:disk'));
      // One that serves on has not noticed: it would not end by itself.
      const running = setTimeout(() => service.kill('SIGKILL'), 300_000);
      const { code, stdout, stderr } = await service.ended;
      clearTimeout(running);
      assert.equal(code, 70, stdout + stderr);
      assert.deepEqual(
        [...statuses.keys()].filter((status) => ![200, 201, 503].includes(status)),
        [],
      );
      assert.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > 5, JSON.stringify([...statuses]));
    } finally {
      folder.remove();
    }
  });
}

/** Requests that read the database in different threads, and by different connections of them. */
const readingRequests: readonly ProcessRequest[] = [
  { path: '/disk/resource/r0' },
  { path: '/disk/resource/sorted-query-parameters?where=someProperty%3D%22a%22' },
  { path: '/disk/resource/sorted-query-parameters?sort=someProperty%20desc' },
  { path: '/disk/resource/searchApiPattern?text.en=write' },
  { path: '/disk/resource/export' },
  { path: '/disk/resource/r0/history' },
  { path: '/disk/events' },
  { path: '/disk/api-clients' },
  { path: '/health/projects' },
  { path: '/health/ready' },
  { method: 'POST', path: '/disk/resource', body: {}, headers: { 'idempotency-key': 'of a lost response' } },
];

/** Replaces what is in the log of the database by bytes that are no page of one. */
function spoilLog(dataDir: string): void {
  const file = join(dataDir, 'grs.db-wal');
  const header = 32;
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(statSync(file).size - header, 0xff), 0, undefined, header);
  closeSync(descriptor);
}

test('the log of the database has unreadable pages: what reads them is 503, never 500, and the log says why', async () => {
  const folder = dataFolder();
  try {
    const service = await startService(folder.path);
    const token = await service.token('manage_project:disk manage_api_clients:disk view_service');
    const write = (round: number) => {
      const client = { name: `client ${round}`, scopes: ['view_test:disk'] };
      return service.request({ method: 'POST', path: '/disk/api-clients', token, body: client });
    };
    await service.request({ method: 'PUT', path: '/disk/resource', token, body: { id: 'r0', someProperty: 'write' } });
    for (const request of readingRequests) await service.request({ ...request, token });
    assert.equal((await write(0)).status, 201);
    spoilLog(folder.path);
    // The writer has its pages in memory. After a commit all others read theirs again.
    assert.equal((await write(1)).status, 201);
    const refused = new Map<string, string>();
    for (const request of [...readingRequests, ...readingRequests]) {
      const { status, text } = await service.request({ ...request, token });
      assert.ok(status < 500 || status === 503, `${request.path}: ${status} ${text}`);
      if (status === 503) refused.set(request.path, text);
    }
    assert.ok(refused.size >= 5, JSON.stringify([...refused.keys()]));
    assert.match(refused.get('/health/ready') ?? '', /"store":"the database cannot be read: /);
    assert.equal((await service.request({ path: '/metrics' })).status, 200);
    service.kill('SIGKILL');
    assert.match(
      (await service.ended).stdout,
      /"event":"request failed".*(file is not a database|database disk image is malformed)/,
    );
  } finally {
    folder.remove();
  }
});

test('another program holds the database: writes are 503 together, not one after another, and go on afterwards', async () => {
  const folder = dataFolder();
  try {
    const service = await startService(folder.path);
    const token = await service.token('manage_test:disk');
    const write = (n: number) => {
      const body = { id: `r${n}`, someProperty: 'a' };
      return service.request({ method: 'PUT', path: '/disk/resource', token, body });
    };
    assert.equal((await write(0)).status, 201);
    const other = new DatabaseSync(join(folder.path, 'grs.db'), { timeout: 10_000 });
    other.exec('BEGIN IMMEDIATE');
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => write(n + 1)));
    const tookMs = performance.now() - begun;
    other.exec('ROLLBACK');
    other.close();
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [503]);
    // 80 s where each waited for the lock by itself.
    assert.ok(tookMs < 40_000, `${tookMs} ms`);
    assert.equal((await write(1)).status, 201);
    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
  } finally {
    folder.remove();
  }
});

test('the log of the database cannot be read: reads and writes are 503, never 500', { skip }, async () => {
  const folder = dataFolder();
  try {
    const service = await startFailing(folder.path, 'pread64', '30+', 'grs.db-wal');
    const token = await service.token('manage_test:disk');
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n += 1) {
      const body = { id: `r${n}`, someProperty: `write ${n}` };
      statuses.add((await service.request({ method: 'PUT', path: '/disk/resource', token, body })).status);
      statuses.add((await service.request({ path: `/disk/resource/r${n}`, token })).status);
    }
    assert.deepEqual([...statuses].sort(), [200, 201, 503]);
    service.kill('SIGKILL');
    await service.ended;
  } finally {
    folder.remove();
  }
});

test('serving.json cannot be removed at the end: the exit code is still that of the end', { skip }, async () => {
  const folder = dataFolder();
  try {
    const service = await startFailing(folder.path, 'unlink,unlinkat', '1+', 'serving.json');
    service.kill('SIGTERM');
    const { code, stderr } = await service.ended;
    assert.equal(code, 0, stderr);
    assert.ok(readdirSync(folder.path).includes('serving.json'));
  } finally {
    folder.remove();
  }
});

/** Makes the database, whose creation removes a file. */
async function makeStore(dataDir: string): Promise<void> {
  const service = await startService(dataDir);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
}

async function upload(service: ServiceProcess): Promise<{ readonly status: number; readonly text: string }> {
  const token = await service.token('manage_project:shop');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' };
  const url = `http://127.0.0.1:${service.port}/shop/resource/images?staged=false`;
  const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(await png(60, 60)) });
  return { status: answer.status, text: await answer.text() };
}

test('an upload whose temporary file cannot be removed is stored, and answered as such', { skip }, async () => {
  const folder = dataFolder();
  try {
    await makeStore(folder.path);
    const service = await startFailing(folder.path, 'unlink,unlinkat', '1+');
    const { status, text } = await upload(service);
    assert.equal(status, 200, text);
    const [image = ''] = (JSON.parse(text) as { images: readonly string[] }).images;
    assert.equal((await service.request({ path: image })).status, 200);
    assert.equal(readdirSync(join(folder.path, 'images', '.incoming')).length, 1);
    service.kill('SIGKILL');
    await service.ended;
  } finally {
    folder.remove();
  }
});

test('an upload that cannot be made durable is 503, never 500', { skip }, async () => {
  const folder = dataFolder();
  try {
    const service = await startFailing(folder.path, 'fsync', '1+', 'images/shop');
    const { status, text } = await upload(service);
    assert.equal(status, 503, text);
    assert.match(text, /The disk cannot be read or written/);
    service.kill('SIGKILL');
    await service.ended;
  } finally {
    folder.remove();
  }
});

test('no room for the file of the last acknowledged commit: not ready while it lasts, and ready again by itself', {
  skip,
}, async () => {
  const folder = dataFolder();
  try {
    await makeStore(folder.path);
    // Some calls of the start and of the first writes are let through, and all after those that fail.
    const service = await startFailing(folder.path, 'pwrite64', '20..30', 'grs.db-acknowledged', 'ENOSPC');
    const token = await service.token('manage_test:disk');
    const write = (n: number) => {
      const body = { id: `r${n}`, someProperty: `write ${n}` };
      return service.request({ method: 'PUT', path: '/disk/resource', token, body });
    };
    let written = await write(0);
    for (let n = 1; written.status === 201 && n < 100; n += 1) written = await write(n);
    assert.equal(written.status, 503, written.text);
    assert.match(written.text, /OutcomeUnknown/);
    const unready = await service.request({ path: '/health/ready' });
    assert.equal(unready.status, 503, unready.text);
    assert.match(unready.text, /"store":"[^"]*grs\.db-acknowledged cannot be written: ENOSPC/);
    // Nobody writes now: each call has it tried again until no call fails any more.
    let ready = unready;
    const until = Date.now() + 60_000;
    while (ready.status === 503 && Date.now() < until) ready = await service.request({ path: '/health/ready' });
    assert.equal(ready.status, 200, ready.text);
    assert.equal((await write(200)).status, 201);
    service.kill('SIGKILL');
    await service.ended;
  } finally {
    folder.remove();
  }
});

test('a file of the last acknowledged commit that cannot be written ends the writing; a full disk does not', () => {
  const folder = dataFolder();
  try {
    const path = join(folder.path, 'acknowledged');
    const broken = openAcknowledgedFile(path, { instanceId: 'i', commits: 1 });
    broken.close();
    const error = (() => {
      try {
        broken.acknowledge(2);
      } catch (thrown) {
        return thrown;
      }
    })();
    assert.ok(error instanceof AcknowledgedFileFailed);
    assert.match(error.message, /acknowledged cannot be written: EBADF/);
    assert.equal(isFatal(error), true);
    assert.equal(isFatal(Object.assign(new Error('no room'), { code: 'ENOSPC' })), false);
  } finally {
    folder.remove();
  }
});

/** How many files a service has open when nothing starts in it any more, and no connection is left. */
async function filesAtRest(pid: number): Promise<number> {
  const count = () => readdirSync(`/proc/${pid}/fd`).length;
  for (let [least, since] = [count(), performance.now()]; ; await pause(20)) {
    const now = count();
    if (now !== least) [least, since] = [now, performance.now()];
    if (performance.now() - since > 1000) return now;
  }
}

const prlimit = findTool('prlimit');
if (!prlimit) console.log('The test of too many open files is skipped: there is no prlimit.');

test('with no more files to open, requests are answered or 503 with the reason, never 500; they work when there are', {
  skip: !prlimit,
}, async () => {
  const folder = dataFolder();
  try {
    const service = await startService(folder.path);
    const token = await service.token('manage_project:disk');
    const create = () => service.request({ method: 'POST', path: '/disk/resource', token, body: { n: 1 } });
    assert.equal((await create()).status, 201);
    const csv = { text: 'key,a\nk,1\n', headers: { 'content-type': 'text/csv' } };
    const requests = [
      { path: '/disk/resource/searchApiPattern?text.en=word' },
      { path: '/disk/resource/sorted-query-parameters?where=n%20%3D%201&sort=n' },
      { path: '/disk/resource/suggestions?text.en=w' },
      { method: 'POST', path: '/disk/resource/import', ...csv },
      { method: 'PUT', path: '/disk/resource', body: { key: 'k', n: 2 } },
    ];
    const limit = (files: number | string) =>
      execFileSync(prlimit!, ['--pid', String(service.pid), `--nofile=${files}:`]);
    const open = await filesAtRest(service.pid);
    limit(open + 1);
    const refused: string[] = [];
    for (const each of requests) {
      const { status, text } = await service.request({ ...each, token });
      assert.ok(status < 300 || status === 503, `${each.path}: ${status} ${text}`);
      if (status === 503) refused.push(text);
    }
    const image = await upload(service);
    assert.equal(image.status, 503, image.text);
    refused.push(image.text);
    for (const text of refused) assert.match(text, /the service has as many files open as it may have/i);
    limit(4096);
    for (const each of requests) {
      const { status, text } = await service.request({ ...each, token });
      assert.ok(status < 300, `${each.path}: ${status} ${text}`);
    }
    assert.equal((await upload(service)).status, 200);
    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
  } finally {
    folder.remove();
  }
});
