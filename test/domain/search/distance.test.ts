import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allowedEdits, distanceWithin } from '#words';
import { naiveDistance } from './naive-distance.ts';

const pairs: readonly (readonly [string, string, number | undefined])[] = [
  ['abcdefgh', 'abcdfgh', 1],
  ['short', 'shirt', 1],
  ['form', 'from', 1],
  ['ca', 'abc', 2],
  ['abc', 'ca', 2],
  ['kitten', 'sitting', undefined],
  ['shoe', 'shoe', 0],
  ['', 'ab', 2],
  ['', 'abc', undefined],
  ['𠮷野', '吉野', 1],
  ['a𠮷b', 'ab', 1],
  ['鞋子', '子鞋', 1],
  ['hausschuhe', 'haussschueh', 2],
];

for (const [a, b, distance] of pairs) {
  test(`distanceWithin: “${a}” and “${b}” are ${distance ?? 'more than 2'} apart`, () => {
    assert.equal(distanceWithin(a, b, 2), distance);
    assert.equal(distanceWithin(b, a, 2), distance);
  });
}

test('distanceWithin: what is farther than asked for is undefined', () => {
  assert.equal(distanceWithin('short', 'shirt', 0), undefined);
  assert.equal(distanceWithin('short', 'shirts', 1), undefined);
  assert.equal(distanceWithin('short', 'shirts', 2), 2);
});

test('distanceWithin: words longer than any before are compared whole', () => {
  const long = 'ab'.repeat(500);
  assert.equal(distanceWithin(long, `x${long}y`, 2), 2);
  assert.equal(distanceWithin(long, `x${long}yz`, 2), undefined);
});

test('distanceWithin: all words of up to five of two letters, and up to four of three, are as far as computed fully', () => {
  for (const words of [wordsOver('ab', 5), wordsOver('abc', 4)]) {
    for (const a of words) for (const b of words) assertAsComputed(a, b);
  }
});

test('distanceWithin: random words are as far as computed fully', () => {
  const word = fc.array(fc.constantFrom(...'abcd𠮷'), { maxLength: 10 }).map((letters) => letters.join(''));
  fc.assert(fc.property(word, word, assertAsComputed), { numRuns: 300 });
});

test('distanceWithin: a word after two random edits is as far as computed fully', () => {
  const word = fc.array(fc.constantFrom(...'abcde'), { minLength: 2, maxLength: 12 });
  const edit = fc.tuple(fc.nat(3), fc.nat(11), fc.constantFrom(...'abx'));
  fc.assert(
    fc.property(word, edit, edit, (letters, first, second) => {
      assertAsComputed(letters.join(''), edited(edited(letters, first), second).join(''));
    }),
    { numRuns: 500 },
  );
});

function edited(letters: readonly string[], [kind, at, letter]: readonly [number, number, string]): string[] {
  const i = at % (letters.length + 1);
  const copy = [...letters];
  if (kind === 0) copy.splice(i, 0, letter);
  else if (kind === 1) copy.splice(i, 1);
  else if (kind === 2) copy.splice(i, 1, letter);
  else copy.splice(i, 2, ...copy.slice(i, i + 2).reverse());
  return copy;
}

function assertAsComputed(a: string, b: string): void {
  const distance = naiveDistance(a, b);
  for (const most of [0, 1, 2] as const) {
    assert.equal(distanceWithin(a, b, most), distance <= most ? distance : undefined, `${a} ${b} ${most}`);
  }
}

function wordsOver(letters: string, length: number): readonly string[] {
  if (length === 0) return [''];
  const shorter = wordsOver(letters, length - 1);
  const longest = shorter.filter((word) => word.length === length - 1);
  return [...shorter, ...longest.flatMap((word) => [...letters].map((letter) => word + letter))];
}

const levels: readonly (readonly [string, number])[] = [
  ['', 0],
  ['a', 0],
  ['ab', 0],
  ['abc', 1],
  ['abcde', 1],
  ['abcdef', 2],
  ['abcdefgh', 2],
  ['𠮷𠮷', 0],
  ['𠮷𠮷𠮷𠮷𠮷', 1],
];

for (const [word, most] of levels) {
  test(`allowedEdits: “${word}” may be ${most} edits away, fewer if asked for`, () => {
    assert.deepEqual(
      ([0, 1, 2] as const).map((level) => allowedEdits(word, level)),
      [0, Math.min(1, most), most],
    );
  });
}
