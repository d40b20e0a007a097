import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeAll, SegmentMerger } from '../../../src/index/terms/merge-segments.ts';
import { SegmentList } from '../../../src/index/terms/segments.ts';
import { openTermReader } from '../../../src/index/terms/term-reader.ts';
import { createTermWriter } from '../../../src/index/terms/term-writer.ts';
import { splitTerm } from '../../../src/index/terms/word-terms.ts';
import { migrate } from '../../../src/record/sqlite/open/migrate.ts';
import { isOutsideFault } from '../../../src/sqlite/connection.ts';
import { testSeed } from '../../seed.ts';

/** So small that a term has several blocks, and a segment too. */
const sizes = { bytes: 40, postings: 8 };

/** Terms that share beginnings, some with marks, and with letters of several bytes, in pairs of surrogates and behind them. */
const terms = [
  ...['p|c', 'p|c||en|a', 'p|c||en|a|n', 'p|c||en|ab', 'p|c||en|ab|2', 'p|c||en|é', 'p|c||en|木', 'q|c||en|a'],
  ...['p|c||en|\u{1f600}', 'p|c||en|\uff0a', `p|c|long|s${'x'.repeat(90)}`],
];
const absent = ['a', 'p|c||en|', 'p|c||en|aa', 'p|c||en|b', 'zz'];
const ranges = [
  ['p|c||en|a', 'p|c||en|ab'],
  ['p|c', 'q'],
  ['p|c||en|b', 'z'],
  ['x', 'y'],
] as const;

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** An index, and what it should have. */
class Checked {
  readonly db = new DatabaseSync(':memory:');
  readonly #writer;
  readonly #merger;
  readonly #expected = new Map<string, Set<number>>();

  constructor() {
    migrate(this.db);
    this.#writer = createTermWriter(this.db, sizes);
    this.#merger = new SegmentMerger(this.db, sizes);
  }

  add(row: number, some: readonly string[]): void {
    for (const [prefix, rest] of some.map(splitTerm)) this.#writer.add(row, [rest], prefix);
    for (const term of some) this.#expected.set(term, (this.#expected.get(term) ?? new Set()).add(row));
  }

  remove(row: number, some: readonly string[]): void {
    for (const [prefix, rest] of some.map(splitTerm)) this.#writer.remove(row, [rest], prefix);
    for (const term of some) this.#expected.get(term)?.delete(row);
  }

  flush(): void {
    this.#writer.flush();
  }

  merge(bytes: number): void {
    this.#merger.merge(bytes);
  }

  beginWhole(): void {
    this.#merger.beginAtRest(1);
  }

  segments(): number {
    return new SegmentList(this.db).read().length;
  }

  rowsOf(term: string): readonly number[] {
    return [...(this.#expected.get(term) ?? [])].sort((a, b) => a - b);
  }

  check(): void {
    const all = [...absent, ...terms];
    const present = terms.filter((term) => this.rowsOf(term).length > 0).sort(byBytes);
    const reader = openTermReader(this.db);
    const read = reader.read(all);
    for (const [at, term] of all.entries()) assert.deepEqual([...read[at]!], this.rowsOf(term), term);
    for (const beginning of ['', 'p|c||en|a', 'p|', 'p|c||en|木', 'nothing']) {
      const found = new Map<string, readonly number[]>();
      reader.readBeginning(beginning, (term, rows) => found.set(term, [...rows]));
      const wanted = present.filter((term) => term.startsWith(beginning));
      assert.deepEqual([...found.keys()], wanted, beginning);
      for (const [term, rows] of found) assert.deepEqual(rows, this.rowsOf(term), term);
      const either = new Set(wanted.flatMap((term) => this.rowsOf(term)));
      assert.deepEqual(
        [...reader.readAllOf(beginning, () => {})],
        [...either].sort((a, b) => a - b),
      );
    }
    const head = 'p|c||en|';
    const words = reader.readWords(head, '', '\u{10ffff}', Number.POSITIVE_INFINITY, -1);
    const known = present.filter((term) => term.startsWith(head) && !term.slice(head.length).includes('|'));
    assert.deepEqual(
      known.map((term) => term.slice(head.length)).filter((word) => !words.includes(word)),
      [],
    );
    assert.deepEqual(words, [...new Set(words)].filter((word) => !word.includes('|')).sort(byBytes));
    assert.deepEqual(reader.readWords(head, '', '\u{10ffff}', 2, -1), words.slice(0, 2));
    assert.deepEqual(reader.readWords(head, '', '\u{10ffff}', 2, reader.stamp), []);
    const marked: string[] = [];
    reader.readBeginning('p|c', (term) => marked.push(term), ['|n', '|2']);
    assert.deepEqual(
      marked,
      present.filter((term) => term.startsWith('p|c') && /\|[n2]$/.test(term)),
    );
    for (const [from, to] of ranges) for (const most of [1, 40]) this.#checkRange(from, to, most, present);
  }

  #checkRange(from: string, to: string, most: number, present: readonly string[]): void {
    const found: string[] = [];
    for (let next: string | undefined = from; next !== undefined; ) {
      const last = openTermReader(this.db).readRange(next, to, most, (term, rows) => {
        found.push(term);
        assert.deepEqual([...rows], this.rowsOf(term), term);
      });
      next = last && `${last}\0`;
    }
    assert.deepEqual(
      found,
      present.filter((term) => byBytes(term, from) >= 0 && byBytes(term, to) < 0),
      `from ${from} to ${to}, ${most} rows at a time`,
    );
  }
}

const rowNumber = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 100 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 ** 31 - 1 }) },
);
const write = fc.record({
  rows: fc.uniqueArray(rowNumber, { maxLength: 70 }),
  terms: fc.subarray(terms, { minLength: 1 }),
  isRemoval: fc.boolean(),
});
/** Several writes in one transaction: what is removed there may be added again. */
const writes = fc.array(write, { minLength: 1, maxLength: 3 });
const merge = fc.constantFrom('step', 'steps', 'whole');
const anyStep = fc.oneof({ weight: 4, arbitrary: writes }, { weight: 1, arbitrary: merge });

