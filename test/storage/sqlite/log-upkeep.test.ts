import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import type { LoggedChange } from '../../../src/domain/ports/change-log.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { writeOf } from '../../../src/record/row/write.ts';
import { openChangeLog } from '../../../src/record/sqlite/change-log.ts';
import { keptRecords } from '../../../src/record/sqlite/log/change-source.ts';
import { storeFiles } from '../../../src/record/sqlite/open/inspect.ts';
import { openReadConnection } from '../../../src/sqlite/connection.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { openWriter } from '../../../src/store/sqlite/open-writer.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { changesBy, originBy, readLog } from '../logged-changes.ts';
import { creation, document, replacement } from '../records.ts';
import { fileOf, openTestStore, testOptions, withDatabase } from './open-test-store.ts';
import { applierOn, followerOn } from './parts-on.ts';

const check = (file: string, rebuild = false) => checkStore(file, rebuild, () => {});
const types = (changes: readonly LoggedChange[]) => changes.map(({ origin }) => origin.type).join();

async function withStore<T>(file: string, work: (store: Store) => Promise<T>, keepsHistory = true): Promise<T> {
  const store = await openTestStore(file, { keepsHistory });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const countOf = (file: string, sql: string) =>
  withDatabase(file, (db) => Number(Object.values(db.prepare(`SELECT count(*) FROM ${sql}`).get()!)[0]));

test('a project that is written between all portions does not hold up the pruning of others', async (t) => {
  const file = fileOf(t);
  const opening = openWriter(testOptions(file));
  const store = await openSqliteStore(testOptions(file), opening);
  const { writer } = await opening;
  const { create, update } = changesBy(store, 'busy');
  await create('a', {});
  await update('a', { portions: 0 });
  const db = openReadConnection(file, 64);
  let portions = 0;
  const write: typeof writer.write = async (statements) => {
    portions += 1;
    assert.ok(portions < 10, 'pruning does not end');
    await update('a', { portions });
    await writer.catchUp();
    return writer.write(statements);
  };
  const queries = { log: () => Promise.reject(new Error('nothing is read')) };
  const log = openChangeLog({ db, queries, writer: { ...writer, onCommit: () => () => {}, write } });
  try {
    assert.equal(await log.changes.prune(0, 1), 1);
    assert.equal(portions, 1);
  } finally {
    log.close();
    db.close();
    await store.close();
  }
});

test('a history that is switched off is no longer returned, is deleted, and begins anew when it is switched on', async (t) => {
  const file = fileOf(t);
  await withStore(file, async (store) => {
    const { create, update } = changesBy(store, 'p');
    await create('a', {});
    await update('a', { n: 1 });
  });
  const off = async ({ changes, resources }: Store) => {
    await resources.commit(creation('p', document('b', 1)));
    const { pruned, last } = await changes.bounds('p');
    assert.equal(pruned, last);
    assert.deepEqual((await changes.changesAfter('p', 0, 10)).changes, []);
    assert.deepEqual(await changes.changesOf('p', 'a', undefined, 10), []);
    assert.equal(await changes.prune(0, Number.MAX_SAFE_INTEGER), 2);
    assert.equal(await changes.prune(0, Number.MAX_SAFE_INTEGER), 0);
  };
  await withStore(file, off, false);
  assert.equal(countOf(file, 'change WHERE id IS NOT NULL OR before IS NOT NULL'), 0);
  await withStore(file, async ({ changes, resources }) => {
    const { pruned, last } = await changes.bounds('p');
    assert.deepEqual([pruned, last], [3, 3]);
    await resources.commit(replacement('p', document('b', 1), document('b', 2, { n: 1 })));
    assert.equal(types(await changes.changesOf('p', 'b', undefined, 10)), 'updated');
    assert.deepEqual((await changes.changesAfter('p', 3, 10)).upTo, 4);
  });
  assert.deepEqual(await check(file), []);
});

test('the epoch stays over a restart, and is another one where the database is not the one that was left', async (t) => {
  const file = fileOf(t);
  const epoch = () => withStore(file, async ({ changes }) => (await changes.bounds('p')).epoch);
  const first = await withStore(file, async (store) => {
    await changesBy(store, 'p').create('a', {});
    return (await store.changes.bounds('p')).epoch;
  });
  assert.match(first, /^[0-9a-f]{16}$/);
  assert.equal(await epoch(), first);
  // Only the database was restored, say by a backup of it alone.
  rmSync(storeFiles(file).acknowledgedFile);
  const second = await epoch();
  assert.notEqual(second, first);
  assert.equal(await epoch(), second);
});

test('a damaged change is not returned but refused, and check names it; so does a change or resource that leads astray', async (t) => {
  const file = fileOf(t);
  await withStore(file, async (store) => {
    const { create, update } = changesBy(store, 'p');
    for (const id of ['a', 'b']) await create(id, { text: 'red' }, { key: `key-${id}` });
    for (const text of ['blue', 'green']) await update('a', { text });
  });
  assert.deepEqual(await check(file), []);
  const damages: readonly (readonly [sql: string, undo: string, finding: RegExp, ids: string])[] = [
    [
      `SET before = replace(before, 'red', 'rod')`,
      `SET before = replace(before, 'rod', 'red')`,
      /^change 3: its check/,
      '',
    ],
    [`SET key = 'key-x' WHERE sequence = 3`, `SET key = 'key-a' WHERE sequence = 3`, /^change 3: its check/, ''],
    [
      `SET previous = 2 WHERE sequence = 3`,
      'SET previous = 1 WHERE sequence = 3',
      /^change 3: its check.*\n.*2 is not/,
      '',
    ],
    [`SET at = at + 1 WHERE sequence = 4`, `SET at = at - 1 WHERE sequence = 4`, /^change 4: its check/, ''],
    [`SET id = 'b' WHERE sequence = 4`, `SET id = 'a' WHERE sequence = 4`, /change 4: its check/, ''],
  ];
  for (const [damage, undo, finding] of damages) {
    withDatabase(file, (db) => db.exec(`UPDATE change ${damage}`));
    assert.match((await check(file)).join('\n'), finding);
    await withStore(file, async ({ changes }) => {
      await assert.rejects(changes.changesOf('p', 'a', undefined, 10), { code: 'DataCorruption' });
      // To its end: the first page may end before the damage, when its time is over.
      await assert.rejects(readLog(changes, 'p'), { code: 'DataCorruption' });
    });
    withDatabase(file, (db) => db.exec(`UPDATE change ${undo}`));
    assert.deepEqual(await check(file), []);
  }
  for (const changed of [2, 3, 99]) {
    withDatabase(file, (db) => db.exec(`UPDATE resource SET changed = ${changed} WHERE id = 'a'`));
    assert.match(
      (await check(file)).join(),
      /^resource p\/a: \d+ is not its last change; its history before cannot be read$/,
    );
    if (changed === 3) continue;
    await withStore(file, async ({ changes }) => {
      await assert.rejects(changes.changesOf('p', 'a', undefined, 10), { code: 'DataCorruption' });
    });
  }
});

test('check finds wrong sizes, and a rebuild of the indexes counts them again', async (t) => {
  const file = fileOf(t);
  await withStore(file, async (store) => {
    for (const id of ['a', 'b']) await changesBy(store, 'p').create(id, {});
  });
  withDatabase(file, (db) => db.exec('UPDATE project_log SET bytes = bytes + 1'));
  assert.match((await check(file)).join(), /^log of project p: counted \d+ bytes of \d+; “check --rebuild-indexes”/);
  assert.deepEqual(await check(file, true), []);
});

test('records that are there for the indexes alone are swept, the log beside them stays; what is pruned is deleted', async (t) => {
  const file = fileOf(t);
  await withStore(file, async () => {});
  const many = keptRecords + 3000;
  withDatabase(file, (db) => {
    const applier = applierOn(db);
    const follower = followerOn(db, []);
    const at = '2020-01-01T00:00:00.000Z';
    const origin = { type: 'created', cause: 'draft', at, clientId: 'client' } as const;
    for (let from = 0; from < many; from += 500) {
      const changes = Array.from({ length: 500 }, (_, n) => n + from).flatMap((n) => [
        { ...creation('p', document(`r${n}`, 1)), origin },
        creation('p~images', document(`i${n}`, 1)),
      ]);
      db.exec('BEGIN');
      applier.apply(
        changes.map((change) => ['write', writeOf(change, true, 'always')]),
        Date.parse(at),
      );
      follower.follow();
      db.exec('COMMIT');
    }
  });
  const logged = countOf(file, 'change WHERE id IS NOT NULL');
  assert.ok(logged >= many);
  assert.ok(countOf(file, 'change WHERE id IS NULL') <= keptRecords + 2048);
  await withStore(file, async ({ changes }) => {
    assert.equal(await changes.prune(Date.parse('2021-01-01'), Number.MAX_SAFE_INTEGER), logged - 1);
    const { changes: left } = await changes.changesAfter('p', 0, 10);
    assert.equal(left.length, 1);
  });
  assert.equal(countOf(file, 'change WHERE id IS NOT NULL'), 1);
  assert.ok(countOf(file, 'change') <= 2 * keptRecords);
  assert.deepEqual(await check(file), []);
});

test('who follows a project hears of commits of other processes', async (t) => {
  const file = fileOf(t);
  const here = await openTestStore(file);
  const beside = await openTestStore(file, { access: 'shared' });
  try {
    const called = Promise.withResolvers<void>();
    const stop = here.changes.follow('p', called.resolve);
    await changesBy(beside, 'p').create('a', {}, { origin: originBy('created', 'import') });
    await called.promise;
    stop();
    const { changes } = await here.changes.changesAfter('p', 0, 10);
    assert.deepEqual(
      changes.map(({ origin }) => origin.cause),
      ['import'],
    );
  } finally {
    await beside.close();
    await here.close();
  }
});

test('a change with a damaged time keeps neither its own log nor those of other projects from being pruned', async (t) => {
  for (const value of ['1152921504606846977', '4000000000000', 'NULL']) {
    const file = fileOf(t);
    const projects = ['a-other', 'damaged', 'z-other'];
    await withStore(file, async (store) => {
      for (const project of projects) {
        const { create, update } = changesBy(store, project);
        await create('a', {});
        for (let n = 0; n < 5; n += 1) await update('a', { n });
      }
    });
    withDatabase(file, (db) => {
      const sql = `UPDATE change SET at = ${value} WHERE sequence = (SELECT min(sequence) + 1 FROM project_change
        WHERE project_key = 'damaged')`;
      assert.equal(db.prepare(sql).run().changes, 1);
    });
    await withStore(file, async (store) => {
      await store.changes.prune(Date.now() + 1000, Number.MAX_SAFE_INTEGER);
      for (const project of projects) {
        assert.equal((await store.changes.changesOf(project, 'a', undefined, 10)).length, 1, `${value} ${project}`);
      }
    });
  }
});

test('a damaged deletion hides no other deleted resource', async (t) => {
  const file = fileOf(t);
  await withStore(file, async (store) => {
    const { create, remove } = changesBy(store, 'p');
    for (const id of ['a', 'b', 'c']) {
      await create(id, {});
      await remove(id);
    }
  });
  withDatabase(file, (db) => db.exec("UPDATE change SET client = 'x' WHERE sequence IN (4, 6)"));
  await withStore(file, async (store) => {
    const found = await store.changes.deletions('p', undefined, 1);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['a'],
    );
  });
});
