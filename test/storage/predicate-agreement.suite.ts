import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../src/contract/json.ts';
import { parseStoredJson, stringifyJson } from '../../src/domain/json/parse.ts';
import type { ListPage, ListQuery, SortTerm } from '../../src/domain/ports/list-query.ts';
import type { Documents } from '../../src/domain/ports/resource-store.ts';
import type { Predicate } from '../../src/domain/predicate/ast.ts';
import { match } from '../../src/domain/predicate/match.ts';
import { valuesAt } from '../../src/domain/predicate/path.ts';
import {
  compareScalars,
  compareUtf8,
  plainTextFields,
  type Scalar,
  scalarOf,
} from '../../src/domain/predicate/scalar.ts';
import { testSeed } from '../seed.ts';
import { documentOf } from './document-of.ts';
import { anyFields, anyLiteral, anyPath, anyPredicate, dates } from './sqlite/arbitrary-documents.ts';

/** An engine that random predicates run on. */
export interface AgreementEngine {
  readonly name: string;
  /** How many collections of documents are written and queried. */
  readonly batches: number;
  /** How many random walks through pages there are in each of them. */
  readonly walks: number;
  /** An empty store whose indexes have these paths in order. */
  open(declaredPaths: readonly string[]): Promise<AgreementStore>;
}

export interface AgreementStore {
  /** Creates, overwrites or (without documents) deletes a resource. */
  write(projectKey: string, id: string, documents: Documents | undefined): Promise<void> | void;
  /** The results of each plan that the engine may choose. The number selects settings of the engine. */
  lists(query: ListQuery, choice: number): Promise<readonly ListPage[]>;
  exists(where: readonly Predicate[], staged: boolean): Promise<boolean>;
  close(): Promise<void>;
}

export const declaredPaths = ['price', 'a.b', 'a-b', 'arrayOfObjectType.a'];
const seed = testSeed;

/** The documents that a store should hold, by id. */
type Stored = Map<string, Documents>;

/** Documents written in a random order, some of them overwritten, staged, published and deleted again. */
async function writeRandomly(store: AgreementStore, writes: readonly Write[]): Promise<Stored> {
  const stored: Stored = new Map();
  for (const [at, { id, fields, staged, deleted }] of writes.entries()) {
    const current = documentOf(id, withKey(id, fields), at);
    const { version, createdAt, lastModifiedAt } = current;
    const next = staged && { ...documentOf(id, withKey(id, staged, fields), at), version, createdAt, lastModifiedAt };
    const documents: Documents = next
      ? { current: asParsed(current), staged: asParsed(next as JsonObject) }
      : { current: asParsed(current) };
    await store.write('p', id, deleted ? undefined : documents);
    await store.write('other', id, documents);
    if (deleted) stored.delete(id);
    else stored.set(id, documents);
  }
  return stored;
}

/** The document as the service has it in memory: a double beyond 2⁵³ is the raw number of its digits (decision 5). */
function asParsed(document: JsonObject): JsonObject {
  return parseStoredJson(stringifyJson(document)) as JsonObject;
}

/** Keys are unique in a project, and one for both projections: only some ids may have theirs. */
const keys = new Map([
  ['r1', 'k'],
  ['r2', 'K'],
  ['2024-01-01', '2024-01-01'],
  ['r3', '2024-01-01T00:00:00Z'],
]);

function withKey(id: string, fields: JsonObject, from: JsonObject = fields): JsonObject {
  const { key: _, ...rest } = fields;
  const key = from.key === undefined ? undefined : keys.get(id);
  return key === undefined ? rest : { ...rest, key };
}

interface Write {
  readonly id: string;
  readonly fields: JsonObject;
  readonly staged: JsonObject | null;
  readonly deleted: boolean;
}

const anyWrite: fc.Arbitrary<Write> = fc.record({
  id: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8', 'R1', '2024-01-01', '\u{1f600}', '\uffee'),
  fields: anyFields,
  staged: fc.option(anyFields, { freq: 2 }),
  deleted: fc.nat(4).map((number) => number === 0),
});

function seen(documents: Documents, staged: boolean): JsonObject {
  return staged ? (documents.staged ?? documents.current) : documents.current;
}

function idsByReference(stored: Stored, where: readonly Predicate[], staged: boolean): string[] {
  const matching = [...stored].filter(([, documents]) => where.every((each) => match(each, seen(documents, staged))));
  return matching.map(([id]) => id).sort(compareUtf8);
}

