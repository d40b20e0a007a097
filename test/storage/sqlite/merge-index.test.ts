import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../../src/domain/ports/store.ts';
import { projectionTerm } from '../../../src/storage/index/term-encoding.ts';
import { createRestMerger } from '../../../src/storage/sqlite/indexing/merge-index.ts';
import { openWriteConnection } from '../../../src/storage/sqlite/open/connection.ts';
import { migrate } from '../../../src/storage/sqlite/open/migrate.ts';
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

const first = {
  ...{ projectKey: 'p', where: [], sort: [], limit: 1, offset: 0, withTotal: false, staged: false },
};

const segmentsOf = (db: DatabaseSync) =>
  (db.prepare('SELECT count(*) AS n FROM term_idx GROUP BY segid').all() as { n: number }[]).map(({ n }) => n);

const term = projectionTerm('p', 'c');

function rowsOf(db: DatabaseSync): readonly number[] {
  const found = db.prepare('SELECT rowid AS row FROM term WHERE term MATCH ?').all(`"${term}"`);
  return (found as { row: number }[]).map(({ row }) => row);
}

test('all segments become one with the same entries, in portions between which others write', (t) => {
  const db = openWriteConnection(folder.file);
  t.after(() => db.close());
  const before = rowsOf(db);
  assert.ok(before.length > 1, 'a term of several documents');
  assert.ok(segmentsOf(db).length > 1, 'segments to merge');
  const merger = createRestMerger(db);
  assert.equal(merger.step(), true);
  db.prepare('INSERT INTO term (rowid, t) VALUES (1000000, ?)').run(term);
  let portions = 1;
  while (portions < 1000 && merger.step()) portions += 1;
  assert.ok(portions > 1 && portions < 1000, `${portions} portions`);
  assert.deepEqual(rowsOf(db), [...before, 1_000_000]);
  // What was written meanwhile is a small segment, which is not worth merging the large one again.
  assert.ok(segmentsOf(db).length <= 2, `${segmentsOf(db).length} segments`);
  assert.equal(merger.step(), false);
});

test('a service at rest merges the segments by itself', async (t) => {
  const own = temporaryFolder();
  t.after(() => own.remove());
  store = await openTestStore(own.file);
  t.after(() => store.close());
  for (let n = 0; n < 50; n += 1) {
    const words = Array.from({ length: 1200 }, (_, k) => `word${n}x${k}`).join(' ');
    await store.resources.commit(creation('p', document(`r-${n}`, 1, { text: { en: words } })));
    // So that each is indexed by itself.
    await store.resources.list(first);
  }
  const db = new DatabaseSync(own.file, { readOnly: true });
  t.after(() => db.close());
  const pages = segmentsOf(db).toSorted((a, b) => b - a);
  assert.ok(pages.slice(1).reduce((sum, own) => sum + own, 0) >= 32, `worth merging: ${pages}`);
  // By far longer than it takes: only a service that never does it fails.
  for (const until = Date.now() + 300_000; Date.now() < until && segmentsOf(db).length > 1; ) await sleep(100);
  assert.equal(segmentsOf(db).length, 1);
});

test('a small index is not written anew for a few pages beside it', (t) => {
  const own = temporaryFolder();
  const db = openWriteConnection(own.file);
  t.after(() => {
    db.close();
    own.remove();
  });
  migrate(db);
  const add = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  const words = (n: number, of: number) => Array.from({ length: of }, (_, k) => `word${n}x${k}`).join(' ');
  add.run(1, words(1, 8000));
  for (let n = 2; n <= 4; n += 1) add.run(n, words(n, 1500));
  const pages = segmentsOf(db);
  const beside = pages.reduce((sum, each) => sum + each, 0) - Math.max(...pages);
  assert.ok(beside * 8 >= Math.max(...pages) + beside && beside < 32, `an eighth, but few: ${pages}`);
  assert.equal(createRestMerger(db).step(), false);
  assert.deepEqual(segmentsOf(db), pages);
});
