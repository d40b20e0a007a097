import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Documents } from '../../../src/domain/ports/resource-store.ts';
import type { Follower } from '../../../src/index/follow/follower.ts';
import { prepareRows } from '../../../src/index/follow/prepared-rows.ts';
import { bringIndexesUpToDate } from '../../../src/index/follow/rebuild-indexes.ts';
import { rowOf } from '../../../src/record/row/stored-row.ts';
import { createChangeSource } from '../../../src/record/sqlite/log/change-source.ts';
import type { Operation, WriteOperation } from '../../../src/record/sqlite/write/messages.ts';
import type { AcknowledgedFile } from '../../../src/sqlite/acknowledged-file.ts';
import { OpenedFiles } from '../../../src/sqlite/file-identity.ts';
import { putOf } from '../../../src/store/postgres/mirror-content.ts';
import { checkDatabase } from '../../../src/store/sqlite/maintenance/check.ts';
import { Committer } from '../../../src/store/sqlite/write/committer.ts';
import { testSeed } from '../../seed.ts';
import { documentOf } from '../document-of.ts';
import { document, record } from '../records.ts';
import { openTestIndex, operationOf, type TestIndex, termEntries } from './open-test-index.ts';
import { applierOn, followedOn, followerOn } from './parts-on.ts';

const declaredPaths = ['name'];

interface Step {
  readonly projectKey: string;
  readonly id: string;
  readonly fields: JsonObject;
  readonly staged: JsonObject | null;
  readonly what: 'write' | 'delete';
  readonly after: 'nothing' | 'read' | 'follow' | 'check' | 'restart' | 'roll back' | 'follow elsewhere';
}

const anyText = fc.constantFrom('red shoe', 'Red shoes, red', 'blue', '', '2024-01-01', '__proto__');
const anyFields: fc.Arbitrary<JsonObject> = fc.record(
  {
    name: fc.oneof(anyText, fc.record({ en: anyText, de: anyText })),
    price: fc.oneof(fc.integer(), fc.array(fc.integer({ min: 0, max: 3 })), fc.constant(null)),
    ['__proto__']: fc.oneof(anyText, fc.record({ a: anyText })),
    tags: fc.array(anyText),
  },
  { requiredKeys: [] },
);
const anyStep: fc.Arbitrary<Step> = fc.record({
  projectKey: fc.constantFrom('p', 'q'),
  id: fc.constantFrom('a', 'b', 'c'),
  fields: anyFields,
  staged: fc.option(anyFields, { freq: 2 }),
  what: fc.constantFrom('write', 'write', 'write', 'delete'),
  after: fc.constantFrom(
    ...(['nothing', 'nothing', 'read', 'read', 'read', 'follow', 'follow', 'check'] as const),
    ...(['restart', 'roll back', 'follow elsewhere'] as const),
  ),
});

function documentsOf({ id, fields, staged }: Step, version: number): Documents {
  const current = { ...documentOf(id, fields), version };
  return staged ? { current, staged: { ...documentOf(id, staged), version } } : { current };
}

/** A store in which nothing is indexed until `follow` is called. */
function lazily(index: TestIndex) {
  const known = new Map<string, Documents>();
  let follower: Follower = followerOn(index.db, declaredPaths);
  const applier = applierOn(index.db);
  return {
    write(step: Step): void {
      const name = `${step.projectKey}/${step.id}`;
      const before = known.get(name);
      // As in the service, a resource that is created again, or that takes the row of a deleted one, has version 1.
      const version = before ? (before.current.version as number) + 1 : 1;
      const after = step.what === 'delete' ? undefined : documentsOf(step, version);
      const operation = operationOf(step.projectKey, step.id, before, after);
      if (!operation) return;
      assert.deepEqual(applier.apply([operation], 0).outcomes, ['committed']);
      if (after) known.set(name, after);
      else known.delete(name);
    },
    follow() {
      follower.follow();
    },
    readAhead() {
      follower.readAhead();
    },
    /** A transaction that followed was. */
    rollBack() {
      index.db.exec('BEGIN');
      follower.follow();
      index.db.exec('ROLLBACK');
      follower.rolledBack();
    },
    /** As another process does. */
    followElsewhere() {
      using db = new DatabaseSync(index.db.location()!);
      followerOn(db, declaredPaths).follow();
    },
    /** What came with the changes is forgotten. */
    restart() {
      follower = followerOn(index.db, declaredPaths);
    },
  };
}

