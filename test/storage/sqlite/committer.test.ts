import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { bringIndexesUpToDate } from '../../../src/index/follow/rebuild-indexes.ts';
import type { OperationResult, WriteOperation } from '../../../src/record/sqlite/write/messages.ts';
import type { AcknowledgedFile } from '../../../src/sqlite/acknowledged-file.ts';
import { OpenedFiles } from '../../../src/sqlite/file-identity.ts';
import { checkDatabase } from '../../../src/store/sqlite/maintenance/check.ts';
import { Committer } from '../../../src/store/sqlite/write/committer.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex, operationOf, type TestIndex } from './open-test-index.ts';
import { followedOn } from './parts-on.ts';

/** A committer, with the results and the number of unindexed changes of its last commit. */
function open(index: TestIndex, note: (text: string) => void = assert.fail) {
  const acknowledgedFile = { acknowledge() {} } as unknown as AcknowledgedFile;
  const files = new OpenedFiles([]);
  const opened = { db: index.db, acknowledgedFile, files, declaredPaths: [], close() {} };
  const last: { results: readonly OperationResult[]; unindexed: number } = { results: [], unindexed: 0 };
  const committer = new Committer(opened, { committed() {}, empty: () => true }, () => 0, {
    done: (results, _commitMs, unindexed) => Object.assign(last, { results, unindexed }),
    fatal: assert.fail,
    note,
  });
  return { committer, last };
}

const documentNamed = (id: string, fields: JsonObject) => ({ current: { ...documentOf(id, fields), version: 1 } });
const create = (id: string, fields: JsonObject) =>
  operationOf('p', id, undefined, documentNamed(id, fields)) as WriteOperation;

test('single writes leave the index to a later commit, which has what was read ahead, and changed or gone since', async () => {
  using index = openTestIndex([]);
  const { committer, last } = open(index);
  const batch = (from: number) =>
    Array.from({ length: 100 }, (_, n) => create(`r${from + n}`, { name: `shoe number ${from + n}`, tags: ['a', n] }));
  for (const from of [0, 100, 200]) committer.run(batch(from));
  assert.equal(committer.dueForIndexes, 'read');
  committer.readAhead();
  assert.equal(committer.dueForIndexes, undefined);
  const changed = { current: { ...documentOf('r3', { name: 'boot' }), version: 2 } };
  const [before, gone] = [documentNamed('r3', { name: 'shoe number 3', tags: ['a', 3] }), 'r4'];
  committer.run([
    operationOf('p', 'r3', before, changed)!,
    operationOf('p', gone, documentNamed(gone, {}), undefined)!,
  ]);
  assert.equal(last.unindexed, 302);
  assert.equal(committer.dueForIndexes, undefined);
  committer.run(batch(300));
  assert.equal(last.unindexed, 402);
  committer.readAhead();
  committer.run([...batch(400), ...batch(500).slice(0, 10)]);
  assert.equal(last.unindexed, 512);
  assert.equal(index.position(), 0);
  // In the row of the deleted one, or in the next: both are right.
  committer.run([create('next', { name: 'sandal' })]);
  assert.equal(last.unindexed, 1);
  assert.equal(index.position(), 512);
  assert.deepEqual(await checkDatabase(index.db, () => {}), []);
  assert.equal(committer.follow(), undefined);
  assert.equal(index.position(), 513);
  assert.deepEqual(await checkDatabase(index.db, () => {}), []);
});

test('from 400 changes on the index is due between the commits', async () => {
  using index = openTestIndex([]);
  const { committer, last } = open(index);
  committer.run(Array.from({ length: 250 }, (_, n) => create(`r${n}`, { name: `shoe number ${n}` })));
  assert.equal(committer.follow(), undefined);
  const version = (n: number, at: number) => ({
    current: { ...documentOf(`r${n}`, { name: `boot ${n}` }), version: at },
  });
  const update = (n: number, from: number) =>
    operationOf(
      'p',
      `r${n}`,
      from === 1 ? documentNamed(`r${n}`, { name: `shoe number ${n}` }) : version(n, from),
      version(n, from + 1),
    )!;
  committer.run(Array.from({ length: 200 }, (_, n) => update(n, 1)));
  committer.run(Array.from({ length: 199 }, (_, n) => update(n, 2)));
  committer.readAhead();
  assert.equal(committer.dueForIndexes, undefined);
  committer.run([create('last', {})]);
  assert.equal(committer.dueForIndexes, 'follow');
  assert.equal(last.unindexed, 400);
  assert.equal(committer.follow(), undefined);
  assert.equal(committer.dueForIndexes, undefined);
  assert.deepEqual(await checkDatabase(index.db, () => {}), []);
});

