import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Documents } from '../../../src/domain/ports/resource-store.ts';
import { indexDifference } from '../../../src/storage/index/index-entries.ts';
import { groupWords, type WordGroup } from '../../../src/storage/index/word-groups.ts';
import { recordChecksum } from '../../../src/storage/row/change-record.ts';
import { createChangeRecords, keptRecords } from '../../../src/storage/sqlite/indexing/change-records.ts';
import { createFollower, type Follower } from '../../../src/storage/sqlite/indexing/follower.ts';
import type { IndexColumns } from '../../../src/storage/sqlite/indexing/indexer.ts';
import { writePortion } from '../../../src/storage/sqlite/indexing/portions.ts';
import { bringIndexesUpToDate } from '../../../src/storage/sqlite/indexing/rebuild-indexes.ts';
import { checkDatabase } from '../../../src/storage/sqlite/maintenance/check.ts';
import type { AcknowledgedFile } from '../../../src/storage/sqlite/open/acknowledged-file.ts';
import { OpenedFiles } from '../../../src/storage/sqlite/open/file-identity.ts';
import { readPartlyIndexed } from '../../../src/storage/sqlite/open/partly-indexed.ts';
import { createApplier } from '../../../src/storage/sqlite/write/apply.ts';
import { Committer } from '../../../src/storage/sqlite/write/committer.ts';
import type { Operation, WriteOperation } from '../../../src/storage/sqlite/write/messages.ts';
import { testSeed } from '../../seed.ts';
import { documentOf } from '../document-of.ts';
import { document } from '../records.ts';
import { openTestIndex, operationOf, type TestIndex } from './open-test-index.ts';

const declaredPaths = ['name'];

interface Step {
  readonly projectKey: string;
  readonly id: string;
  readonly fields: JsonObject;
  readonly staged: JsonObject | null;
  readonly what: 'write' | 'delete';
  /** The terms come with the change, as with a large document. */
  readonly supplied: boolean;
  readonly after: 'nothing' | 'follow' | 'portion' | 'failure' | 'check' | 'restart';
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
  supplied: fc.nat(4).map((number) => number === 0),
  after: fc.constantFrom('nothing', 'nothing', 'follow', 'follow', 'portion', 'portion', 'failure', 'check', 'restart'),
});

function documentsOf({ id, fields, staged }: Step, version: number): Documents {
  const current = { ...documentOf(id, fields), version };
  return staged ? { current, staged: { ...documentOf(id, staged), version } } : { current };
}

/** So small that what comes with its terms is nearly always large. */
const portionCharacters = 24;

/** A store in which nothing is indexed until `follow` is called, and of large documents a portion with each `portion`. */
function lazily(index: TestIndex, characters?: number) {
  const known = new Map<string, Documents>();
  let follower: Follower = createFollower(index.db, declaredPaths, characters);
  const applier = createApplier(index.db, {
    terms: (sequence, terms) => follower.supply(sequence, terms),
    written: (change) => follower.prepare([change]),
  });
  return {
    write(step: Step): void {
      const name = `${step.projectKey}/${step.id}`;
      const before = known.get(name);
      // As in the service, a resource that is created again, or that takes the row of a deleted one, has version 1.
      const version = before ? (before.current.version as number) + 1 : 1;
      const after = step.what === 'delete' ? undefined : documentsOf(step, version);
      const terms = step.supplied ? termsOf(step.projectKey, before, after) : null;
      const operation = operationOf(step.projectKey, step.id, before, after, terms);
      if (!operation) return;
      assert.deepEqual(applier.apply([operation], 0).outcomes, ['committed']);
      if (after) known.set(name, after);
      else known.delete(name);
    },
    follow() {
      follower.follow();
      follower.committed();
    },
    /** Writes a portion; false where none was left. */
    portion(): boolean {
      const isLeft = follower.portions.projects().size > 0;
      writePortion(index.db, follower.portions);
      return isLeft;
    },
    /** A portion that is not committed. */
    failure() {
      const { write: writeFirst, ...others } = follower.portions;
      const write = () => {
        writeFirst();
        throw new Error('failure of the test');
      };
      assert.throws(() => writePortion(index.db, { ...others, write }), /failure of the test/);
    },
    /** What came with the changes is forgotten. */
    restart() {
      follower = createFollower(index.db, declaredPaths, characters);
    },
  };
}

