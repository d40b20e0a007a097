import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { Link } from '../../../src/record/engine.ts';
import { createPool } from '../../../src/record/postgres/open/pool.ts';
import { openReadConnection } from '../../../src/sqlite/connection.ts';
import { OthersPace } from '../../../src/store/postgres/pace.ts';
import { hostPostgresStore } from '../../../src/store/postgres/store.ts';
import { noStoreMetrics } from '../no-store-metrics.ts';
import { creation, document } from '../records.ts';
import { allOf, createFolder, openNode } from './mirrored.ts';
import { recordStatements } from './recorded-statements.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Writers of every process wait for the mirrors that queries of others read. */

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

/** Words that no other document has: a mirror takes longer to index them than PostgreSQL to store them. */
const wordsOf = (name: string) => Array.from({ length: 250 }, (_, n) => `w${name}x${n.toString(36)}`).join(' ');
const documentOf = (id: string) => document(id, 1, { name: { en: wordsOf(id) } });

const create = async (store: Store, projectKey: string, id: string) =>
  assert.equal(await store.resources.commit(creation(projectKey, documentOf(id))), 'committed');

/** Has a project mirrored, however long a busy machine takes. */
async function mirrored(store: Store, projectKey: string): Promise<void> {
  for (;;) {
    try {
      await store.resources.list(allOf(projectKey, { limit: 1 }));
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'OverCapacity') throw error;
    }
  }
}

/** A mirror that follows them learns what they take. */
async function createSome(store: Store, projectKey: string): Promise<void> {
  await create(store, projectKey, 'first');
  await mirrored(store, projectKey);
  await Promise.all(Array.from({ length: 300 }, (_, n) => create(store, projectKey, `some${n}`)));
  await mirrored(store, projectKey);
}

/** How many changes the mirror in a folder has of a project. */
function positionIn(folder: string, projectKey: string): number {
  const db = openReadConnection(join(folder, 'mirror.db'), 1024);
  try {
    const row = db.prepare('SELECT sequence FROM mirrored WHERE project_key = ?').get(projectKey);
    return (row?.sequence as number) ?? 0;
  } finally {
    db.close();
  }
}

/** Creates resources with many clients at once, and lists all the while. Nothing may be refused, and the mirror never be far behind. */
async function writeBesideQueries(writer: Store, reader: Store, folder: string, projectKey: string): Promise<number> {
  const [count, clients] = [1500, 400];
  let [begun, acknowledged, farthest] = [0, 0, 0];
  const already = positionIn(folder, projectKey);
  const look = () => {
    farthest = Math.max(farthest, already + acknowledged - positionIn(folder, projectKey));
  };
  const writing = Promise.all(
    Array.from({ length: clients }, async () => {
      while (begun < count) {
        begun += 1;
        await create(writer, projectKey, `${begun}`);
        acknowledged += 1;
        if (acknowledged % 50 === 0) look();
      }
    }),
  );
  while (acknowledged < count) {
    const before = already + acknowledged;
    const { total } = await reader.resources.list(allOf(projectKey, { limit: 1 }));
    assert.ok(total! >= before, `${total} after ${before}`);
  }
  await writing;
  return farthest;
}

/** Waits until a machine has published its position in a project. */
async function published(projectKey: string): Promise<void> {
  for (;;) {
    const rows = await postgres.run('SELECT 1 FROM mirror_position WHERE project_key = $1', [projectKey]);
    if (rows.length > 0) return;
    await pause(20);
  }
}

test('two machines: one that writes at full speed waits for the other, which answers every query', async (t) => {
  const writer = await openNode(t, postgres, createFolder(t));
  const reader = await openNode(t, postgres, createFolder(t));
  // Not new to the writer, which has no mirror of it.
  await createSome(reader.store, 'apart');
  await mirrored(reader.store, 'apart');
  await published('apart');
  const farthest = await writeBesideQueries(writer.store, reader.store, reader.folder, 'apart');
  assert.ok(farthest < 600, `${farthest} changes behind`);
  await reader.close();
  await writer.close();
  assert.deepEqual(await postgres.run('SELECT 1 FROM mirror_position'), []);
});

