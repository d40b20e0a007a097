import { spread } from '../distance.ts';
import { maxWordUnits } from '../words.ts';
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
  /** Prepares `within` for so many further words, about; true if more are left. Else the next look does it for all. */
  readonly prepareWithin: (most: number) => boolean;
}

interface NearWord {
  readonly word: string;
  readonly distance: number;
}

/** A vocabulary without words. */
export function createVocabulary(): Vocabulary {
  /** By twice the length of their words, plus 1 for words with code points beyond 16 bits. */
  const buckets = new Map<number, WordBucket>();
  const scratch = new Uint32Array(maxWordUnits);
  let size = 0;

  function add(word: string): void {
    if (word.length > maxWordUnits) throw new RangeError(`word of at most ${maxWordUnits} units expected`);
    const length = spread(word, scratch);
    const key = keyOf(length, length < word.length);
    const bucket = buckets.get(key) ?? createBucket(length, length < word.length);
    buckets.set(key, bucket);
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

  function within(letters: string): readonly string[] {
    const wanted = spreadWord(letters);
    const found: string[] = [];
    for (const bucket of buckets.values()) {
      if (bucket.length > wanted.length) bucket.within(wanted, (index) => found.push(bucket.wordAt(index)));
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
    for (const bucket of buckets.values()) if (bucket.prepare(most)) return true;
    return false;
  }

  return {
    add,
    has,
    near,
    beginningNear,
    within,
    ending,
    prepareWithin,
    get size() {
      return size;
    },
    get bytes() {
      return buckets.values().reduce((sum, bucket) => sum + bucket.bytes(), 0);
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