function query(where: readonly Predicate[], staged: boolean, sort: readonly SortTerm[] = []): ListQuery {
  return { projectKey: 'p', where, sort, limit: 500, offset: 0, withTotal: true, staged };
}

function idsOf(page: ListPage): string[] {
  const documents = JSON.parse(`[${page.results}]`) as { id: string }[];
  assert.equal(page.count, documents.length);
  return documents.map(({ id }) => id);
}

const show = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));

interface Batch {
  readonly store: AgreementStore;
  readonly stored: Stored;
  readonly seed: number;
}

/** The predicates of the contract (decision 15) and its orders (decision 16), against their plain meaning. */
export function predicateAgreementSuite(engine: AgreementEngine): void {
  async function eachBatch(check: (batch: Batch) => Promise<void>): Promise<void> {
    for (let number = 0; number < engine.batches; number += 1) {
      const store = await engine.open(declaredPaths);
      try {
        const stored = await writeRandomly(store, fc.sample(anyWrite, { numRuns: 24, seed: seed + number }));
        await check({ store, stored, seed: seed + number });
      } finally {
        await store.close();
      }
    }
  }

  const count = (engine.batches * 520).toLocaleString('en');
  test(`${count} random predicates: a list on ${engine.name}, with its indexes and without, answers exactly the documents that match() accepts (seed ${seed})`, () =>
    eachBatch(async ({ store, stored, seed }) => {
      for (const [at, predicate] of fc.sample(anyPredicate, { numRuns: 520, seed }).entries()) {
        const staged = at % 2 === 1;
        const expected = idsByReference(stored, [predicate], staged);
        for (const [way, page] of (await store.lists(query([predicate], staged), at)).entries()) {
          const message = () => `seed ${seed}, staged ${staged}, way ${way}: ${show(predicate)}`;
          assert.deepEqual(idsOf(page).sort(compareUtf8), expected, message());
          assert.equal(page.total, expected.length, message());
        }
      }
    }));

  test(`random conjunctions, counted and checked for existence: ${engine.name} agrees with match() by whichever index (seed ${seed})`, () => {
    const anyWhere = fc.tuple(fc.array(anyRange, { minLength: 1, maxLength: 2 }), fc.option(anyPredicate, { freq: 2 }));
    return eachBatch(async ({ store, stored, seed }) => {
      for (const [at, [ranges, predicate]] of fc.sample(anyWhere, { numRuns: 60, seed }).entries()) {
        const staged = at % 2 === 1;
        const where = predicate === null ? ranges.flat() : [...ranges.flat(), predicate];
        const expected = idsByReference(stored, where, staged);
        const limit = at % 5 === 0 ? 0 : 500;
        for (const [way, page] of (await store.lists({ ...query(where, staged), limit }, at)).entries()) {
          const message = () => `seed ${seed}, staged ${staged}, way ${way}: ${show(where)}`;
          if (limit > 0) assert.deepEqual(idsOf(page).sort(compareUtf8), expected, message());
          assert.equal(page.total, expected.length, message());
        }
        assert.equal(await store.exists(where, staged), expected.length > 0, show(where));
      }
    });
  });

  test(`random sorts: ${engine.name} orders as the reference does, page by page, whichever way it takes (seed ${seed})`, () =>
    eachBatch(async ({ store, stored, seed }) => {
      for (const [at, { sort, where, offset, limit, staged }] of fc.sample(anyPage, { numRuns: 100, seed }).entries()) {
        const expected = idsByReference(stored, where, staged).sort(byReference(stored, sort, staged));
        for (const [way, page] of (await store.lists({ ...query(where, staged, sort), offset, limit }, at)).entries()) {
          const message = `seed ${seed}, staged ${staged}, way ${way}, ${offset}/${limit}: ${show(sort)} where ${show(where)}`;
          assert.deepEqual(idsOf(page), expected.slice(offset, offset + limit), message);
          assert.equal(page.total, expected.length, message);
        }
      }
    }));

  test(`random walks by position: ${engine.name} meets what is left alone exactly once and in order, whatever is written between the pages (seed ${seed})`, () => {
    const anyWalk = fc.record({ page: anyPage, sorted: fc.nat(4), touched: fc.array(anyWrite, { maxLength: 8 }) });
    return eachBatch(async ({ store, stored, seed }) => {
      for (const [at, walk] of fc.sample(anyWalk, { numRuns: engine.walks, seed }).entries()) {
        const { where, staged } = walk.page;
        const sort = walk.sorted === 0 ? [] : walk.page.sort;
        const limit = 1 + walk.page.limit;
        const first = { ...query(where, staged, sort), limit };
        const ways = (await store.lists(first, at)).length;
        for (let way = 0; way < ways; way += 1) {
          const ids = new Set(walk.touched.map(({ id }) => id));
          const kept = new Map([...stored].filter(([id]) => !ids.has(id)));
          const left = [...walk.touched];
          const met: string[] = [];
          let after: ListQuery['after'];
          do {
            const page: ListPage = (await store.lists({ ...first, after }, at))[way]!;
            const found = idsOf(page);
            assert.ok(found.length <= limit && (page.next === undefined || found.length === limit));
            met.push(...found);
            after = page.next && (JSON.parse(JSON.stringify(page.next)) as ListQuery['after']);
            for (const write of left.splice(0, 2)) {
              const [written] = await writeRandomly(store, [write]);
              if (written) stored.set(...written);
              else stored.delete(write.id);
            }
          } while (after !== undefined);
          const expected = idsByReference(kept, where, staged);
          const inOrder = sort.length === 0 ? expected : expected.sort(byReference(kept, sort, staged));
          const untouched = met.filter((id) => kept.has(id));
          const message = `seed ${seed}, staged ${staged}, way ${way}, ${limit}: ${show(sort)} where ${show(where)}`;
          assert.deepEqual(sort.length === 0 ? untouched.sort(compareUtf8) : untouched, inOrder, message);
        }
      }
    });
  });
}

