import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { changesBy, documentWrites, readLog } from '../logged-changes.ts';
import { creation, document, replacement } from '../records.ts';
import { query } from './exercise.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Two stores on one database know as little of each other as two processes do. */
let postgres: TestPostgres;
let stores: readonly Store[];
before(async () => {
  postgres = await startTestPostgres();
  // Both find an empty database: one makes the tables.
  stores = await Promise.all([openTestStore(postgres), openTestStore(postgres)]);
});
after(async () => {
  for (const store of stores) await store.close();
  await postgres.close();
});

const storeOf = (n: number) => stores[n % stores.length]!.resources;

test('200 creates of one key on two processes: exactly one is committed', async () => {
  const words = await Promise.all(
    Array.from({ length: 200 }, (_, n) => storeOf(n).commit(creation('keys', document(`c-${n}`, 1, {}, 'same')))),
  );
  assert.equal(words.filter((word) => word === 'committed').length, 1);
  assert.equal(words.filter((word) => word === 'keyTaken').length, 199);
});

test('resources that swap keys on two processes: keyTaken or versionMoved, never two with one key', async () => {
  const documents = ['x', 'y'].map((name) => document(name, 1, {}, `key-${name}`));
  for (const each of documents) await storeOf(0).commit(creation('swap', each));
  const [x, y] = documents as [(typeof documents)[0], (typeof documents)[0]];
  const words = await Promise.all([
    storeOf(0).commit(replacement('swap', x, document('x', 2, {}, 'key-y'))),
    storeOf(1).commit(replacement('swap', y, document('y', 2, {}, 'key-x'))),
  ]);
  assert.deepEqual([...new Set(words)], ['keyTaken']);
  assert.equal((await storeOf(1).getByKey('swap', 'key-x'))?.id, 'x');
});

/** Reads a counter, writes it one higher, and begins anew where another was quicker. */
async function increment(client: number, id: string): Promise<void> {
  const resources = storeOf(client);
  for (;;) {
    const found = await resources.get('count', id);
    const before = JSON.parse(found!.current) as ReturnType<typeof document>;
    const after = document(id, found!.version + 1, { count: Number(before.count) + 1 });
    if ((await resources.commit(replacement('count', before, after))) === 'committed') return;
  }
}

test('40 clients of two processes that raise ten counters 25 times each, in any order: no update is lost', async () => {
  const ids = Array.from({ length: 10 }, (_, n) => `counter-${n}`);
  for (const id of ids) await storeOf(0).commit(creation('count', document(id, 1, { count: 0 })));
  await Promise.all(
    Array.from({ length: 40 }, async (_, client) => {
      // Half of the clients go through the counters from the end, so that transactions meet crosswise.
      for (let time = 0; time < 25; time += 1) {
        const at = client % 4 < 2 ? time % 10 : 9 - (time % 10);
        await increment(client, ids[at]!);
      }
    }),
  );
  const counts = await Promise.all(ids.map(async (id) => JSON.parse((await storeOf(1).get('count', id))!.current)));
  assert.equal(
    counts.reduce((sum, { count }) => sum + count, 0),
    1000,
  );
  for (const { count, version } of counts) assert.equal(version, count + 1);
  const total = (await storeOf(0).list(query('count', 'count > 0'))).total;
  assert.equal(total, 10);
});

test('a write answered by one process is seen by the next read, list and search of the other', async () => {
  for (let n = 0; n < 20; n += 1) {
    await storeOf(n).commit(creation('seen', document(`s-${n}`, 1, { n, name: { en: `word${n}` } })));
    const other = storeOf(n + 1);
    assert.equal((await other.get('seen', `s-${n}`))?.version, 1);
    assert.equal((await other.list(query('seen', `n = ${n}`))).total, 1);
    const words = new Map<string, ParameterValue>([
      ['text.en', `word${n}`],
      ['match', 'all'],
    ]);
    const found = await other.search({ ...parseSearch(words, 'seen'), limit: 5, offset: 0, withTotal: true });
    assert.equal(found.total, 1);
  }
});

test('documents and resources that two processes write at once: one order in the log of the project, without gaps', async () => {
  await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const isOfDocument = n % 4 < 2;
      const { create, update } = changesBy(stores[n % 2]!, isOfDocument ? 'feed~backend' : 'feed');
      const writes = (version: number) => (isOfDocument ? { documentWrites: documentWrites(`r${n}`, version, 2) } : {});
      await create(`r${n}`, {}, writes(1));
      for (let at = 1; at < 10; at += 1) await update(`r${n}`, { at }, writes(1 + 2 * at));
    }),
  );
  const changes = await readLog(stores[0]!.changes, 'feed', 7);
  assert.deepEqual(
    changes.map(({ sequence }) => sequence),
    Array.from({ length: 4 * 20 + 4 * 10 }, (_, at) => at + 1),
  );
  for (const [name, ofOne] of Map.groupBy(changes, ({ id, key }) => key ?? id)) {
    const versions = ofOne.map(({ version }) => version);
    assert.deepEqual(
      versions,
      Array.from({ length: ofOne.length }, (_, at) => at + 1),
      name,
    );
  }
  assert.deepEqual(await readLog(stores[1]!.changes, 'feed'), changes);
});
