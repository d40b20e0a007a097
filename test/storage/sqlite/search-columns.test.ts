import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import { compareUtf8 } from '../../../src/domain/predicate/scalar.ts';
import { wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';
import { keptRecords } from '../../../src/storage/sqlite/indexing/change-records.ts';
import { createBuildPolicy } from '../../../src/storage/sqlite/search/build-policy.ts';
import { valuesOf } from '../../../src/storage/sqlite/search/columns/column.ts';
import { createColumns } from '../../../src/storage/sqlite/search/columns/columns.ts';
import { firstById } from '../../../src/storage/sqlite/search/columns/first-by-id.ts';
import { createIdOrders, type IdOrder } from '../../../src/storage/sqlite/search/columns/id-order.ts';
import { eachEntry } from '../../../src/storage/sqlite/search/columns/term-entries.ts';
import { valueColumn } from '../../../src/storage/sqlite/search/columns/value-column.ts';
import { createVocabularies } from '../../../src/storage/sqlite/search/known/vocabulary.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex, type TestIndex } from './open-test-index.ts';

const policy = createBuildPolicy(() => {}, 0);

function positionOf({ db }: TestIndex, projectKey = 'p') {
  return { db, projectKey, staged: false };
}

function write(index: TestIndex, id: string, fields: JsonObject, projectKey = 'p'): void {
  index.write(projectKey, id, { current: documentOf(id, fields) });
}

const positionIn = (order: IdOrder, row: number) => order(Uint32Array.of(row))[0]!;

test('a column of a path with very many values in a row has one list of them, whose size counts', () => {
  using index = openTestIndex([]);
  const values = Array.from({ length: 5000 }, (_, n) => n);
  for (const id of ['a', 'b']) write(index, id, { v: values });
  write(index, 'c', { v: 1 });
  const columnIn = (bytes: number) =>
    createColumns(index.db, policy, bytes).of(positionOf(index), index.position(), 'v', () => valueColumn(['v']), 3);
  const ready = columnIn(64 * 1024 * 1024);
  assert.ok(typeof ready === 'object');
  const { column, maker } = ready;
  assert.deepEqual(
    [column.several.length, column.severalNumbers, column.severalRows, column.singleRows],
    [2, 10_000, 2, 1],
  );
  for (const list of column.several) {
    assert.deepEqual(list.map((value) => maker.scalars[value - 2]!.term).sort(), values.map(String).sort());
  }
  // The numbers in the lists take 80,000 bytes.
  assert.equal(columnIn(maker.bytes() + 60_000), 'tooLarge');
});

test('entries of a range are the same in chunks of any size, also where one term has more than fit', () => {
  using index = openTestIndex([]);
  for (let at = 0; at < 12; at += 1) write(index, `r${at}`, { color: at < 7 ? 'blue' : `c${at % 3}` });
  const read = (chunk: number) => {
    const entries: (readonly [string, number])[] = [];
    const range = { from: 'color|', to: 'color}' };
    const take = (term: string, rows: Uint32Array) => entries.push(...[...rows].map((row) => [term, row] as const));
    for (const _ of eachEntry(positionOf(index), 'c', range, take, chunk));
    return entries.sort(([, a], [, b]) => a - b);
  };
  const whole = read(1000);
  assert.equal(whole.length, 12);
  for (const chunk of [1, 2, 3, 5, 7, 11, 12]) assert.deepEqual(read(chunk), whole, `chunks of ${chunk}`);
});

describe('the vocabulary', () => {
  const text = fc.array(fc.constantFrom('red', 'shoe', 'Straße', '|', 'x|2', '日本', "it's", '3.5'), { maxLength: 4 });
  const document = fc.record({ name: fc.record({ en: text, 'de-AT': text }), note: text });
  const writes = fc.array(fc.tuple(fc.nat(3), fc.option(document), fc.option(document)), { maxLength: 12 });

  test('has exactly the words of the documents, whatever was written and deleted', () => {
    fc.assert(
      fc.property(writes, (all) => {
        using index = openTestIndex([]);
        const known = new Map<string, readonly JsonObject[]>();
        for (const [at, current, staged] of all) {
          const id = `r${at}`;
          const documents = current && {
            current: documentOf(id, current as never),
            ...(staged && { staged: documentOf(id, staged as never) }),
          };
          index.write('p', id, documents ?? undefined);
          if (documents) known.set(id, Object.values(documents));
          else known.delete(id);
        }
        const expected = new Set<string>();
        for (const each of [...known.values()].flat()) {
          for (const [locale, words] of wordsOfDocument(each))
            for (const word of words.places.keys()) expected.add(`${locale} ${word}`);
        }
        const rows = index.db.prepare("SELECT locale || ' ' || word AS word FROM word").all() as { word: string }[];
        assert.deepEqual(rows.map(({ word }) => word).sort(), [...expected].sort());
      }),
      { numRuns: 20 },
    );
  });

  test('learns words that are born after it was read, by groups and as a whole', () => {
    using index = openTestIndex([]);
    write(index, 'a', { name: { en: 'shoes' } });
    const vocabularies = createVocabularies(index.db, policy);
    const words = () => vocabularies.of('p', 'en', index.position());
    assert.deepEqual(words().forms('shoe', 'en'), ['shoes']);
    write(index, 'b', { name: { en: 'shoe' } });
    assert.deepEqual(words().forms('shoe', 'en').toSorted(), ['shoe', 'shoes']);
    assert.deepEqual(words().near('shoee', 1).toSorted(), ['shoe', 'shoes']);
    write(index, 'c', { name: { en: 'shore' } });
    assert.deepEqual(words().near('shoee', 1).toSorted(), ['shoe', 'shoes', 'shore']);
  });
});

test('a vocabulary whose reading the deadline interrupted is read to its end by later searches', () => {
  using index = openTestIndex([]);
  // More than two portions.
  const words = Array.from({ length: 45_000 }, (_, at) => `w${at.toString(36)}`);
  for (let from = 0; from < words.length; from += 5000) {
    write(index, `r${from}`, { name: words.slice(from, from + 5000).join(' ') });
  }
  let isOver = true;
  const vocabularies = createVocabularies(
    index.db,
    createBuildPolicy(() => {
      if (isOver) throw new Error('out of time');
    }),
  );
  const near = () => vocabularies.of('p', '', index.position()).near('wzzzz', 1);
  assert.throws(near, /out of time/);
  assert.throws(near, /out of time/);
  write(index, 'later', { name: 'wzzza' });
  isOver = false;
  assert.deepEqual(
    near().toSorted(),
    [...words, 'wzzza'].filter((word) => /^w(?:zzz|.zzz|z.zz|zz.z|zzz.)$/.test(word)).toSorted(),
  );
});

test('the order of ids is that of their bytes, whatever was written, deleted and written between', () => {
  const id = fc.string({
    unit: fc.constantFrom('a', 'b', 'Z', '\u{1f600}', '\uffff', '0'),
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.boolean()), { maxLength: 40 }), (steps) => {
      using index = openTestIndex([]);
      const orders = createIdOrders(index.db, policy);
      const ids = new Set<string>();
      for (const [at, [each, present]] of steps.entries()) {
        if (present) write(index, each, {});
        else index.write('p', each, undefined);
        if (present) ids.add(each);
        else ids.delete(each);
        if (at % 3 !== 0) continue;
        const order = orders.of('p', index.position(), 1)!;
        const rows = index.db.prepare('SELECT row, id FROM resource').all() as { row: number; id: string }[];
        const ordered = rows.sort((a, b) => positionIn(order, a.row) - positionIn(order, b.row)).map((row) => row.id);
        assert.deepEqual(ordered, [...ids].sort(compareUtf8));
      }
    }),
    { numRuns: 20 },
  );
});

