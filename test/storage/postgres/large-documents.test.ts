import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { after, before, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Change } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { createTermHash } from '../../../src/storage/postgres/index/term-hash.ts';
import { createPreparation, type Preparation } from '../../../src/storage/postgres/write/preparation.ts';
import { prepareWrite, type Write } from '../../../src/storage/postgres/write/prepare-write.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Words of two locales, more than a group has, in scripts with and without spaces. */
const words = (from: string) => Array.from({ length: 9000 }, (_, n) => `${from}${n.toString(36)}`).join(' ');
const fields = (from: string): JsonObject => ({
  name: { en: `${words(from)} shoes`, zh: '红色的鞋子。' },
  n: JSON.rawJSON('9007199254740993') as never,
  tags: ['b', 'a'],
});
const large = document('large', 1, fields('w'), 'key');
const larger = document('large', 2, { ...fields('v'), tags: ['c'] }, 'key');
const small = document('small', 1, { name: { en: 'boots' } });
const paths = ['tags'];
const context = { terms: createTermHash(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)), keepsLog: false };

/** A write with its words as pairs, however they were found. */
function plain(write: Write): unknown {
  const ofGroups = write.wordGroups.flatMap(([locale, all]) =>
    (JSON.parse(all) as string[]).map((word) => [locale, word]),
  );
  const pairs = [...write.words, ...ofGroups].map((pair) => pair.join('|'));
  return { ...write, wordGroups: [], words: [...new Set(pairs)].sort() };
}

/** The threads that were started while it ran. */
async function threadsOf(act: () => Promise<unknown>): Promise<readonly Worker[]> {
  const started: Worker[] = [];
  const onWorker = (worker: Worker) => void started.push(worker);
  process.on('worker', onWorker);
  await act().finally(() => process.off('worker', onWorker));
  return started;
}

describe('The preparation of writes', () => {
  let preparation: Preparation;
  before(() => {
    preparation = createPreparation(context);
  });
  after(() => preparation.close());
  const inOrder = (change: Change) => preparation.prepareInOrder(change, paths);

  test('leaves large documents to a thread, with the results of this one', async () => {
    const changes: readonly Change[] = [
      creation('p', large),
      replacement('p', large, larger),
      replacement('p', small, large),
    ];
    for (const change of changes) {
      const found = inOrder(change);
      assert.ok(found instanceof Promise);
      const write = await found;
      assert.ok(write.wordGroups.length > 2 && write.words.length === 0);
      assert.deepEqual(plain(write), plain(prepareWrite(change, paths, context)));
    }
    await new Promise(setImmediate);
    for (const change of [creation('p', small), deletion('p', large), replacement('p', large, small)]) {
      assert.deepEqual(inOrder(change), prepareWrite(change, paths, context));
    }
    const group = [creation('p', small), creation('p', large), deletion('p', larger)];
    assert.deepEqual(
      (await preparation.prepareAll(group, paths)).map(plain),
      group.map((change) => plain(prepareWrite(change, paths, context))),
    );
  });

  test('keeps the order of a project, and no other one waits', async () => {
    const order: string[] = [];
    const prepare = (change: Change, name: string) =>
      Promise.resolve(inOrder(change)).then(() => {
        order.push(name);
      });
    const first = [prepare(creation('p', large), 'large'), prepare(creation('p', small), 'behind')];
    assert.equal(preparation.waiting, 2);
    assert.ok(!(inOrder(creation('q', small)) instanceof Promise));
    const last = prepare(creation('p', small), 'last');
    await Promise.all([...first, last]);
    assert.deepEqual(order, ['large', 'behind', 'last']);
    await new Promise(setImmediate);
    assert.equal(preparation.waiting, 0);
    assert.ok(!(inOrder(creation('p', small)) instanceof Promise));
  });

  test('refuses what would wait for too many large ones of its project', async () => {
    const prepared: unknown[] = [];
    while (!preparation.isFull(creation('p', large))) {
      prepared.push(inOrder(creation('p', large)));
      assert.ok(prepared.length < 100);
    }
    assert.ok(prepared.length > 10);
    assert.ok(!preparation.isFull(creation('q', large)) && !preparation.isFull(creation('p', small)));
    await Promise.all(prepared);
    assert.ok(!preparation.isFull(creation('p', large)));
  });

  test('fails with 503 for what a thread had that ends, and goes on with another one', async () => {
    const own = createPreparation(context);
    try {
      const prepare = (change: Change) => Promise.resolve(own.prepareInOrder(change, paths));
      const [thread] = await threadsOf(() => prepare(creation('p', large)));
      const results = Promise.allSettled([large, large, small].map((each) => prepare(creation('p', each))));
      const ended = once(thread!, 'exit');
      void thread!.terminate();
      await ended;
      const [lost, next, behind] = await results;
      assert.ok(lost!.status === 'rejected' && lost!.reason instanceof ServiceError);
      assert.deepEqual([lost!.reason.status, lost!.reason.headers], [503, { 'retry-after': '1' }]);
      assert.deepEqual([next!.status, behind!.status], ['fulfilled', 'fulfilled']);
    } finally {
      await own.close();
    }
  });
});

