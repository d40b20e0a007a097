import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { ServiceError } from '../../../src/contract/errors.ts';
import { openReadConnection } from '../../../src/sqlite/connection.ts';
import { changesBy, documentWrites } from '../logged-changes.ts';
import { creation, document } from '../records.ts';
import {
  allOf,
  assertIndexes,
  assertMirrors,
  createFolder,
  createMany,
  listIds,
  type Node,
  openNode,
} from './mirrored.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { recordStatements } from './recorded-statements.ts';
import { startStallingProxy } from './stalling-proxy.ts';
import type { TestPostgres } from './start-test-postgres.ts';

let server: PostgresServer;
let postgres: TestPostgres;
before(async () => {
  server = await startPostgres();
  postgres = { url: server.url, server, run, close: async () => {} };
});
after(() => server.close());

async function run<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(4, '0')}`);

const turn = () => new Promise((resolve) => setImmediate(resolve));
const openMirrorFile = (file: string) => openReadConnection(file, 1024);

const isLate = (error: unknown) => error instanceof ServiceError && error.code === 'OverCapacity';

/** Asks until the mirror is there. */
async function assertTotal({ store }: Node, projectKey: string, expected: number): Promise<void> {
  for (;;) {
    const found = await store.resources.list(allOf(projectKey, { limit: 1 })).catch((error: unknown) => error);
    if (isLate(found)) continue;
    assert.equal((found as { total?: number }).total, expected, String(found));
    return;
  }
}

test('a copy that is interrupted: nothing incomplete is served, and the next start copies all of it', async (t) => {
  const writer = await openNode(t, postgres, createFolder(t));
  await createMany(writer, 'copied', names('r', 5000), { name: { en: 'red shoe' }, price: 7 });
  const folder = createFolder(t);
  const node = await openNode(t, postgres, folder);
  const total = async () => (await node.store.resources.list(allOf('copied', { limit: 1 }))).total;
  const asked = total().catch((error: unknown) => error);
  const db = openMirrorFile(node.file);
  while ((db.prepare('SELECT count(*) AS n FROM resource').get() as { n: number }).n === 0) await turn();
  db.close();
  const closed = node.close();
  const answer = await asked;
  assert.ok(answer === 5000 || isLate(answer), String(answer));
  await closed;
  const again = await openNode(t, postgres, folder);
  for (;;) {
    const found = await again.store.resources.list(allOf('copied', { limit: 1 })).catch((error: unknown) => error);
    if (isLate(found)) continue;
    assert.equal((found as { total?: number }).total, 5000, String(found));
    break;
  }
  assert.deepEqual(await listIds(again, allOf('copied')), await listIds(writer, allOf('copied')));
  await assertIndexes(again);
});

test('a connection for copies that is lost without a word: another one copies within seconds', async (t) => {
  const writer = await openNode(t, postgres, createFolder(t));
  for (const projectKey of ['before', 'behind', 'ending']) await createMany(writer, projectKey, names('r', 300));
  const proxy = await startStallingProxy(server.port);
  const url = postgres.url.replace(String(server.port), String(proxy.port));
  const node = await openNode(t, { ...postgres, url }, createFolder(t));
  t.after(proxy.cut);
  await assertTotal(node, 'before', 300);
  proxy.lose();
  await assertTotal(node, 'behind', 300);
  let isLost = false;
  const { stop } = recordStatements((text) => {
    if (text === 'ROLLBACK' && !isLost) proxy.lose();
    isLost ||= text === 'ROLLBACK';
  });
  t.after(stop);
  await assertTotal(node, 'ending', 300);
  assert.ok(isLost);
  await node.close();
  await proxy.close();
});

test('pages of the log begin small, and are smaller after one that took too long: documents may have become long', async (t) => {
  const nodes = [await openNode(t, postgres, createFolder(t)), await openNode(t, postgres, createFolder(t))];
  await createMany(nodes[0]!, 'pages', names('a', 10));
  await assertTotal(nodes[1]!, 'pages', 10);
  await createMany(nodes[0]!, 'pages', names('b', 1000));
  // Neither of them is in the middle of the changes.
  for (const node of nodes) await assertTotal(node, 'pages', 1010);
  const recorded = recordStatements();
  t.after(recorded.stop);
  const asked = () =>
    recorded.statements.flatMap(({ text, values: [projectKey, , rows] }) =>
      projectKey === 'pages' && /LEFT JOIN LATERAL/.test(text) ? [rows as number] : [],
    );
  await assertTotal(nodes[1]!, 'pages', 1010);
  assert.ok(Math.max(...asked()) <= 129, String(asked()));
  const locker = new Client({ connectionString: server.url });
  await locker.connect();
  await locker.query('BEGIN; LOCK TABLE event IN ACCESS EXCLUSIVE MODE');
  const { length } = asked();
  while (Math.min(...asked().slice(length + nodes.length)) > 5) {
    await nodes[1]!.store.resources.list(allOf('pages')).catch(() => {});
  }
  await locker.end();
  await assertTotal(nodes[1]!, 'pages', 1010);
});

test('a project that is made anew beneath queries: none of them meets a part of it', async (t) => {
  const node = await openNode(t, postgres, createFolder(t));
  await createMany(node, 'anew', names('r', 2500));
  await assertTotal(node, 'anew', 2500);
  const db = openMirrorFile(join(node.folder, 'mirror.db'));
  t.after(() => db.close());
  const state = db.prepare(`SELECT (SELECT complete FROM mirrored WHERE project_key = 'anew') AS complete,
    (SELECT count(*) FROM resource WHERE project_key = 'anew') AS rows`);
  const totals = new Set<number | undefined>();
  let isRunning = true;
  const asking = Array.from({ length: 60 }, async () => {
    while (isRunning) {
      const found = await node.store.resources.list(allOf('anew')).catch((error: unknown) => error);
      if (!isLate(found)) totals.add((found as { total?: number }).total);
    }
  });
  try {
    for (let round = 0; round < 3; round += 1) {
      await run(`UPDATE event_head SET epoch = 'epoch${round}' WHERE project_key = 'anew'`);
      while (node.notes.filter((note) => /made anew/.test(note)).length <= round) await turn();
      // Whatever a query may meet is whole, or said not to be.
      for (let isCopied = false; ; await turn()) {
        const { complete, rows } = state.get() as { complete: number | null; rows: number };
        if (complete === 1 && isCopied) break;
        isCopied ||= complete === 0;
        if (complete !== 0) assert.equal(rows, 2500);
      }
      await assertTotal(node, 'anew', 2500);
    }
  } finally {
    isRunning = false;
  }
  await Promise.all(asking);
  assert.deepEqual([...totals], [2500]);
});

test('PostgreSQL stopped: lists are refused in time, those of what was there are not; started, nothing is lost', async (t) => {
  const nodes = [await openNode(t, postgres, createFolder(t)), await openNode(t, postgres, createFolder(t))];
  await createMany(nodes[0]!, 'stopped', names('r', 20));
  for (const node of nodes) assert.equal((await listIds(node, allOf('stopped'))).length, 20);
  await nodes[0]!.store.resources.commit(creation('stopped', document('last', 1)));
  await server.stopAtOnce();
  for (const { store } of nodes) {
    const beganMs = performance.now();
    // A client that has gone before its query begins must not end the process with a rejection that has no handler.
    const gone = store.resources.list(allOf('stopped'), AbortSignal.abort(new Error('gone')));
    await assert.rejects(gone, { message: 'gone' });
    await assert.rejects(store.resources.list(allOf('stopped')), isLate);
    assert.ok(performance.now() - beganMs < 10_000);
    const { total } = await store.eventual!.list(allOf('stopped'));
    assert.ok(total === 20 || total === 21);
  }
  await server.start();
  for (const node of nodes) {
    for (;;) {
      const found = await node.store.resources.list(allOf('stopped')).catch((error: ServiceError) => error);
      if (found instanceof ServiceError) continue;
      assert.equal(found.total, 21);
      break;
    }
    await assertMirrors(postgres, node, 'stopped');
  }
});

test('a companion project, and a service without history: each node lists what the other acknowledged', async (t) => {
  const nodes = [
    await openNode(t, postgres, createFolder(t), { keepsHistory: false }),
    await openNode(t, postgres, createFolder(t), { keepsHistory: false }),
  ];
  for (const projectKey of ['plain', 'plain~images']) {
    await createMany(nodes[0]!, projectKey, names('a', 10));
    assert.equal((await listIds(nodes[1]!, allOf(projectKey))).length, 10);
    await createMany(nodes[1]!, projectKey, names('b', 10));
    assert.equal((await listIds(nodes[0]!, allOf(projectKey))).length, 20);
    for (const node of nodes) await assertMirrors(postgres, node, projectKey);
  }
  for (const node of nodes) await node.close();
  const kept = await openNode(t, postgres, nodes[0]!.folder);
  const { changes } = await kept.store.changes.changesAfter('plain', 0, 100, {});
  assert.deepEqual(changes, []);
  await createMany(kept, 'plain', ['c']);
  assert.equal((await listIds(kept, allOf('plain'))).length, 21);
  await assertMirrors(postgres, kept, 'plain');
});

test('a project that nobody asks for is not copied, though its log is told of a write of its companion', async (t) => {
  const first = await openNode(t, postgres, createFolder(t));
  await createMany(first, 'unasked', names('r', 300));
  const other = await openNode(t, postgres, createFolder(t));
  const companion = changesBy(other.store, 'unasked~backend');
  await companion.create('cart', {}, { documentWrites: documentWrites('cart', 1, 1) });
  await listIds(other, allOf('unasked~backend'));
  await listIds(other, allOf('unasked~backend'));
  const db = openReadConnection(`${other.folder}/mirror.db`, 64);
  const mirrored = db.prepare("SELECT project_key FROM mirrored WHERE project_key LIKE 'unasked%'").all();
  db.close();
  assert.deepEqual(
    mirrored.map(({ project_key }) => project_key),
    ['unasked~backend'],
  );
});

test('a rolling upgrade with another word analysis: the node that builds its indexes again is not ready, the others list and search', async (t) => {
  const [folder, other] = [createFolder(t), await openNode(t, postgres, createFolder(t))];
  await createMany(other, 'rolled', names('r', 5), { name: { en: 'shoe' } });
  const before = await openNode(t, postgres, folder);
  await assertTotal(before, 'rolled', 5);
  // More than is built before a node serves.
  const words = Array.from({ length: 8000 }, (_, n) => `${n.toString(36).padStart(4, 'w')}${'long'.repeat(9)}`);
  await createMany(before, 'many', names('r', 100), { text: { en: words.join(' ') } });
  await assertTotal(before, 'many', 100);
  await before.close();
  const db = new DatabaseSync(before.file);
  db.exec("UPDATE store SET settings = replace(settings, 'Unicode', 'Another')");
  db.close();
  const upgraded = await openNode(t, postgres, folder);
  const problem = async () => (await upgraded.store.status()).queryProblem;
  assert.match((await problem()) ?? '', /The indexes are being rebuilt/);
  assert.ok(isLate(await upgraded.store.resources.list(allOf('rolled')).catch((error: unknown) => error)));
  await createMany(upgraded, 'rolled', ['new'], { name: { en: 'shoe' } });
  assert.equal((await other.store.status()).queryProblem, undefined);
  await assertTotal(other, 'rolled', 6);
  while ((await problem()) !== undefined) await turn();
  await assertTotal(upgraded, 'rolled', 6);
  await upgraded.close();
  await assertIndexes(upgraded);
});
