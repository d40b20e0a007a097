import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

/** No index supports it, and it takes longer than the share of a short query. */
const scan: ListQuery = {
  projectKey: 'p',
  where: [parsePredicate('text matches ignore case "none"', { variables: new Map() })],
  ...{ sort: [], limit: 20, offset: 0, withTotal: true, staged: false },
};

describe('A query thread that dies', () => {
  const folder = temporaryFolder();
  const post = Worker.prototype.postMessage;
  const scans = 6;
  let store: Store;
  before(async () => {
    store = await openTestStore(folder.file);
    const ids = Array.from({ length: 3000 }, (_, n) => `id-${n}`);
    const text = 'xyz '.repeat(1000);
    await Promise.all(ids.map((id) => store.resources.commit(creation('p', document(id, 1, { text })))));
  });
  after(async () => {
    Worker.prototype.postMessage = post;
    await store.close();
    folder.remove();
  });

  it('takes its query along; the others are answered by the next one', {
    timeout: 300_000,
  }, async () => {
    // The first thread is asked first, the second one when the first scan has had its share.
    const asked = new Set<Worker>();
    const { promise: longIsAsked, resolve } = Promise.withResolvers<Worker>();
    Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<typeof post>) {
      // What the writer is sent are tuples.
      const [requests] = args as readonly unknown[];
      if (Array.isArray(requests) && !Array.isArray(requests[0])) asked.add(this);
      if (asked.size === 2) resolve(this);
      return post.apply(this, args);
    };
    const { signal } = new AbortController();
    const answers = Promise.allSettled(Array.from({ length: scans }, () => store.resources.list({ ...scan }, signal)));
    const long = await longIsAsked;
    Worker.prototype.postMessage = post;
    long.emit('error', new Error('out of memory'));
    await long.terminate();
    const results = await answers;
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.ok(refused.length >= 1 && refused.length < results.length, `${refused.length} refused`);
    assert.deepEqual(
      results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.total] : [])),
      Array(results.length - refused.length).fill(0),
    );
    // A client that disconnects later must not cancel the query that has the slot of its own by then.
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    assert.equal((await store.resources.list(scan)).total, 0);
  });
});
