import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ImageStore } from '../../src/domain/ports/image-store.ts';

/** A kind of store under test: opens an empty one. */
export interface ImageStoreKind {
  readonly name: string;
  open(): Promise<{ readonly store: ImageStore; close(): Promise<void> }>;
}

const bytes = (text: string) => Buffer.from(text);

/** The contract of the ImageStore port (domain/ports/image-store.ts). Every kind of store runs it. */
export function imageStoreSuite(kind: ImageStoreKind): void {
  describe(`ImageStore in ${kind.name}`, () => {
    let opened: Awaited<ReturnType<ImageStoreKind['open']>>;
    let store: ImageStore;
    before(async () => {
      opened = await kind.open();
      store = opened.store;
    });
    after(() => opened.close());

    async function read(name: string, first: number, last: number): Promise<string> {
      const chunks: Uint8Array[] = [];
      for await (const chunk of store.read(name, first, last)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    }

    async function names(files: AsyncIterable<{ readonly name: string }>): Promise<readonly string[]> {
      const found: string[] = [];
      for await (const { name } of files) found.push(name);
      return found.sort();
    }

    it('a file that was put is found with its size and its time, and is read whole or in part', async () => {
      const begunMs = Date.now();
      assert.equal(await store.put('p1/a-1.png', bytes('0123456789')), true);
      const found = await store.find('p1/a-1.png');
      assert.deepEqual([found?.name, found?.sizeBytes], ['p1/a-1.png', 10]);
      // Clocks of file systems may run some ticks behind.
      assert.ok(Math.abs(found!.storedAtMs - begunMs) < 600_000);
      assert.deepEqual([await read('p1/a-1.png', 0, 9), await read('p1/a-1.png', 3, 3)], ['0123456789', '3']);
    });

    it('an existing file is never changed by another put of its name', async () => {
      assert.equal(await store.put('p1/once.png', bytes('first')), true);
      assert.equal(await store.put('p1/once.png', bytes('second')), false);
      assert.equal(await read('p1/once.png', 0, 4), 'first');
    });

    it('a file of one project is not found in another', async () => {
      await store.put('p2/own.gif', bytes('x'));
      assert.equal(await store.find('p3/own.gif'), undefined);
      assert.deepEqual(await names(store.listProject('p3')), []);
    });

    it('a deleted file is gone, and deleting it again says so', async () => {
      await store.put('p4/gone.jpg', bytes('x'));
      assert.deepEqual([await store.delete('p4/gone.jpg'), await store.delete('p4/gone.jpg')], [true, false]);
      assert.equal(await store.find('p4/gone.jpg'), undefined);
      await assert.rejects(read('p4/gone.jpg', 0, 0));
    });

    it('all files are listed, those of a project one after the other, and those of one project alone', async () => {
      for (const name of ['p5/b.png', 'p6/a.png', 'p5/a.png']) await store.put(name, bytes('x'));
      assert.deepEqual(await names(store.listProject('p5')), ['p5/a.png', 'p5/b.png']);
      const projects: string[] = [];
      for await (const { name } of store.list()) projects.push(name.split('/')[0]!);
      const changes = projects.filter((project, i) => project !== projects[i - 1]);
      assert.equal(changes.length, new Set(projects).size);
      assert.ok(projects.includes('p5') && projects.includes('p6'));
    });

    it('a large file comes back byte for byte', async () => {
      const large = Buffer.alloc(3_000_000, 'abcdefg');
      await store.put('p7/large.png', large);
      assert.equal(await read('p7/large.png', 0, large.length - 1), large.toString());
      assert.equal(await read('p7/large.png', 1_999_990, 2_000_010), large.toString('utf8', 1_999_990, 2_000_011));
    });

    it('of many puts of one name at the same time the file is one of them, whole', async () => {
      const texts = Array.from({ length: 8 }, (_, i) => String(i).repeat(50_000));
      await Promise.all(texts.map((text) => store.put('p8/race.png', bytes(text))));
      assert.ok(texts.includes(await read('p8/race.png', 0, 49_999)));
      assert.equal((await store.find('p8/race.png'))?.sizeBytes, 50_000);
    });
  });
}
