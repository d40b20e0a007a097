import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxWordUnits, Vocabulary } from '#words';
import { naiveDistance } from './naive-distance.ts';

function vocabularyOf(words: readonly string[]): Vocabulary {
  const vocabulary = new Vocabulary();
  for (const word of words) vocabulary.add(word);
  return vocabulary;
}

const syllables = fc.constantFrom(...'abcste', 'run', 'ning', 'ner', 's', 'es', 'haus', 'hauser', '𠮷', '鞋', 'ж', '2');
const word = fc.array(syllables, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

test('Vocabulary: an empty one has no words and finds none', () => {
  const vocabulary = new Vocabulary();
  assert.equal(vocabulary.size, 0);
  assert.equal(vocabulary.has('shoe'), false);
  assert.deepEqual(vocabulary.near('shoe', 2), []);
});

test('Vocabulary: words that come in order, and others behind them, are each there once', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '木', '𝒳'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(word), fc.array(word), (first, more) => {
      const words = new Vocabulary();
      // As SQLite orders them.
      const inOrder = first.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      for (const each of [...inOrder, ...more, ...first, ...more]) words.add(each);
      const all = new Set([...first, ...more]);
      assert.equal(words.size, all.size);
      for (const each of all) assert.ok(words.has(each), each);
      assert.ok(!words.has('c') && !words.has('aaaaa'));
    }),
  );
});

test('Vocabulary: adding a word twice keeps one', () => {
  const vocabulary = vocabularyOf(['shoe', 'shirt', 'shoe']);
  assert.equal(vocabulary.size, 2);
  assert.deepEqual(vocabulary.near('shoes', 1), [{ word: 'shoe', distance: 1 }]);
});

test('near: finds words with a letter more, less, other or swapped, the nearest first, but not the word itself', () => {
  const vocabulary = vocabularyOf(['form', 'from', 'forms', 'for', 'fort', 'farm', 'foam', 'forest', 'xyz', 'f𠮷rm']);
  const words = vocabulary.near('form', 2).map(({ word: found, distance }) => `${found} ${distance}`);
  assert.deepEqual(words, ['farm 1', 'foam 1', 'for 1', 'forms 1', 'fort 1', 'from 1', 'f𠮷rm 1']);
  assert.deepEqual(vocabulary.near('forrest', 2), [{ word: 'forest', distance: 1 }]);
});

test('Vocabulary: random words are had and near as a plain loop finds', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), word, fc.constantFrom(1, 2), (words, asked, most) => {
      const vocabulary = vocabularyOf(words);
      const distinct = [...new Set(words)];
      assert.equal(vocabulary.size, distinct.length);
      assert.equal(vocabulary.has(asked), distinct.includes(asked));
      const all = distinct.map((some) => ({ word: some, distance: naiveDistance(some, asked) }));
      const expected = all.filter(({ distance }) => distance > 0 && distance <= most);
      expected.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
      assert.deepEqual(vocabulary.near(asked, most as 1 | 2), expected);
    }),
    { numRuns: 100 },
  );
});

/** Code points of a word. */
const lettersOf = (some: string) => [...some];

test('within: words that have some letters in a row behind their beginning, listed or behind the listed ones', () => {
  // So many that lists are made for them, and for some made again.
  const many = fc.array(word, { minLength: 100, maxLength: 300 });
  fc.assert(
    fc.property(many, word, fc.array(word, { maxLength: 100 }), (words, asked, later) => {
      const vocabulary = vocabularyOf(words);
      const expected = (all: readonly string[]) =>
        [...new Set(all)].filter((some) => lettersOf(some).slice(1).join('').includes(asked)).sort();
      assert.deepEqual([...vocabulary.within(asked)].sort(), expected(words));
      for (const some of later) vocabulary.add(some);
      assert.deepEqual([...vocabulary.within(asked)].sort(), expected([...words, ...later]));
    }),
    { numRuns: 100 },
  );
});

test('within: letters are found by the fewest words, whatever stands around these three, once for each word', () => {
  const words = Array.from(
    { length: 300 },
    (_, n) => `w${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}haus`,
  );
  const vocabulary = vocabularyOf([
    ...words,
    'kleiderhausschuh',
    'haushaus',
    'hausschuh',
    'xhausschu',
    'xhaussch\u{6f}',
  ]);
  const found = (letters: string) => [...vocabulary.within(letters)].sort();
  assert.deepEqual(found('hausschu'), ['kleiderhausschuh', 'xhausschu']);
  assert.deepEqual(found('ussch'), ['hausschuh', 'kleiderhausschuh', 'xhausschu', 'xhausscho'].sort());
  assert.deepEqual(found('haus'), [...words, 'kleiderhausschuh', 'haushaus', 'xhausschu', 'xhausscho'].sort());
  // Letters that share their last five bits with those around.
  assert.deepEqual(found('\u{208}auss'), []);
});

test('within: few words are looked at one by one, and lists are made for many', () => {
  const vocabulary = new Vocabulary();
  const add = (count: number) => {
    const first = vocabulary.size;
    for (let n = first; n < first + count; n += 1) vocabulary.add(`w${String.fromCodePoint(0x4e00 + n)}haus`);
  };
  const bytesFor = (count: number) => {
    const { bytes } = vocabulary;
    assert.equal(vocabulary.within('haus').length, count);
    return vocabulary.bytes - bytes;
  };
  add(20);
  assert.equal(bytesFor(20), 0);
  add(980);
  assert.ok(bytesFor(1000) > 0);
  add(100);
  assert.equal(bytesFor(1100), 0);
  add(400);
  assert.ok(bytesFor(1500) > 0);
});

