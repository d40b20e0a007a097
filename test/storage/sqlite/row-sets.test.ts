import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nthGreatest } from '../../../src/domain/search/nth-greatest.ts';
import {
  eachPosition,
  inSeveral,
  intersect,
  overlap,
  union,
  without,
} from '../../../src/storage/sqlite/search/row-sets.ts';

/** Ascending rows, close together or far apart: tables and sorting are both to be used. */
const rows = fc
  .tuple(fc.constantFrom(1, 40, 100_000), fc.uniqueArray(fc.nat(60)))
  .map(([step, numbers]) => Uint32Array.from(numbers, (each) => 3 + step * each).sort());
const lists = fc.array(rows, { maxLength: 6 });

/** How many of the lists have each row. */
function countsOf(all: readonly Uint32Array[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const row of all.flatMap((list) => [...list])) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

function inAtLeast(all: readonly Uint32Array[], count: number): readonly number[] {
  const found = [...countsOf(all)].filter(([, times]) => times >= count);
  return found.map(([row]) => row).sort((a, b) => a - b);
}

test('sets of rows: union, intersection, and what is in several, as counting tells', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 7 }), (all, count) => {
      assert.deepEqual([...union(all)], inAtLeast(all, 1));
      assert.deepEqual([...intersect(all)], all.length === 0 ? [] : inAtLeast(all, all.length));
      assert.deepEqual([...inSeveral(all, count)], inAtLeast(all, count));
    }),
  );
});

test('sets of rows: what is not in another list, what two have in common, and where', () => {
  fc.assert(
    fc.property(rows, rows, (one, other) => {
      const common = inAtLeast([one, other], 2);
      assert.deepEqual(
        [...without(one, other)],
        [...one].filter((row) => !common.includes(row)),
      );
      assert.equal(overlap(one, other), common.length > 0);
      const positions: number[] = [];
      eachPosition(one, other, (position) => positions.push(position));
      assert.deepEqual(
        positions.map((position) => one[position]),
        common,
      );
    }),
  );
});

test('the nth greatest of numbers is that of the sorted ones', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -20, max: 20 })), fc.integer({ min: 1, max: 30 }), (numbers, nth) => {
      const sorted = numbers.toSorted((a, b) => b - a);
      assert.equal(nthGreatest(numbers, nth), sorted[nth - 1] ?? Number.NEGATIVE_INFINITY);
    }),
  );
});
