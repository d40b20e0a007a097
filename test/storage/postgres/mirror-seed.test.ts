import assert from 'node:assert/strict';
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, type TestContext, test } from 'node:test';
import { StoreRefused } from '../../../src/record/engine.ts';
import { seedMirror, snapshotMirror } from '../../../src/store/postgres/mirror-snapshot.ts';
import { runCommand } from '../../faults/service-process.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { openTestStore as openEmbedded } from '../sqlite/open-test-store.ts';
import { allOf, assertMirrors, createFolder, createMany, listIds, type Node, openNode } from './mirrored.ts';
import { recordStatements } from './recorded-statements.ts';
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** A node that starts with a snapshot of the mirror of another one. */

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);
const openIn = (t: TestContext, dataDir: string, more = {}) => openNode(t, postgres, join(dataDir, 'mirror'), more);
const seed = (dataDir: string, file: string, declaredPaths: readonly string[] = []) =>
  seedMirror(dataDir, declaredPaths, async () => createReadStream(file));

/** A node with a project, and a snapshot of its mirror. */
async function takeSnapshot(
  t: TestContext,
  projectKey: string,
): Promise<{ readonly node: Node; readonly file: string }> {
  const dataDir = createFolder(t);
  const node = await openIn(t, dataDir);
  await createMany(node, projectKey, names(300), { name: { en: 'blue shoe' } });
  await listIds(node, allOf(projectKey));
  const file = join(createFolder(t), 'snapshot.db');
  await snapshotMirror(dataDir, file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  return { node, file };
}

async function change({ store }: Node, projectKey: string): Promise<void> {
  const of = (id: string, version: number) => document(id, version, { name: { en: 'red boot' } });
  for (const each of [
    replacement(projectKey, of('r1', 1), of('r1', 2)),
    deletion(projectKey, of('r2', 1)),
    creation(projectKey, of('new', 1)),
  ]) {
    assert.equal(await store.resources.commit(each), 'committed');
  }
}

/** Opens a node with a mirror, and asserts that it answers from it what the other does, copying a project so many times. */
async function assertStartsWith(
  t: TestContext,
  dataDir: string,
  node: Node,
  projectKey: string,
  copies: number,
  more = {},
) {
  const recorder = recordStatements();
  const seeded = await openIn(t, dataDir, more);
  const found = await listIds(seeded, allOf(projectKey));
  recorder.stop();
  assert.deepEqual(found, await listIds(node, allOf(projectKey)));
  assert.equal(recorder.statements.filter(({ text }) => text.startsWith('DECLARE')).length, copies);
  await assertMirrors(postgres, seeded, projectKey);
  await seeded.close();
  return seeded.notes.join('\n');
}

test('grs mirror: a machine starts with the snapshot of another one that serves, and copies nothing', async (t) => {
  const [from, to, folder] = [createFolder(t), createFolder(t), createFolder(t)];
  const run = (dataDir: string, ...args: readonly string[]) =>
    runCommand(['mirror', ...args], { DATA_DIR: dataDir, DATABASE_URL: postgres.url });
  const node = await openIn(t, from);
  await createMany(node, 'shop', names(300));
  await listIds(node, allOf('shop'));
  const file = join(folder, 'snapshot.db');
  const taken = await run(from, 'snapshot', file);
  assert.deepEqual([taken.code, taken.stdout], [0, `${file} is a snapshot of the mirror.\n`]);
  await change(node, 'shop');
  let status = 403;
  const server = createServer((request, response) => {
    assert.equal(request.url, '/s.db?signature=secret');
    response.writeHead(status).end(status === 200 ? readFileSync(file) : '');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refused = await run(to, 'seed', `${origin}/s.db?signature=secret`);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.equal(refused.stderr, `grs mirror seed: ${origin}/s.db responds with status 403.\n`);
  status = 200;
  const seeded = await run(to, 'seed', `${origin}/s.db?signature=secret`);
  server.close();
  assert.deepEqual([seeded.code, seeded.stdout, seeded.stderr], [0, 'The mirror has 1 project.\n', '']);
  await assertStartsWith(t, to, node, 'shop', 0);
  const again = await run(to, 'seed', join(folder, 'missing.db'));
  assert.match(again.stdout, /mirror\.db is there already, and is kept\.\n$/);
  assert.equal(again.code, 0);
  const embedded = await runCommand(['mirror', 'snapshot', file], { DATA_DIR: to });
  assert.match(embedded.stderr, /has no mirror; set DATABASE_URL/);
  assert.equal(embedded.code, 2);
});

test('a snapshot whose log was pruned meanwhile: the project is made anew', async (t) => {
  const { node, file } = await takeSnapshot(t, 'pruned');
  await change(node, 'pruned');
  await listIds(node, allOf('pruned'));
  await node.store.changes.prune(Date.now() + 1000, 1);
  const to = createFolder(t);
  assert.equal(await seed(to, file), 'The mirror has 1 project.');
  assert.match(await assertStartsWith(t, to, node, 'pruned', 1), /made anew/);
});

test('a snapshot with other INDEXED_PATHS: the index is built again, and nothing is copied', async (t) => {
  const { node, file } = await takeSnapshot(t, 'paths');
  await change(node, 'paths');
  const to = createFolder(t);
  assert.match(await seed(to, file, ['price']), /^The mirror has 1 project\. Its index is of other INDEXED_PATHS/);
  await assertStartsWith(t, to, node, 'paths', 0, { declaredPaths: ['price'] });
});

test('a file that is not a snapshot which this version can use: refused, and nothing is left of it', async (t) => {
  const { node, file } = await takeSnapshot(t, 'refused');
  const snapshot = readFileSync(file);
  const folder = createFolder(t);
  const embedded = await openEmbedded(join(folder, 'grs.db'));
  await embedded.close();
  const changed = (name: string, by: (file: string) => void): string => {
    const copy = join(folder, name);
    writeFileSync(copy, snapshot);
    by(copy);
    return copy;
  };
  const files: readonly (readonly [file: string, message: RegExp])[] = [
    [changed('empty', (copy) => truncateSync(copy, 0)), /not a whole snapshot|schema 0/],
    [changed('truncated', (copy) => truncateSync(copy, snapshot.length - 20_000)), /not a whole snapshot/],
    [
      changed('damaged', (copy) => writeFileSync(copy, Buffer.from(snapshot).fill('x', 60_000, 90_000))),
      /not a whole snapshot/,
    ],
    [changed('garbage', (copy) => writeFileSync(copy, 'x'.repeat(10_000))), /not a whole snapshot/],
    [join(folder, 'grs.db'), /not a whole snapshot of a mirror: it has no project/],
    [
      changed('newer', (copy) => {
        const db = new DatabaseSync(copy);
        db.exec('PRAGMA user_version = 9999');
        db.close();
      }),
      /has schema 9999, which this version of the service does not know/,
    ],
  ];
  for (const [each, message] of files) {
    const to = createFolder(t);
    await assert.rejects(seed(to, each), (error) => error instanceof StoreRefused && message.test(error.message), each);
    assert.deepEqual(
      readdirSync(join(to, 'mirror')).filter((name) => !name.includes('lock')),
      [],
      each,
    );
  }
  await assert.rejects(seed(join(node.folder, '..'), file), /Another process serves this data folder/);
  await assert.rejects(snapshotMirror(folder, join(folder, 'copy.db')), /There is no mirror at/);
  assert.ok(!existsSync(join(folder, 'copy.db')));
});
