import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isAccented } from '#words';
import type { JsonObject } from '../../../src/contract/json.ts';
import { compareUtf8 } from '../../../src/domain/predicate/scalar.ts';
import { wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';
import { FollowedColumn } from '../../../src/index/search/columns/column.ts';
import type { Columns } from '../../../src/index/search/columns/columns.ts';
import { IdOrder } from '../../../src/index/search/columns/id-order.ts';
import { rowsOfProject } from '../../../src/index/search/columns/term-entries.ts';
import { valueColumn } from '../../../src/index/search/columns/value-column.ts';
import { Vocabularies } from '../../../src/index/search/words/vocabularies.ts';
import { keptRecords } from '../../../src/record/sqlite/log/change-source.ts';
import { documentOf } from '../document-of.ts';
import { mergeWhole, openTestIndex, type TestIndex } from './open-test-index.ts';
import { columnsOn, followedOn } from './parts-on.ts';

const policy = { leastRows: 0 };

function positionOf({ db }: TestIndex, projectKey = 'p') {
  return { db, projectKey, staged: false };
}

function write(index: TestIndex, id: string, fields: JsonObject, projectKey = 'p'): void {
  index.write(projectKey, id, { current: documentOf(id, fields) });
}

const valuesIn = (columns: Columns, index: TestIndex, field: string, rows: number) =>
  columns.of(
    positionOf(index),
    index.position(),
    field,
    rows,
    () => new FollowedColumn(positionOf(index), valueColumn([field])),
  );

const orderIn = (columns: Columns, index: TestIndex) =>
  columns.of(positionOf(index), index.position(), 'ids', 1, () => new IdOrder(index.db, 'p'))!;

test('a column of a path with very many values in a row has one list of them, whose size counts', () => {
  using index = openTestIndex([]);
  const values = Array.from({ length: 5000 }, (_, n) => n);
  for (const id of ['a', 'b']) write(index, id, { v: values });
  write(index, 'c', { v: 1 });
  const columnIn = (bytes: number) => valuesIn(columnsOn(index.db, { leastRows: 0, maxBytes: bytes }), index, 'v', 3);
  const ready = columnIn(64 * 1024 * 1024);
  assert.ok(ready);
  const { column, maker } = ready;
  assert.equal(column.several.length, 2);
  assert.equal(column.rows.count(rowsOfProject(positionOf(index)), new Int32Array(maker.scalars.length + 2)).length, 2);
  for (const list of column.several) {
    assert.deepEqual(list.map((value) => maker.scalars[value - 2]!.term).sort(), values.map(String).sort());
  }
  // The numbers in the lists take 80,000 bytes.
  assert.equal(columnIn(maker.bytes() + 60_000), undefined);
});

describe('the vocabulary', () => {
  const text = fc.array(fc.constantFrom('red', 'shoe', 'Straße', '|', 'x|2', '日本', "it's", '3.5'), { maxLength: 4 });
  const document = fc.record({ name: fc.record({ en: text, 'de-AT': text }), note: text });
  const writes = fc.array(fc.tuple(fc.nat(3), fc.option(document), fc.option(document)), { maxLength: 12 });

  test('has the words of the documents, whatever was written and deleted, and exactly these once the index is merged', () => {
    fc.assert(
      fc.property(writes, (all) => {
        using index = openTestIndex([]);
        const known = new Map<string, readonly JsonObject[]>();
        const followed = new Vocabularies(index.db);
        for (const [at, current, staged] of all) {
          const id = `r${at}`;
          const documents = current && {
            current: documentOf(id, current as never),
            ...(staged && { staged: documentOf(id, staged as never) }),
          };
          index.write('p', id, documents ?? undefined);
          if (documents) known.set(id, Object.values(documents));
          else known.delete(id);
          // Has read the words that there are by now.
          for (const locale of ['en', 'de-AT', '']) followed.of('p', locale).near('unknown', 1);
        }
        const expected = new Set<string>();
        for (const each of [...known.values()].flat()) {
          for (const [locale, words] of wordsOfDocument(each))
            for (const word of words.places.keys()) expected.add(`${locale} ${word}`);
        }
        const words = () => {
          const vocabularies = new Vocabularies(index.db);
          const inLocale = (locale: string) => vocabularies.of('p', locale).beginning('');
          return vocabularies.locales('p').flatMap((locale) => inLocale(locale).map((word) => `${locale} ${word}`));
        };
        assert.deepEqual([...expected.difference(new Set(words()))], []);
        for (const each of expected) {
          const [locale = '', word = ''] = each.split(' ');
          // What is written with accents resembles nothing by itself.
          const isNear = followed.of('p', locale).near(`${word}x`, 1).includes(word);
          assert.equal(isNear, !isAccented(word), `${each} has come since`);
        }
        mergeWhole(index.db);
        assert.deepEqual(words().sort(), [...expected].sort());
      }),
      { numRuns: 20 },
    );
  });

  test('learns words that are born after it was read, by groups and as a whole', () => {
    using index = openTestIndex([]);
    write(index, 'a', { name: { en: 'shoes' } });
    const vocabularies = new Vocabularies(index.db);
    const words = () => vocabularies.of('p', 'en');
    assert.deepEqual(words().forms('shoe', 'en'), ['shoes']);
    write(index, 'b', { name: { en: 'shoe' } });
    assert.deepEqual(words().forms('shoe', 'en').toSorted(), ['shoe', 'shoes']);
    assert.deepEqual(words().near('shoee', 1).toSorted(), ['shoe', 'shoes']);
    write(index, 'c', { name: { en: 'shore' } });
    assert.deepEqual(words().near('shoee', 1).toSorted(), ['shoe', 'shoes', 'shore']);
  });
});

test('a vocabulary whose reading the deadline interrupted is read by later searches', () => {
  using index = openTestIndex([]);
  // More than are read at once.
  const words = Array.from({ length: 45_000 }, (_, at) => `w${at.toString(36)}`);
  for (let from = 0; from < words.length; from += 5000) {
    write(index, `r${from}`, { name: words.slice(from, from + 5000).join(' ') });
  }
  let isOver = true;
  const vocabularies = new Vocabularies(index.db, () => {
    if (isOver) throw new Error('out of time');
  });
  const near = () => vocabularies.of('p', '').near('wzzzz', 1);
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
      const orders = columnsOn(index.db, policy);
      const ids = new Set<string>();
      for (const [at, [each, present]] of steps.entries()) {
        if (present) write(index, each, {});
        else index.write('p', each, undefined);
        if (present) ids.add(each);
        else ids.delete(each);
        if (at % 3 !== 0) continue;
        const order = orderIn(orders, index);
        const rows = index.db.prepare('SELECT row, id FROM resource').all() as { row: number; id: string }[];
        const ordered = rows.sort((a, b) => order.positionOf(a.row) - order.positionOf(b.row)).map((row) => row.id);
        assert.deepEqual(ordered, [...ids].sort(compareUtf8));
      }
    }),
    { numRuns: 20 },
  );
});

