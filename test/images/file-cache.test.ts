import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageStore } from '../../src/domain/ports/image-store.ts';
import { cacheFiles, type ServedFile } from '../../src/images/files/file-cache.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

/** A store in memory that counts its calls; a read that has begun goes on when `hold` lets it. */
function countingStore(contents: Map<string, Buffer>) {
  const asked = { find: 0, read: 0 };
  const hold = { until: Promise.resolve() };
  const store: ImageStore = {
    async put(name, bytes) {
      contents.set(name, Buffer.from(bytes));
      return true;
    },
    async find(name) {
      asked.find += 1;
      const bytes = contents.get(name);
      return bytes && { name, sizeBytes: bytes.length, storedAtMs: 0 };
    },
    async *read(name, first, last) {
      asked.read += 1;
      const bytes = contents.get(name);
      await hold.until;
      if (bytes === undefined) throw new Error('no such file');
      yield bytes.subarray(first, last + 1);
    },
    delete: async (name) => contents.delete(name),
    async *list() {},
    async *listProject() {},
  };
  return { store, asked, hold };
}

function open(contents: ReadonlyMap<string, Buffer>) {
  const clock = { nowMs: 0 };
  const counting = countingStore(new Map(contents));
  const metrics = createMetrics();
  return { ...counting, ...cacheFiles(counting.store, () => clock.nowMs, metrics), clock, metrics };
}

const textOf = (file: ServedFile | undefined) => Buffer.from(file?.content ?? []).toString();
const small = new Map([['p/a.png', Buffer.from('0123456789')]]);

test('a small file is read once, and then returned at once', async () => {
  const { find, asked } = open(small);
  assert.equal(textOf(await find('p/a.png')), '0123456789');
  const again = find('p/a.png');
  assert.ok(!(again instanceof Promise));
  assert.equal(textOf(again), '0123456789');
  assert.deepEqual(asked, { find: 1, read: 1 });
});

test('concurrent requests for a file share one read', async () => {
  const { find, asked } = open(small);
  const found = await Promise.all(Array.from({ length: 10 }, () => find('p/a.png')));
  assert.deepEqual(new Set(found.map(textOf)), new Set(['0123456789']));
  assert.deepEqual(asked, { find: 1, read: 1 });
});

test('of a large file only the facts are cached', async () => {
  const { find, asked } = open(new Map([['p/large.png', Buffer.alloc(262_145)]]));
  await find('p/large.png');
  const again = await find('p/large.png');
  assert.deepEqual([again?.sizeBytes, again?.content, asked], [262_145, undefined, { find: 1, read: 0 }]);
});

test('what is missing is not cached: it is found as soon as it is there', async () => {
  const { find, store } = open(new Map());
  assert.equal(await find('p/new.png'), undefined);
  await store.put('p/new.png', Buffer.from('x'));
  assert.equal(textOf(await find('p/new.png')), 'x');
});

test('a deleted file leaves the cache at once', async () => {
  const { find, files } = open(small);
  await find('p/a.png');
  assert.equal(await files.delete('p/a.png'), true);
  assert.equal(await find('p/a.png'), undefined);
});

test('a file that is deleted while it is read is returned, but not cached', async () => {
  const { find, files, hold, asked } = open(small);
  const { promise, resolve } = Promise.withResolvers<void>();
  hold.until = promise;
  const reading = find('p/a.png');
  await new Promise(setImmediate);
  assert.equal(asked.read, 1);
  await files.delete('p/a.png');
  assert.equal(await find('p/a.png'), undefined, 'a request after the deletion does not share that read');
  resolve();
  assert.equal(textOf(await reading), '0123456789');
  assert.equal(await find('p/a.png'), undefined);
});

test('a file that is deleted between being found and being read is missing, not an error', async () => {
  const { store } = open(small);
  const { find } = cacheFiles(
    {
      ...store,
      async find(name) {
        const found = await store.find(name);
        await store.delete(name);
        return found;
      },
    },
    () => 0,
    createMetrics(),
  );
  assert.equal(await find('p/a.png'), undefined);
});

test('a file that another process deleted is returned for a minute and no longer', async () => {
  const { find, store, clock } = open(small);
  await find('p/a.png');
  await store.delete('p/a.png');
  clock.nowMs = 59_999;
  assert.equal(textOf(await find('p/a.png')), '0123456789');
  clock.nowMs = 60_000;
  assert.equal(await find('p/a.png'), undefined);
});

test('a file that is still there after a minute is not read again', async () => {
  const { find, asked, clock } = open(small);
  await find('p/a.png');
  clock.nowMs = 60_000;
  assert.equal(textOf(await find('p/a.png')), '0123456789');
  assert.deepEqual(asked, { find: 2, read: 1 });
});

test('when the cache is full, the least recently used files go', async () => {
  const bytes = Buffer.alloc(250_000);
  const names = Array.from({ length: 70 }, (_, n) => `p/${n}.png`);
  const { find, asked } = open(new Map(names.map((name) => [name, bytes])));
  for (const name of names) {
    await find(name);
    await find('p/0.png');
  }
  assert.equal(asked.read, 70);
  await find('p/69.png');
  await find('p/0.png');
  assert.equal(asked.read, 70);
  await find('p/1.png');
  assert.equal(asked.read, 71);
});

test('a file that is shorter than it was found to be is not returned', async () => {
  const { find, store } = open(small);
  const cut = cacheFiles(
    {
      ...store,
      async *read() {
        yield Buffer.from('0123');
      },
    },
    () => 0,
    createMetrics(),
  );
  await assert.rejects(Promise.resolve(cut.find('p/a.png')), /4 bytes, not 10/);
  assert.equal(textOf(await find('p/a.png')), '0123456789');
});

test('the cache tells its hits, its misses and its bytes', async () => {
  const { find, metrics } = open(small);
  await find('p/a.png');
  await find('p/a.png');
  const text = metrics.render();
  assert.match(text, /^grs_cache_requests_total\{cache="image_files",result="hit"\} 1$/m);
  assert.match(text, /^grs_cache_requests_total\{cache="image_files",result="miss"\} 1$/m);
  assert.match(text, /^grs_cache_bytes\{cache="image_files"\} 522$/m);
});
