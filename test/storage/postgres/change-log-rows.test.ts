import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Store } from '../../../src/domain/ports/store.ts';
import { pruneEvents } from '../../../src/record/postgres/changes/prune.ts';
import { checkPostgres } from '../../../src/record/postgres/maintenance/maintain.ts';
import { inTransaction } from '../../../src/record/postgres/write/transaction.ts';
import type { Writer } from '../../../src/record/postgres/write/writer.ts';
import { changesBy } from '../logged-changes.ts';
import { creation, document, replacement } from '../records.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** The rows of the log of changes: damage, another database, and processes that log nothing. */
let postgres: TestPostgres;
let store: Store;
before(async () => {
  postgres = await startTestPostgres();
  store = await openTestStore(postgres);
});
after(async () => {
  await store.close();
  await postgres.close();
});

async function reopen(keepsHistory = true): Promise<readonly string[]> {
  await store.close();
  const notes: string[] = [];
  store = await openTestStore(postgres, { keepsHistory, note: (text) => notes.push(text) });
  return notes.filter((note) => note.includes('logs of changes'));
}

const check = () => checkPostgres(postgres.url, () => {});
const versionsOf = async (project: string, id: string) =>
  (await store.changes.changesOf(project, id, undefined, 500)).map(({ version }) => version);