test('large documents count as several changes: the index is due after few of them', async () => {
  using index = openTestIndex([]);
  const { committer } = open(index);
  const text = 'word '.repeat(20_000);
  committer.run([create('a', { text })]);
  assert.equal(committer.dueForIndexes, undefined);
  committer.run([create('b', { text })]);
  assert.equal(committer.dueForIndexes, 'read');
  committer.readAhead();
  assert.equal(committer.dueForIndexes, undefined);
  committer.run(Array.from({ length: 16 }, (_, n) => create(`c${n}`, { text })));
  assert.equal(committer.dueForIndexes, 'follow');
  assert.equal(committer.follow(), undefined);
  assert.equal(committer.dueForIndexes, undefined);
  assert.deepEqual(await checkDatabase(index.db, () => {}), []);
});

test('nothing is kept of a create that was rolled back: another one may have its number and its row', async () => {
  using index = openTestIndex([]);
  const { committer, last } = open(index);
  index.db.exec(`CREATE TEMP TRIGGER refused BEFORE INSERT ON idempotent_answer WHEN NEW.scope = 'refused'
    BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`);
  const expiresAtMs = Date.now() + 60_000;
  const response = { scope: 'refused', requestHash: 'hash', status: 201, headers: {}, body: '', expiresAtMs };
  committer.run([create('first', { name: 'green shoe' })]);
  committer.readAhead();
  const [, lost] = create('lost', { name: 'red shoe' });
  committer.run([['write', { ...lost, response }]]);
  assert.match(JSON.stringify(last.results), /refused by the test/);
  committer.run([['group', [create('stored', { name: 'blue boot' })]]]);
  assert.deepEqual(last.results, ['committed']);
  assert.equal(committer.follow(), undefined);
  assert.equal(index.position(), 2);
  assert.deepEqual(await checkDatabase(index.db, () => {}), []);
});

test('a commit that brings the index up to date first does so where none of its own changes can be applied', async () => {
  using index = openTestIndex([]);
  const { committer, last } = open(index);
  committer.run(Array.from({ length: 512 }, (_, n) => create(`r${n}`, { name: `shoe ${n}` })));
  assert.equal(last.unindexed, 512);
  committer.run([create('r7', { name: 'again' })]);
  assert.deepEqual(last, { results: ['idTaken'], unindexed: 0 });
  assert.equal(index.position(), 512);
  assert.deepEqual(await checkDatabase(index.db, () => {}), []);
});

test('while the indexes are built again queries are refused and writes go on, until the last portion', async () => {
  using index = openTestIndex([]);
  bringIndexesUpToDate(followedOn(index.db), [], () => {}, 0);
  const { committer, last } = open(index);
  committer.run(Array.from({ length: 10 }, (_, n) => create(`r${n}`, { name: `shoe number ${n}` })));
  assert.deepEqual(last.results, new Array(10).fill('committed'));
  committer.run([['catchUp', 'p']]);
  const [refused] = last.results as readonly { readonly failure: string; readonly message: string }[];
  assert.equal(refused?.failure, 'rebuilding');
  assert.match(refused?.message ?? '', /being rebuilt \(0 % done\)/);
  // What the log and its upkeep need follows all the same.
  committer.run([['catchUp']]);
  assert.deepEqual([last.results, index.position()], [[[]], 10]);
  assert.equal(committer.rebuildPortion(), undefined);
  assert.equal(committer.isRebuilding, false);
  committer.run([['catchUp', 'p']]);
  assert.deepEqual(last.results, [[]]);
  assert.deepEqual(await checkDatabase(index.db, () => {}), []);
});

test('a damaged record of a change does not keep the indexes from being built again', async () => {
  using index = openTestIndex([]);
  bringIndexesUpToDate(followedOn(index.db), [], () => {}, 0);
  const { committer, last } = open(index);
  committer.run([create('a', { name: 'shoe' }), create('b', { name: 'boot' })]);
  index.db.exec('UPDATE change SET checksum = checksum + 1 WHERE sequence = 1');
  while (committer.isRebuilding) assert.equal(committer.rebuildPortion(), undefined);
  committer.run([['catchUp', 'p']]);
  assert.deepEqual(last.results, [[]]);
  index.db.exec('UPDATE change SET checksum = checksum - 1 WHERE sequence = 1');
  assert.deepEqual(await checkDatabase(index.db, () => {}), []);
});
