import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Documents, ListQuery, SortTerm } from '../../../src/domain/ports.ts';
import type { Predicate } from '../../../src/domain/predicate/ast.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import { valuesAt } from '../../../src/domain/predicate/path.ts';
import {
  compareScalars,
  compareUtf8,
  plainTextFields,
  type Scalar,
  scalarOf,
} from '../../../src/domain/predicate/scalar.ts';
import { compileExists, compileList, runExists, runList } from '../../../src/storage/sqlite/list.ts';
import { anyFields, anyLiteral, anyPath, anyPredicate, dates } from './arbitrary-documents.ts';
import { documentOf, openTestIndex, type TestIndex } from './open-test-index.ts';

const declaredPaths = ['price', 'a.b', 'a-b', 'arrayOfObjectType.a'];
const seed = Number(process.env.AGREEMENT_SEED ?? 20_261_120);
const batches = Number(process.env.AGREEMENT_BATCHES ?? 40);
const deadline = { check() {} };

interface World {
  readonly index: TestIndex;
  /** What is stored, by id. */
  readonly stored: Map<string, Documents>;
}

/** Documents written in a random order, some of them overwritten, staged, published and deleted again. */
function writeRandomly(index: TestIndex, writes: readonly Write[]): World {
  const stored = new Map<string, Documents>();
  for (const [at, { id, fields, staged, deleted }] of writes.entries()) {
    const current = documentOf(id, withKey(id, fields), at);
    const { version, createdAt, lastModifiedAt } = current;
    const documents: Documents = staged
      ? {
          current,
          staged: {
            ...documentOf(id, withKey(id, staged, fields), at),
            version,
            createdAt,
            lastModifiedAt,
          } as JsonObject,
        }
      : { current };
    index.write('p', id, deleted ? undefined : documents);
    index.write('other', id, documents);
    if (deleted) stored.delete(id);
    else stored.set(id, documents);
  }
  return { index, stored };
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

function idsByReference({ stored }: World, where: readonly Predicate[], staged: boolean): string[] {
  const matching = [...stored].filter(([, documents]) => where.every((each) => match(each, seen(documents, staged))));
  return matching.map(([id]) => id).sort(compareUtf8);
}

function query(where: readonly Predicate[], staged: boolean, sort: readonly SortTerm[] = []): ListQuery {
  return { projectKey: 'p', where, sort, limit: 500, offset: 0, withTotal: true, staged };
}

type Compiled = ReturnType<typeof compileList>;

function run({ index }: World, list: Compiled): { readonly ids: string[]; readonly total: number | undefined } {
  const page = runList(index.db, structuredClone(list), deadline, 1e9);
  const documents = JSON.parse(`[${page.results}]`) as { id: string }[];
  assert.equal(page.count, documents.length);
  return { ids: documents.map(({ id }) => id), total: page.total };
}

const show = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));

function eachBatch(writes: number, check: (world: World, seedOfBatch: number) => void): void {
  for (let batch = 0; batch < batches; batch += 1) {
    using index = openTestIndex(declaredPaths);
    check(writeRandomly(index, fc.sample(anyWrite, { numRuns: writes, seed: seed + batch })), seed + batch);
  }
}

test(`20,800 random predicates: the SQLite list, with its indexes and without, answers exactly the documents that match() accepts (seed ${seed})`, () => {
  eachBatch(24, (world, seedOfBatch) => {
    for (const [at, predicate] of fc.sample(anyPredicate, { numRuns: 520, seed: seedOfBatch }).entries()) {
      const staged = at % 2 === 1;
      const expected = idsByReference(world, [predicate], staged);
      const indexed = compileList(query([predicate], staged), declaredPaths);
      for (const list of [indexed, { ...indexed, sources: [] }]) {
        const { ids, total } = run(world, list);
        const message = () =>
          `seed ${seedOfBatch}, staged ${staged}, sources ${list.sources.length}: ${show(predicate)}`;
        assert.deepEqual(ids.sort(compareUtf8), expected, message());
        assert.equal(total, expected.length, message());
      }
    }
  });
});

test(`random conjunctions, counted and asked for existence: SQLite agrees with match() by whichever index (seed ${seed})`, () => {
  const anyWhere = fc.tuple(fc.array(anyRange, { minLength: 1, maxLength: 2 }), fc.option(anyPredicate, { freq: 2 }));
  eachBatch(24, (world, seedOfBatch) => {
    for (const [at, [ranges, predicate]] of fc.sample(anyWhere, { numRuns: 60, seed: seedOfBatch }).entries()) {
      const staged = at % 2 === 1;
      const where = predicate === null ? ranges.flat() : [...ranges.flat(), predicate];
      const expected = idsByReference(world, where, staged);
      const message = () => `seed ${seedOfBatch}, staged ${staged}: ${show(where)}`;
      const list = compileList(
        { ...query(where, staged), limit: at % 5 === 0 ? 0 : 500 },
        declaredPaths,
        tunings[at % 4],
      );
      for (const sources of [list.sources, ...list.sources.map((source) => [source])]) {
        const { ids, total } = run(world, { ...list, sources });
        if (list.limit > 0) assert.deepEqual(ids.sort(compareUtf8), expected, message());
        assert.equal(total, expected.length, message());
      }
      const exists = compileExists({ projectKey: 'p', where, staged }, declaredPaths);
      assert.equal(runExists(world.index.db, structuredClone(exists), deadline), expected.length > 0, message());
    }
  });
});

test(`random sorts: SQLite orders as the reference does, page by page, whichever way it takes (seed ${seed})`, () => {
  const anySort = fc.array(fc.record({ path: orderedPath, direction: fc.constantFrom('asc', 'desc') }), {
    minLength: 1,
    maxLength: 3,
  }) as fc.Arbitrary<SortTerm[]>;
  const asked = fc.tuple(
    anySort,
    fc.oneof(
      anyPredicate.map((each) => [each]),
      anyRange,
      fc.constant([]),
    ),
    fc.nat(6),
    fc.nat(8),
    fc.boolean(),
  );
  eachBatch(24, (world, seedOfBatch) => {
    for (const [at, [sort, where, offset, limit, staged]] of fc
      .sample(asked, { numRuns: 100, seed: seedOfBatch })
      .entries()) {
      const expected = idsByReference(world, where, staged).sort(byReference(world, sort, staged));
      const list = compileList({ ...query(where, staged, sort), offset, limit }, declaredPaths, tunings[at % 4]);
      const { ids, total } = run(world, list);
      const message = `seed ${seedOfBatch}, staged ${staged}, ${offset}/${limit}: ${show(sort)} where ${show(where)}`;
      assert.deepEqual(ids, expected.slice(offset, offset + limit), message);
      assert.equal(total, expected.length, message);
    }
  });
});

/** Sorting, walking to the end, walking and giving up at once, giving up halfway. */
const tunings = [
  { fewRows: 5000, walkRows: 20_000 },
  { fewRows: 0, walkRows: 20_000 },
  { fewRows: 0, walkRows: 0 },
  { fewRows: 2, walkRows: 5 },
] as const;

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

/** The order of decision 16, in the plainest words. */
function byReference({ stored }: World, sort: readonly SortTerm[], staged: boolean): (a: string, b: string) => number {
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
