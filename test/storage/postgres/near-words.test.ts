import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distanceWithin } from '#words';
import { endsOf } from '../../../src/record/postgres/search/near-words.ts';

const letter = fc.constantFrom('a', 'b', 'c', '😀');
const change = fc.record({ kind: fc.constantFrom('insert', 'remove', 'replace', 'swap'), at: fc.nat(20), letter });

test('whatever is within one edit of a word begins or ends like it', () => {
  let within = 0;
  fc.assert(
    fc.property(fc.array(letter, { minLength: 3, maxLength: 8 }), change, (asked, { kind, at, letter: one }) => {
      const other = [...asked];
      const place = at % other.length;
      if (kind === 'insert') other.splice(at % (other.length + 1), 0, one);
      else if (kind === 'remove') other.splice(place, 1);
      else if (kind === 'replace') other[place] = one;
      else if (place > 0) other.splice(place - 1, 2, other[place]!, other[place - 1]!);
      const [text, near] = [asked.join(''), other.join('')];
      if (distanceWithin(near, text, 1) !== 1) return;
      within += 1;
      const [first, last] = endsOf([text, 1])!;
      assert.ok(near.startsWith(first) || near.endsWith(last), `${text} ${near}: ${first} ${last}`);
      assert.ok(first !== '' && last !== '');
    }),
    { numRuns: 5000 },
  );
  assert.ok(within > 1000);
});

test('there is a letter between both ends', () => {
  assert.deepEqual(endsOf(['abc', 1]), ['a', 'c']);
  assert.deepEqual(endsOf(['shrit', 1]), ['sh', 'it']);
  assert.deepEqual(endsOf(['abcd', 1]), ['ab', 'd']);
  assert.equal(endsOf(['abcdef', 2]), undefined);
});
