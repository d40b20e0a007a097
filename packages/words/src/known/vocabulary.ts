import { type CodePoints, spread } from '../distance.ts';
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
  /**
   * All words with the first letter of a word, of which some beginning is at most `most` edits away from it. Words with three
   * digits and more may be missing.
   */
  readonly beginningNear: (word: string, most: 1 | 2) => readonly string[];
  /** All words that have some letters in a row, not at their beginning. */
  readonly within: (letters: string) => readonly string[];
  /**
   * At least the words with an end that begins like a word, not at their beginning, and is at most `most` edits away from it. Words with
   * three digits and more may be missing.
   */
  readonly endingNear: (word: string, most: 1 | 2) => readonly string[];
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
  /** By `keyOf`. */
  const buckets = new Map<number, WordBucket>();
  /** The same as they came. */
  const inOrder: WordBucket[] = [];
  /** Made for who asks: few languages need it. */
  let letters: LettersWithin | undefined;
  const scratch = new Uint32Array(maxWordUnits);
  let size = 0;

  function add(word: string): void {
    if (word.length > maxWordUnits) throw new RangeError(`expected a word of at most ${maxWordUnits} units`);
    const length = spread(word, scratch);
    const key = keyOf(length, length < word.length, digitsOf(scratch, length) >= digitsOfCodes);
    let bucket = buckets.get(key);
    if (!bucket) {
      bucket = createBucket(length, length < word.length);
      buckets.set(key, bucket);
      inOrder.push(bucket);
    }
    if (bucket.add(scratch)) size += 1;
  }

  /** All words of a length, but only those that may have so many digits. */
  function bucketsOf(length: number, leastDigits: number, mostDigits: number): readonly WordBucket[] {
    const found: WordBucket[] = [];
    for (const isCode of [false, true]) {
      if (isCode ? mostDigits < digitsOfCodes : leastDigits >= digitsOfCodes) continue;
      for (const wide of [false, true]) {
        const bucket = buckets.get(keyOf(length, wide, isCode));
        if (bucket) found.push(bucket);
      }
    }
    return found;
  }

  /** The words that are no codes. */
  function* plain(): Generator<WordBucket> {
    for (const [key, bucket] of buckets) if (!isOfCodes(key)) yield bucket;
  }

  function has(word: string): boolean {
    if (word.length > maxWordUnits) return false;
    const length = spread(word, scratch);
    const key = keyOf(length, length < word.length, digitsOf(scratch, length) >= digitsOfCodes);
    return buckets.get(key)?.has(scratch) ?? false;
  }

  function near(word: string, most: 1 | 2): readonly NearWord[] {
    const wanted = spreadWord(word);
    const found: NearWord[] = [];
    // An edit changes one digit at most.
    const digits = digitsOf(wanted.points, wanted.length);
    for (let length = wanted.length - most; length <= wanted.length + most; length += 1) {
      for (const bucket of bucketsOf(length, digits - most, digits + most)) {
        bucket.near(wanted, most, (index, distance) => {
          if (distance > 0) found.push({ word: bucket.wordAt(index), distance });
        });
      }
    }
    return found.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
  }

  function beginningNear(word: string, most: 1 | 2): readonly string[] {
    const wanted = spreadWord(word);
    const found: string[] = [];
    for (const bucket of plain()) {
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

  function endingNear(word: string, most: 1 | 2): readonly string[] {
    const wanted = spreadWord(word);
    const found: string[] = [];
    for (const bucket of plain()) bucket.endingNear(wanted, most, (index) => found.push(bucket.wordAt(index)));
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
    endingNear,
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

/**
 * Words with so many digits are kept apart. Most are article numbers, and there may be more of them than of all other
 * words: where they cannot resemble a word, none of them is looked at.
 */
const digitsOfCodes = 3;

/** Buckets are of words with one length, narrow or wide (with code points beyond 16 bits), codes or not. */
function keyOf(length: number, wide: boolean, isCode: boolean): number {
  return 4 * length + (wide ? 2 : 0) + (isCode ? 1 : 0);
}

function isOfCodes(key: number): boolean {
  return key % 2 === 1;
}

const [digit0, digit9] = [0x30, 0x39];

function digitsOf(points: CodePoints, length: number): number {
  let count = 0;
  for (let at = 0; at < length; at += 1) if (points[at]! >= digit0 && points[at]! <= digit9) count += 1;
  return count;
}

function spreadWord(word: string): SpreadWord {
  const points = new Uint32Array(word.length);
  const length = spread(word, points);
  return { points, length, mask: maskOf(points, length) };
}
