import { type CodePoints, spread } from '../distance.ts';
import { maxWordUnits } from '../words.ts';
import { areIndexed, LettersWithin } from './letters-within.ts';
import { maskOf, type SpreadWord, WordBucket } from './word-bucket.ts';

interface NearWord {
  readonly word: string;
  readonly distance: number;
}

/** The distinct words of a set of texts, held in memory in order to find those that resemble a word. */
export class Vocabulary {
  /** By `keyOf`. */
  readonly #buckets = new Map<number, WordBucket>();
  /** In the order of arrival. */
  readonly #inOrder: WordBucket[] = [];
  /** Few languages need it. */
  readonly #letters = new LettersWithin();
  readonly #scratch = new Uint32Array(maxWordUnits);
  #size = 0;

  /** Number of words. */
  get size(): number {
    return this.#size;
  }

  /** Memory, approximately. */
  get bytes(): number {
    return this.#inOrder.reduce((sum, bucket) => sum + bucket.bytes, this.#letters.bytes);
  }

  /** Adds a folded word once. Throws if it is longer than any word of `wordsOf`. */
  add(word: string): void {
    if (word.length > maxWordUnits) throw new RangeError(`expected a word of at most ${maxWordUnits} units`);
    const length = spread(word, this.#scratch);
    const key = this.#keyOfScratch(word, length);
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = new WordBucket(length, length < word.length);
      this.#buckets.set(key, bucket);
      this.#inOrder.push(bucket);
    }
    if (bucket.add(this.#scratch)) this.#size += 1;
  }

  has(word: string): boolean {
    if (word.length > maxWordUnits) return false;
    const length = spread(word, this.#scratch);
    return this.#buckets.get(this.#keyOfScratch(word, length))?.has(this.#scratch) ?? false;
  }

  #keyOfScratch(word: string, length: number): number {
    return keyOf(length, length < word.length, digitsOf(this.#scratch, length) >= digitsOfCodes);
  }

  /** All words of a length that may have this many digits. */
  #bucketsOf(length: number, leastDigits: number, mostDigits: number): readonly WordBucket[] {
    const found: WordBucket[] = [];
    for (const isCode of [false, true]) {
      if (isCode ? mostDigits < digitsOfCodes : leastDigits >= digitsOfCodes) continue;
      for (const wide of [false, true]) {
        const bucket = this.#buckets.get(keyOf(length, wide, isCode));
        if (bucket) found.push(bucket);
      }
    }
    return found;
  }

  /** The words that are no codes. */
  *#plain(): Generator<WordBucket> {
    for (const [key, bucket] of this.#buckets) if (!isOfCodes(key)) yield bucket;
  }

  /** All words that are 1 to `most` edits away from a word, the nearest first, else by their UTF-16 units. */
  near(word: string, most: 1 | 2): readonly NearWord[] {
    const wanted = spreadWord(word);
    const found: NearWord[] = [];
    // An edit changes one digit at most.
    const digits = digitsOf(wanted.points, wanted.length);
    for (let length = wanted.length - most; length <= wanted.length + most; length += 1) {
      for (const bucket of this.#bucketsOf(length, digits - most, digits + most)) {
        bucket.near(wanted, most, (index, distance) => {
          if (distance > 0) found.push({ word: bucket.wordAt(index), distance });
        });
      }
    }
    return found.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
  }

  /**
   * All words with the first letter of a word, of which some beginning is at most `most` edits away from it. Words with three
   * digits and more may be missing.
   */
  beginningNear(word: string, most: 1 | 2): readonly string[] {
    const wanted = spreadWord(word);
    const found: string[] = [];
    for (const bucket of this.#plain()) {
      if (bucket.length < wanted.length - most) continue;
      bucket.beginningNear(wanted, most, (index) => found.push(bucket.wordAt(index)));
    }
    return found;
  }

  /** All words that have some letters in a row, not at their beginning. */
  within(asked: string): readonly string[] {
    const wanted = spreadWord(asked);
    const found: string[] = [];
    const isListed = areIndexed(wanted.points, wanted.length);
    if (isListed) {
      this.#letters.update(this.#inOrder);
      this.#letters.each(this.#inOrder, wanted.points, wanted.length, (bucket, index) => {
        found.push(this.#inOrder[bucket]!.wordAt(index));
      });
    }
    for (const [at, bucket] of this.#inOrder.entries()) {
      if (bucket.length <= wanted.length) continue;
      const from = isListed ? this.#letters.listedOf(at) : 0;
      bucket.within(wanted, from, (index) => found.push(bucket.wordAt(index)));
    }
    return found;
  }

  /**
   * At least the words with an end that begins like a word, not at their beginning, and is at most `most` edits away from it. Words with
   * three digits and more may be missing.
   */
  endingNear(word: string, most: 1 | 2): readonly string[] {
    const wanted = spreadWord(word);
    const found: string[] = [];
    for (const bucket of this.#plain()) bucket.endingNear(wanted, most, (index) => found.push(bucket.wordAt(index)));
    return found;
  }
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
