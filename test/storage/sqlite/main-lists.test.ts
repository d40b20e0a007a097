import assert from 'node:assert/strict';
import { constants } from 'node:sqlite';
import { test } from 'node:test';
import { joinedTexts, type ListPage, type ListQuery } from '../../../src/domain/ports/list-query.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { compileList } from '../../../src/storage/sqlite/query/plan-list.ts';
import { runList } from '../../../src/storage/sqlite/query/run-list.ts';
import { compileTermList, runTermList } from '../../../src/storage/sqlite/query/term-list.ts';
import { type Clocks, createMainLists } from '../../../src/storage/sqlite/read/main-lists.ts';
import { createRowCache } from '../../../src/storage/sqlite/read/row-cache.ts';
import { createSnapshot } from '../../../src/storage/sqlite/read/snapshot.ts';
import { createTermCounts } from '../../../src/storage/sqlite/read/term-counts.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex, type TestIndex } from './open-test-index.ts';

/** Lists that the main thread runs itself, compared with those of the query threads. */

const deadline = { check() {} };
const corrupt = { code: 'DataCorruption' };

function listOf(where: string, more: Partial<ListQuery> = {}) {
  const parsed = [parsePredicate(where, { variables: new Map() })];
  const page = { limit: 20, offset: 0, withTotal: true, countUpTo: 10_000, staged: false };
  return compileTermList({ projectKey: 'p', where: parsed, sort: [], ...page, ...more }, [])!;
}

/** A clock that stands still unless it is moved, and a disk that is never read. */
function openLists({ db }: TestIndex, clocks: Clocks = { nowMs: () => 0, diskReads: () => 0 }) {
  const snapshot = createSnapshot(db);
  const counted: string[] = [];
  const recordQuery = (kind: string, queue: string) => void counted.push(`${kind} ${queue}`);
  const rows = createRowCache(db, 1_000_000);
  const counts = createTermCounts(db, 1_000_000, clocks.nowMs);
  const lists = createMainLists(db, snapshot, rows, counts, { recordQuery }, clocks);
  return {
    counted,
    rows,
    /** A page, in a snapshot of its own. */
    async page(list: ReturnType<typeof listOf>): Promise<ListPage | undefined> {
      try {
        return await lists.run(list);
      } finally {
        snapshot.leave();
      }
    },
    /** The same, which must be there and be that of a query thread. */
    async checked(list: ReturnType<typeof listOf>): Promise<ListPage> {
      const found = await this.page(list);
      assert.ok(found, list.expression);
      const expected = runTermList(db, list, deadline, 1e9);
      assert.deepEqual({ ...found, results: joinedTexts(found.results) }, expected);
      return found;
    },
  };
}

function fill(index: TestIndex, count: number, of: (n: number) => object): void {
  for (let n = 0; n < count; n += 1) index.write('p', `r${n}`, { current: documentOf(`r${n}`, { ...of(n) }, n) });
}

test('the statements of lists are planned once, not each time their limit is bound', async () => {
  using index = openTestIndex([]);
  fill(index, 300, (n) => ({ colour: n % 3 === 0 ? 'red' : 'blue' }));
  const lists = openLists(index);
  const firstPage = listOf('colour in ("red", "green")');
  const { next } = await lists.checked(firstPage);
  const query = { projectKey: 'p', where: [], sort: [], limit: 20, offset: 5, withTotal: true, staged: false };
  const byConditions = compileList(
    { ...query, where: [parsePredicate('colour = "red"', { variables: new Map() })] },
    [],
  );
  const ask = async () => {
    for (const list of [firstPage, listOf('colour in ("red", "green")', { after: next })]) await lists.checked(list);
    return runList(index.db, byConditions, deadline, 1e9);
  };
  const expected = await ask();
  let planned = 0;
  // Called for what a statement touches while it is planned.
  index.db.setAuthorizer((action) => {
    if (action !== constants.SQLITE_TRANSACTION) planned += 1;
    return constants.SQLITE_OK;
  });
  index.db.prepare('SELECT row FROM resource');
  assert.ok(planned > 0, 'planning is seen');
  await ask();
  planned = 0;
  assert.deepEqual(await ask(), expected);
  assert.equal(planned, 0);
});