test('the rows of terms are those that were written, after any history of writes, removals and merges', () => {
  let [several, merged] = [0, 0];
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 15, maxLength: 40, size: 'max' }), (steps) => {
      const index = new Checked();
      for (const step of steps) {
        const before = index.segments();
        if (step === 'step') index.merge(1);
        else if (step === 'steps') index.merge(200);
        else if (step === 'whole') {
          index.beginWhole();
          index.merge(300);
        } else {
          for (const { rows, terms: some, isRemoval } of step) {
            for (const row of rows) isRemoval ? index.remove(row, some) : index.add(row, some);
          }
          index.flush();
        }
        if (index.segments() > 1) several += 1;
        if (index.segments() < before) merged += 1;
        if (typeof step === 'string') index.check();
      }
      index.check();
      index.db.close();
    }),
    { seed: testSeed, numRuns: 20 },
  );
  assert.ok(several > 50 && merged > 5, `${several}, ${merged}`);
});

test('a level with ten segments is merged into one of the next; nothing of rows that are gone is left in the last', () => {
  const index = new Checked();
  for (let at = 1; at <= 100; at += 1) {
    index.add(at, terms);
    if (at > 1) index.remove(at - 1, terms);
    index.flush();
    index.merge(1_000_000);
  }
  assert.equal(index.segments(), 1);
  index.check();
  const { bytes } = index.db.prepare('SELECT sum(length(block)) AS bytes FROM posting').get() as { bytes: number };
  assert.ok(bytes < 500, `${bytes} bytes for a row`);
  index.db.close();
});

test('changes of no term write no segment, however many there are', () => {
  const index = new Checked();
  index.add(1, terms);
  index.flush();
  const writer = createTermWriter(index.db, sizes);
  for (let row = 1; row <= 20; row += 1) {
    writer.remove(row, [], 'p|c||en|');
    writer.add(row, [], '');
    assert.equal(writer.flush(), 0);
  }
  assert.equal(index.segments(), 1);
  index.check();
  index.db.close();
});

test('at rest all segments are merged into one where those beside the largest have a share', () => {
  const index = new Checked();
  for (let batch = 0; batch < 5; batch += 1) {
    for (let row = 1; row <= 20_000; row += 1) index.add(20_000 * batch + row, ['p|c', `p|c|n|n${row}`]);
    index.flush();
  }
  assert.equal(index.segments(), 5);
  mergeAll(index.db);
  assert.equal(index.segments(), 1);
  index.add(1, ['p|c||en|a']);
  index.flush();
  mergeAll(index.db);
  assert.equal(index.segments(), 2, 'a lone write does not have all of it written anew');
  for (const row of [2, 3]) {
    index.add(row, ['p|c||en|a']);
    index.flush();
  }
  assert.equal(index.segments(), 4);
  mergeAll(index.db);
  assert.equal(index.segments(), 2, 'several are merged with each other');
  assert.equal(openTermReader(index.db).read(['p|c'])[0]!.length, 100_000);
  index.db.close();
});

test('a damaged block is found by its checksum, and is no fault of the query', () => {
  const index = new Checked();
  for (let row = 1; row <= 100; row += 1) index.add(row, terms);
  index.flush();
  index.db.exec("UPDATE posting SET block = CAST(substr(block, 1, length(block) - 1) || x'07' AS BLOB)");
  const isDamage = (error: Error) => /term index is damaged/.test(error.message) && isOutsideFault(error);
  assert.throws(() => openTermReader(index.db).read(['p|c']), isDamage);
  assert.throws(() => openTermReader(index.db).readBeginning('p', () => {}), isDamage);
  index.db.close();
});