test('within: thousands of words with three letters in common, and none with digits, are found', () => {
  const vocabulary = new Vocabulary();
  const words = Array.from(
    { length: 5000 },
    (_, i) => `w${i.toString(26).replaceAll(/[0-9]/g, (d) => 'qrstuvwxyz'[+d]!)}haus`,
  );
  for (const [at, some] of words.entries()) vocabulary.add(at % 2 === 0 ? some : `${some}boot`);
  vocabulary.add('sku12345');
  assert.equal(vocabulary.within('hau').length, new Set(words).size);
  assert.equal(vocabulary.within('boot').length, 2500);
  assert.deepEqual(vocabulary.within('u12'), ['sku12345']);
  vocabulary.add('hausboot2000');
  assert.deepEqual(vocabulary.within('boot2'), ['hausboot2000']);
});

/** Of words with three digits and more none need be found. */
function isCode(some: string): boolean {
  return (some.match(/[0-9]/g)?.length ?? 0) > 2;
}

test('endingNear: the words that end like a word but for typos, and few others', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), word, fc.constantFrom(1, 2), (words, asked, most) => {
      const begin = lettersOf(asked).slice(0, 2).join('');
      fc.pre(lettersOf(begin).length === 2);
      const found = vocabularyOf(words).endingNear(asked, most as 1 | 2);
      const distinct = [...new Set(words)].filter((some) => !isCode(some));
      const endsOf = (some: string) => lettersOf(some).map((_, at, all) => all.slice(at).join(''));
      const begunAlike = (some: string) => endsOf(some).filter((end, at) => at > 0 && end.startsWith(begin));
      const expected = distinct.filter((some) => begunAlike(some).some((end) => naiveDistance(end, asked) <= most));
      assert.deepEqual(
        expected.filter((some) => !found.includes(some)),
        [],
      );
      const possible = distinct.filter((some) =>
        begunAlike(some).some((end) => Math.abs(lettersOf(end).length - lettersOf(asked).length) <= most),
      );
      assert.deepEqual(
        found.filter((some) => !possible.includes(some)),
        [],
      );
      assert.equal(new Set(found).size, found.length);
    }),
    { numRuns: 100 },
  );
});

test('endingNear and beginningNear: letters decide, and article numbers are left out', () => {
  const vocabulary = vocabularyOf(['sommerkleid', 'kleiderkl', 'kl12eid', 'sommerkl123', 'kleid2000', 'kleid']);
  assert.deepEqual(vocabulary.endingNear('kleeid', 2), ['sommerkleid']);
  assert.deepEqual([...vocabulary.beginningNear('kleed', 1)].sort(), ['kleid', 'kleiderkl']);
});

test('near: article numbers resemble article numbers, and words with few digits both', () => {
  const vocabulary = vocabularyOf(['ab12', 'ab123', 'ab1234', 'ab12345', 'abc', 'ab1c']);
  const found = (asked: string) => vocabulary.near(asked, 2).map((each) => each.word);
  assert.deepEqual(found('ab123').sort(), ['ab12', 'ab1234', 'ab12345', 'ab1c']);
  assert.deepEqual(found('ab1').sort(), ['ab12', 'ab123', 'ab1c', 'abc']);
  assert.deepEqual(found('abd').sort(), ['ab12', 'ab1c', 'abc']);
});

test('beginningNear: words with the same first letter and a beginning with few edits, as a plain loop finds', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), word, fc.constantFrom(1, 2), (words, asked, most) => {
      const expected = [...new Set(words)].filter((some) => {
        if (isCode(some)) return false;
        const letters = lettersOf(some);
        const edits = letters.map((_, at) => naiveDistance(letters.slice(0, at + 1).join(''), asked));
        return letters[0] === lettersOf(asked)[0] && Math.min(...edits) <= most;
      });
      assert.deepEqual([...vocabularyOf(words).beginningNear(asked, most as 1 | 2)].sort(), expected.sort());
    }),
    { numRuns: 100 },
  );
});

test('Vocabulary: tens of thousands of words are all there, in little memory', () => {
  const vocabulary = new Vocabulary();
  const words = Array.from({ length: 20_000 }, (_, i) => `w${(i * 7919).toString(36)}`);
  for (const some of words) vocabulary.add(some);
  assert.equal(vocabulary.size, words.length);
  assert.ok(words.every((some) => vocabulary.has(some)));
  assert.ok(!vocabulary.has('w-') && !vocabulary.has('zzzz'));
  assert.ok(vocabulary.bytes > 0 && vocabulary.bytes / words.length < 80, `${vocabulary.bytes} bytes`);
});

test('Vocabulary: the longest words are added; a longer one is refused, since no text has it', () => {
  const vocabulary = vocabularyOf(['a'.repeat(maxWordUnits)]);
  assert.equal(vocabulary.has('a'.repeat(maxWordUnits)), true);
  assert.equal(vocabulary.has('a'.repeat(maxWordUnits + 1)), false);
  assert.equal(vocabulary.near('a'.repeat(maxWordUnits + 2), 2).length, 1);
  assert.throws(() => vocabulary.add('a'.repeat(maxWordUnits + 1)), RangeError);
});
