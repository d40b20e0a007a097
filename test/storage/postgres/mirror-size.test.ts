import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, type TestContext, test } from 'node:test';
import { openReadConnection } from '../../../src/sqlite/connection.ts';
import type { PostgresOptions } from '../../../src/store/postgres/store.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createStoreMetrics } from '../../../src/telemetry/store-metrics.ts';
import { until } from '../../until.ts';
import { creation, document } from '../records.ts';
import { allOf, assertMirrors, createFolder, type Node, openNode } from './mirrored.ts';
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** What a mirror takes, and what it says of itself. */

const count = 400;

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
  const writer = await openNode({ after() {} }, postgres, createFolder({ after() {} }));
  for (const projectKey of ['a', 'b']) {
    const changes = Array.from({ length: count }, (_, n) => {
      const words = Array.from({ length: 60 }, (_, at) => `${projectKey}${n}x${at}`).join(' ');
      return creation(projectKey, document(`r${n}`, 1, { name: { en: words } }));
    });
    await Promise.all(changes.map((change) => writer.store.resources.commit(change)));
  }
  await writer.close();
});
after(() => postgres.close());

/** A node, and what its metrics say. */
async function openMeasured(t: TestContext, more: Partial<PostgresOptions> = {}, folder = createFolder(t)) {
  const metrics = createMetrics();
  const node = await openNode(t, postgres, folder, { metrics: createStoreMetrics(metrics, {}), ...more });
  const valueIn = (name: string) => Number(new RegExp(`^grs_mirror_${name} (\\S+)$`, 'm').exec(metrics.render())![1]);
  return { ...node, valueIn };
}

const isLate = (error: unknown) => (error as { code?: string }).code === 'OverCapacity';

/** The total of a list of all; undefined where it was refused for the mirror, which is being copied. */
async function totalOf({ store }: Node, projectKey: string): Promise<number | undefined> {
  try {
    return (await store.resources.list(allOf(projectKey, { limit: 1 }))).total;
  } catch (error) {
    if (!isLate(error)) throw error;
    return undefined;
  }
}

const mirrored = (node: Node, projectKey: string) => until(async () => (await totalOf(node, projectKey)) === count);

/** What the file has of a project. */
function rowsIn({ file }: Node, projectKey: string): number {
  const db = openReadConnection(file, 64);
  try {
    return db.prepare('SELECT count(*) AS n FROM resource WHERE project_key = ?').get(projectKey)!.n as number;
  } finally {
    db.close();
  }
}

/** The bytes that the mirror of one project takes. */
async function bytesOfOne(t: TestContext): Promise<number> {
  const node = await openMeasured(t);
  await mirrored(node, 'a');
  const bytes = node.valueIn('bytes');
  await node.close();
  return bytes;
}

test('MIRROR_BYTES: the project that was asked for longest ago makes room, is copied again when it is asked for, and is the same', async (t) => {
  const limit = Math.round(1.4 * (await bytesOfOne(t)));
  // Both may go, and one is enough.
  const node = await openMeasured(t, { mirrorBytes: limit, mirrorKeptForMs: 0 });
  await mirrored(node, 'a');
  assert.deepEqual([node.valueIn('projects'), node.valueIn('copied_resources_total')], [1, count]);
  await mirrored(node, 'b');
  await until(() => node.valueIn('evictions_total') === 1);
  assert.deepEqual([rowsIn(node, 'a'), rowsIn(node, 'b')], [0, count]);
  assert.match(node.notes.join('\n'), /project a was evicted from the mirror \(400 resources\)/);
  // The indexes give back what they had of it, without another query of it.
  await until(() => node.valueIn('bytes') <= limit);
  const pulls = node.valueIn('pulls_total');
  await until(() => node.valueIn('pulls_total') > pulls + 4);
  assert.deepEqual([node.valueIn('projects'), node.valueIn('evictions_total')], [1, 1]);
  assert.equal(node.valueIn('copied_resources_total'), 2 * count, 'it is not copied before it is asked for');
  await node.close();
  const again = await openMeasured(t, {}, node.folder);
  assert.equal(again.valueIn('copied_resources_total'), 0);
  await mirrored(again, 'a');
  await assertMirrors(postgres, again, 'a');
  assert.equal(again.valueIn('resyncs_total'), 0);
  await again.close();
});

test('MIRROR_BYTES smaller than what is asked for by turns: no query meets a part of a project', async (t) => {
  const node = await openMeasured(t, { mirrorBytes: 100_000, mirrorKeptForMs: 0 });
  const totals = new Set<number | undefined>();
  const asking = ['a', 'b', 'a', 'b'].map(async (projectKey) => {
    while (node.valueIn('evictions_total') < 3) totals.add(await totalOf(node, projectKey));
  });
  await Promise.all(asking);
  totals.delete(undefined);
  assert.deepEqual([...totals], [count]);
  await mirrored(node, 'a');
  await node.close();
});

test('MIRROR_BYTES and projects that are all in use: nothing is evicted, and health and log say so', async (t) => {
  const node = await openMeasured(t, { mirrorBytes: 100_000, mirrorKeptForMs: 3000 });
  await until(async () => {
    assert.ok([count, undefined].includes(await totalOf(node, 'a')));
    return /more than MIRROR_BYTES/.test((await node.store.status()).rebuilding ?? '');
  });
  assert.deepEqual([node.valueIn('evictions_total'), rowsIn(node, 'a')], [0, count]);
  assert.equal(node.notes.filter((note) => /MIRROR_BYTES \(100000\)/.test(note)).length, 1);
  await until(() => rowsIn(node, 'a') === 0);
  await until(async () => (await node.store.status()).rebuilding === undefined);
  await node.close();
});

test('an eviction or a copy that the end of a service interrupted: the next start removes what is left, and copies it when it is asked for', async (t) => {
  const node = await openMeasured(t);
  await mirrored(node, 'a');
  await node.close();
  const db = new DatabaseSync(node.file);
  db.exec("UPDATE mirrored SET sequence = 0, epoch = '', checksum = 0, complete = 0");
  db.close();
  const again = await openMeasured(t, {}, node.folder);
  await until(() => rowsIn(again, 'a') === 0);
  assert.deepEqual([again.valueIn('copied_resources_total'), again.valueIn('evictions_total')], [0, 0]);
  await mirrored(again, 'a');
  await assertMirrors(postgres, again, 'a');
  await again.close();
});

test('a project that is being copied: health says how far it is', async (t) => {
  const node = await openMeasured(t);
  const asked = mirrored(node, 'a');
  let found: string | undefined;
  await until(async () => {
    found = (await node.store.status()).rebuilding;
    return found !== undefined;
  });
  assert.match(found!, /^copying a: \d+ of 400 resources$/);
  assert.equal(node.valueIn('copies'), 1);
  await asked;
  assert.equal((await node.store.status()).rebuilding, undefined);
  assert.equal(node.valueIn('copies'), 0);
  assert.ok(node.valueIn('lag_seconds') < 60);
  assert.equal(node.valueIn('lag_changes'), 0);
  await node.store.resources.commit(creation('a', document('another', 1)));
  await until(() => node.valueIn('changes_total') === 1);
  assert.ok(node.valueIn('pulls_total') >= 1);
  await postgres.run("DELETE FROM resource WHERE id = 'another'");
  await postgres.run("UPDATE event_head SET epoch = 'another' WHERE project_key = 'a'");
  await mirrored(node, 'a');
  assert.equal(node.valueIn('resyncs_total'), 1);
  await node.close();
});
