import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Position } from '../../../src/domain/history/cursor.ts';
import { createFeeds, type FeedQuery, type Follower } from '../../../src/domain/history/feed.ts';
import type { ChangeLog } from '../../../src/domain/ports/change-log.ts';
import { startTestApi } from '../../start-test-api.ts';

const api = await startTestApi();
after(() => api.close());
const { resources: store, changes } = api.app.store;

const queryOf = (projectKey: string): FeedQuery => ({ projectKey, filter: {}, withData: false });
const never = new AbortController().signal;

let made = 0;

async function write(project: string, count: number): Promise<void> {
  const one = () => {
    made += 1;
    return api.call({ method: 'POST', path: `/${project}/resource`, body: { key: `k${made}` } });
  };
  for (let n = 0; n < count; n += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - n) }, one));
  }
}

/** Reads so many events: what is in memory may be behind what was written. */
async function readSome(follower: Follower, from: Position, count: number): Promise<readonly number[]> {
  const sequences: number[] = [];
  for (let position = from; sequences.length < count; ) {
    await follower.whenMore(position.sequence, 60_000, [never]);
    const { items, next } = await follower.read(position, 100, never);
    sequences.push(...items.map(({ event }) => event.sequence));
    position = next;
  }
  return sequences;
}

const isRising = (numbers: readonly number[]) => numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);

test('a follower that is further behind than memory reaches gets all events, once and in order', async () => {
  const feeds = createFeeds({ store, log: changes });
  const begin = await feeds.begin('far', 'oldest');
  const follower = await feeds.follow(queryOf('far'));
  const total = 1300;
  await write('far', total);
  const all = await readSome(follower, begin, total);
  assert.equal(all.length, total);
  assert.ok(isRising(all));
  const other = await feeds.follow(queryOf('far'));
  assert.deepEqual(await readSome(other, { ...begin, sequence: all[total - 50]! }, 49), all.slice(total - 49));
  other.close();
  follower.close();
  // The last one that closes ends the following; the next one begins anew.
  const again = await feeds.follow(queryOf('far'));
  assert.deepEqual(await readSome(again, begin, total), all);
  again.close();
});

test('events that were pruned before they were read are 410 rather than a gap', async () => {
  await write('pruned', 3);
  const feeds = createFeeds({ store, log: changes });
  const begin = await feeds.begin('pruned', 'oldest');
  const follower = await feeds.follow(queryOf('pruned'));
  await changes.prune(Date.now() + 1000, Number.MAX_SAFE_INTEGER);
  await assert.rejects(follower.read(begin, 100, never), { code: 'CursorGone' });
  follower.close();
});

test('pruned under a follower’s feet: memory is given up, and who was behind it is told', async () => {
  let prunes = false;
  const log: ChangeLog = {
    ...changes,
    async bounds(projectKey) {
      const bounds = await changes.bounds(projectKey);
      return prunes ? { ...bounds, pruned: bounds.last } : bounds;
    },
  };
  const feeds = createFeeds({ store, log });
  await write('under', 2);
  const begin = await feeds.begin('under', 'latest');
  const follower = await feeds.follow(queryOf('under'));
  prunes = true;
  await write('under', 2);
  await assert.rejects(readSome(follower, begin, 2), { code: 'CursorGone' });
  prunes = false;
  await api.call({ method: 'POST', path: '/under/resource', body: { key: 'after' } });
  const all = await readSome(follower, await feeds.begin('under', 'oldest'), 5);
  assert.equal(all.length, 5);
  follower.close();
});

test('a log that fails fails its readers, and is read again by the next one', async () => {
  let fails = false;
  const log: ChangeLog = {
    ...changes,
    changesAfter(...given) {
      return fails ? Promise.reject(new Error('no disk')) : changes.changesAfter(...given);
    },
  };
  const feeds = createFeeds({ store, log });
  const begin = await feeds.begin('failing', 'oldest');
  const follower = await feeds.follow(queryOf('failing'));
  const waiting = (async () => {
    for (;;) await follower.whenMore(begin.sequence, 60_000, [never]);
  })();
  fails = true;
  await Promise.all([assert.rejects(waiting, /no disk/), write('failing', 1)]);
  await assert.rejects(
    feeds.follow(queryOf('failing')).then((other) => other.read({ ...begin, sequence: -1 }, 1, never)),
    /no disk/,
  );
  fails = false;
  assert.equal((await readSome(follower, begin, 1)).length, 1);
  follower.close();

  const broken = createFeeds({ store, log: { ...changes, bounds: () => Promise.reject(new Error('no disk')) } });
  await assert.rejects(broken.follow(queryOf('failing')), /no disk/);
});

test('an aborted wait ends', async () => {
  const feeds = createFeeds({ store, log: changes });
  const follower = await feeds.follow(queryOf('quiet'));
  const stop = new AbortController();
  const waiting = follower.whenMore(Number.MAX_SAFE_INTEGER, 2 ** 31 - 1, [stop.signal]);
  stop.abort();
  await waiting;
  await follower.whenMore(Number.MAX_SAFE_INTEGER, 2 ** 31 - 1, [stop.signal]);
  follower.close();
});