test('the order of ids is made anew where no place is left between two', () => {
  using index = openTestIndex([]);
  for (const each of ['a', 'b']) write(index, each, {});
  const orders = columnsOn(index.db, policy);
  let last = 'a';
  for (let at = 0; at < 70; at += 1) {
    last += 'a';
    write(index, last, {});
    const order = orderIn(orders, index);
    const rows = index.db.prepare('SELECT row FROM resource ORDER BY id').all() as { row: number }[];
    for (const [scope, { row }] of rows.entries()) {
      if (scope === 0) continue;
      assert.ok(order.positionOf(rows[scope - 1]!.row) < order.positionOf(row), `after ${at + 1} ids`);
    }
  }
});

describe('a column', () => {
  function termsOf(index: TestIndex, columns: Columns, rows = 1): readonly string[] | undefined {
    const ready = valuesIn(columns, index, 'n', rows);
    if (!ready) return undefined;
    const all = index.db.prepare('SELECT row FROM resource WHERE project_key = ? ORDER BY id').all('p') as {
      row: number;
    }[];
    return all.map(({ row }) =>
      ready.column
        .valuesOf(ready.column.rows.get(row))
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
    assert.deepEqual(termsOf(index, columnsOn(index.db, policy)), terms);
  });

  test('is built by the search with which those before have read as many documents as it has', () => {
    using index = openTestIndex([]);
    for (let at = 0; at < 30; at += 1) write(index, `r${at}`, { n: at });
    const columns = columnsOn(index.db, { leastRows: 100 });
    assert.equal(termsOf(index, columns, 40), undefined);
    assert.equal(termsOf(index, columns, 40), undefined);
    assert.equal(termsOf(index, columns, 40)?.length, 30);
    // It is there now, for any number of rows.
    assert.equal(termsOf(index, columns, 1)?.length, 30);
  });

  test('follows updates, deletions and creations, and is made anew after more changes than have records', () => {
    using index = openTestIndex([]);
    for (const [id, n] of Object.entries({ a: 1, b: 2, c: 3 })) write(index, id, { n });
    const columns = columnsOn(index.db, policy);
    assert.deepEqual(termsOf(index, columns), ['1', '2', '3']);
    write(index, 'b', { n: 'two' });
    index.write('p', 'c', undefined);
    write(index, 'd', { n: 4 });
    write(index, 'e', { n: 5 }, 'other');
    assert.deepEqual(termsOf(index, columns), ['1', 'two', '4']);
    index.db.exec('BEGIN');
    const vocabularies = new Vocabularies(index.db);
    const words = () => vocabularies.of('p', '');
    assert.deepEqual(words().near('tow', 1), ['two']);
    write(index, 'b', { n: 'two', m: 'tew' });
    for (let at = 0; at < keptRecords + 200; at += 1) write(index, 'd', { n: at });
    index.db.exec('COMMIT');
    assert.deepEqual(words().near('tow', 1).toSorted(), ['tew', 'two']);
    const listed = index.db.prepare('SELECT count(*) AS n FROM change').get() as { n: number };
    assert.ok(listed.n <= keptRecords + 1024, 'old records are deleted');
    assert.deepEqual(termsOf(index, columns), ['1', 'two', String(keptRecords + 199)]);
  });

  test('from before a purge is made anew, however many changes follow the purge; so is a vocabulary', () => {
    using index = openTestIndex([]);
    for (const [id, n] of Object.entries({ a: 1, b: 2 })) write(index, id, { n });
    const columns = columnsOn(index.db, policy);
    const vocabularies = new Vocabularies(index.db);
    const words = () => vocabularies.of('p', '');
    assert.deepEqual([termsOf(index, columns), words().near('tow', 1)], [['1', '2'], []]);
    write(index, 'b', { n: 'two' });
    followedOn(index.db).source.purge();
    for (let at = 0; at < 2000; at += 1) write(index, 'a', { n: at });
    assert.deepEqual([termsOf(index, columns), words().near('tow', 1)], [['1999', 'two'], ['two']]);
  });

  test('that cannot be built because a row is damaged says so, and is built after the repair', () => {
    using index = openTestIndex([]);
    for (const [id, n] of Object.entries({ a: 1, b: '2024-01-01', c: 3 })) write(index, id, { n });
    const columns = columnsOn(index.db, policy);
    index.db.exec(`UPDATE resource SET current = replace(current, '"2024', '"2025') WHERE id = 'b'`);
    for (const _ of [1, 2]) assert.throws(() => termsOf(index, columns), { code: 'DataCorruption', status: 500 });
    index.db.exec(`UPDATE resource SET current = replace(current, '"2025', '"2024') WHERE id = 'b'`);
    assert.deepEqual(termsOf(index, columns), ['1', '2024-01-01', '3']);
  });

  test('whose building is interrupted again and again is built by the searches together, with what is written meanwhile', () => {
    using index = openTestIndex([]);
    const count = 1000;
    for (let at = 0; at < count; at += 1) write(index, `r${1000 + at}`, { n: '2024-01-01' });
    let steps = 0;
    const check = () => {
      steps += 1;
      if (steps % 7 === 0) throw new Error('out of time');
    };
    const columns = columnsOn(index.db, { leastRows: 0, check });
    let searches = 1;
    for (; searches < 10; searches += 1) {
      try {
        termsOf(index, columns);
        break;
      } catch (error) {
        assert.match(String(error), /out of time/);
        write(index, `r${1000 + searches}`, { n: searches });
      }
    }
    assert.ok(searches > 2 && searches < 10, `${searches} searches`);
    const expected = Array.from({ length: count }, (_, at) => (at > 0 && at < searches ? String(at) : '2024-01-01'));
    assert.deepEqual(termsOf(index, columns), expected);
  });
});
