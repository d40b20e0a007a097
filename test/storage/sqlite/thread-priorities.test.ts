import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { openWriter } from '../../../src/storage/sqlite/open-writer.ts';
import { noStoreMetrics } from '../../../src/telemetry/store-metrics.ts';
import { startTestApi } from '../../start-test-api.ts';
import { temporaryFolder } from './open-test-store.ts';

/** The nice value of each thread of this process. */
function priorities(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      // The name in parentheses may have spaces; nice is the 17th field behind it.
      return [thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    }),
  );
}

/** How much threads that are there since then give way to the first one, without those that do not, the highest first. */
function givingWay(since: ReadonlyMap<string, number>): number[] {
  const fresh = [...priorities()].filter(([thread]) => !since.has(thread)).map(([, nice]) => nice - getPriority());
  return fresh.filter((steps) => steps > 0).sort((a, b) => b - a);
}

const own = process.platform === 'linux' ? getPriority() : 0;
const [ofStore, ofBulk] = [Math.min(19, own + 5) - own, Math.min(19, own + 10) - own];
// Started at the lowest priority, there is none below.
const skip = process.platform !== 'linux' || ofStore === 0;

test('threads of the store give way to the first one, alike, and that of imports more', { skip }, async () => {
  const before = priorities();
  const api = await startTestApi();
  try {
    // Those of queries start with the first search at the latest.
    assert.equal((await api.call({ path: '/p/resource/searchApiPattern?text.en=word' })).status, 200);
    const idle = givingWay(before);
    assert.ok(idle.length >= 2, `${idle}`);
    assert.deepEqual(new Set(idle), new Set([ofStore]));
    const headers = { 'content-type': 'application/x-ndjson' };
    const imported = await api.call({ method: 'POST', path: '/p/resource/import', headers, body: '{"n":1}\n' });
    assert.match(imported.text, /"created":1/);
    const [first, ...others] = givingWay(before);
    assert.equal(first, ofBulk);
    if (ofBulk > ofStore) assert.deepEqual(new Set(others), new Set([ofStore]));
    assert.equal(getPriority(), own);
  } finally {
    await api.close();
  }
});

test('a writer for other processes gives way to nobody', { skip }, async () => {
  const folder = temporaryFolder();
  const before = priorities();
  const { close } = await openWriter(
    {
      ...{ file: folder.file, access: 'exclusive', declaredPaths: [], acceptLoss: false, maxPageBytes: 1e6 },
      ...{ queryTimeoutMs: 60_000, keepsHistory: true, readThreads: 2, searchThreads: 2, cacheBytes: 0 },
      ...{ metrics: noStoreMetrics, note: () => {}, onFatal: () => {} },
    },
    false,
  );
  assert.ok(priorities().size > before.size);
  assert.deepEqual(givingWay(before), []);
  await close();
  folder.remove();
});
