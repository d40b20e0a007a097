import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { ListQuery, SortTerm } from '../../../src/domain/ports/list-query.ts';
import type { Predicate } from '../../../src/domain/predicate/ast.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { registerFunctions } from '../../../src/index/query/functions.ts';
import { compileList } from '../../../src/index/query/plan-list.ts';
import { runList } from '../../../src/index/query/run-list.ts';
import { descendingKey, numberKey } from '../../../src/index/terms/order-key.ts';
import { documentOf } from '../document-of.ts';
import { mergeWhole, openTestIndex, type TestIndex } from './open-test-index.ts';

const declaredPaths = ['price', 'name.en'];
const deadline = { check() {} };
/** As in a large collection: no number of matches is few, so that indexes are scanned in the order. */
const large = { fewRows: 0, scanRows: 1000 };

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
      // So many that the segment of the index is read by statements.
      many: Array.from({ length: 400 }, (_, n) => `${n} of value ${at}`),
    };
    index.write('p', `r${at}`, {
      current: documentOf(`r${at}`, fields, at),
      ...(at % 9 === 0 && { staged: documentOf(`r${at}`, fields, at) }),
    });
  }
  mergeWhole(index.db);
});
after(() => index[Symbol.dispose]());

/** The plans of all statements that a list runs, one line for each step. */
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
  /^SCAN (?:r|o|d|resource)\b|^SCAN posting|^SEARCH [ro] USING (?:(?:COVERING )?INDEX \S+|PRIMARY KEY) \(project_key=\?\)$|^USE TEMP B-TREE FOR ORDER BY/;
const terms = /^SEARCH posting USING COVERING INDEX \S+ \(segment=\? AND term<\?\)$/;
const range = /^SEARCH posting USING INDEX \S+ \(segment=\? AND \(term,part\)>\(\?,\?\) AND term<\?\)$/;

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
  ['not.declared.at-all > 30', range],
  ['list.x >= 2.5', range],
  ['list(x < "2024-01-01")', range],
  ['list.x > 3 and list.x < 9', range],
  ['price > 3 and price < 9', range],
  ['arrayOfIntExample > 30', range],
  ['objectTypeProperty.arrayOfIntExample <= 5', range],
  ['name(en >= "n7")', range],
  ['id = "r1"', /^SEARCH r USING .*INDEX sqlite_autoindex_resource_1 \(project_key=\? AND id=\?\)/],
  ['id in ("r1", "r2")', /INDEX sqlite_autoindex_resource_1 \(project_key=\? AND id=\?\)/],
  ['id = "r1" or id in ("r2", "r3") or id = "r4"', /INDEX sqlite_autoindex_resource_1 \(project_key=\? AND id=\?\)/],
  ['key = "k1"', /INDEX resource_key \(project_key=\? AND key=\?\)/],
  ['version > 3', /^SEARCH o USING PRIMARY KEY \(project_key=\? AND version>\?\)/],
  [
    'createdAt > "2024-01-01T00:00:30Z" and price is defined',
    /^SEARCH o USING PRIMARY KEY \(project_key=\? AND created_at>\?\)/,
  ],
  ['lastModifiedAt < "2024-01-01T00:00:05Z"', /^SEARCH o USING PRIMARY KEY \(project_key=\? AND modified_at<\?\)/],
];