function termsOf(projectKey: string, before: Documents | undefined, after: Documents | undefined): IndexColumns {
  const { removed, added, removedText, addedText, gained } = indexDifference(projectKey, before, after, declaredPaths);
  const groups = groupWords(gained).flatMap(([locale, words]) => {
    return (JSON.parse(words) as string[]).map((word): WordGroup => [locale, JSON.stringify([word])]);
  });
  return [removed, added, removedText, addedText, groups];
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
        else if (step.after === 'restart') store.restart();
        else if (step.after === 'check') assert.deepEqual(await findings(index), []);
      }
      assert.deepEqual(await findings(index), []);
      store.follow();
      assert.deepEqual(await findings(index), []);
      const { indexed, last } = createChangeRecords(index.db).position();
      assert.equal(indexed, last);
    }),
    { seed: testSeed, numRuns: 60 },
  );
});

test('large documents are indexed in portions: wherever these fail, are rolled back or end with the process, the indexes are those of the resources in the end', async () => {
  /** How often something was indexed in part, and left so by a process. */
  let [partly, leftBehind] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      using index = openTestIndex(declaredPaths);
      const store = lazily(index, portionCharacters);
      const settings = () => (index.db.prepare('SELECT settings FROM store').get() as { settings: string }).settings;
      const before = settings();
      for (const step of steps) {
        store.write({ ...step, supplied: true });
        if (step.after === 'nothing' || step.after === 'check') continue;
        if (step.after === 'restart') {
          leftBehind += readPartlyIndexed(index.db).length;
          store.restart();
        } else store[step.after]();
        partly += readPartlyIndexed(index.db).length;
        assert.deepEqual(await findings(index), []);
      }
      store.follow();
      while (store.portion());
      assert.deepEqual(readPartlyIndexed(index.db), []);
      assert.equal(settings(), before);
      assert.deepEqual(await findings(index), []);
    }),
    { seed: testSeed, numRuns: 60 },
  );
  assert.ok(partly > 20 && leftBehind > 5, `${partly}, ${leftBehind}`);
});

test('a start finishes what a process has left in part, and indexes the resource anew where the record is damaged', async () => {
  for (const isDamaged of [false, true]) {
    using index = openTestIndex(declaredPaths);
    bringIndexesUpToDate(index.db, declaredPaths, () => {});
    const store = lazily(index, portionCharacters);
    store.write({ ...write('a', { name: 'red shoe', price: 1 }), supplied: true });
    store.write({ ...write('b', { name: 'blue boot', price: 1 }) });
    store.follow();
    store.portion();
    store.write(write('a', { name: 'green shoe', price: 1 }));
    assert.deepEqual(
      readPartlyIndexed(index.db).map((partly) => [...partly]),
      [[1, 1, 'p']],
    );
    if (isDamaged) index.db.exec('UPDATE change SET row = 7 WHERE sequence = 1');
    bringIndexesUpToDate(index.db, declaredPaths, assert.fail);
    assert.deepEqual(readPartlyIndexed(index.db), []);
    const terms = "SELECT count(*) AS terms FROM temp.term_entry WHERE doc = 1 AND term LIKE '%green%'";
    assert.notEqual((index.db.prepare(terms).get() as { terms: number }).terms, 0);
    if (isDamaged) index.db.exec('UPDATE change SET row = 1 WHERE sequence = 1');
    assert.deepEqual(await findings(index), []);
  }
});

