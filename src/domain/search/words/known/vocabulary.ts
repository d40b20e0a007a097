import { spread } from '../distance.ts';
import { maxWordUnits } from '../words.ts';
import { areIndexed, createLettersWithin, type LettersWithin, type Missing } from './letters-within.ts';
import { createBucket, maskOf, type SpreadWord, type WordBucket } from './word-bucket.ts';

/** The distinct words of a set of texts, held in memory in order to find those that resemble a word. */
export interface Vocabulary {
  /** Adds a folded word once. Throws if it is longer than any word of `wordsOf`. */
  readonly add: (word: string) => void;
  readonly has: (word: string) => boolean;
  /** Number of words. */
  readonly size: number;
  /** Memory, approximately. */
  readonly bytes: number;
  /** All words that are 1 to `most` edits away from a word, the nearest first, else by their UTF-16 units. */
  readonly near: (word: string, most: 1 | 2) => readonly NearWord[];
  /** All words with the first letter of a word, of which some beginning is at most `most` edits away from it. */
  readonly beginningNear: (word: string, most: 1 | 2) => readonly string[];
  /** All words that have some letters in a row, not at their beginning. */
  readonly within: (letters: string) => readonly string[];
  /** All words with an end that begins with the two letters and has as many letters as `like`, or up to `most` more or less. */
  readonly ending: (begin: string, like: string, most: 1 | 2) => readonly string[];
  /** Prepares `within`, looking at so many words, about; true if more are left. */
  readonly prepareWithin: (most: number) => boolean;
  /** For how many words `within` is not prepared. It looks at few of them one by one, and prepares for many first. */
  readonly unprepared: () => Missing;
}

interface NearWord {
  readonly word: string;
  readonly distance: number;
}

/** A vocabulary without words. */
export function createVocabulary(): Vocabulary {
  /** By twice the length of their words, plus 1 for words with code points beyond 16 bits. */
  const buckets = new Map<number, WordBucket>();
  /** The same as they came. */
  const inOrder: WordBucket[] = [];
  /** Made for who asks: few languages need it. */
  let letters: LettersWithin | undefined;
  const scratch = new Uint32Array(maxWordUnits);
  let size = 0;

  function add(word: string): void {
    if (word.length > maxWordUnits) throw new RangeError(`word of at most ${maxWordUnits} units expected`);
    const length = spread(word, scratch);
    const key = keyOf(length, length < word.length);
    let bucket = buckets.get(key);
    if (!bucket) {
      bucket = createBucket(length, length < word.length);
      buckets.set(key, bucket);
      inOrder.push(bucket);
    }
    if (bucket.add(scratch)) size += 1;
  }

  function bucketOf(length: number, wide: boolean): WordBucket | undefined {
    return buckets.get(keyOf(length, wide));
  }

  function has(word: string): boolean {
    if (word.length > maxWordUnits) return false;
    const length = spread(word, scratch);
    return bucketOf(length, length < word.length)?.has(scratch) ?? false;
  }

  function near(word: string, most: 1 | 2): readonly NearWord[] {
    const wanted = spreadWord(word);
    const found: NearWord[] = [];
    for (let length = wanted.length - most; length <= wanted.length + most; length += 1) {
      for (const bucket of [bucketOf(length, false), bucketOf(length, true)]) {
        bucket?.near(wanted, most, (index, distance) => {
          if (distance > 0) found.push({ word: bucket.wordAt(index), distance });
        });
      }
    }
    return found.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
  }

  function beginningNear(word: string, most: 1 | 2): readonly string[] {
    const wanted = spreadWord(word);
    const found: string[] = [];
    for (const bucket of buckets.values()) {
      if (bucket.length < wanted.length - most) continue;
      bucket.beginningNear(wanted, most, (index) => found.push(bucket.wordAt(index)));
    }
    return found;
  }

  function within(asked: string): readonly string[] {
    const wanted = spreadWord(asked);
    const found: string[] = [];
    const isListed = areIndexed(wanted.points, wanted.length);
    if (isListed) {
      while (unprepared() === 'many') prepareWithin(Number.POSITIVE_INFINITY);
      letters!.each(inOrder, wanted.points, wanted.length, (bucket, index) => {
        found.push(inOrder[bucket]!.wordAt(index));
      });
    }
    for (let at = 0; at < inOrder.length; at += 1) {
      const bucket = inOrder[at]!;
      if (bucket.length <= wanted.length) continue;
      bucket.within(wanted, isListed ? letters!.listedOf(at) : 0, (index) => found.push(bucket.wordAt(index)));
    }
    return found;
  }

  function ending(begin: string, like: string, most: 1 | 2): readonly string[] {
    const letters = spreadWord(begin);
    const { length } = spreadWord(like);
    const [shortest, longest] = [Math.max(letters.length, length - most), length + most];
    const found: string[] = [];
    for (const bucket of buckets.values()) {
      bucket.ending(letters, shortest, longest, (index) => found.push(bucket.wordAt(index)));
    }
    return found;
  }

  function prepareWithin(most: number): boolean {
    letters ??= createLettersWithin();
    return letters.addUpTo(inOrder, most);
  }

  function unprepared(): Missing {
    letters ??= createLettersWithin();
    return letters.missing(inOrder);
  }

  return {
    add,
    has,
    near,
    beginningNear,
    within,
    ending,
    prepareWithin,
    unprepared,
    get size() {
      return size;
    },
    get bytes() {
      return inOrder.reduce((sum, bucket) => sum + bucket.bytes(), letters?.bytes() ?? 0);
    },
  };
}

function keyOf(length: number, wide: boolean): number {
  return 2 * length + (wide ? 1 : 0);
}

function spreadWord(word: string): SpreadWord {
  const points = new Uint32Array(word.length);
  const length = spread(word, points);
  return { points, length, mask: maskOf(points, length) };
}
