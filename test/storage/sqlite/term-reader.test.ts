import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOutsideFault } from '../../../src/storage/sqlite/open/connection.ts';
import { migrate } from '../../../src/storage/sqlite/open/migrate.ts';
import { openTermReader } from '../../../src/storage/sqlite/search/postings/term-reader.ts';

function openIndex(): DatabaseSync & Disposable {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  // Small pages, so that a term has several of them.
  db.exec("INSERT INTO term (term, rank) VALUES ('pgsz', 64)");
  return db;
}

function segmentsOf(db: DatabaseSync): number {
  return (db.prepare('SELECT count(DISTINCT segid) AS n FROM term_idx').get() as { n: number }).n;
}

function matching(db: DatabaseSync, term: string): readonly number[] {
  const found = db.prepare('SELECT rowid AS row FROM term WHERE term MATCH ?').all(`"${term}"`);
  return (found as { row: number }[]).map(({ row }) => row);
}

/** Terms that share beginnings, some with marks, and with letters of several bytes. */
const terms = ['p|c', 'p|c||en|a', 'p|c||en|a|n', 'p|c||en|ab', 'p|c||en|ab|2', 'p|c||en|é', 'p|c||en|木', 'q|c||en|a'];
const ranges = [
  ['p|c||en|a', 'p|c||en|ab'],
  ['p|c', 'q'],
  ['p|c||en|b', 'z'],
  ['x', 'y'],
] as const;
const absent = ['a', 'p|c||en|', 'p|c||en|aa', 'p|c||en|b', 'zz'];

function checkAll(db: DatabaseSync): void {
  const all = [...absent, ...terms];
  const expected = new Map(all.map((term) => [term, matching(db, term)]));
  const present = terms.filter((term) => expected.get(term)!.length > 0).sort();
  const read = openTermReader(db).read(all);
  for (const [at, term] of all.entries()) assert.deepEqual([...read[at]!], expected.get(term), term);
  for (const beginning of ['p|c||en|a', 'p|', 'p|c||en|木', 'nothing']) {
    const found = new Map<string, readonly number[]>();
    openTermReader(db).readBeginning(beginning, (term, rows) => found.set(term, [...rows]));
    const wanted = present.filter((term) => term.startsWith(beginning));
    assert.deepEqual([...found.keys()], wanted, beginning);
    for (const [term, rows] of found) assert.deepEqual(rows, expected.get(term), term);
  }
  for (const [from, to] of ranges) {
    const wanted = present.filter((term) => term >= from && term < to);
    for (const most of [1, 40]) {
      const found: string[] = [];
      const take = (term: string, rows: Uint32Array) => {
        found.push(term);
        assert.deepEqual([...rows], expected.get(term), term);
      };
      for (let next: string | undefined = from; next !== undefined; ) {
        const last = openTermReader(db).readRange(next, to, most, take);
        assert.ok(last === undefined || last >= next, 'each portion goes on');
        next = last && `${last}\0`;
      }
      assert.deepEqual(found, wanted, `from ${from} to ${to}, ${most} rows at a time`);
    }
  }
}

/** As SQLite says of a page that is damaged: a fault of the disk, which ends no thread. */
const isDamage = (error: Error) => /term index is damaged/.test(error.message) && isOutsideFault(error);

const rowNumber = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 100 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 ** 31 - 1 }) },
);
const write = fc.record({
  rows: fc.uniqueArray(rowNumber, { maxLength: 70 }),
  terms: fc.subarray(terms, { minLength: 1 }),
  isDelete: fc.boolean(),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;
/** Several writes in one transaction: what is removed there may be added again. */
const writes = fc.array(write, { minLength: 1, maxLength: 3 });
const merge = fc.record({ merge: fc.constantFrom(1, 3, -2, -16) });
const history = fc.array(fc.oneof({ weight: 3, arbitrary: writes }, { weight: 1, arbitrary: merge }), {
  maxLength: 14,
});

test('the rows of terms are those that FTS5 finds, after any history of writes, deletions and merges', () => {
  let [several, gone] = [0, 0];
  fc.assert(
    fc.property(history, (steps) => {
      using db = openIndex();
      const present = new Map<number, Set<string>>();
      const insert = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
      const remove = db.prepare("INSERT INTO term (term, rowid, t) VALUES ('delete', ?, ?)");
      const apply = ({ rows, terms: some, isDelete }: Write): void => {
        for (const row of rows.toSorted((a, b) => a - b)) {
          const own = present.get(row) ?? new Set();
          present.set(row, own);
          // As the service does: only what a row has is removed, and only what it has not is added.
          const changed = some.filter((term) => own.has(term) === isDelete);
          if (changed.length === 0) continue;
          (isDelete ? remove : insert).run(row, changed.join(' '));
          for (const term of changed) isDelete ? own.delete(term) : own.add(term);
          if (isDelete) gone += 1;
        }
      };
      for (const step of steps) {
        db.exec('BEGIN');
        if ('merge' in step) db.prepare("INSERT INTO term (term, rank) VALUES ('merge', ?)").run(step.merge);
        else for (const each of step) apply(each);
        db.exec('COMMIT');
        checkAll(db);
      }
      if (segmentsOf(db) > 1) several += 1;
    }),
    { numRuns: 150 },
  );
  assert.ok(several > 5 && gone > 50, `${several} histories with several segments, ${gone} rows without a term again`);
});

test('a term of very many rows is read out of all of its pages', () => {
  using db = openIndex();
  const insert = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  db.exec('BEGIN');
  for (let row = 1; row <= 20_000; row += 1) insert.run(7 * row, row % 3 === 0 ? 'p|c p|c||en|a' : 'p|c');
  db.exec('COMMIT');
  assert.equal(matching(db, 'p|c').length, 20_000);
  checkAll(db);
});

test('pages that FTS5 did not write are an error, and are not read beyond their end', () => {
  const damage: readonly ((page: Buffer) => Buffer)[] = [
    (page) => page.subarray(0, page.length - 20),
    (page) => Buffer.concat([page.subarray(0, 2), Buffer.from([0xff, 0xff]), page.subarray(4)]),
    (page) => Buffer.concat([page.subarray(0, 4), Buffer.alloc(page.length - 4, 0xff)]),
    () => Buffer.alloc(0),
  ];
  for (const [at, change] of damage.entries()) {
    using db = openIndex();
    const insert = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
    for (let row = 1; row <= 5; row += 1) insert.run(row, terms.join(' '));
    const pages = db.prepare('SELECT id, block FROM term_data WHERE id > 10').all();
    assert.ok(pages.length > 0);
    db.enableDefensive(false);
    for (const { id, block } of pages as { id: number; block: Uint8Array }[]) {
      db.prepare('UPDATE term_data SET block = ? WHERE id = ?').run(change(Buffer.from(block)), id);
    }
    assert.throws(() => openTermReader(db).read(terms), isDamage, `damage ${at}`);
    assert.throws(() => openTermReader(db).readRange('', '~', 1000, () => {}), isDamage, `damage ${at}, a range`);
  }
});