test('a start finishes the deletion of the only document, of which most terms are gone', async () => {
  using index = openTestIndex(declaredPaths);
  bringIndexesUpToDate(index.db, declaredPaths, () => {});
  const store = lazily(index, portionCharacters);
  const only = { ...write('a', { name: 'red shoe of leather', tags: ['summer', 'sale'] }), supplied: true };
  for (const what of ['write', 'delete'] as const) {
    store.write({ ...only, what });
    store.follow();
    if (what === 'write') while (store.portion());
    else for (let left = 20; left > 0; left -= 1) store.portion();
  }
  assert.equal(readPartlyIndexed(index.db).length, 1);
  bringIndexesUpToDate(index.db, declaredPaths, assert.fail);
  assert.deepEqual(readPartlyIndexed(index.db), []);
  assert.deepEqual(await findings(index), []);
});

test('the records of what is indexed in part are kept, although many changes have come since', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index, portionCharacters);
  store.write({ ...write('a', { name: 'red shoe' }), supplied: true });
  store.follow();
  // Changes without a log, of which only the last ones are kept.
  const add = index.db.prepare(
    "INSERT INTO change (sequence, project_key, row, checksum, before) VALUES (?, 'q', 0, ?, NULL)",
  );
  const last = keptRecords + 2048;
  for (let sequence = 2; sequence <= last; sequence += 1) {
    add.run(sequence, recordChecksum({ sequence, projectKey: 'q', row: 0, before: null }));
  }
  store.follow();
  const first = () => (index.db.prepare('SELECT min(sequence) AS first FROM change').get() as { first: number }).first;
  assert.equal(first(), 1);
  store.restart();
  store.follow();
  assert.deepEqual(readPartlyIndexed(index.db), []);
  // Then it goes as all that are not of the log do.
  assert.notEqual(first(), 1);
  assert.deepEqual(
    (await findings(index)).filter((finding) => !finding.includes('its history before')),
    [],
  );
  assert.equal(index.position(), last);
});

const write = (id: string, fields: JsonObject): Step => ({
  ...{ projectKey: 'p', id, fields, staged: null },
  ...{ what: 'write', supplied: false, after: 'nothing' },
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
  bringIndexesUpToDate(index.db, declaredPaths, () => {});
  for (const damage of [
    `UPDATE change SET before = replace(before, 'red', 'rod')`,
    'UPDATE change SET row = 7',
    'DELETE FROM change',
  ]) {
    store.write(write('a', { name: 'blue', price: 1 }));
    store.write(write('a', { name: 'red', price: 1 }));
    store.write(write('b', { name: 'blue' }));
    store.write({ ...write('b', {}), what: 'delete' });
    const { indexed } = createChangeRecords(index.db).position();
    index.db.exec(`${damage} WHERE sequence IN (${indexed + 1}, ${indexed + 3})`);
    assert.match((await findings(index)).join(), /^change: a record that is not indexed yet is damaged or missing/);
    store.follow();
    assert.deepEqual(await findings(index), [], damage);
  }
});

test('a damaged resource whose change is not indexed: the indexes leave it out, and follow the others', async () => {
  for (const isInPart of [false, true]) {
    using index = openTestIndex(declaredPaths);
    const store = lazily(index, isInPart ? portionCharacters : undefined);
    bringIndexesUpToDate(index.db, declaredPaths, () => {});
    store.write({ ...write('a', { name: 'red', price: 1 }), supplied: isInPart });
    store.write(write('b', { name: 'blue', price: 1 }));
    if (isInPart) {
      store.follow();
      store.portion();
    }
    index.db.exec(`UPDATE resource SET current = replace(current, 'red', 'rod') WHERE id = 'a'`);
    const other = lazily(index);
    store.write(write('c', { name: 'green' }));
    other.follow();
    assert.deepEqual(
      { ...index.db.prepare('SELECT row, id, reason FROM damaged').get() },
      {
        ...{ row: 1, id: 'a', reason: 'its checksum does not hold' },
      },
    );
    const terms = "SELECT count(*) AS terms FROM temp.term_entry WHERE term LIKE '%red%' OR term LIKE '%rod%'";
    assert.deepEqual({ ...index.db.prepare(terms).get() }, { terms: 0 });
    assert.match((await findings(index)).join(), /^resource p\/a: its checksum does not hold; [^:]*$/);
  }
});