/** Both ends of a channel. */
function createLinks(): readonly [Link, Link] {
  const listeners: ((message: unknown) => void)[] = [];
  const end = (own: number): Link => ({
    send: (message) => setImmediate(() => listeners[1 - own]!(structuredClone(message))),
    onMessage(listener) {
      listeners[own] = listener;
    },
  });
  return [end(0), end(1)];
}

/** A host, and workers that read its mirror. */
async function startWorkers(t: { after(done: () => Promise<void>): void }, count: number) {
  const mirrorFolder = createFolder({ after: (done) => t.after(async () => done()) });
  const options = {
    ...{ url: postgres.url, mirrorFolder, access: 'exclusive' as const, declaredPaths: [], maxPageBytes: 8_388_608 },
    ...{ queryTimeoutMs: 60_000, keepsHistory: true, connections: 8, metrics: noStoreMetrics },
    ...{ note: () => {}, onFatal: () => {} },
  };
  const host = await hostPostgresStore(options);
  t.after(() => host.close());
  const workers = await Promise.all(
    Array.from({ length: count }, async () => {
      const [own, link] = createLinks();
      host.serve(own);
      const worker = await openTestStore(postgres, { mirrorFolder, link });
      t.after(() => worker.close());
      return worker;
    }),
  );
  return { folder: mirrorFolder, workers };
}

test('two workers: one that writes at full speed waits for the mirror of their host, in which the other one finds', async (t) => {
  const { folder, workers } = await startWorkers(t, 2);
  const [writer, reader] = workers as [Store, Store];
  const recorder = recordStatements();
  await createSome(writer, 'workers');
  const farthest = await writeBesideQueries(writer, reader, folder, 'workers');
  recorder.stop();
  assert.ok(farthest < 600, `${farthest} changes behind`);
  const copies = recorder.statements.filter(({ text }) => text.startsWith('DECLARE'));
  assert.equal(copies.length, 1, 'the project is followed from its first commit');
});

test('a worker that takes what the mirror has does not ask PostgreSQL', async (t) => {
  const { workers } = await startWorkers(t, 1);
  const [worker] = workers as [Store];
  await worker.resources.commit(creation('eventual', documentOf('first')));
  await worker.resources.list(allOf('eventual'));
  const beside = await connectToStore(postgres);
  await beside.run({ text: 'BEGIN' });
  await beside.run({ text: 'LOCK TABLE event_head IN ACCESS EXCLUSIVE MODE' });
  const { total } = await worker.eventual!.list(allOf('eventual'));
  assert.equal(total, 1);
  await assert.rejects(worker.resources.list(allOf('eventual')), { code: 'OverCapacity' });
  // Nobody waits for ever for a mirror that cannot follow.
  for (let problem = ''; !/^behind the database: eventual for \d+ s$/.test(problem); ) {
    problem = (await worker.status()).rebuilding ?? '';
  }
  await beside.run({ text: 'ROLLBACK' });
  await beside.close();
});

test('a write waits for a mirror that is behind, and is not refused for that; one that no longer publishes holds nobody up', async (t) => {
  const { store } = await openNode(t, postgres, createFolder(t), { writeWaitMs: 100 });
  const publish = (inMs: number) =>
    postgres.run(
      `INSERT INTO mirror_position VALUES ('held', 'other', 0, 100000, extract(epoch FROM statement_timestamp()) * 1000 + $1)
        ON CONFLICT (project_key, node) DO UPDATE SET at = excluded.at`,
      [inMs],
    );
  const others = new OthersPace(createPool({ connect: () => connectToStore(postgres), size: 1, waitMs: 5000 }), 'own');
  others.committed('held', 1);
  const admitted = async (is: (room: number | Promise<number>) => boolean) => {
    for (let room = others.admit('held'); !is(room); room = others.admit('held')) await pause(20);
  };
  await publish(60_000);
  await admitted((room) => room instanceof Promise);
  for (const id of ['a', 'b', 'c']) await create(store, 'held', id);
  await publish(-10_000);
  await admitted((room) => typeof room === 'number');
  await postgres.run('DELETE FROM mirror_position');
});
