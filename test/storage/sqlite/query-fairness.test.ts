import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { QueryPool } from '../../../src/index/threads/query-pool.ts';
import { noStoreMetrics } from '../no-store-metrics.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const folder = temporaryFolder();
after(() => folder.remove());

/** No index answers it: every resource is looked at, which takes longer than the share of a short query. */
const slowList = (projectKey = 'heavy'): ListQuery => ({
  projectKey,
  where: [parsePredicate('text matches ignore case "none"', { variables: new Map() })],
  ...{ sort: [], limit: 20, offset: 0, withTotal: true, staged: false },
});

const shortList: ListQuery = { ...slowList('light'), where: [] };

/** So many facets that all documents are read again and again. */
const heavySearch = (path: string) =>
  parseSearch(
    new Map([
      ['facet', Array.from({ length: 10 }, (_, at) => `${path} as f${at}`)],
      ['filter', ['n:range(0 to 1000000)']],
    ]),
    'heavy',
  );

const lightSearch = () => parseSearch(new Map([['text.en', ['one']]]), 'light');

describe('Queries of several projects', () => {
  /** What has ended, in this order. */
  const ended: string[] = [];
  let store: Store;
  before(async () => {
    const recordQuery = (kind: string, queue: string) => void ended.push(`${kind} ${queue}`);
    store = await openTestStore(folder.file, { metrics: { ...noStoreMetrics, recordQuery } });
    const text = 'xyz '.repeat(1000);
    await Promise.all(
      Array.from({ length: 4000 }, (_, n) =>
        store.resources.commit(creation('heavy', document(`id-${n}`, 1, { text, n }))),
      ),
    );
    await store.resources.commit(creation('light', document('id', 1, { name: 'one' })));
    await store.warm();
  });
  after(() => store.close());

  it('a light search comes before the heavy ones of another project that were there first', async () => {
    ended.length = 0;
    const heavy = Promise.all([1, 2, 3, 4].map(() => store.resources.search(heavySearch('n'))));
    const light = await store.resources.search(lightSearch());
    assert.equal(light.total, 1);
    const before = ended.slice(0, -1);
    assert.ok(before.length <= 2, `${before} ended before`);
    assert.ok(!ended.includes('search long'), 'none of the heavy ones had ended');
    assert.deepEqual(
      (await heavy).map(({ total }) => total),
      [4000, 4000, 4000, 4000],
    );
  });

  it('a short list comes before the slow ones of another project that were there first', async () => {
    ended.length = 0;
    const slow = Promise.all(Array.from({ length: 20 }, () => store.resources.list(slowList())));
    assert.equal((await store.resources.list(shortList)).total, 1);
    assert.ok(ended.length <= 4, `${ended} ended before`);
    assert.deepEqual(
      (await slow).map(({ total }) => total),
      Array(20).fill(0),
    );
  });

  it('slow lists whose clients have gone hold up nobody', async () => {
    ended.length = 0;
    const abandoned = new AbortController();
    const slow = Array.from({ length: 50 }, () => store.resources.list(slowList('heavy'), abandoned.signal));
    const outcomes = Promise.allSettled(slow);
    // Some of them run already.
    await store.resources.list(shortList);
    ended.length = 0;
    abandoned.abort(new Error('the client has gone'));
    assert.equal((await store.resources.list({ ...shortList, projectKey: 'heavy', limit: 1 })).total, 4000);
    assert.ok(ended.length <= 2, `${ended} ended before`);
    for (const outcome of await outcomes) {
      assert.ok(outcome.status === 'rejected' && /has gone/.test(String(outcome.reason)));
    }
    assert.equal((await store.resources.list(slowList())).total, 0, 'the next one is answered');
  });

  it('a search whose client has gone ends, whether it waits or runs; one that is gone already does not begin', async () => {
    const abandoned = new AbortController();
    const searches = [1, 2, 3].map(() => store.resources.search(heavySearch('m'), abandoned.signal));
    const outcomes = Promise.allSettled(searches);
    // One is on its way to the thread, or runs.
    await turn();
    abandoned.abort(new Error('the client has gone'));
    for (const { status } of await outcomes) assert.equal(status, 'rejected');
    await assert.rejects(store.resources.search(lightSearch(), abandoned.signal), /has gone/);
    await assert.rejects(store.resources.exists('light', [], false, abandoned.signal), /has gone/);
    assert.equal((await store.resources.search(lightSearch())).total, 1);
  });
});

describe('A query that waits too long', () => {
  it('is OverCapacity as well where it is the indexes that it waits for', async () => {
    const pool = new QueryPool({
      ...{ file: folder.file, maxPageBytes: 1_000_000, declaredPaths: [], timeoutMs: 1, threads: 2 },
      thread: new URL('../../../src/store/sqlite/query-thread.ts', import.meta.url),
      metrics: noStoreMetrics,
      indexes: { beginQuery: () => new Promise(() => {}), catchUp: async () => {}, setAside: async () => {} },
    });
    // The timer of the pool keeps no process alive.
    const awake = setInterval(() => {}, 1000);
    try {
      await assert.rejects(pool.search(lightSearch()), { code: 'OverCapacity', message: /waited too long/ });
    } finally {
      clearInterval(awake);
      await pool.close();
    }
  });

  it('is OverCapacity with Retry-After; QueryTimedOut is only what has used its time itself', async () => {
    // No machine looks at so many documents in this time.
    const store = await openTestStore(folder.file, { queryTimeoutMs: 20 });
    try {
      const ask = (count: number) =>
        Promise.allSettled(Array.from({ length: count }, () => store.resources.list(slowList())));
      // Starts the threads.
      for (let round = 0; round < 5; round += 1) await ask(4);
      const outcomes = await ask(80);
      const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'answered'));
      assert.ok(codes.includes('QueryTimedOut'), codes.join());
      assert.ok(codes.includes('OverCapacity'), codes.join());
      assert.ok(!codes.includes('answered'), codes.join());
      const waited = outcomes.find((each) => each.status === 'rejected' && each.reason.code === 'OverCapacity');
      assert.equal(waited?.status === 'rejected' && waited.reason.headers['retry-after'], '1');
    } finally {
      await store.close();
    }
  });
});
