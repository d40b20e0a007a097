import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ListQuery, Position, SortTerm } from '../../../src/domain/ports/list-query.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { registerFunctions } from '../../../src/index/query/functions.ts';
import { compileList } from '../../../src/index/query/plan-list.ts';
import { runList } from '../../../src/index/query/run-list.ts';
import { documentOf } from '../document-of.ts';
import { openTestIndex, type TestIndex } from './open-test-index.ts';

const declaredPaths = ['price'];
const deadline = { check() {} };
const count = 2600;
/** In another order than they are written in. */
const idOf = (at: number) => `r${String((at * 1009) % count).padStart(5, '0')}`;
/** Two values that many share, one that few have, and none. */
const priceOf = (at: number) => (at % 53 === 0 ? undefined : at % 97 === 0 ? 5 : at % 2);

let index: TestIndex;
before(() => {
  index = openTestIndex(declaredPaths);
  for (let at = 0; at < count; at += 1) {
    const price = priceOf(at);
    const fields = { colour: at % 3 === 0 ? 'red' : 'blue', ...(price === undefined ? {} : { price }) };
    index.write('p', idOf(at), { current: documentOf(idOf(at), fields, at) });
    if (at % 4 === 0) index.write('other', idOf(at), { current: documentOf(idOf(at), fields, at) });
  }
  registerFunctions(index.db, deadline);
});
after(() => index[Symbol.dispose]());

function walk(
  read: (after: Position | undefined) => { results: readonly string[]; next?: Position | undefined },
): string[] {
  const met: string[] = [];
  let after: Position | undefined;
  do {
    const page = read(after);
    met.push(...(JSON.parse(`[${page.results}]`) as { id: string }[]).map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return met;
}

const query = (sort: readonly SortTerm[], where: string | undefined, limit: number): ListQuery => ({
  ...{ projectKey: 'p', sort, limit, offset: 0, withTotal: false, staged: false },
  where: where === undefined ? [] : [parsePredicate(where, { variables: new Map() })],
});

const rank = (at: number) => priceOf(at) ?? Number.POSITIVE_INFINITY;
const all = Array.from({ length: count }, (_, at) => at);

for (const tuning of [
  { fewRows: 0, scanRows: 20_000 },
  { fewRows: 0, scanRows: 300 },
  { fewRows: 0, scanRows: 0 },
  { fewRows: 5000, scanRows: 20_000 },
]) {
  test(`walks through long runs of equal keys are in order, with ${JSON.stringify(tuning)}`, () => {
    for (const [direction, where] of [
      ['asc', undefined],
      ['desc', undefined],
      ['asc', 'colour = "red"'],
    ] as const) {
      const sign = direction === 'asc' ? 1 : -1;
      const matching = all.filter((at) => where === undefined || at % 3 === 0);
      const order = (a: number, b: number) => {
        const [left, right] = [rank(a), rank(b)];
        return left === right ? (idOf(a) < idOf(b) ? -1 : 1) : sign * (left < right ? -1 : 1);
      };
      const expected = matching.sort(order).map(idOf);
      const list = query([{ path: ['price'], direction }], where, 170);
      const met = walk((after) =>
        runList(index.db, compileList({ ...list, after }, declaredPaths, tuning), deadline, 1e9),
      );
      assert.deepEqual(met, expected, `${direction} ${where}`);
    }
  });
}

test('pages of a list without an order are those of its rows', () => {
  for (const where of ['colour = "red"', 'price = 5', 'colour = "red" and price > 2']) {
    const list = query([], where, 10);
    const met = walk((after) => runList(index.db, compileList({ ...list, after }, declaredPaths), deadline, 1e9));
    const matches = (at: number) =>
      (!where.includes('red') || at % 3 === 0) &&
      (!where.includes('= 5') || priceOf(at) === 5) &&
      (!where.includes('> 2') || (priceOf(at) ?? 0) > 2);
    assert.deepEqual([...met].sort(), all.filter(matches).map(idOf).sort(), where);
  }
});