function findings({ db }: TestIndex): Promise<readonly string[]> {
  return checkDatabase(db, () => {});
}

test('whatever was written, and wherever the indexes stopped: they are those of the resources once they have followed, and check knows how far they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      using index = openTestIndex(declaredPaths);
      const store = lazily(index);
      for (const step of steps) {
        store.write(step);
        if (step.after === 'follow') store.follow();
        else if (step.after === 'read') store.readAhead();
        else if (step.after === 'roll back') store.rollBack();
        else if (step.after === 'follow elsewhere') store.followElsewhere();
        else if (step.after === 'restart') store.restart();
        else if (step.after === 'check') assert.deepEqual(await findings(index), []);
      }
      assert.deepEqual(await findings(index), []);
      store.follow();
      assert.deepEqual(await findings(index), []);
      const { indexed, last } = createChangeSource(index.db).position();
      assert.equal(indexed, last);
    }),
    { seed: testSeed, numRuns: 20 },
  );
});

const write = (id: string, fields: JsonObject): Step => ({
  ...{ projectKey: 'p', id, fields, staged: null },
  ...{ what: 'write', after: 'nothing' },
});

test('a change that is missing in the indexes is a finding, as is one that is there twice', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  store.write(write('a', { name: 'red' }));
  index.db.exec('UPDATE store SET indexed = 1');
  assert.match((await findings(index)).join(), /term index: 0 entries/);
  index.db.exec('UPDATE store SET indexed = 0');
  store.follow();
  assert.deepEqual(await findings(index), []);
  index.db.exec('UPDATE store SET indexed = 0');
  assert.match((await findings(index)).join(), /term index/);
});

test('a damaged or missing record of a change that is not indexed: check says so, and what has changed since is indexed anew', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  store.write(write('a', { name: 'red', price: 1 }));
  bringIndexesUpToDate(followedOn(index.db), declaredPaths, () => {});
  const damages = [
    `UPDATE change SET before = replace(before, 'red', 'rod')`,
    'UPDATE change SET row = 7',
    'DELETE FROM change',
  ];
  for (const [damage, readsAhead] of damages.flatMap((each) => [[each, false] as const, [each, true] as const])) {
    store.write(write('a', { name: 'blue', price: 1 }));
    if (readsAhead) store.readAhead();
    store.write(write('a', { name: 'red', price: 1 }));
    store.write(write('b', { name: 'blue' }));
    store.write({ ...write('b', {}), what: 'delete' });
    const { indexed } = createChangeSource(index.db).position();
    index.db.exec(`${damage} WHERE sequence IN (${indexed + 1}, ${indexed + 3})`);
    assert.match((await findings(index)).join(), /^change: a record that is not indexed yet is damaged or missing/);
    store.follow();
    assert.deepEqual(await findings(index), [], damage);
  }
});

test('a damaged resource whose change is not indexed: the indexes leave it out, and follow the others', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  bringIndexesUpToDate(followedOn(index.db), declaredPaths, () => {});
  store.write(write('a', { name: 'red', price: 1 }));
  store.write(write('b', { name: 'blue', price: 1 }));
  store.readAhead();
  index.db.exec(`UPDATE resource SET current = replace(current, 'red', 'rod') WHERE id = 'a'`);
  const other = lazily(index);
  store.write(write('c', { name: 'green' }));
  other.follow();
  assert.deepEqual(
    { ...index.db.prepare('SELECT row, id, reason FROM damaged').get() },
    {
      ...{ row: 1, id: 'a', reason: 'its checksum does not match' },
    },
  );
  assert.deepEqual(
    termEntries(index.db).filter(({ term }) => /red|rod/.test(term)),
    [],
  );
  assert.match((await findings(index)).join(), /^resource p\/a: its checksum does not match; [^:]*$/);
});

