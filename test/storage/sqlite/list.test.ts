import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Predicate } from '../../../src/domain/predicate/ast.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { compilePredicate } from '../../../src/index/plan/compile-predicate.ts';
import { normalise } from '../../../src/index/plan/normalise.ts';
import { raw, render, sql } from '../../../src/index/plan/sql.ts';
import { compileExists, compileList } from '../../../src/index/query/plan-list.ts';
import { runExists, runList } from '../../../src/index/query/run-list.ts';
import { encodeScalar } from '../../../src/index/terms/term-encoding.ts';
import { documentOf } from '../document-of.ts';
import { addTerm, openTestIndex, type TestIndex } from './open-test-index.ts';

const deadline = { check() {} };
const variables = new Map<string, readonly string[]>();
const parse = (text: string) => parsePredicate(text, { variables });

function query(where: string, more: Partial<ListQuery> = {}): ListQuery {
  const parsed = where === '' ? [] : [parse(where)];
  return { projectKey: 'p', where: parsed, sort: [], limit: 20, offset: 0, withTotal: true, staged: false, ...more };
}

function list(index: TestIndex, asked: ListQuery, maxPageBytes = 1e9) {
  const { results, count, total } = runList(index.db, compileList(asked, []), deadline, maxPageBytes);
  const ids = (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id);
  return { ids, count, total };
}

function openWith(fields: readonly JsonObject[]): TestIndex {
  const index = openTestIndex([]);
  for (const [at, each] of fields.entries()) index.write('p', `r${at}`, { current: documentOf(`r${at}`, each, at) });
  return index;
}

const tens = Array.from({ length: 10 }, (_, at) => ({ n: at, even: at % 2 === 0 }));

/** Predicate, its condition in SQL, and the values that are bound. */
const statements: readonly (readonly [string, string, readonly unknown[]])[] = [
  [
    'a = 12345678901234567',
    'satisfies(?1, r.current -> ?2, ?3)',
    ['a', '$."a"', '{"kind":"in","path":["a"],"values":[{"type":"number","value":12345678901234567}]}'],
  ],
  [
    'a = 1 or b is empty',
    "satisfies('', r.current, ?1)",
    [
      '{"kind":"or","of":[{"kind":"in","path":["a"],"values":[{"type":"number","value":1}]},{"kind":"empty","path":["b"]}]}',
    ],
  ],
  ['key != "x"', '((r.key = ?1) IS NOT TRUE)', ['x']],
  ['id > "x" or version <= 3', '(r.id > ?1 OR r.version <= ?2)', ['x', 3n]],
  ['createdAt >= "2024-01-01T01:00+01:00"', 'r.created_at >= ?1', ['2024-01-01T00:00:00']],
  ['key is not defined', '((r.key IS NOT NULL) IS NOT TRUE)', []],
  ['version = "3"', 'FALSE', []],
];

for (const [source, text, values] of statements) {
  test(`the condition ${source} compiles to this SQL, and SQLite takes it`, () => {
    const [predicate] = normalise([parse(source)]);
    const condition = compilePredicate(predicate!, raw('r.current'));
    assert.deepEqual(render(condition), { text, values });
    using index = openWith(tens);
    const statement = render(sql`SELECT count(*) AS n FROM resource r WHERE ${condition}`);
    assert.equal(typeof index.db.prepare(statement.text).get(...statement.values)?.n, 'number');
  });
}

test('list pages by limit and offset, with an exact total; limit 0 only counts', () => {
  using index = openWith(tens);
  const sort = [{ path: ['n'], direction: 'desc' as const }];
  assert.deepEqual(list(index, query('even = true', { sort, limit: 2 })), { ids: ['r8', 'r6'], count: 2, total: 5 });
  assert.deepEqual(list(index, query('even = true', { sort, limit: 2, offset: 4 })), {
    ids: ['r0'],
    count: 1,
    total: 5,
  });
  assert.deepEqual(list(index, query('even = true', { offset: 99 })), { ids: [], count: 0, total: 5 });
  assert.deepEqual(list(index, query('n > 3', { limit: 0 })), { ids: [], count: 0, total: 6 });
  assert.deepEqual(list(index, query('', { withTotal: false, limit: 3 })), {
    ids: ['r0', 'r1', 'r2'],
    count: 3,
    total: undefined,
  });
});

test('list of a project returns nothing of another, by any condition or none', () => {
  using index = openWith(tens);
  index.write('P', 'r0', { current: documentOf('r0', { n: 0, other: 1 }) });
  for (const where of ['', 'n = 0', 'n >= 0', 'other is not empty', 'id = "r0"', 'n(x = 1) or n = 0']) {
    assert.equal(list(index, query(where, { projectKey: 'P' })).total, 1, where);
    assert.equal(list(index, query(where, { projectKey: 'q' })).total, 0, where);
  }
  assert.equal(list(index, query('other = 1')).total, 0);
});

test('list with staged=true returns and matches the staged projection where there is one', () => {
  using index = openWith(tens);
  index.write('p', 'r3', { current: documentOf('r3', { n: 3 }), staged: documentOf('r3', { n: 300 }) });
  assert.deepEqual(list(index, query('n >= 9', { staged: true })).ids.sort(), ['r3', 'r9']);
  assert.deepEqual(list(index, query('n >= 9')).ids, ['r9']);
  assert.deepEqual(list(index, query('n = 3', { staged: true })).ids, []);
});