test('an order of ids whose building the deadline interrupted is completed between searches', () => {
  using index = openTestIndex([]);
  const ids = Array.from({ length: 25_000 }, (_, at) => `i${at}`);
  index.db.exec('BEGIN');
  for (const each of ids) write(index, each, {});
  index.db.exec('COMMIT');
  const outOfTime = () => {
    throw new Error('out of time');
  };
  const orders = createIdOrders(index.db, createBuildPolicy(outOfTime, 0));
  assert.throws(() => orders.of('p', index.position(), 1), /out of time/);
  // In the part that was read, and in the other one.
  for (const each of ['i1x', 'i9x']) write(index, each, {});
  index.write('p', 'i2', undefined);
  while (orders.advance(index.position()));
  const order = orders.of('p', index.position(), 1)!;
  const rows = index.db.prepare('SELECT row, id FROM resource').all() as { row: number; id: string }[];
  assert.deepEqual(
    rows.sort((a, b) => positionIn(order, a.row) - positionIn(order, b.row)).map((row) => row.id),
    [...ids.filter((each) => each !== 'i2'), 'i1x', 'i9x'].sort(compareUtf8),
  );
});

test('the order of ids is made anew where no place is left between two', () => {
  using index = openTestIndex([]);
  for (const each of ['a', 'b']) write(index, each, {});
  const orders = createIdOrders(index.db, policy);
  let last = 'a';
  for (let at = 0; at < 70; at += 1) {
    last += 'a';
    write(index, last, {});
    const order = orders.of('p', index.position(), 1)!;
    const rows = index.db.prepare('SELECT row FROM resource ORDER BY id').all() as { row: number }[];
    for (const [scope, { row }] of rows.entries()) {
      if (scope === 0) continue;
      assert.ok(positionIn(order, rows[scope - 1]!.row) < positionIn(order, row), `after ${at + 1} ids`);
    }
  }
});