test('a start indexes what was written before it', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  bringIndexesUpToDate(followedOn(index.db), declaredPaths, () => {});
  for (const id of ['a', 'b', 'c']) store.write(write(id, { name: id }));
  assert.deepEqual({ ...createChangeSource(index.db).position() }, { indexed: 0, last: 3 });
  bringIndexesUpToDate(followedOn(index.db), declaredPaths, () => {});
  assert.deepEqual({ ...createChangeSource(index.db).position() }, { indexed: 3, last: 3 });
  assert.deepEqual(await findings(index), []);
});

test('a resource that takes the row of one that was deleted since the indexes followed', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  store.write(write('a', { name: 'red' }));
  store.follow();
  store.write({ ...write('a', {}), what: 'delete' });
  store.write(write('b', { name: 'red' }));
  assert.deepEqual(index.db.prepare('SELECT DISTINCT row FROM change').all().length, 1);
  store.follow();
  assert.deepEqual(await findings(index), []);
});

test('a resource that was deleted and is there again in the row before, in one run', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  const gone = (id: string): Step => ({ ...write(id, {}), what: 'delete' });
  for (const id of ['a', 'b']) store.write(write(id, { name: id }));
  store.follow();
  for (const step of [gone('b'), gone('a'), write('b', { name: 'b' })]) store.write(step);
  store.follow();
  assert.deepEqual(await findings(index), []);
});

test('a resource that changes more than once in one run', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  store.write(write('a', { name: 'red' }));
  store.follow();
  const steps: readonly Step[] = [
    write('a', { name: 'blue' }),
    { ...write('a', {}), what: 'delete' },
    write('b', { name: 'blue' }),
    write('a', { name: 'red' }),
  ];
  for (const step of steps) store.write(step);
  store.follow();
  assert.deepEqual(await findings(index), []);
});

test('a group with which the indexes would lack 32 changes brings them up to date; a smaller one leaves that to others', async () => {
  using index = openTestIndex([]);
  const unindexed: number[] = [];
  const acknowledgedFile = { acknowledge() {} } as unknown as AcknowledgedFile;
  const files = new OpenedFiles([]);
  const opened = { db: index.db, acknowledgedFile, files, declaredPaths: [], close() {} };
  const committer = new Committer(opened, { committed() {}, empty: () => true }, () => 0, {
    done: (_results, _commitMs, left) => void unindexed.push(left),
    fatal: assert.fail,
    note: assert.fail,
  });
  let created = 0;
  const create = () => {
    created += 1;
    const current = document(`r${created}`, 1, { name: 'shoe' });
    return operationOf('p', `r${created}`, undefined, { current }) as WriteOperation;
  };
  const group = (changes: number): Operation => ['group', Array.from({ length: changes }, create)];
  committer.run([group(31)]);
  committer.run([create()]);
  assert.deepEqual(unindexed, [31, 32]);
  committer.follow();
  committer.run([create()]);
  committer.run([group(31)]);
  assert.deepEqual(unindexed.slice(2), [1, 0]);
  assert.equal(index.position(), created);
  assert.deepEqual(await findings(index), []);
});

test('rows that are copied with what was prepared: the indexes are those of the resources, whatever waits or was there', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          fields: fc.array(anyFields, { minLength: 1, maxLength: 4 }),
          waits: fc.boolean(),
          isKnown: fc.boolean(),
        }),
        {
          maxLength: 8,
        },
      ),
      async (pages) => {
        using index = openTestIndex(declaredPaths);
        const [applier, follower] = [applierOn(index.db), followerOn(index.db, declaredPaths)];
        let ids = 0;
        for (const { fields, waits, isKnown } of pages) {
          // Of a resource that is there already nothing is copied.
          const meetsKnown = isKnown && ids > 0;
          if (meetsKnown) ids -= 1;
          const rows = fields.map((each) => rowOf(record('p', document(`r${ids++}`, 1, each))));
          const items = rows.map((row) => putOf({ ...row, born: ids }));
          const prepared = prepareRows(rows, declaredPaths);
          const { outcomes, copied } = applier.apply([['mirror', 'p', items, null, prepared]], 0);
          assert.deepEqual(outcomes, ['committed']);
          assert.equal(copied?.count, meetsKnown ? undefined : rows.length);
          if (!waits) follower.follow(copied);
          assert.deepEqual(await findings(index), []);
        }
        follower.follow();
        assert.deepEqual(await findings(index), []);
      },
    ),
    { seed: testSeed, numRuns: 20 },
  );
});
