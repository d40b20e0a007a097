import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Write } from '../../../src/record/postgres/write/prepare-write.ts';
import { type Batch, costOf, maxBatchCost, takeBatch } from '../../../src/record/postgres/write/take-batch.ts';

interface Waiting {
  readonly id: string;
  readonly write: Write;
}

/** The deletion of a resource with so many words: its cost is one more. */
function waiting(projectKey: string, id: string, words = 99, scope?: string): Waiting {
  const write = {
    ...{ kind: 'delete', projectKey, id, expectedVersion: 1, lostEntries: [], gainedEntries: [], paths: [] },
    ...{ words: new Array(words).fill(['en', 'word']), response: scope === undefined ? undefined : { scope } },
  } as unknown as Write;
  return { id, write };
}

const large = (projectKey: string, id: string) => waiting(projectKey, id, maxBatchCost);
const ids = (all: readonly Waiting[]) => all.map(({ id }) => id);

/** The batches that follow each other while nothing new comes. */
function batchesOf(all: readonly Waiting[], most = 256): readonly (readonly string[])[] {
  const batches: (readonly string[])[] = [];
  let left = all;
  for (let wasLarge = false; left.length > 0; ) {
    const { batch, rest, isLarge }: Batch<Waiting> = takeBatch(left, most, wasLarge);
    batches.push(ids(batch));
    [left, wasLarge] = [rest, isLarge];
  }
  return batches;
}

describe('The writes of a transaction', () => {
  test('are those that came first, as many as may be, the projects in turn', () => {
    const all = [
      ...Array.from({ length: 6 }, (_, at) => waiting('a', `a${at}`)),
      waiting('b', 'b0'),
      waiting('b', 'b1'),
    ];
    assert.deepEqual(batchesOf(all, 4), [
      ['a0', 'b0', 'a1', 'b1'],
      ['a2', 'a3', 'a4', 'a5'],
    ]);
    assert.deepEqual(takeBatch([], 4, false), { batch: [], rest: [], isLarge: false });
  });

  test('a large one is alone, and two of them do not follow each other while others wait', () => {
    const all = [large('h', 'h0'), large('h', 'h1'), large('h', 'h2'), waiting('a', 'a0'), waiting('b', 'b0')];
    assert.deepEqual(batchesOf(all), [['h0'], ['a0', 'b0'], ['h1'], ['h2']]);
  });

  test('are bounded by what they cost together', () => {
    const all = Array.from({ length: 7 }, (_, at) => waiting('a', `${at}`, Math.floor(maxBatchCost / 3) - 1));
    assert.deepEqual(batchesOf(all), [['0', '1', '2'], ['3', '4', '5'], ['6']]);
  });

  test('two with a response under one scope do not share a transaction, and keep their order', () => {
    const all = [waiting('a', 'a0', 1, 's'), waiting('a', 'a1', 1, 's'), waiting('a', 'a2'), waiting('b', 'b0')];
    assert.deepEqual(batchesOf(all), [
      ['a0', 'b0'],
      ['a1', 'a2'],
    ]);
  });

  test('cost what is to be written: words, terms, entries and text', () => {
    const row = { current: 'x'.repeat(1600), staged: null };
    const write = {
      ...waiting('a', 'a', 10).write,
      kind: 'create',
      termCount: 2,
      row,
    } as unknown as Write;
    assert.equal(costOf(write), 10 + 2 + 100);
    assert.equal(costOf(waiting('a', 'a', 10).write), 11);
  });

  test('whatever waits: each comes once, in the order of its project, within the bounds', () => {
    const words = fc.oneof(fc.constant(1), fc.constant(99), fc.constant(20_000), fc.constant(maxBatchCost));
    const each = fc.record({
      project: fc.constantFrom('a', 'b', 'c'),
      words,
      scope: fc.option(fc.constantFrom('s', 't')),
    });
    fc.assert(
      fc.property(fc.array(each, { maxLength: 40 }), fc.integer({ min: 1, max: 8 }), (given, most) => {
        const all = given.map((one, at) =>
          waiting(one.project, `${one.project}${at}`, one.words, one.scope ?? undefined),
        );
        const costs = new Map(all.map(({ id, write }) => [id, costOf(write)]));
        const batches = batchesOf(all, most);
        assert.deepEqual(batches.flat().toSorted(), ids(all).toSorted());
        for (const project of ['a', 'b', 'c']) {
          const ofProject = (id: string) => id.startsWith(project);
          assert.deepEqual(batches.flat().filter(ofProject), ids(all).filter(ofProject));
        }
        for (const batch of batches) {
          const sum = batch.reduce((total, id) => total + costs.get(id)!, 0);
          assert.ok(batch.length <= most && (batch.length === 1 || sum <= maxBatchCost), `${batch}`);
        }
      }),
    );
  });
});
