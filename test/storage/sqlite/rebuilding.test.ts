import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Documents } from '../../../src/domain/ports/resource-store.ts';
import type { Follower } from '../../../src/index/follow/follower.ts';
import { bringIndexesUpToDate, rebuildIndexes } from '../../../src/index/follow/rebuild-indexes.ts';
import { builtSettings, createRebuildProblem, readBuiltTo } from '../../../src/index/follow/rebuild-mark.ts';
import { SegmentList } from '../../../src/index/terms/segments.ts';
import { checkDatabase } from '../../../src/store/sqlite/maintenance/check.ts';
import { testSeed } from '../../seed.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex, operationOf, type TestIndex, termEntries } from './open-test-index.ts';
import { applierOn, followedOn, followerOn } from './parts-on.ts';

/** One of them is called as the mark of a rebuild is. */
const declaredPaths = ['name', 'rebuilding'];
const quiet = () => {};

interface Step {
  readonly projectKey: string;
  readonly id: string;
  readonly fields: JsonObject;
  readonly what: 'write' | 'delete';
  readonly after: 'nothing' | 'follow' | 'rebuild' | 'failure' | 'begin' | 'restart';
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  projectKey: fc.constantFrom('p', 'q'),
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  fields: fc.record(
    { name: fc.constantFrom('red shoe', 'Red shoes, red', 'blue', ''), price: fc.integer({ min: 0, max: 3 }) },
    { requiredKeys: [] },
  ),
  what: fc.constantFrom('write', 'write', 'write', 'delete'),
  after: fc.constantFrom('nothing', 'follow', 'rebuild', 'rebuild', 'rebuild', 'failure', 'begin', 'restart'),
});

const findings = ({ db }: TestIndex) => checkDatabase(db, quiet);
const settings = ({ db }: TestIndex) =>
  (db.prepare('SELECT settings FROM store').get() as { settings: string }).settings;
const isRebuilding = ({ db }: TestIndex) => Number.isFinite(readBuiltTo(db));

/** What the indexes have, for people and to be compared. */
function contentOf({ db }: TestIndex): unknown {
  const all = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  return [termEntries(db), all('SELECT * FROM project WHERE resources > 0 ORDER BY project_key')];
}

function inTransaction({ db }: TestIndex, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** A store of which the indexes follow, and are built again, when the test says so. */
function stepwise(index: TestIndex) {
  const known = new Map<string, Documents>();
  let follower: Follower = followerOn(index.db, declaredPaths);
  const applier = applierOn(index.db);

  function rebuildRow(): void {
    follower.follow();
    follower.rebuild(1);
  }

  return {
    write(step: Step): void {
      const name = `${step.projectKey}/${step.id}`;
      const before = known.get(name);
      const version = before ? (before.current.version as number) + 1 : 1;
      const after = step.what === 'delete' ? undefined : { current: { ...documentOf(step.id, step.fields), version } };
      const operation = operationOf(step.projectKey, step.id, before, after);
      if (!operation) return;
      assert.deepEqual(applier.apply([operation], 0).outcomes, ['committed']);
      if (after) known.set(name, after);
      else known.delete(name);
    },
    follow() {
      inTransaction(index, () => follower.follow());
    },
    /** The terms of one row more. */
    rebuild() {
      inTransaction(index, rebuildRow);
    },
    /** The same, without being committed. */
    failure() {
      const fail = () => {
        rebuildRow();
        throw new Error('failure of the test');
      };
      assert.throws(() => inTransaction(index, fail), /failure of the test/);
      follower.rolledBack();
    },
    restart() {
      follower = followerOn(index.db, declaredPaths);
    },
  };
}

/** Has the indexes built again from the first row on, as a start does that finds other settings. */
function begin({ db }: TestIndex): void {
  db.exec(`UPDATE store SET settings = '{"declaredPaths":["name"],"words":"of another version"}'`);
  bringIndexesUpToDate(followedOn(db), declaredPaths, quiet, 0);
}

test('whatever is written while the indexes are built again, and wherever that is broken off: check knows how far it is, and they are those of the resources in the end', async () => {
  let [beside, resumed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      using index = openTestIndex(declaredPaths);
      const store = stepwise(index);
      for (const step of steps) {
        store.write(step);
        if (step.after === 'nothing') continue;
        if (step.after === 'begin') {
          begin(index);
          store.restart();
          assert.equal(readBuiltTo(index.db), -1);
        } else store[step.after]();
        if (isRebuilding(index) && readBuiltTo(index.db) > 0) {
          beside += 1;
          if (step.after === 'restart') resumed += 1;
        }
        assert.deepEqual(await findings(index), []);
      }
      store.follow();
      while (isRebuilding(index)) store.rebuild();
      assert.deepEqual(await findings(index), []);
      const content = contentOf(index);
      const built = settings(index);
      assert.equal(builtSettings(built), built);
      rebuildIndexes(followedOn(index.db), declaredPaths, quiet);
      assert.deepEqual(contentOf(index), content);
    }),
    { seed: testSeed, numRuns: 20 },
  );
  assert.ok(beside > 50 && resumed > 5, `${beside}, ${resumed}`);
});

