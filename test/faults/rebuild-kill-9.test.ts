import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { readBuiltTo } from '../../src/index/follow/rebuild-mark.ts';

import { creation, document } from '../storage/records.ts';
import { openTestStore } from '../storage/sqlite/open-test-store.ts';
import { dataFolder, runCommand, type ServiceProcess, startService } from './service-process.ts';

const folder = dataFolder();
const file = join(folder.path, 'grs.db');
let service: ServiceProcess | undefined;
after(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
  folder.remove();
});

const count = 2500;
/** So many words that a start leaves most of them to be indexed beside the service. */
const wordsOfText = 400;

function textOf(at: number): string {
  return Array.from({ length: wordsOfText }, (_, word) => `w${((at * 31 + word * 17) % 9973).toString(36)}e`).join(' ');
}

async function fill(): Promise<void> {
  const store = await openTestStore(file);
  for (let from = 0; from < count; from += 100) {
    const group = Array.from({ length: 100 }, (_, at) => {
      const n = from + at;
      return creation('shop', document(`r${n}`, 1, { n, size: n % 10, name: { en: textOf(n) } }));
    });
    assert.equal(await store.resources.commitAll(group), 'committed');
  }
  await store.close();
}

const list = { path: '/shop/resource/sorted-query-parameters?where=size%20%3D%203&withTotal=true&limit=1' };

/** The total of a list; undefined where it is refused because the indexes are being built. */
async function totalOf(running: ServiceProcess, token: string): Promise<number | undefined> {
  const { status, text, headers } = await running.request({ ...list, token });
  if (status === 200) return (JSON.parse(text) as { total: number }).total;
  assert.equal(status, 503, text);
  const { message, errors } = JSON.parse(text) as { message: string; errors: { code: string }[] };
  assert.equal(errors[0]?.code, 'OverCapacity');
  assert.match(message, /^The indexes are being rebuilt \(\d+ % done\)/);
  assert.ok(Number(headers['retry-after']) > 0);
  return undefined;
}

async function assertHealthy(): Promise<void> {
  const check = await runCommand(['check'], { DATA_DIR: folder.path });
  assert.deepEqual([check.code, check.stdout.trim()], [0, 'All is well.'], check.stderr);
}

function builtTo(): number {
  using database = new DatabaseSync(file, { readOnly: true });
  return readBuiltTo(database);
}

test('SIGKILL while the indexes are built again beside the service: reads and writes went on, no list was wrong, and the next start goes on', async () => {
  await fill();
  let expected = count / 10;
  let paths = '';
  let built = Number.POSITIVE_INFINITY;
  for (let attempt = 0; !Number.isFinite(built); attempt += 1) {
    assert.ok(attempt < 10, 'each time the indexes were built before the kill');
    // Other declared paths than the time before: the indexes are built again.
    paths = `n,path${attempt}`;
    service = await startService(folder.path, { INDEXED_PATHS: paths });
    const token = await service.token('manage_test:shop');
    // Nothing was written since the start, so that all changes are indexed: the mark alone has the list wait.
    const early = await totalOf(service, token);
    assert.ok(early === undefined || early === expected, `${early}`);
    const id = `more${attempt}`;
    const { status, text } = await service.request({
      ...{ method: 'POST', path: '/shop/resource', token },
      body: { id, size: 3, name: { en: 'more' } },
    });
    assert.equal(status, 201, text);
    expected += 1;
    const read = await service.request({ path: `/shop/resource/${id}`, token });
    assert.equal(read.status, 200);
    const total = await totalOf(service, token);
    service.kill('SIGKILL');
    await service.ended;
    built = builtTo();
    assert.ok(total === undefined || total === expected, `${total}`);
  }
  assert.ok(built > 0);
  // What is built is told from what is wrong.
  await assertHealthy();
  const done = builtTo();
  assert.equal(done, built);

  service = await startService(folder.path, { INDEXED_PATHS: paths });
  assert.ok(builtTo() > built);
  const token = await service.token('manage_test:shop');
  let total: number | undefined;
  while (total === undefined) total = await totalOf(service, token);
  assert.equal(total, expected);
  let ready = await service.request({ path: '/health/ready' });
  // The list may have been answered before the threads of queries had started.
  while (ready.text.includes('"queries":"starting"')) ready = await service.request({ path: '/health/ready' });
  assert.deepEqual(
    [ready.status, (JSON.parse(ready.text) as { checks: { queries: string } }).checks.queries],
    [200, 'ok'],
  );
  service.kill('SIGTERM');
  const { stdout, stderr } = await service.ended;
  const first = /indexing the values: (\d+) of \d+/.exec(stdout + stderr);
  assert.ok(Number(first?.[1]) > 0, stdout + stderr);
  await assertHealthy();
});

/** The total of a search; undefined where it is refused because the indexes are being built. */
async function foundBy(running: ServiceProcess, token: string, word: string): Promise<number | undefined> {
  const path = `/shop/resource/searchApiPattern?text.en=${word}&withTotal=true&limit=1`;
  const { status, text } = await running.request({ path, token });
  if (status === 503) return undefined;
  assert.equal(status, 200, text);
  return (JSON.parse(text) as { total: number }).total;
}

test('a process that has built the indexes again beside its requests answers lists and searches as one that found them whole', async () => {
  service = await startService(folder.path, { INDEXED_PATHS: 'n' });
  let token = await service.token('manage_test:shop');
  const whole = async (running: ServiceProcess, word: string) => {
    let found: number | undefined;
    // Searches are asked for all the while, so that none of what their threads keep is from before.
    while (found === undefined) found = await foundBy(running, token, word);
    return [found, await totalOf(running, token)];
  };
  const word = textOf(7).split(' ')[3]!;
  await whole(service, word);
  service.kill('SIGTERM');
  await service.ended;
  service = await startService(folder.path, { INDEXED_PATHS: 'n' });
  const expected = await whole(service, word);
  assert.ok(expected[0]! > 10);
  service.kill('SIGTERM');
  await service.ended;

  service = await startService(folder.path, { INDEXED_PATHS: 'n,again' });
  token = await service.token('manage_test:shop');
  assert.deepEqual(await whole(service, word), expected);
  assert.equal(await foundBy(service, token, 'another'), 0);
  const { status } = await service.request({
    ...{ method: 'POST', path: '/shop/resource', token },
    body: { id: 'last', size: 3, name: { en: `${word} another` } },
  });
  assert.equal(status, 201);
  assert.deepEqual(await whole(service, word), [expected[0]! + 1, expected[1]! + 1]);
  assert.equal(await foundBy(service, token, 'another'), 1);
});
