import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Position } from '../../../src/domain/history/cursor.ts';
import { describeChanges } from '../../../src/domain/history/event.ts';
import { createFeeds, type FeedQuery, type Follower } from '../../../src/domain/history/feed.ts';
import type { ChangeLog, LoggedChange } from '../../../src/domain/ports/change-log.ts';
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

/** Reads so many events. */
async function readSome(follower: Follower, from: Position, count: number): Promise<readonly number[]> {
  const sequences: number[] = [];
  for (let position = from; sequences.length < count; ) {
    await follower.whenMore(60_000, [never]);
    const { items, next } = await follower.read(position, 100, never);
    sequences.push(...items.map(({ event }) => event.sequence));
    position = next;
  }
  return sequences;
}

const isRising = (numbers: readonly number[]) => numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);

test('a follower gets all events, once and in order, however far it is behind', async () => {
  const feeds = createFeeds({ store, log: changes });
  const begin = await feeds.begin('far', 'oldest');
  const follower = feeds.follow(queryOf('far'));
  const total = 1300;
  await write('far', total);
  const all = await readSome(follower, begin, total);
  assert.equal(all.length, total);
  assert.ok(isRising(all));
  const other = feeds.follow(queryOf('far'));
  assert.deepEqual(await readSome(other, { ...begin, sequence: all[total - 50]! }, 49), all.slice(total - 49));
  other.close();
  follower.close();
  // The last one that closes ends the following; the next one begins anew.
  const again = feeds.follow(queryOf('far'));
  assert.deepEqual(await readSome(again, begin, total), all);
  again.close();
});

test('events that were pruned before they were read are 410 rather than a gap', async () => {
  await write('pruned', 3);
  const feeds = createFeeds({ store, log: changes });
  const begin = await feeds.begin('pruned', 'oldest');
  const follower = feeds.follow(queryOf('pruned'));
  await changes.prune(Date.now() + 1000, Number.MAX_SAFE_INTEGER);
  await assert.rejects(follower.read(begin, 100, never), { code: 'CursorGone' });
  follower.close();
});

test('pruned under a follower’s feet: it is told, and may begin again', async () => {
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
  const follower = feeds.follow(queryOf('under'));
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
  const follower = feeds.follow(queryOf('failing'));
  const waiting = (async () => {
    for (;;) {
      await follower.read(begin, 100, never);
      await follower.whenMore(60_000, [never]);
    }
  })();
  fails = true;
  await Promise.all([assert.rejects(waiting, /no disk/), write('failing', 1)]);
  const other = feeds.follow(queryOf('failing'));
  await assert.rejects(other.read(begin, 1, never), /no disk/);
  other.close();
  fails = false;
  assert.equal((await readSome(follower, begin, 1)).length, 1);
  follower.close();

  const broken = createFeeds({ store, log: { ...changes, bounds: () => Promise.reject(new Error('no disk')) } });
  const unread = broken.follow(queryOf('failing'));
  await assert.rejects(unread.read(begin, 1, never), /no disk/);
  unread.close();
});

test('an aborted wait ends', async () => {
  const feeds = createFeeds({ store, log: changes });
  const follower = feeds.follow(queryOf('quiet'));
  const stop = new AbortController();
  await follower.read(await feeds.begin('quiet', 'latest'), 1, never);
  const waiting = follower.whenMore(2 ** 31 - 1, [stop.signal]);
  stop.abort();
  await waiting;
  await follower.whenMore(2 ** 31 - 1, [stop.signal]);
  follower.close();
});

test('followers at the end of a log read each event together, and each gets what passes its filter', async () => {
  let reads = 0;
  const log: ChangeLog = {
    ...changes,
    changesAfter(...given) {
      reads += 1;
      return changes.changesAfter(...given);
    },
  };
  const feeds = createFeeds({ store, log });
  await write('together', 1);
  const begin = await feeds.begin('together', 'latest');
  const filters = [
    {},
    { types: ['created'] },
    { types: ['deleted'] },
    { id: 'nobody' },
    { clientId: 'nobody' },
  ] as const;
  const followers = Array.from({ length: 40 }, (_, n) =>
    feeds.follow({ projectKey: 'together', filter: filters[n % filters.length]!, withData: false }),
  );
  for (const follower of followers) assert.equal((await follower.read(begin, 100, never)).isEnd, true);
  reads = 0;
  const waiting = followers.map(async (follower) => {
    for (;;) {
      await follower.whenMore(60_000, [never]);
      const page = await follower.read(begin, 100, never);
      if (page.next.sequence > begin.sequence) return page.items.length;
    }
  });
  await write('together', 1);
  assert.deepEqual(
    await Promise.all(waiting),
    followers.map((_, n) => (n % filters.length < 2 ? 1 : 0)),
  );
  assert.ok(reads < 10, `${reads} reads of the log`);
  for (const follower of followers) follower.close();
});

test('a follower that shares a page gets at most as many events as it asks for, and then the next ones', async () => {
  const feeds = createFeeds({ store, log: changes });
  const begin = await feeds.begin('few', 'latest');
  const follower = feeds.follow(queryOf('few'));
  assert.equal((await follower.read(begin, 100, never)).isEnd, true);
  await write('few', 5);
  const sequences: number[] = [];
  for (let [position, isEnd] = [begin, false]; !isEnd; ) {
    const page = await follower.read(position, 2, never);
    assert.ok(page.items.length <= 2);
    sequences.push(...page.items.map(({ event }) => event.sequence));
    ({ next: position, isEnd } = page);
  }
  assert.equal(sequences.length, 5);
  assert.ok(isRising(sequences));
  follower.close();
});

test('a change that comes while a shared page is read is read next, whoever tells of it later', async () => {
  await write('meanwhile', 1);
  let isWriting = false;
  const log: ChangeLog = {
    ...changes,
    follow: () => () => {},
    async bounds(project) {
      if (isWriting) {
        isWriting = false;
        await write('meanwhile', 1);
      }
      return changes.bounds(project);
    },
  };
  const follower = createFeeds({ store, log }).follow(queryOf('meanwhile'));
  const feeds = createFeeds({ store, log: changes });
  const { next: end, isEnd } = await follower.read(await feeds.begin('meanwhile', 'oldest'), 100, never);
  assert.ok(isEnd);
  isWriting = true;
  const before = await follower.read(end, 100, never);
  assert.deepEqual([before.items.length, before.isEnd], [0, false]);
  const after = await follower.read(before.next, 100, never);
  assert.deepEqual([after.items.length, after.isEnd], [1, true]);
  follower.close();
});

test('an event has its resource, although reads of the turn in which the log was read still see what was there before', async () => {
  const { json } = await api.call({ method: 'POST', path: '/stale/resource', body: { key: 'a', n: 1 } });
  const before = await store.get('stale', json.id);
  await api.call({ method: 'PUT', path: '/stale/resource', body: { key: 'a', n: 2 } });
  const all: LoggedChange[] = [];
  // A page that took its time may be empty.
  for (let from = 0; all.length < 2; ) {
    const { changes: some, upTo } = await changes.changesAfter('stale', from, 10);
    all.push(...some);
    from = upTo;
  }
  let isSameTurn = true;
  setImmediate(() => {
    isSameTurn = false;
  });
  const get: typeof store.get = async (...args) => (isSameTurn ? before : store.get(...args));
  const described = await describeChanges({ store: { ...store, get }, log: changes }, 'stale', all, true);
  assert.deepEqual(
    described.map(({ after }) => after?.current.n),
    [1, 2],
  );
});