test('a start indexes what was written before it', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  bringIndexesUpToDate(index.db, declaredPaths, () => {});
  for (const id of ['a', 'b', 'c']) store.write(write(id, { name: id }));
  assert.deepEqual({ ...createChangeRecords(index.db).position() }, { indexed: 0, last: 3 });
  bringIndexesUpToDate(index.db, declaredPaths, () => {});
  assert.deepEqual({ ...createChangeRecords(index.db).position() }, { indexed: 3, last: 3 });
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

test('a resource that changes more than once in one run, with terms that came with the changes', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  store.write(write('a', { name: 'red' }));
  store.follow();
  const steps: readonly Step[] = [
    { ...write('a', { name: 'blue' }), supplied: true },
    { ...write('a', {}), what: 'delete' },
    write('b', { name: 'blue' }),
    write('a', { name: 'red' }),
  ];
  for (const step of steps) store.write(step);
  store.follow();
  assert.deepEqual(await findings(index), []);
});

test('beside single writes a group of a third of the size brings the indexes up to date; alone it leaves that to others', async () => {
  using index = openTestIndex([]);
  const unindexed: number[] = [];
  const acknowledgedFile = { acknowledge() {} } as unknown as AcknowledgedFile;
  const files = new OpenedFiles([]);
  const opened = { db: index.db, acknowledgedFile, files, instanceId: 'test', declaredPaths: [], close() {} };
  const committer = new Committer(opened, { committed() {}, async close() {} }, () => 0, {
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
  committer.run([group(33)]);
  assert.deepEqual(unindexed, [33]);
  // Repeated, in case that the group comes long after the single write.
  for (let left = 33; left > 0; ) {
    committer.follow();
    committer.run([create()]);
    assert.equal(unindexed.at(-1), 1);
    committer.run([group(32)]);
    left = unindexed.at(-1)!;
    assert.ok(left === 0 || left === 33, String(left));
  }
  assert.equal(index.position(), created);
  assert.deepEqual(await findings(index), []);
});

test('a word that came into the vocabulary while the service ran leaves it with the last resource that has it', async () => {
  using index = openTestIndex(declaredPaths);
  const store = lazily(index);
  const words = () =>
    index.db
      .prepare('SELECT word FROM word ORDER BY word')
      .all()
      .map(({ word }) => word);
  const run = async (...steps: Step[]) => {
    for (const step of steps) store.write(step);
    store.follow();
    assert.deepEqual(await findings(index), []);
  };
  const supplied = (id: string, fields: JsonObject): Step => ({ ...write(id, fields), supplied: true });
  // By two resources in one run, one of which loses it in that run, too.
  await run(write('a', { name: 'new' }), write('b', { name: 'new' }), write('a', { name: 'old' }));
  assert.deepEqual(words(), ['new', 'old']);
  // By both projections of a resource, which leave it one after the other.
  await run({ ...write('c', { name: 'new' }), staged: { name: 'new' } }, write('b', { name: 'old' }));
  assert.deepEqual(words(), ['new', 'old']);
  await run({ ...write('c', { name: 'old' }), staged: { name: 'new' } });
  assert.deepEqual(words(), ['new', 'old']);
  await run(write('c', { name: 'old' }));
  assert.deepEqual(words(), ['old']);
  // Words that came with a large document are not counted; nor are those that were there before a restart.
  await run(write('a', { name: 'large' }), supplied('b', { name: 'large' }));
  await run(write('a', { name: 'old' }));
  assert.deepEqual(words(), ['large', 'old']);
  await run(supplied('b', { name: 'last' }));
  assert.deepEqual(words(), ['last', 'old']);
  await run(write('a', { name: 'last' }), write('c', { name: 'seen' }));
  store.restart();
  await run(write('b', { name: 'seen' }));
  await run(write('c', { name: 'last' }), write('a', { name: 'last' }));
  assert.deepEqual(words(), ['last', 'seen']);
  await run(write('b', { name: 'last' }));
  assert.deepEqual(words(), ['last']);
});