test('any column of an event that is damaged: reads refuse it, and grs check names it', async () => {
  const { create, update, remove } = changesBy(store, 'damaged', { externalUserId: 'u' });
  await create('a', { n: 1 }, { key: 'k', incarnation: '0123456789' });
  await update('a', { n: 2 });
  await remove('a');
  assert.deepEqual(await check(), []);
  const damages = {
    project_key: undefined,
    sequence: undefined,
    total: 'total # 1024',
    at: 'at # 4096',
    type: `'reverted'`,
    id: undefined,
    key: `'other'`,
    version: 'version + 1',
    incarnation: `'0123456788'`,
    client: `'somebody'`,
    origin: `replace(origin, 'u', 'v')`,
    before: `replace(before, '1', '3')`,
    checksum: 'checksum # 1',
    // Means something only to the writer whose answer is lost.
    nonce: undefined,
  };
  const columns = await postgres.run<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'event'`,
  );
  assert.deepEqual(columns.map(({ name }) => name).sort(), Object.keys(damages).sort());
  for (const [column, damage] of Object.entries(damages)) {
    if (damage === undefined) continue;
    const [row] = await postgres.run<Record<string, unknown>>(
      `SELECT ${column} FROM event WHERE project_key = 'damaged' AND sequence = 2`,
    );
    await postgres.run(`UPDATE event SET ${column} = ${damage} WHERE project_key = 'damaged' AND sequence = 2`);
    const damaged = { code: 'DataCorruption', status: 500 };
    assert.equal((await store.changes.changesAfter('damaged', 0, 10)).upTo, 1, column);
    await assert.rejects(async () => store.changes.changesAfter('damaged', 1, 10), damaged, column);
    await assert.rejects(store.changes.changesOf('damaged', 'a', undefined, 10), damaged, column);
    const findings = await check();
    assert.equal(findings.length, 1, column);
    assert.match(findings[0]!, /^event damaged\/2: its checksum does not match; /);
    await postgres.run(`UPDATE event SET ${column} = $1 WHERE project_key = 'damaged' AND sequence = 2`, [
      row![column],
    ]);
  }
  for (const [column, damage] of [
    ['id', `'b'`],
    ['sequence', '7'],
    // A cluster refuses that a row changes its project, which would be in the shard of another one.
    ...(postgres.isCluster ? [] : [['project_key', `'undamaged'`]]),
  ]) {
    await postgres.run(`UPDATE event SET ${column} = ${damage} WHERE project_key = 'damaged' AND sequence = 3`);
    await assert.rejects(
      async () => {
        await store.changes.changesAfter('damaged', 2, 10);
        await store.changes.changesAfter('undamaged', 0, 10);
      },
      { code: 'DataCorruption' },
    );
    const mended = postgres.isCluster ? '' : `project_key = 'damaged', `;
    await postgres.run(`UPDATE event SET ${mended} sequence = 3, id = 'a'
      WHERE project_key LIKE '%damaged' AND sequence IN (3, 7)`);
  }
  await postgres.run(`DELETE FROM event WHERE project_key = 'damaged' AND sequence = 2`);
  assert.match((await check()).join(), /^event damaged\/3: the one before it is missing/);
  assert.equal((await store.changes.changesAfter('damaged', 0, 10)).upTo, 1);
  await assert.rejects(async () => store.changes.changesAfter('damaged', 1, 10), { place: { sequence: 2 } });
  assert.equal((await store.changes.changesAfter('damaged', 2, 10)).upTo, 3);
});

test('a total that is damaged does not have the whole log deleted', async () => {
  const { create, update } = changesBy(store, 'totals');
  await create('a', {});
  for (let n = 0; n < 5; n += 1) await update('a', { n });
  await postgres.run(`UPDATE event SET total = total + 1000000000 WHERE project_key = 'totals' AND sequence = 6`);
  await store.changes.prune(0, 1_000_000);
  assert.equal((await store.changes.bounds('totals')).pruned, 0);
});

test('thousands of changes are pruned beside writes: the log stays one without gaps', async () => {
  const all = Array.from({ length: 2500 }, (_, n) => creation('many', document(`m${n}`, 1)));
  await Promise.all(all.map((change) => store.resources.commit(change)));
  let isOver = false;
  const writes = (async () => {
    for (let n = 0; n < 20 || !isOver; n += 1) await store.resources.commit(creation('many', document(`n${n}`, 1)));
  })();
  const other = await openTestStore(postgres);
  const counts = await Promise.all([store, other].map(({ changes }) => changes.prune(Date.now(), 1)));
  isOver = true;
  await Promise.all([writes, other.close()]);
  const { pruned, last } = await store.changes.bounds('many');
  assert.ok(pruned >= 2499 && counts[0]! + counts[1]! >= 2499);
  const { changes } = await store.changes.changesAfter('many', pruned, 500);
  assert.deepEqual(
    changes.map(({ sequence }) => sequence),
    Array.from({ length: Math.min(500, last - pruned) }, (_, n) => pruned + 1 + n),
  );
});

test('a project that is written between all portions does not hold up the pruning of others', async () => {
  const { create, update } = changesBy(store, 'busy');
  await create('a', {});
  const connection = await connectToStore(postgres);
  let portions = 0;
  const transact: Writer['transact'] = async (work, projectKey) => {
    if (projectKey === 'busy') portions += 1;
    assert.ok(portions < 10, 'pruning does not end');
    await update('a', { portions });
    return inTransaction(connection, work, () => {});
  };
  assert.ok((await pruneEvents({ transact }, 0, 1)) > 0);
  await connection.close();
  assert.equal(portions, 1);
});

test('a page by type is found behind thousands of other changes, page by page', async () => {
  const origin = { type: 'imageUploaded', cause: 'image', at: new Date().toISOString(), clientId: 'c' } as const;
  const all = Array.from({ length: 10_500 }, (_, n) => creation('long', document(`m${n}`, 1)));
  await Promise.all(all.map((change) => store.resources.commit(change)));
  await store.resources.commit({ ...replacement('long', document('m0', 1), document('m0', 2)), origin });
  const first = await store.changes.changesAfter('long', 0, 10, { types: ['imageUploaded'] });
  assert.deepEqual(first, { changes: [], upTo: 10_000 });
  const second = await store.changes.changesAfter('long', first.upTo, 10, { types: ['imageUploaded'] });
  assert.deepEqual([second.changes.length, second.upTo], [1, 10_501]);
  const ofOne = await store.changes.changesAfter('long', 0, 10, { id: 'm0' });
  assert.deepEqual([ofOne.changes.length, ofOne.upTo], [2, 10_501]);
});

test('large changes come in pages of some megabytes, and none is left out', async () => {
  const { create, update } = changesBy(store, 'heavy');
  await create('a', { text: 'x'.repeat(3_000_000) });
  for (let n = 0; n < 6; n += 1) await update('a', { text: String(n).repeat(3_000_000) });
  const sizes: number[] = [];
  for (let upTo = 0; upTo < 7; ) {
    const page = await store.changes.changesAfter('heavy', upTo, 500);
    sizes.push(page.changes.length);
    assert.equal(page.upTo, page.changes.at(-1)!.sequence);
    upTo = page.upTo;
  }
  assert.deepEqual(sizes, [3, 2, 2]);
  assert.equal((await store.changes.changesOf('heavy', 'a', undefined, 500)).length, 7);
});

test('a project whose log was removed by hand gets a new one with its next change', async () => {
  const { create, update } = changesBy(store, 'removed');
  await create('a', {});
  await postgres.run(`DELETE FROM event_head WHERE project_key = 'removed'`);
  await postgres.run(`DELETE FROM event WHERE project_key = 'removed'`);
  await update('a', { n: 1 });
  assert.deepEqual(await versionsOf('removed', 'a'), [2]);
});

test('what a version without a log has changed is in no log, and what is kept of a resource ends there', async () => {
  const { create, update, remove } = changesBy(store, 'old');
  await create('a', { n: 0 });
  for (let n = 1; n <= 5; n += 1) await update('a', { n });
  await create('b', { n: 0 });
  await remove('b');
  // As if a process of that version had written version 3 of the one, and created the other again.
  await postgres.run(`DELETE FROM event WHERE project_key = 'old' AND version = 3`);
  assert.deepEqual(await versionsOf('old', 'a'), [6, 5, 4]);
  const [, , fourth] = await store.changes.changesOf('old', 'a', undefined, 500);
  assert.deepEqual(await store.changes.changesOf('old', 'a', fourth!.sequence, 500), []);
  await store.resources.commit(creation('old', document('b', 1)));
  await postgres.run(`DELETE FROM event WHERE project_key = 'old' AND id = 'b' AND sequence = 9`);
  await store.resources.commit(replacement('old', document('b', 1), document('b', 2)));
  assert.deepEqual(await versionsOf('old', 'b'), [2]);
});

test('a restored database, and one in which changes were left out: other epochs; a start on the same one: the same', async () => {
  await changesBy(store, 'epoch').create('a', {});
  const epochs = async () => [
    (await store.changes.bounds('epoch')).epoch,
    (await store.changes.bounds('without-events')).epoch,
  ];
  const first = await epochs();
  // Those of two projects differ: the numbers of their changes do not.
  assert.equal(new Set(first).size, 2);
  assert.deepEqual(await reopen(), []);
  assert.deepEqual(await epochs(), first);
  await postgres.run(`UPDATE store_setting SET value = '7/1/5' WHERE name = 'log-database'`);
  assert.equal((await reopen()).length, 1);
  const restored = await epochs();
  assert.equal(new Set([...first, ...restored]).size, 4);
  assert.deepEqual(await reopen(), []);
  assert.deepEqual(await epochs(), restored);
  assert.deepEqual(await reopen(false), []);
  assert.equal((await reopen()).length, 1);
  const again = await epochs();
  assert.equal(new Set([...first, ...restored, ...again]).size, 6);
  // What was logged before is gone: what follows does not continue it.
  assert.deepEqual(await versionsOf('epoch', 'a'), []);
  const { pruned, last } = await store.changes.bounds('epoch');
  assert.deepEqual([pruned, last], [1, 1]);
  assert.deepEqual((await store.changes.changesAfter('epoch', 0, 10)).changes, []);
  await changesBy(store, 'epoch').create('b', {});
  const { changes, upTo } = await store.changes.changesAfter('epoch', last, 10);
  assert.deepEqual([changes.length, changes[0]?.sequence, upTo], [1, 2, 2]);
});

test('a change whose time or total is damaged does not keep the log from being pruned', async () => {
  for (const [set, project, olderThanMs, maxBytes] of [
    ['at = 1152921504606846977', 'late', Date.now() + 60_000, Number.MAX_SAFE_INTEGER],
    ['total = 9223372036854775807', 'large', 0, 1],
  ] as const) {
    const { create, update } = changesBy(store, project);
    await create('a', {});
    for (let n = 0; n < 5; n += 1) await update('a', { n });
    await postgres.run(`UPDATE event SET ${set} WHERE project_key = $1 AND sequence = 2`, [project]);
    await store.changes.prune(olderThanMs, maxBytes);
    const { pruned, last } = await store.changes.bounds(project);
    assert.deepEqual([pruned, last], [5, 6], set);
    await store.changes.prune(0, Number.MAX_SAFE_INTEGER);
    assert.deepEqual(await versionsOf(project, 'a'), [6]);
  }
});

test('a head of a log that is damaged or missing: events are read and pruned as ever, and the next prune mends it', async () => {
  for (const [at, change] of [
    'DELETE FROM event_head',
    'UPDATE event_head SET pruned = 9223372036854775807',
    'UPDATE event_head SET pruned = 1000',
    'UPDATE event_head SET pruned = 0',
    'UPDATE event_head SET pruned = -9223372036854775807',
  ].entries()) {
    const project = `head-${at}`;
    const { create, update } = changesBy(store, project);
    await create('a', {});
    for (let n = 0; n < 5; n += 1) await update('a', { n });
    await store.changes.prune(Date.now() + 1000, Number.MAX_SAFE_INTEGER);
    for (let n = 0; n < 3; n += 1) await update('a', { n: -n });
    const before = await store.changes.bounds(project);
    assert.deepEqual([before.pruned, before.last], [5, 9]);
    await postgres.run(`${change} WHERE project_key = $1`, [project]);
    const { epoch, pruned, last } = await store.changes.bounds(project);
    assert.deepEqual([pruned, last], [5, 9], change);
    // The epoch of a log is that of the database, unless it was restored.
    if (change.startsWith('UPDATE')) assert.equal(epoch, before.epoch);
    const { changes, upTo } = await store.changes.changesAfter(project, pruned, 10);
    assert.deepEqual([changes.length, upTo], [4, 9], change);
    await update('a', { n: 'more' });
    assert.equal((await store.changes.bounds(project)).last, 10);
    await store.changes.prune(Date.now() + 1000, Number.MAX_SAFE_INTEGER);
    assert.equal((await store.changes.bounds(project)).pruned, 9, change);
    const [head] = await postgres.run('SELECT pruned::int AS pruned FROM event_head WHERE project_key = $1', [project]);
    assert.deepEqual(head, { pruned: change.includes('= 1000') ? 1000 : 9 }, change);
  }
  assert.deepEqual(
    (await check()).filter((finding) => finding.includes('head-')),
    [],
  );
});

test('a deletion that is damaged hides no other deleted resource', async () => {
  const { create, remove } = changesBy(store, 'deletions');
  for (const id of ['a', 'b', 'c']) {
    await create(id, {});
    await remove(id);
  }
  await postgres.run(`UPDATE event SET client = 'x' WHERE project_key = 'deletions' AND sequence IN (4, 6)`);
  const found = await store.changes.deletions('deletions', undefined, 1);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['a'],
  );
});
