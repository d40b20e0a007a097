import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

/** Writes under way all the time: several commits of as many as one takes. */
const underWay = 3000;

/** A commit takes at most 540 writes or so, and the large document has about 20 portions, with a commit before each. */
const mostWrites = 40 * 540;

test('a large document is indexed in the turns between commits while writes come without a pause', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const store = await openTestStore(folder.file);
  const { resources } = store;
  let written = 0;
  let isOver = false;
  const write = async (from: number) => {
    for (let at = 0; !isOver && written <= 2 * mostWrites; at += 1) {
      await resources.commit(creation('light', document(`s-${from}-${at}`, 1, { at })));
      written += 1;
    }
  };
  try {
    const writers = Array.from({ length: underWay }, (_, from) => write(from));
    const words = Array.from({ length: 8000 }, (_, word) => `w${word.toString(36)}`);
    await resources.commit(creation('heavy', document('large', 1, { name: { en: words.join(' ') } })));
    const before = written;
    const { total } = await resources.search(parseSearch(new Map([['text.en', ['w1']]]), 'heavy'));
    const meanwhile = written - before;
    isOver = true;
    await Promise.all(writers);
    assert.equal(total, 1);
    assert.ok(meanwhile < mostWrites, `${meanwhile} writes came first`);
  } finally {
    isOver = true;
    await store.close();
  }
});