for (const [where, expected] of conditions) {
  test(`a list where ${where} uses an index, and reads nothing whole`, () => {
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

/** A table of followed-orders.ts. */
const inOrder = /^SEARCH o USING PRIMARY KEY \(project_key=\?\)/;

const orders: readonly (readonly [string, RegExp])[] = [
  ['id', /INDEX sqlite_autoindex_resource_1 \(project_key=\?\)/],
  ['key', /INDEX resource_key \(project_key=\?/],
  ['version', inOrder],
  ['createdAt', inOrder],
  ['lastModifiedAt', inOrder],
  ['price', range],
  ['name.en', range],
  ['arrayOfIntExample', range],
  ['objectTypeProperty.arrayOfIntExample', range],
];

const number = (value: number) => ({ type: 'number' as const, value: BigInt(value) });
const ranges = [
  { from: number(3), to: number(9) },
  { from: number(30), to: undefined },
];

for (const [path, covered] of [
  ['price', true],
  ['not.declared.at-all', true],
  ['arrayOfIntExample', true],
  ['version', false],
] as const) {
  test(`a list of ${path} within ranges reads their terms or its column, and no document to decide the condition`, () => {
    for (const staged of [false, true]) {
      const within: Predicate = {
        kind: 'within',
        path: path.split('.'),
        ranges: covered ? ranges : ranges.slice(0, 1),
      };
      const asked = { ...query('', [], staged), where: [within] };
      const plans = plansOf(asked);
      const expected = covered ? range : /^SEARCH o USING PRIMARY KEY \(project_key=\? AND version>\? AND version<\?\)/;
      assert.ok(
        plans.some((line) => expected.test(line)),
        plans.join('\n'),
      );
      assert.deepEqual(
        plans.filter((line) => scans.test(line)),
        [],
      );
      assert.deepEqual(
        compileList(asked, declaredPaths).accessPaths.map(({ covers }) => covers),
        [[0]],
      );
    }
  });
}

test('a list of a path within 100 ranges, and within more than one SELECT reads, finds what lies within some', () => {
  for (const count of [100, 101, 200]) {
    const ranges = Array.from({ length: count }, (_, at) => ({ from: number(at * 2), to: number(at * 2) }));
    const within: Predicate = { kind: 'within', path: ['arrayOfIntExample'], ranges };
    const negated: Predicate = { kind: 'embedded', path: ['objectTypeProperty'], of: { kind: 'not', of: within } };
    for (const [where, total] of [
      [within, 20],
      [{ kind: 'not', of: within }, 20],
      [negated, 20],
    ] as const) {
      const list = compileList({ ...query('', [], true), where: [where] }, declaredPaths);
      assert.equal(runList(index.db, list, deadline, 1e9).total, total, `${count} ranges, ${where.kind}`);
    }
  }
});

test('a list of a declared path within ranges of texts reads their keys, which decide the condition if they are short', () => {
  const long = 'n'.repeat(30);
  const coversOf = (from: string) => {
    const within: Predicate = {
      kind: 'within',
      path: ['name', 'en'],
      ranges: [{ from: { type: 'string', value: from }, to: undefined }],
    };
    return compileList({ ...query(''), where: [within] }, declaredPaths).accessPaths.map(({ covers }) => covers);
  };
  assert.deepEqual(coversOf('n'), [[0]]);
  assert.deepEqual(coversOf(long), [[]]);
});

for (const [path, expected] of orders) {
  for (const direction of ['asc', 'desc'] as const) {
    test(`a list in the order of ${path} ${direction} scans its index, with and without a condition, and sorts nothing whole`, () => {
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
          plans.some((line) => /^SCAN r\b/.test(line)),
          false,
          plans.join('\n'),
        );
      }
    });
  }
}

/** The least and greatest terms between which a list reads the term index, each pair once. */
function endsOf(query: ListQuery, tuning: typeof large): readonly string[] {
  const ends = new Set<string>();
  let from = '';
  const listening = new Proxy(index.db, {
    get(db, name: keyof DatabaseSync) {
      const member: unknown = Reflect.get(db, name, db);
      if (typeof member !== 'function') return member;
      if (name !== 'prepare') return member.bind(db);
      return (text: string) => {
        const statement = db.prepare(text);
        const [get, all] = [statement.get.bind(statement), statement.all.bind(statement)];
        if (/ term <= \?1 /.test(text)) {
          statement.get = (...values: never[]) => {
            from = Buffer.from(values[0]! as Uint8Array).toString();
            return get(...values);
          };
        } else if (text.includes('(term, part) >=')) {
          statement.all = (...values: never[]) => {
            ends.add(`${from} to ${Buffer.from(values[3]! as Uint8Array)}`);
            return all(...values);
          };
        }
        return statement;
      };
    },
  });
  registerFunctions(listening, deadline);
  runList(listening, compileList(query, declaredPaths, tuning), deadline, 1e9);
  return [...ends];
}

for (const [direction, where, first] of [
  ['asc', 'price > 30', `p|c|price|n${numberKey(30)}`],
  ['desc', 'price < 9', `p|c|price|d${descendingKey(`0${numberKey(9)}`)}`],
] as const) {
  test(`a list where ${where} in the order of price ${direction} begins the scan at the range`, () => {
    const sort = [{ path: ['price'], direction }];
    const scanned = endsOf({ ...query(where, sort), withTotal: false, limit: 3 }, large);
    assert.ok(
      scanned.some((ends) => ends.startsWith(`${first} to `)),
      scanned.join('\n'),
    );
    assert.ok(!scanned.some((ends) => ends.startsWith(`p|c|price|${direction === 'asc' ? 'n' : 'd'} to `)));
  });
}

test('a list in the order of numbers at a path that is not declared scans the term index, unless there are texts', () => {
  const sort = [{ path: ['list', 'x'], direction: 'asc' as const }];
  const asked = { ...query('', sort), withTotal: false, limit: 3 };
  const ends = 'p|c|list.x|n to p|c|list.x|o';
  assert.ok(endsOf(asked, large).includes(ends));
  assert.ok(!plansOf(asked, large).includes('USE TEMP B-TREE FOR ORDER BY'));
  index.write('p', 'text', { current: documentOf('text', { list: [{ x: 'text' }] }) });
  try {
    assert.ok(!endsOf(asked, large).includes(ends));
    assert.ok(plansOf(asked, large).includes('USE TEMP B-TREE FOR ORDER BY'));
  } finally {
    index.write('p', 'text', undefined);
  }
});

test('a short form scans the explicit path, until some document of the project has such a field itself', () => {
  const sort = [{ path: ['arrayOfIntExample'], direction: 'desc' as const }];
  const asked = { ...query('', sort), withTotal: false, limit: 3 };
  const explicit = 'p|c|objectTypeProperty.arrayOfIntExample|';
  const ends = `${explicit}d to ${explicit}e`;
  assert.ok(endsOf(asked, large).includes(ends));
  index.write('p', 'own', { current: documentOf('own', { arrayOfIntExample: 1 }) });
  try {
    assert.ok(!endsOf(asked, large).includes(ends));
  } finally {
    index.write('p', 'own', undefined);
  }
});

test('a staged list in the order of a declared path reads both projections, and stops at the end of the page', () => {
  const asked = { ...query('', [{ path: ['price'], direction: 'asc' }], true), limit: 5, withTotal: false };
  const ends = endsOf(asked, large);
  for (const projection of ['c', 's']) assert.ok(ends.includes(`p|${projection}|price|n to p|${projection}|price|o`));
  assert.ok(!ends.some((each) => each.startsWith('p|c|price|u')));
});

test('matches of an index, in the order of a column, are found along its index, unless they come late in it', () => {
  const oldest = `price in (${Array.from({ length: 20 }, (_, at) => at).join()})`;
  const asked = (direction: SortTerm['direction'], more: Partial<ListQuery> = {}): ListQuery => {
    return { ...query(oldest, [{ path: ['createdAt'], direction }]), limit: 3, ...more };
  };
  const idsOf = (list: ListQuery) => {
    const page = runList(index.db, compileList(list, declaredPaths), deadline, 1e9);
    assert.equal(page.total, 20);
    return (JSON.parse(`[${page.results}]`) as { id: string }[]).map(({ id }) => id);
  };
  // Without a look at the resources.
  const along = /^SEARCH o USING PRIMARY KEY/;
  const sorts = /^USE TEMP B-TREE FOR ORDER BY/;
  const [asc, desc] = [plansOf(asked('asc')), plansOf(asked('desc'))];
  assert.ok(asc.some((step) => along.test(step)) && !asc.some((step) => sorts.test(step)), asc.join('\n'));
  assert.ok(desc.some((step) => along.test(step)) && desc.some((step) => sorts.test(step)), desc.join('\n'));
  assert.deepEqual(idsOf(asked('asc')), ['r0', 'r1', 'r2']);
  assert.deepEqual(idsOf(asked('asc', { offset: 5 })), ['r5', 'r6', 'r7']);
  assert.deepEqual(idsOf(asked('desc')), ['r19', 'r18', 'r17']);
  // So few of them that sorting reads less.
  const few = plansOf({ ...asked('asc'), where: query('price in (1, 2)').where });
  assert.ok(!few.some((step) => along.test(step)), few.join('\n'));
});
