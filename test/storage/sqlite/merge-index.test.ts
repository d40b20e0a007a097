import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { Store } from '../../../src/domain/ports/store.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const folder = temporaryFolder();
let store: Store;
before(async () => {
  store = await openTestStore(folder.file);
});
after(() => folder.remove());

test('the segments of the term index stay few over many commits, though FTS5 merges none by itself', async () => {
  const commits = 191;
  const words = (n: number) => Array.from({ length: 1500 }, (_, k) => `word${(n * 31 + k * 17) % 40_000}`).join(' ');
  for (let n = 0; n < commits; n += 1) {
    await store.resources.commit(creation('p', document(`r-${n}`, 1, { n, text: { en: words(n) } })));
  }
  await store.close();
  const db = new DatabaseSync(folder.file, { readOnly: true });
  const one = (sql: string) => (db.prepare(sql).get() as { n: number }).n;
  assert.equal(one("SELECT v AS n FROM term_config WHERE k = 'automerge'"), 0);
  const segments = one('SELECT count(DISTINCT segid) AS n FROM term_idx');
  // Without these steps FTS5 lets 16 gather on each level, and merges them at once.
  assert.ok(segments <= 16, `${segments} segments after ${commits} commits`);
  db.close();
});