/** How often the thread of the test called a function of ours while `act` ran. */
async function callsOf(name: string, act: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    await act();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functions = result.filter(({ url }) => url.includes('/src/')).flatMap((each) => each.functions);
    return functions
      .filter(({ functionName }) => functionName === name)
      .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

/** On one server, and as if it were several, where words pass in another way. */
for (const [name, more] of [
  ['one server', {}],
  ['several servers', { locate: async (keys: readonly string[]) => new Map(keys.map((key) => [key, 'one'])) }],
] as const) {
  describe(`Large documents on ${name}`, () => {
    let postgres: TestPostgres;
    let store: Store;
    before(async () => {
      postgres = await startTestPostgres();
      store = await openTestStore(postgres, more);
    });
    after(async () => {
      await store.close();
      await postgres.close();
    });
    const commit = (change: Change) => store.resources.commit(change);
    const found = async (text: string) => {
      const { results } = await store.resources.search(parseSearch(new Map([['text.en', text]]), 'p'));
      return (JSON.parse(`[${results}]`) as JsonObject[]).map(({ id }) => id).sort();
    };

    test('are divided into words in another thread, and found', async () => {
      // What a project needs once is not counted.
      assert.equal(await commit(creation('p', small)), 'committed');
      const divided = (change: Change) =>
        callsOf('wordsOfFields', async () => assert.equal(await commit(change), 'committed'));
      assert.ok((await divided(creation('p', document('other', 1, { name: { en: 'boots' } })))) > 0);
      assert.equal(await divided(creation('p', large)), 0);
      assert.deepEqual(await found('w6y'), ['large']);
      assert.deepEqual(await found('shoe'), ['large']);
      assert.equal(await divided(replacement('p', large, larger)), 0);
      assert.deepEqual(
        [await found('w6y'), await found('v6y'), await found('boot')],
        [[], ['large'], ['other', 'small']],
      );
      const third = document('third', 1, fields('u'));
      const group = callsOf('wordsOfFields', async () => {
        assert.equal(await store.resources.commitAll([creation('p', third), deletion('p', small)]), 'committed');
      });
      assert.equal(await group, 0);
      assert.deepEqual([await found('u6y'), await found('boot')], [['third'], ['other']]);
    });

    test('fail with 503 where their thread ends, with nothing stored, and succeed when they are repeated', async () => {
      const beside = document('beside', 1, fields('x'));
      const again = document('again', 1, fields('y'));
      const [thread] = await threadsOf(async () => {
        await store.close();
        store = await openTestStore(postgres, more);
        assert.equal(await commit(creation('p', beside)), 'committed');
      });
      const written = commit(creation('p', again));
      void thread!.terminate();
      await assert.rejects(written, (error) => error instanceof ServiceError && error.status === 503);
      assert.equal(await store.resources.get('p', 'again'), undefined);
      assert.equal(await commit(creation('p', again)), 'committed');
      assert.deepEqual(await found('y6y'), ['again']);
    });
  });
}