/** Fills a store, with its indexes whole. */
function fill(index: TestIndex, count: number): void {
  bringIndexesUpToDate(followedOn(index.db), declaredPaths, quiet);
  for (let at = 0; at < count; at += 1) {
    index.write('p', `r${at}`, { current: documentOf(`r${at}`, { name: `shoe number${at}`, price: at }) });
  }
}

test('a start goes on with a rebuild where the last one was broken off; one with other settings begins again', () => {
  using index = openTestIndex(declaredPaths);
  fill(index, 50);
  begin(index);
  bringIndexesUpToDate(followedOn(index.db), declaredPaths, quiet, 0);
  assert.equal(readBuiltTo(index.db), -1);
  const store = stepwise(index);
  for (let row = 1; row <= 20; row += 1) store.rebuild();
  assert.equal(readBuiltTo(index.db), 20);
  // What is there is left as it is: the start does not read the rows before.
  index.db.exec("UPDATE resource SET modified_at = 'damaged' WHERE row = 3");
  const terms = () => termEntries(index.db).filter(({ row }) => row === 3).length;
  const before = terms();
  assert.ok(before > 0);
  const told: number[] = [];
  bringIndexesUpToDate(followedOn(index.db), declaredPaths, (_, done, total) => void told.push(done, total));
  assert.deepEqual(told, [50, 50]);
  assert.ok(!isRebuilding(index));
  assert.equal(terms(), before);

  begin(index);
  stepwise(index).rebuild();
  const others = ['price'];
  bringIndexesUpToDate(followedOn(index.db), others, quiet, 0);
  assert.equal(readBuiltTo(index.db), -1);
  assert.equal(bringIndexesUpToDate(followedOn(index.db), undefined, quiet)?.join(), 'price');
  bringIndexesUpToDate(followedOn(index.db), others, quiet);
  assert.equal(terms(), 0);
});

test('while the indexes are built again the store says how far they are; a declared path with the name of the mark is none', () => {
  using index = openTestIndex(declaredPaths);
  fill(index, 50);
  const problem = createRebuildProblem(index.db);
  assert.match(settings(index), /"rebuilding"/);
  assert.equal(problem(), undefined);
  begin(index);
  assert.match(problem() ?? '', /rebuilt \(0 % done\).*Reads by id or key and writes still work/);
  const store = stepwise(index);
  for (let row = 1; row <= 20; row += 1) store.rebuild();
  assert.match(problem() ?? '', /\(40 % done\)/);
  bringIndexesUpToDate(followedOn(index.db), declaredPaths, quiet);
  assert.equal(problem(), undefined);
});

test('a rebuild is committed in portions: what is written in one is bounded', () => {
  using index = openTestIndex(declaredPaths);
  fill(index, 50);
  begin(index);
  const written = followerOn(index.db, declaredPaths).rebuild(1000);
  assert.ok(written >= 1000 && written < 2000, `${written}`);
  const built = readBuiltTo(index.db);
  assert.ok(built > 1 && built < 50, `${built}`);
});

test('a rebuild merges what it writes: queries beside it read few segments', async () => {
  using index = openTestIndex(declaredPaths);
  fill(index, 300);
  begin(index);
  const follower = followerOn(index.db, declaredPaths);
  let most = 0;
  for (let parts = 0; isRebuilding(index); parts += 1) {
    assert.ok(parts <= 300, 'a part adds a row');
    inTransaction(index, () => follower.rebuild(1));
    most = Math.max(most, new SegmentList(index.db).read().length);
  }
  // Ten of a level are merged into one of the next; what is under way beside them.
  assert.ok(most <= 40, `${most} segments`);
  assert.deepEqual(await findings(index), []);
});