test('a page, its total and what follows are those of a query thread, whatever was written before', async () => {
  using index = openTestIndex([]);
  fill(index, 300, (n) => ({ colour: n % 3 === 0 ? 'red' : 'blue', lot: n % 7 }));
  const lists = openLists(index);
  const wheres = ['colour = "red"', 'lot in (1, 2, 9)', 'colour = "none"', 'lot = 3 or colour = "red"'];
  let state = 1;
  for (let round = 0; round < 60; round += 1) {
    state = (state * 48_271) % 2_147_483_647;
    const id = `r${state % 320}`;
    const fields = { colour: state % 2 === 0 ? 'red' : 'blue', lot: state % 7 };
    index.write('p', id, state % 5 === 0 ? undefined : { current: documentOf(id, fields, round) });
    for (const where of wheres) {
      const first = await lists.checked(listOf(where, { limit: 1 + (state % 30) }));
      await lists.checked(listOf(where, { offset: state % 130 }));
      if (first.next) await lists.checked(listOf(where, { after: first.next, withTotal: false }));
    }
  }
  assert.ok(lists.counted.length > 500 && lists.counted.every((each) => each === 'list main'));
});

test('totals of frequent terms follow the changes, those of several terms count each row once', async () => {
  using index = openTestIndex([]);
  fill(index, 900, (n) => ({ kind: n % 10 === 0 ? 'rare' : 'usual', size: n % 2 === 0 ? 'even' : 'odd' }));
  // The clock goes on, so that more than one term may be learnt.
  let now = 0;
  const lists = openLists(index, { nowMs: () => (now += 1), diskReads: () => 0 });
  const wheres = ['kind = "usual"', 'kind = "usual" or size = "odd"', 'kind in ("usual", "rare", "none")'];
  for (let round = 0; round < 30; round += 1) {
    const id = `r${(round * 37) % 930}`;
    const kind = round % 3 === 0 ? 'rare' : 'usual';
    index.write('p', id, round % 4 === 3 ? undefined : { current: documentOf(id, { kind, size: 'odd' }, round) });
    for (const where of wheres) {
      const { total, next } = await lists.checked(listOf(where));
      assert.ok(total! > 600, `${total}`);
      // Other parts of it, out of the same rows.
      await lists.checked(listOf(where, { after: next }));
      await lists.checked(listOf(where, { after: next, withTotal: false, limit: 50 }));
      for (const offset of [1, 130 + round, total! - 5, total! + 5].filter((each) => each <= 1000))
        await lists.checked(listOf(where, { offset, limit: 1 + round }));
      now += 1000;
    }
  }
});

test('more matches than a list counts are said to be more, and an exact total of them is left to a query thread', async () => {
  using index = openTestIndex([]);
  index.db.exec('BEGIN');
  fill(index, 12_010, () => ({ all: true }));
  index.db.exec('COMMIT');
  let now = 0;
  const lists = openLists(index, { nowMs: () => now, diskReads: () => 0 });
  for (let round = 0; round < 3; round += 1) {
    const { total, totalRelation } = await lists.checked(listOf('all = true'));
    assert.deepEqual([total, totalRelation], [10_000, 'gte']);
    assert.equal(await lists.page(listOf('all = true', { countUpTo: undefined })), undefined);
    index.write('p', `r${round}`, undefined);
    now += 1000;
  }
});

test('lists whose cost is not bounded, or larger than that of a message, are left to the query threads', async () => {
  using index = openTestIndex([]);
  fill(index, 30, (n) => ({ colour: 'red', lot: n % 3, text: n === 29 ? 'x'.repeat(20_000) : '' }));
  const lists = openLists(index);
  await lists.checked(listOf('colour = "red"'));
  const others = [
    listOf('colour = "red" and lot = 1'),
    listOf('colour != "red"'),
    listOf('colour is defined'),
    listOf('colour = "red"', { staged: true }),
    listOf('colour = "red"', { limit: 51 }),
    listOf('colour = "red"', { limit: 0 }),
    listOf('colour = "red"', { offset: 1001 }),
    // One of its resources is large.
    listOf('colour = "red"', { limit: 30 }),
    listOf(`lot in (${[...Array(9).keys()].join(', ')})`),
  ];
  for (const each of others.filter((list) => list !== undefined)) assert.equal(await lists.page(each), undefined);
  index.db.exec('UPDATE store SET indexed = indexed - 1');
  assert.equal(await lists.page(listOf('colour = "red"')), undefined, 'the indexes are behind');
});