describe('a column', () => {
  function termsOf(
    index: TestIndex,
    columns: ReturnType<typeof createColumns>,
    rows = 1,
  ): readonly string[] | undefined {
    const ready = columns.of(positionOf(index), index.position(), 'n', () => valueColumn(['n']), rows);
    if (typeof ready === 'string') return undefined;
    const all = index.db.prepare('SELECT row FROM resource WHERE project_key = ? ORDER BY id').all('p') as {
      row: number;
    }[];
    return all.map(({ row }) =>
      valuesOf(ready.column, ready.column.rows.get(row))
        .map((value) => ready.maker.scalars[value - 2]?.term ?? '{}')
        .join(),
    );
  }

  test('has what the documents have: numbers with repeats, long texts, points in time, objects, nothing', () => {
    using index = openTestIndex([]);
    const long = 'x'.repeat(100);
    const values = [1, [5, 5, 6], long, '2024-01-01', ['a', 'b'], { a: 1 }, null, true, 1e21, -0.5];
    for (const [at, n] of values.entries()) write(index, `r${at}`, { n });
    const terms = ['1', '5,5,6', long, '2024-01-01', 'a,b', '{}', '', 'true', '1e+21', '-0.5'];
    assert.deepEqual(termsOf(index, createColumns(index.db, policy)), terms);
  });

  test('is built by the search with which those before have read as many documents as it has', () => {
    using index = openTestIndex([]);
    for (let at = 0; at < 30; at += 1) write(index, `r${at}`, { n: at });
    const columns = createColumns(
      index.db,
      createBuildPolicy(() => undefined, 100),
    );
    assert.equal(termsOf(index, columns, 40), undefined);
    assert.equal(termsOf(index, columns, 40), undefined);
    assert.equal(termsOf(index, columns, 40)?.length, 30);
    // It is there now, for any number of rows.
    assert.equal(termsOf(index, columns, 1)?.length, 30);
  });

  test('follows updates, deletions and creations, and is made anew after more changes than have records', () => {
    using index = openTestIndex([]);
    for (const [id, n] of Object.entries({ a: 1, b: 2, c: 3 })) write(index, id, { n });
    const columns = createColumns(index.db, policy);
    assert.deepEqual(termsOf(index, columns), ['1', '2', '3']);
    write(index, 'b', { n: 'two' });
    index.write('p', 'c', undefined);
    write(index, 'd', { n: 4 });
    write(index, 'e', { n: 5 }, 'other');
    assert.deepEqual(termsOf(index, columns), ['1', 'two', '4']);
    index.db.exec('BEGIN');
    const vocabularies = createVocabularies(index.db, policy);
    const words = () => vocabularies.of('p', '', index.position());
    assert.deepEqual(words().near('tow', 1), ['two']);
    write(index, 'b', { n: 'two', m: 'tew' });
    for (let at = 0; at < keptRecords + 200; at += 1) write(index, 'd', { n: at });
    index.db.exec('COMMIT');
    const { added } = index.db.prepare('SELECT count(*) AS added FROM added_word').get() as { added: number };
    assert.ok(added > 0 && added <= keptRecords + 1024, 'words that were added long ago are not listed any more');
    assert.deepEqual(words().near('tow', 1).toSorted(), ['tew', 'two'], 'a vocabulary of before is read again');
    const listed = index.db.prepare('SELECT count(*) AS n FROM change').get() as { n: number };
    assert.ok(listed.n <= keptRecords + 1024, 'old records are deleted');
    assert.deepEqual(termsOf(index, columns), ['1', 'two', String(keptRecords + 199)]);
  });

  test('that is not worth it at once is made in portions between searches, of what is written meanwhile too', () => {
    using index = openTestIndex([]);
    for (const [id, n] of Object.entries({ a: 1, b: '2024-01-01', c: 3 })) write(index, id, { n });
    const columns = createColumns(
      index.db,
      createBuildPolicy(() => {}),
    );
    assert.equal(termsOf(index, columns), undefined);
    columns.advance(index.position());
    write(index, 'a', { n: 'one' });
    write(index, 'd', { n: [4, 4] });
    while (columns.advance(index.position()));
    assert.deepEqual(termsOf(index, columns), ['one', '2024-01-01', '3', '4,4']);
  });

  test('that cannot be built between searches because a row is damaged: the next search says so, and one after the repair has it', () => {
    using index = openTestIndex([]);
    for (const [id, n] of Object.entries({ a: 1, b: '2024-01-01', c: 3 })) write(index, id, { n });
    let isWorth = false;
    const columns = createColumns(index.db, { isWorth: () => isWorth, check: () => {} });
    assert.equal(termsOf(index, columns), undefined);
    index.db.exec(`UPDATE resource SET current = replace(current, '"2024', '"2025') WHERE id = 'b'`);
    while (columns.advance(index.position()));
    isWorth = true;
    for (const _ of ['between searches', 'in the search']) {
      assert.throws(() => termsOf(index, columns), { code: 'DataCorruption', status: 500 });
    }
    index.db.exec(`UPDATE resource SET current = replace(current, '"2025', '"2024') WHERE id = 'b'`);
    assert.deepEqual(termsOf(index, columns), ['1', '2024-01-01', '3']);
  });

  test('whose building the deadline interrupted is completed between searches, and the next search has it', () => {
    using index = openTestIndex([]);
    for (const [id, n] of Object.entries({ a: 1, b: '2024-01-01', c: 3 })) write(index, id, { n });
    const outOfTime = () => {
      throw new Error('out of time');
    };
    const columns = createColumns(index.db, createBuildPolicy(outOfTime, 0));
    assert.throws(() => termsOf(index, columns), /out of time/);
    assert.throws(() => termsOf(index, columns), /out of time/, 'the second portion');
    write(index, 'b', { n: 2 });
    while (columns.advance(index.position()));
    assert.deepEqual(termsOf(index, columns), ['1', '2', '3']);
  });
});

test('of a large group the first rows are found along the ids, where these meet enough of them', () => {
  using index = openTestIndex([]);
  for (let at = 0; at < 400; at += 1) write(index, `i${(at * 7919) % 1000}`, {});
  write(index, 'a0', {}, 'other');
  const byId = index.db.prepare("SELECT row, id FROM resource WHERE project_key = 'p' ORDER BY id").all() as {
    row: number;
    id: string;
  }[];
  const from = { db: index.db, projectKey: 'p', resources: 400 };
  for (const share of [1, 2, 3]) {
    const expected = byId.filter((_, at) => at % share === 0).map(({ row }) => row);
    const group = Uint32Array.from(expected).sort();
    assert.deepEqual(firstById(from, group, 20, undefined, 0), expected.slice(0, 20), `every row of ${share}`);
    assert.equal(firstById(from, group, 20), undefined, 'the group is small');
  }
  const last = Uint32Array.from(byId.slice(-30), ({ row }) => row).sort();
  assert.equal(firstById(from, last, 1, undefined, 0), undefined, 'all of them are behind the ids that are read');
});