test('list returns the stored texts byte by byte', () => {
  using index = openTestIndex([]);
  const documents = ['a', 'b'].map((id) => documentOf(id, { big: JSON.rawJSON('9007199254740993'), s: '😀\u2028' }));
  for (const current of documents) index.write('p', current.id as string, { current });
  const { results } = runList(index.db, compileList(query('big = 9007199254740993'), []), deadline, 1e9);
  assert.deepEqual(
    results,
    documents.map((document) => JSON.stringify(document)),
  );
});

test('list refuses a page over the limit of bytes and says what limit would do', () => {
  using index = openWith(tens.map((each) => ({ ...each, text: 'ä'.repeat(500) })));
  assert.equal(list(index, query('', { limit: 3 }), 3500).count, 3);
  assert.throws(
    () => list(index, query('', { limit: 4 }), 3500),
    (error) => {
      assert.ok(error instanceof ServiceError && error.code === 'InvalidInput');
      assert.match(
        error.message,
        /^Malformed parameter: limit: .*more than 3500 bytes; ask for a smaller limit, 3 or less/,
      );
      return true;
    },
  );
});

test('list serves nothing of a row that fails its checksum', () => {
  using index = openWith(tens);
  index.db.exec(`UPDATE resource SET current = replace(current, '"n":4', '"n":5') WHERE id = 'r4'`);
  assert.throws(
    () => list(index, query('')),
    (error) => error instanceof ServiceError && error.code === 'DataCorruption',
  );
  assert.deepEqual(list(index, query('n = 6')).ids, ['r6']);
});

test('list refuses where an index names a row that is not there, or that is of another project', () => {
  using index = openWith(tens);
  const isCorrupt = (error: unknown) => error instanceof ServiceError && error.code === 'DataCorruption';
  const term = `q|c|n|${encodeScalar({ type: 'number', value: 7n })}`;
  addTerm(index.db, 1, term);
  assert.throws(() => list(index, query('n = 7', { projectKey: 'q' })), isCorrupt);
});

test('the deadline is checked for every row that a query reads, and stops it', () => {
  let asked = 0;
  let allowed = Number.POSITIVE_INFINITY;
  const check = () => {
    asked += 1;
    if (asked > allowed) throw new RangeError('out of time');
  };
  using index = openTestIndex([], check);
  for (let at = 0; at < 50; at += 1)
    index.write('p', `r${at}`, { current: documentOf(`r${at}`, { n: { a: at, b: 1 } }) });
  const scan = compileList(query('n(a > 60 and b = 1)'), []);
  runList(index.db, scan, deadline, 1e9);
  assert.ok(asked >= 50, `${asked} rows`);
  asked = 0;
  allowed = 20;
  assert.throws(() => runList(index.db, scan, deadline, 1e9), { name: 'RangeError', message: 'out of time' });
  assert.equal(index.db.isTransaction, false);
});

test('runList reads in the transaction that is open, and leaves it open', () => {
  using index = openWith(tens);
  index.db.exec('BEGIN');
  assert.equal(list(index, query('n = 1')).total, 1);
  assert.equal(index.db.isTransaction, true);
  index.db.exec('COMMIT');
});

test('runExists tells whether anything matches', () => {
  using index = openWith(tens);
  const exists = (where: string, staged = false) => {
    const asked = { projectKey: 'p', where: where === '' ? [] : [parse(where)], staged };
    return runExists(index.db, compileExists(asked, []), deadline);
  };
  assert.deepEqual([exists(''), exists('n = 9'), exists('n = 10'), exists('n > 8', true)], [true, true, false, true]);
});

/** Predicates at the limits of the grammar, which meet the limits of SQLite. */
const deep = Array.from({ length: 31 }).reduce<JsonObject>((inner) => ({ a: inner, x: 1 }), { b: 1 });
const wrapped = (depth: number, open: string, innermost: string, close = ')') =>
  open.repeat(depth) + innermost + close.repeat(depth);
const extremes: readonly (readonly [string, string])[] = [
  ['a dotted path of 32 names', `${'a.'.repeat(31)}b > 0`],
  ['31 embedded predicates', wrapped(31, 'a(', 'b > 0')],
  ['31 embedded predicates with a condition at each level', wrapped(31, 'a(x = 1 and ', 'b = 1')],
  ['15 embedded predicates negated twice', wrapped(7, 'a(x = 1 and not(not a(x = 1 and ', 'a is defined', ')))')],
  ['31 negations of unlike conditions', wrapped(31, 'not(x = 2 or ', 'x = 1')],
  [
    '200 alternatives',
    Array.from({ length: 200 }, (_, at) => `a.x > ${at - 1} and zzz is empty`)
      .slice(0, 100)
      .join(' or '),
  ],
  ['500 values', `x in (${Array.from({ length: 500 }, (_, at) => at).join()})`],
];

for (const [what, source] of extremes) {
  test(`list takes ${what}, with indexes and without, as match() does`, () => {
    using index = openWith([deep, {}]);
    const asked = query(source);
    const expected = [deep, {}].filter((each) => match(asked.where[0]!, documentOf('r', each))).length;
    const indexed = compileList(asked, []);
    for (const compiled of [indexed, { ...indexed, accessPaths: [] }]) {
      assert.equal(runList(index.db, compiled, deadline, 1e9).total, expected);
    }
  });
}

test('list refuses conditions with more values than a query can bind, and says so', () => {
  const of = Array.from({ length: 33_000 }, (_, at): Predicate => {
    return { kind: 'compare', path: ['n'], op: '>', value: { type: 'number', value: BigInt(at) } };
  });
  const refused = { name: 'ServiceError', message: /33002 values, 32000 are allowed/ };
  assert.throws(() => compileList(query('', { where: of }), []), refused);
});
