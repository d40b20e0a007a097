import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WordCache, WordLists } from '#words';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '木', '𝒳'), maxLength: 4 });

test('word cache: a word has the value that was set last, or none where another word took its place', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word)), (entries) => {
      const cache = new WordCache(4);
      const expected = new Map<string, string>();
      for (const [key, value] of entries) {
        const known = cache.get(key);
        assert.ok(known === undefined || known === expected.get(key));
        cache.set(key, value);
        expected.set(key, value);
        assert.equal(cache.get(key), value);
      }
    }),
  );
});

test('word cache: values of several words are kept side by side', () => {
  const cache = new WordCache(2 ** 14);
  for (const each of ['lamp', 'lamps', 'lampe']) cache.set(each, `${each}!`);
  assert.equal(cache.get('lamp'), 'lamp!');
  assert.equal(cache.get('lamps'), 'lamps!');
  assert.equal(cache.get('lam'), undefined);
});

test('word lists: each key has its words in the order in which they were added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 200 }), word, (entries, asked) => {
      const lists = new WordLists();
      const expected = new Map<string, string[]>();
      for (const [key, value] of entries) {
        lists.add(key, value);
        expected.set(key, [...(expected.get(key) ?? []), value]);
      }
      assert.deepEqual(lists.of(asked), expected.get(asked) ?? []);
      assert.deepEqual(lists.all(), [...expected]);
    }),
  );
});
