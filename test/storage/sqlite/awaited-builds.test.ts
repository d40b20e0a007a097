import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { after, before, describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import type { SearchPage } from '../../../src/domain/ports/list-query.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { createSignals, signalOthersWait } from '../../../src/storage/sqlite/read/deadline.ts';
import { QueryQueue } from '../../../src/storage/sqlite/read/query-queue.ts';
import type { QueryRequest, QueryResult } from '../../../src/storage/sqlite/read/query-thread.ts';
import { QueryWorkers } from '../../../src/storage/sqlite/read/query-workers.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const never = Number.POSITIVE_INFINITY;
const search = (projectKey: string, fuzzy = false) =>
  parseSearch(
    new Map<string, never>([['text.en', ['worx'] as never], ...(fuzzy ? [['fuzzy', true as never] as const] : [])]),
    projectKey,
  );

/** A thread that does what the test says. */
class Thread extends EventEmitter {
  readonly asked: QueryRequest[] = [];
  postMessage(message: readonly QueryRequest[] | 'close'): void {
    if (message === 'close') this.emit('exit', 0);
    else this.asked.push(...message);
  }
  reply(request: QueryRequest, result: object): void {
    this.emit('message', [{ slot: request.slot, ms: 1, ...result }]);
  }
}

function openQueue(maxBuildWaitMs = never, aheadMs?: number) {
  const threads: Thread[] = [];
  const take = () => {
    const thread = new Thread();
    threads.push(thread);
    return thread as unknown as Worker;
  };
  const results: string[] = [];
  const queue = new QueryQueue({
    ...{ threads: 1, slots: 8, maxWaiting: 100, maxWaitMs: 1_000_000, maxBuildWaitMs },
    ...(aheadMs !== undefined && { aheadMs }),
    ...{ workers: { take } as unknown as QueryWorkers, catchUp: async () => {} },
    role: { isForSearches: true, limits: { usedMs: never, elapsedMs: never, shareMs: never, buildMs: never } },
    onResult: (result: QueryResult, { projectKey }) => void results.push(`${projectKey} ${Object.keys(result).at(-1)}`),
  });
  const ask = (projectKey: string, signal?: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    promise.catch(() => {});
    queue.add({ projectKey, query: { search: search(projectKey) }, signal, origin: undefined, resolve, reject });
    return promise;
  };
  /** Until the thread was asked so many queries in all. */
  const asked = async (thread: () => Thread | undefined, count: number): Promise<readonly QueryRequest[]> => {
    while ((thread()?.asked.length ?? 0) < count) await new Promise((resolve) => setImmediate(resolve));
    return thread()!.asked;
  };
  return { queue, threads, results, ask, asked: (count: number, at = 0) => asked(() => threads[at], count) };
}

const building = { interruption: 'building' };

describe('Searches that wait for what a thread builds', () => {
  it('are not begun again before it is built, and all go on then; those of others run meanwhile', async () => {
    const { queue, threads, results, ask, asked } = openQueue();
    for (let at = 0; at < 3; at += 1) void ask('p');
    for (const request of [...(await asked(3))]) threads[0]!.reply(request, building);
    assert.equal(queue.waiting(), 3);
    void ask('light');
    const light = (await asked(4))[3]!;
    assert.deepEqual('search' in light.query && light.query.search.projectKey, 'light');
    threads[0]!.reply(light, { page: {} });
    assert.deepEqual(results, ['light page']);
    assert.equal(threads[0]!.asked.length, 4, 'none of the three was begun again');

    threads[0]!.emit('message', 'built');
    for (const request of (await asked(7)).slice(4)) threads[0]!.reply(request, { page: {} });
    assert.deepEqual(results, ['light page', 'p page', 'p page', 'p page']);
    assert.equal(queue.waiting(), 0);
    await queue.close();
  });

  it('count as waiting ones: no more than half of them may be of one project', async () => {
    const { queue, threads, ask, asked } = openQueue();
    for (let at = 0; at < 50; at += 1) {
      void ask('p');
      const request = (await asked(at + 1))[at]!;
      threads[0]!.reply(request, building);
    }
    await assert.rejects(ask('p'), { code: 'OverCapacity' });
    void ask('other');
    await asked(51);
    await queue.close();
  });

  it('are refused with OverCapacity and Retry-After where it takes too long', async () => {
    const { queue, threads, ask, asked } = openQueue(0);
    const search = ask('p');
    const [request] = await asked(1);
    threads[0]!.reply(request!, building);
    await assert.rejects(search, {
      code: 'OverCapacity',
      message: /still being built/,
      headers: { 'retry-after': '1' },
    });
    assert.equal(queue.waiting(), 0);
    await queue.close();
  });

  it('leave with their clients', async () => {
    const { queue, threads, ask, asked } = openQueue();
    const client = new AbortController();
    const search = ask('p', client.signal);
    const [request] = await asked(1);
    threads[0]!.reply(request!, building);
    client.abort(new Error('the client has gone'));
    await assert.rejects(search, /has gone/);
    assert.equal(queue.waiting(), 0);
    await queue.close();
  });

  it('go to the next thread where theirs dies', async () => {
    const { queue, threads, results, ask, asked } = openQueue();
    void ask('p');
    const [request] = await asked(1);
    threads[0]!.reply(request!, building);
    threads[0]!.emit('error', new Error('out of memory'));
    const [again] = await asked(1, 1);
    threads[1]!.reply(again!, { page: {} });
    assert.deepEqual(results, ['p page']);
    await queue.close();
  });
});

describe('A query thread', () => {
  const folder = temporaryFolder();
  before(async () => {
    const store = await openTestStore(folder.file);
    // More words than are read at once.
    for (let at = 0; at < 6; at += 1) {
      const name = Array.from({ length: 4000 }, (_, n) => `wor${(at * 4000 + n).toString(36)}`).join(' ');
      await store.resources.commit(creation('p', document(`id-${at}`, 1, { name: { en: name } })));
    }
    // The index has them.
    await store.resources.search(search('p'));
    await store.close();
  });
  after(() => folder.remove());

  it('builds on while the search that needs it waits, says when it is done, and the search has it then', async () => {
    const workers = new QueryWorkers({ file: folder.file, maxPageBytes: 1_000_000, declaredPaths: [] }, 1);
    const signals = createSignals(1);
    signalOthersWait(signals, true);
    const limits = { usedMs: never, elapsedMs: never, shareMs: never, buildMs: 0 };
    const worker = workers.take({ isForSearches: true, limits, signals });
    const ended = new AbortController();
    try {
      worker.postMessage([{ slot: 0, query: { search: search('p', true) } }]);
      const said: unknown[] = [];
      for await (const [message] of on(worker, 'message', { signal: ended.signal })) {
        said.push(message);
        if (message === 'built') worker.postMessage([{ slot: 0, query: { search: search('p', true) } }]);
        if (said.includes('built') && Array.isArray(message)) break;
      }
      const [ready, stopped, built, found] = said as [string, QueryResult[], string, QueryResult[]];
      assert.deepEqual([ready, built, said.length], ['ready', 'built', 4]);
      assert.ok('interruption' in stopped[0]! && stopped[0].interruption === 'building');
      assert.ok('page' in found[0]! && (found[0].page as SearchPage).count > 0);
    } finally {
      ended.abort();
      worker.postMessage('close');
      await new Promise((resolve) => worker.once('exit', resolve));
      await workers.close();
    }
  });
});

describe('Searches that are sent to a thread while it runs another one', () => {
  it('are as many as take a moment by the last ones; beyond that the projects take turns', async () => {
    const { queue, threads, results, ask, asked } = openQueue(never, 4);
    for (let at = 0; at < 12; at += 1) void ask('heavy');
    const first = [...(await asked(8))];
    for (const request of first) threads[0]!.reply(request, { ms: 15, page: {} });
    assert.equal(threads[0]!.asked.length, 9, 'one at a time, now that they take long');
    void ask('light');
    threads[0]!.reply((await asked(9))[8]!, { ms: 15, page: {} });
    const next = (await asked(10))[9]!.query;
    assert.equal('search' in next && next.search.projectKey, 'light');
    for (let at = 9; at < 13; at += 1) threads[0]!.reply((await asked(at + 1))[at]!, { ms: 0.1, page: {} });
    for (let at = 0; at < 40; at += 1) {
      void ask('light');
      threads[0]!.reply((await asked(14 + at))[13 + at]!, { ms: 0.1, page: {} });
    }
    for (let at = 0; at < 12; at += 1) void ask('light');
    assert.equal((await asked(61)).length, 61, 'eight again, since they are short');
    assert.equal(results.length, 53);
    await queue.close();
  });
});
