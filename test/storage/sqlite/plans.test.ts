import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { ListQuery, SortTerm } from '../../../src/domain/ports.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { compileList, registerFunctions, runList } from '../../../src/storage/sqlite/list.ts';
import { documentOf, openTestIndex, type TestIndex } from './open-test-index.ts';

const declaredPaths = ['price', 'name.en'];
const deadline = { check() {} };
/** As in a large collection: no set of matches is few, so that orders are walked. */
const large = { fewRows: 0, walkRows: 1000 };

let index: TestIndex;
before(() => {
  index = openTestIndex(declaredPaths);
  for (let at = 0; at < 40; at += 1) {
    const fields = {
      key: `k${at}`,
      price: at,
      name: { en: `n${at}` },
      list: [{ x: at }],
      objectTypeProperty: { arrayOfIntExample: [at] },
    };
    index.write('p', `r${at}`, {
      current: documentOf(`r${at}`, fields, at),
      ...(at % 9 === 0 && { staged: documentOf(`r${at}`, fields, at) }),
    });
  }
});
after(() => index[Symbol.dispose]());

/** The plans of all statements that a list runs, one line a step. */
function plansOf(query: ListQuery, tuning?: typeof large): readonly string[] {
  const lines: string[] = [];
  const explaining = new Proxy(index.db, {
    get(db, name: keyof DatabaseSync) {
      const member: unknown = Reflect.get(db, name, db);
      if (typeof member !== 'function') return member;
      if (name !== 'prepare') return member.bind(db);
      return (text: string) => {
        lines.push(
          ...db
            .prepare(`EXPLAIN QUERY PLAN ${text}`)
            .all()
            .map(({ detail }) => String(detail)),
        );
        return db.prepare(text);
      };
    },
  });
  // A budget belongs to a connection, which the proxy is to the runner.
  registerFunctions(explaining, deadline);
  runList(explaining, compileList(query, declaredPaths, tuning), deadline, 1e9);
  return lines;
}

function query(where: string, sort: readonly SortTerm[] = [], staged = false): ListQuery {
  const parsed = where === '' ? [] : [parsePredicate(where, { variables: new Map() })];
  return { projectKey: 'p', where: parsed, sort, limit: 20, offset: 0, withTotal: true, staged };
}

/** Steps that read whole tables or whole projects, and sorts of everything. */
const scans =
  /^SCAN (?:r|resource|v|sort_value)\b|^SEARCH r USING (?:COVERING )?INDEX \S+ \(project_key=\?\)$|^USE TEMP B-TREE FOR ORDER BY/;
const terms = /^SCAN (?:term|m) VIRTUAL TABLE INDEX 0:M1$/;
const range = /^SEARCH sort_value USING PRIMARY KEY \(project_key=\? AND projection=\? AND path=\? AND value[<>]/;

const conditions: readonly (readonly [string, RegExp])[] = [
  ['any.path.at-all = "x"', terms],
  ['list.x in (1, 2)', terms],
  ['list(x = 3)', terms],
  ['list(x = 3 and y is not defined)', terms],
  ['list contains any (1)', terms],
  ['arrayOfIntExample contains all (3, 4)', terms],
  ['7 in arrayOfIntExample', terms],
  ['price = 3 and name.en != "n1" or price in (4)', terms],
  ['not (price = 3)', terms],
  ['zzz is defined', terms],
  ['price is empty', terms],
  ['price > 30', range],
  ['price > 3 and price < 9', range],
  ['arrayOfIntExample > 30', range],
  ['objectTypeProperty.arrayOfIntExample <= 5', range],
  ['name(en >= "n7")', range],
  ['id = "r1"', /^SEARCH r USING .*INDEX sqlite_autoindex_resource_1 \(project_key=\? AND id=\?\)/],
  ['id in ("r1", "r2")', /INDEX sqlite_autoindex_resource_1 \(project_key=\? AND id=\?\)/],
  ['key = "k1"', /INDEX resource_key \(project_key=\? AND key=\?\)/],
  ['version > 3', /INDEX resource_version \(project_key=\? AND version>\?\)/],
  [
    'createdAt > "2024-01-01T00:00:30Z" and price is defined',
    /INDEX resource_created \(project_key=\? AND created_at>\?\)/,
  ],
  ['lastModifiedAt < "2024-01-01T00:00:05Z"', /INDEX resource_modified \(project_key=\? AND modified_at<\?\)/],
];

for (const [where, expected] of conditions) {
  test(`a list where ${where} is answered by an index, and reads nothing whole`, () => {
    for (const staged of [false, true]) {
      const plans = plansOf(query(where, [], staged));
      assert.ok(
        plans.some((line) => expected.test(line)),
        plans.join('\n'),
      );
      assert.deepEqual(
        plans.filter((line) => scans.test(line)),
        [],
        plans.join('\n'),
      );
    }
  });
}

const orders: readonly (readonly [string, RegExp])[] = [
  ['id', /INDEX sqlite_autoindex_resource_1 \(project_key=\?\)/],
  ['key', /INDEX resource_key \(project_key=\?/],
  ['version', /INDEX resource_version \(project_key=\?\)/],
  ['createdAt', /INDEX resource_created \(project_key=\?\)/],
  ['lastModifiedAt', /INDEX resource_modified \(project_key=\?\)/],
  ['price', /^SEARCH v USING PRIMARY KEY \(project_key=\? AND projection=\? AND path=\?\)/],
  ['name.en', /^SEARCH v USING PRIMARY KEY/],
  ['arrayOfIntExample', /^SEARCH v USING PRIMARY KEY/],
  ['objectTypeProperty.arrayOfIntExample', /^SEARCH v USING PRIMARY KEY/],
];

for (const [path, expected] of orders) {
  for (const direction of ['asc', 'desc'] as const) {
    test(`a list in the order of ${path} ${direction} walks its index, with and without a condition, and sorts nothing whole`, () => {
      for (const where of ['', 'price is defined']) {
        const plans = plansOf(
          { ...query(where, [{ path: path.split('.'), direction }]), withTotal: false, limit: 5 },
          large,
        );
        assert.ok(
          plans.some((line) => expected.test(line)),
          plans.join('\n'),
        );
        // In desc those without the value come first: they are few, found by their terms, and sorted by id.
        const sorted = plans.filter((line) => line === 'USE TEMP B-TREE FOR ORDER BY').length;
        assert.ok(sorted <= (direction === 'desc' ? 1 : 0), plans.join('\n'));
        assert.equal(
          plans.some((line) => /^SCAN (?:r|v)\b/.test(line)),
          false,
          plans.join('\n'),
        );
      }
    });
  }
}

test('a list with a range on the path of its order begins the walk at the range', () => {
  const plans = plansOf({ ...query('price > 30', [{ path: ['price'], direction: 'asc' }]), withTotal: false }, large);
  assert.ok(
    plans.some((line) => /^SEARCH v USING PRIMARY KEY \(.* AND value>\?\)/.test(line)),
    plans.join('\n'),
  );
});

test('a staged list in the order of a declared path merges the two projections', () => {
  const plans = plansOf({ ...query('', [{ path: ['price'], direction: 'asc' }], true), limit: 5 }, large);
  assert.ok(plans.includes('MERGE (UNION ALL)'), plans.join('\n'));
});
