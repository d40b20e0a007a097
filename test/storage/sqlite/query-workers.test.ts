import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const folder = temporaryFolder();
after(() => folder.remove());

const resources = 3000;

/** Every resource is read, which takes longer than the share of a short query. */
const scan: ListQuery = {
  projectKey: 'p',
  where: [parsePredicate('text matches ignore case "none"', { variables: new Map() })],
  ...{ sort: [], limit: 20, offset: 0, withTotal: true, staged: false },
};

/** Sorted by what no index has. */
const sorted = (): ListQuery => ({ ...scan, where: [], sort: [{ path: ['n'], direction: 'asc' }], withTotal: false });

const search = () => parseSearch(new Map([['text.en', ['one']]]), 'p');

describe('The threads of queries', () => {
  let started: Worker[] = [];
  const onWorker = (worker: Worker) => void started.push(worker);
  let store: Store;

  before(async () => {
    const filled = await openTestStore(folder.file);
    const text = 'xyz '.repeat(1000);
    const ids = Array.from({ length: resources }, (_, n) => n);
    await Promise.all(
      ids.map((n) =>
        filled.resources.commit(creation('p', document(`id-${n}`, 1, { text, n, name: n === 7 ? 'one' : 'other' }))),
      ),
    );
    await filled.close();
  });
  beforeEach(async () => {
    store = await openTestStore(folder.file);
    started = [];
    process.on('worker', onWorker);
  });
  afterEach(async () => {
    process.off('worker', onWorker);
    await store.close();
  });

  it('one is ready before the first query; others are started when it is not enough', async () => {
    await store.warm();
    assert.equal((await store.status()).isWarm, true);
    assert.equal(started.length, 1);

    assert.equal((await store.resources.search(search())).total, 1);
    const { results } = await store.resources.list({ ...sorted(), limit: 1 });
    assert.match(String(results), /"id":"id-0"/);
    assert.equal((await store.resources.list(scan)).total, 0);
    assert.equal(started.length, 1, 'one after the other they need no other');

    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => store.resources.list({ ...scan })),
      ...Array.from({ length: 8 }, () => store.resources.list(sorted())),
      ...Array.from({ length: 8 }, () => store.resources.search(search())),
    ]);
    assert.equal(answers.length, 24);
    assert.ok(
      started.length >= 2 && started.length <= Math.max(2, availableParallelism()),
      `${started.length} started`,
    );
  });

  it('a thread that dies before it was needed is replaced by the next query', async () => {
    await store.warm();
    const [first] = started;
    first!.emit('error', new Error('out of memory'));
    await first!.terminate();
    assert.equal((await store.resources.search(search())).total, 1);
    assert.equal((await store.resources.list(scan)).total, 0);
  });

  it('without a service that listens, no thread is started but by a query', async () => {
    assert.equal(started.length, 0);
    assert.equal((await store.resources.search(search())).total, 1);
    assert.equal(started.length, 1);
  });
});