test('a damaged resource is not served, and what comes from the cache is what was written last', async () => {
  using index = openTestIndex([]);
  fill(index, 5, (n) => ({ colour: 'red', n }));
  const lists = openLists(index);
  index.db.exec(`UPDATE resource SET current = replace(current, '"n":4', '"n":5')`);
  for (const _ of [1, 2, 3]) await assert.rejects(lists.page(listOf('colour = "red"')), corrupt);
  index.db.exec(`UPDATE resource SET current = replace(current, '"n":5', '"n":4') WHERE id = 'r4'`);
  for (const _ of [1, 2, 3]) await lists.checked(listOf('colour = "red"'));
  assert.ok(lists.rows.statistics.hits > 0);
  for (let n = 100; n < 105; n += 1) {
    index.write('p', 'r0', { current: documentOf('r0', { colour: 'red', n }, 0) });
    for (const _ of [1, 2]) await lists.checked(listOf('colour = "red"'));
  }
});

test('after a list that waited for a disk the next ones go to the query threads for a while', async () => {
  using index = openTestIndex([]);
  fill(index, 5, () => ({ colour: 'red' }));
  let [now, reads] = [0, 0];
  /** How long the next list takes: the clock is read when it begins, and again when its page is there. */
  let tookMs = 0;
  let calls = 0;
  const nowMs = () => {
    calls += 1;
    if (calls === 2) now += tookMs;
    return now;
  };
  const lists = openLists(index, { nowMs, diskReads: () => reads });
  const asked = listOf('colour = "red"');
  const page = (ms: number) => {
    [tookMs, calls] = [ms, 0];
    return lists.page(asked);
  };
  assert.ok(await page(1));
  // Slow, but nothing was read from a disk: the machine is busy.
  assert.ok(await page(4));
  assert.ok(await page(4));
  reads += 1;
  assert.ok(await page(4));
  assert.equal(await page(1), undefined);
  now += 79;
  assert.equal(await page(1), undefined);
  now += 2;
  assert.ok(await page(1));
});

test('a cached text keeps no more memory than its own', async () => {
  using index = openTestIndex([]);
  fill(index, 20, () => ({ colour: 'red' }));
  const lists = openLists(index);
  const rows = index.db.prepare('SELECT row FROM resource').all() as unknown as readonly { readonly row: number }[];
  const { results } = await lists.checked(listOf('colour = "red"', { limit: 20 }));
  const pieces = results as readonly Uint8Array[];
  const buffers = [...new Set(pieces.map(({ buffer }) => buffer))];
  const bytesOf = (all: readonly { readonly byteLength: number }[]) =>
    all.reduce((sum, each) => sum + each.byteLength, 0);
  assert.equal(bytesOf(buffers), bytesOf(pieces), 'a page keeps no more either');
  // Of the second reading they are cached.
  await lists.checked(listOf('colour = "red"', { limit: 20 }));
  const texts = lists.rows.textsOf(
    'p',
    rows.map(({ row }) => row),
    index.position(),
  );
  assert.equal(texts?.length, 20);
  for (const text of texts) assert.equal(text.buffer.byteLength, text.byteLength);
});

test('texts are those of the snapshot, whether few changes were followed or too many', async () => {
  using index = openTestIndex([]);
  fill(index, 20, () => ({ colour: 'red' }));
  const lists = openLists(index);
  const list = listOf('colour = "red"', { limit: 20 });
  for (let reading = 0; reading < 3; reading += 1) await lists.checked(list);
  let last = 0;
  for (const changes of [1, 3, 999, 1000, 1001, 1500, 2, 1001]) {
    index.db.exec('BEGIN');
    // The last one is of a resource of the list; a row of it is deleted, and given to another one.
    for (let n = 1; n < changes; n += 1) index.write('p', 'other', { current: documentOf('other', { n }, n) });
    last += 1;
    index.write('p', 'r7', { current: documentOf('r7', { colour: 'red', last }, 0) });
    index.write('p', `r${20 + last - 1}`, undefined);
    index.write('p', `r${20 + last}`, { current: documentOf(`r${20 + last}`, { colour: 'red', last }, 0) });
    index.db.exec('COMMIT');
    for (let reading = 0; reading < 3; reading += 1) {
      const page = await lists.checked(list);
      assert.ok(joinedTexts(page.results).includes(`"last":${last}`));
    }
  }
  const before = lists.rows.statistics.misses;
  await lists.checked(list);
  assert.equal(lists.rows.statistics.misses, before, 'nothing was written: all are known');
});
