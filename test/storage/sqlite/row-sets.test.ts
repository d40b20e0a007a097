import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nthGreatest } from '../../../src/domain/search/nth-greatest.ts';
import { inAttribute } from '../../../src/domain/search/words/document-words.ts';
import { placedAmong, placesIn, rowsInShort } from '../../../src/index/search/postings/word-places.ts';
import { ascending, commonPositions, inSeveral, intersect, union, without } from '../../../src/index/terms/row-sets.ts';

/** Ascending rows, few or many, close together or far apart: tables, sorting and searching are all to be used. */
const numbers = fc.oneof(fc.uniqueArray(fc.nat(60)), fc.uniqueArray(fc.nat(300), { minLength: 100, maxLength: 200 }));
const rows = fc
  .tuple(fc.constantFrom(1, 40, 100_000), numbers)
  .map(([step, some]) => Uint32Array.from(some, (each) => 3 + step * each).sort());
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

test('sets of rows: rows in any order, with repeats, become ascending ones', () => {
  const anyOrder = fc.tuple(fc.constantFrom(1, 40, 100_000_000), fc.array(fc.nat(40), { maxLength: 60 }));
  fc.assert(
    fc.property(anyOrder, ([step, some]) => {
      const found = ascending(Uint32Array.from(some, (each) => 3 + step * each));
      const expected = [...new Set(some)].sort((a, b) => a - b).map((each) => 3 + step * each);
      assert.deepEqual([...found], expected);
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
      const [at, atOther] = [one, other].map(() => new Uint32Array(Math.min(one.length, other.length)));
      const found = commonPositions(one, other, at!, atOther);
      assert.equal(found, common.length);
      assert.deepEqual(
        common.map((_, each) => [one[at![each]!], other[atOther![each]!]]),
        common.map((row) => [row, row]),
      );
      const alone = new Uint32Array(at!.length);
      assert.equal(commonPositions(one, other, alone), found);
      assert.deepEqual(alone, at);
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

test('the places of a word: in its rows, in those of them that others have too, and in names and attributes alone', () => {
  const placed = fc.uniqueArray(fc.tuple(fc.nat(200), fc.constantFrom(1, 2, 3, 4, 5)), { selector: ([row]) => row });
  fc.assert(
    fc.property(placed, fc.constantFrom(1, 4), rows, (entries, usual, others) => {
      const inOrder = entries.toSorted(([a], [b]) => a - b);
      const own = Uint32Array.from(inOrder, ([row]) => row);
      const lists = [1, 2, 3, 4, 5].flatMap((place) => {
        const some = inOrder.filter(([, each]) => each === place && place !== usual);
        return [{ place, rows: Uint32Array.from(some, ([row]) => row) }];
      });
      const word = { rows: own, places: placesIn(own, usual, lists) };
      const short = inOrder.filter(([, place]) => place >= inAttribute);
      assert.deepEqual(
        [...rowsInShort(word)],
        short.map(([row]) => row),
      );
      const found = placedAmong(others, word);
      const wanted = [...others].flatMap((row, position) => {
        const place = entries.find((each) => each[0] === row)?.[1];
        return place === undefined ? [] : [[position, place]];
      });
      assert.deepEqual(
        [...found.positions].map((position, at) => [position, found.places[at]]),
        wanted,
      );
    }),
  );
});