/** Paths that have an order of their own, among which those that documents often have. */
const orderedPath = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(['price'], ['arrayOfIntExample'], ['objectTypeProperty', 'arrayOfIntExample']),
  },
  { weight: 1, arbitrary: anyPath },
);
const anyEnd = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(-1, 0, 1, 2, 100).map((value) => ({ type: 'number' as const, value: BigInt(value) })),
  },
  { weight: 2, arbitrary: fc.constantFrom(...dates).map((value) => ({ type: 'string' as const, value })) },
  { weight: 2, arbitrary: anyLiteral },
);

/** Conditions on one path from two sides. */
const anyRange = fc
  .tuple(orderedPath, fc.constantFrom('>', '>='), anyEnd, fc.constantFrom('<', '<='), anyEnd)
  .map(([path, above, from, below, to]): Predicate[] => [
    { kind: 'compare', path, op: above as '>', value: from },
    { kind: 'compare', path, op: below as '<', value: to },
  ]);

const anySort = fc.array(fc.record({ path: orderedPath, direction: fc.constantFrom('asc', 'desc') }), {
  minLength: 1,
  maxLength: 3,
}) as fc.Arbitrary<SortTerm[]>;

const anyPage = fc.record({
  sort: anySort,
  where: fc.oneof(
    anyPredicate.map((each) => [each]),
    anyRange,
    fc.constant([]),
  ),
  offset: fc.nat(6),
  limit: fc.nat(8),
  staged: fc.boolean(),
});

/** The order of decision 16, in the plainest words. */
function byReference(stored: Stored, sort: readonly SortTerm[], staged: boolean): (a: string, b: string) => number {
  const keyOf = (id: string, { path, direction }: SortTerm): Scalar | undefined => {
    const plain = path.length === 1 && plainTextFields.has(path[0]!);
    const scalars = valuesAt(seen(stored.get(id)!, staged), path)
      .map((value): Scalar | undefined => (plain ? { type: 'string', value: value as string } : scalarOf(value)))
      .filter((scalar) => scalar !== undefined)
      .sort(compareScalars);
    return direction === 'asc' ? scalars[0] : scalars.at(-1);
  };
  return (a, b) => {
    for (const term of sort) {
      const [left, right] = [keyOf(a, term), keyOf(b, term)];
      const ascending =
        left && right ? compareScalars(left, right) : Number(left === undefined) - Number(right === undefined);
      if (ascending !== 0) return term.direction === 'asc' ? ascending : -ascending;
    }
    return compareUtf8(a, b);
  };
}
