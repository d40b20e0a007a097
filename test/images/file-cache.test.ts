import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageStore } from '../../src/domain/ports/image-store.ts';
import { rememberFiles, type ServedFile } from '../../src/images/files/file-cache.ts';

/** A store in memory that counts what is asked of it; a read that has begun goes on when `hold` lets it. */
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
  const remembered = rememberFiles(counting.store, () => clock.nowMs);
  return { ...counting, ...remembered, clock };
}

const textOf = (file: ServedFile | undefined) => Buffer.from(file?.content ?? []).toString();
const small = new Map([['p/a.png', Buffer.from('0123456789')]]);

test('a small file is read once, and then answered at once', async () => {
  const { find, asked } = open(small);
  assert.equal(textOf(await find('p/a.png', 'content')), '0123456789');
  const again = find('p/a.png', 'content');
  assert.ok(!(again instanceof Promise));
  assert.equal(textOf(again), '0123456789');
  assert.ok(!(find('p/a.png', 'facts') instanceof Promise));
  assert.deepEqual(asked, { find: 1, read: 1 });
});

test('many who ask for a file at the same time wait for one read', async () => {
  const { find, asked } = open(small);
  const found = await Promise.all(Array.from({ length: 10 }, () => find('p/a.png', 'content')));
  assert.deepEqual(new Set(found.map(textOf)), new Set(['0123456789']));
  assert.deepEqual(asked, { find: 1, read: 1 });
});

test('the facts of a file are found without reading it, and its content when it is wanted', async () => {
  const { find, asked } = open(small);
  assert.equal((await find('p/a.png', 'facts'))?.content, undefined);
  assert.deepEqual(asked, { find: 1, read: 0 });
  assert.equal(textOf(await find('p/a.png', 'content')), '0123456789');
});

test('of a large file only the facts are remembered', async () => {
  const { find, asked } = open(new Map([['p/large.png', Buffer.alloc(262_145)]]));
  await find('p/large.png', 'content');
  const again = await find('p/large.png', 'content');
  assert.deepEqual([again?.sizeBytes, again?.content, asked], [262_145, undefined, { find: 1, read: 0 }]);
});

test('what is missing is not remembered: it is found as soon as it is there', async () => {
  const { find, store } = open(new Map());
  assert.equal(await find('p/new.png', 'content'), undefined);
  await store.put('p/new.png', Buffer.from('x'));
  assert.equal(textOf(await find('p/new.png', 'content')), 'x');
});

test('a deleted file is forgotten at once', async () => {
  const { find, files } = open(small);
  await find('p/a.png', 'content');
  assert.equal(await files.delete('p/a.png'), true);
  assert.equal(await find('p/a.png', 'content'), undefined);
});

test('a file that is deleted while it is read is answered, but not remembered', async () => {
  const { find, files, hold, asked } = open(small);
  const { promise, resolve } = Promise.withResolvers<void>();
  hold.until = promise;
  const reading = find('p/a.png', 'content');
  await new Promise(setImmediate);
  assert.equal(asked.read, 1);
  await files.delete('p/a.png');
  assert.equal(await find('p/a.png', 'content'), undefined, 'who asks after the deletion does not wait for that read');
  resolve();
  assert.equal(textOf(await reading), '0123456789');
  assert.equal(await find('p/a.png', 'content'), undefined);
});

test('a file that is deleted between being found and being read is missing, not a fault', async () => {
  const { store } = open(small);
  const { find } = rememberFiles(
    {
      ...store,
      async find(name) {
        const found = await store.find(name);
        await store.delete(name);
        return found;
      },
    },
    () => 0,
  );
  assert.equal(await find('p/a.png', 'content'), undefined);
});

test('a file that another process deleted is answered for a minute and no longer', async () => {
  const { find, store, clock } = open(small);
  await find('p/a.png', 'content');
  await store.delete('p/a.png');
  clock.nowMs = 59_999;
  assert.equal(textOf(await find('p/a.png', 'content')), '0123456789');
  clock.nowMs = 60_000;
  assert.equal(await find('p/a.png', 'content'), undefined);
});

test('a file that is still there after a minute is not read again', async () => {
  const { find, asked, clock } = open(small);
  await find('p/a.png', 'content');
  clock.nowMs = 60_000;
  assert.equal(textOf(await find('p/a.png', 'content')), '0123456789');
  assert.deepEqual(asked, { find: 2, read: 1 });
});

test('when the memory is full, the files go that were not asked for longest', async () => {
  const bytes = Buffer.alloc(250_000);
  const names = Array.from({ length: 70 }, (_, n) => `p/${n}.png`);
  const { find, asked } = open(new Map(names.map((name) => [name, bytes])));
  for (const name of names) {
    await find(name, 'content');
    await find('p/0.png', 'content');
  }
  assert.equal(asked.read, 70);
  await find('p/69.png', 'content');
  await find('p/0.png', 'content');
  assert.equal(asked.read, 70);
  await find('p/1.png', 'content');
  assert.equal(asked.read, 71);
});

test('a file that is shorter than it was found to be is not answered', async () => {
  const { find, store } = open(small);
  const cut = rememberFiles(
    {
      ...store,
      async *read() {
        yield Buffer.from('0123');
      },
    },
    () => 0,
  );
  await assert.rejects(Promise.resolve(cut.find('p/a.png', 'content')), /4 bytes, not 10/);
  assert.equal(textOf(await find('p/a.png', 'content')), '0123456789');
});
