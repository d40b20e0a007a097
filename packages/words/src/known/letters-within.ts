import type { CodePoints } from '../distance.ts';

/** Words of one length, one behind the other. There are less than 256 buckets, in one order that is kept. */
export interface LetterBucket {
  readonly length: number;
  readonly count: number;
  readonly points: CodePoints;
}

/** Letters in a row. */
const row = 3;

/** More lists than there are different letters in a row would be empty. */
const maxLists = 2 ** 16;

/** Words that are not listed, at most: a part of the listed ones, or so few. To look at each of them takes little time. */
const [fewWords, shareOfFew] = [32, 4];

/** Of an entry: where the three letters begin in the word, then the last bits of the letter behind them and of the one before. */
const [placeBits, letterBits] = [6, 5];
const letterMask = 2 ** letterBits - 1;

const [digit0, digit9] = [0x30, 0x39];

/** True if words are indexed by the first of these letters: those with a digit are in most article numbers, and no heads. */
export function areIndexed(letters: CodePoints, length: number): boolean {
  return length >= row && !hasDigit(letters, 0);
}

interface Lists {
  /** Where the list of each hash of letters begins; then where the last one ends. */
  readonly starts: Uint32Array;
  /** By entry: the bucket of its word, the index of the word there, and the letters around. */
  readonly buckets: Uint8Array;
  readonly words: Uint32Array;
  readonly around: Uint16Array;
  /** Number of listed words, for each bucket and in total. */
  readonly listed: readonly number[];
  readonly size: number;
}

const noLists: Lists = {
  ...{ starts: new Uint32Array(2), buckets: new Uint8Array(0), words: new Uint32Array(0), around: new Uint16Array(0) },
  ...{ listed: [], size: 0 },
};

/**
 * Which words have some letters in a row, not at their beginning: for each three letters a list of words of any length,
 * instead of a look at every word. The lists lie one after the other, so that reading one is no leap for each entry, and an
 * entry says what stands around the three letters, so that few words are compared.
 */
export class LettersWithin {
  #lists = noLists;

  get bytes(): number {
    const { starts, buckets, words, around } = this.#lists;
    return starts.byteLength + buckets.byteLength + words.byteLength + around.byteLength;
  }

  /** Lists the words of the buckets anew where many are not listed. */
  update(buckets: readonly LetterBucket[]): void {
    const { size } = this.#lists;
    const left = buckets.reduce((sum, { count }) => sum + count, -size);
    if (left > Math.max(fewWords, size / shareOfFew)) this.#lists = makeLists(buckets);
  }

  /** The number of listed words of a bucket: its first ones. */
  listedOf(bucket: number): number {
    return this.#lists.listed[bucket] ?? 0;
  }

  /** Calls `found` once for each listed word of this length. They `areIndexed`. */
  each(
    buckets: readonly LetterBucket[],
    letters: CodePoints,
    count: number,
    found: (bucket: number, index: number) => void,
  ): void {
    const { starts, words, around, buckets: bucketOf } = this.#lists;
    const offset = rarest(starts, letters, count);
    const before = offset > 0 ? letters[offset - 1]! : 0;
    const behind = offset + row < count ? letters[offset + row]! : 0;
    const wanted = lettersAround(before, behind);
    const mask = lettersAround(offset > 0 ? letterMask : 0, offset + row < count ? letterMask : 0);
    const list = hashOf(letters, offset) & (starts.length - 2);
    let [last, lastBucket] = [-1, -1];
    for (let entry = starts[list]!; entry < starts[list + 1]!; entry += 1) {
      const own = around[entry]!;
      if (((own >>> placeBits) & mask) !== wanted) continue;
      const [index, bucket] = [words[entry]!, bucketOf[entry]!];
      // The entries of a word follow each other.
      if (index === last && bucket === lastBucket) continue;
      const first = (own & (2 ** placeBits - 1)) - offset;
      const { length, points } = buckets[bucket]!;
      if (first < 1 || first + count > length || !areAt(points, index * length + first, letters, count)) continue;
      [last, lastBucket] = [index, bucket];
      found(bucket, index);
    }
  }
}

/** Visits the words twice: to count the entries of each list, and to write them. */
function makeLists(from: readonly LetterBucket[]): Lists {
  const most = from.reduce((sum, { length, count }) => sum + count * Math.max(0, length - row), 1);
  const starts = new Uint32Array(Math.min(maxLists, 2 ** Math.ceil(Math.log2(most))) + 1);
  const mask = starts.length - 2;
  for (const { length, points, count } of from) {
    for (let index = 0; index < count; index += 1) {
      for (let at = index * length + 1; at <= (index + 1) * length - row; at += 1) {
        if (!hasDigit(points, at)) starts[hashOf(points, at) & mask]! += 1;
      }
    }
  }
  // Each becomes the end of its list, which then is written from its end to its start.
  for (let list = 1; list < starts.length; list += 1) starts[list]! += starts[list - 1]!;
  const entries = starts.at(-1)!;
  const [words, around, buckets] = [new Uint32Array(entries), new Uint16Array(entries), new Uint8Array(entries)];
  for (const [bucket, { length, points, count }] of from.entries()) {
    for (let index = 0; index < count; index += 1) {
      const start = index * length;
      for (let at = start + 1; at <= start + length - row; at += 1) {
        if (hasDigit(points, at)) continue;
        const list = hashOf(points, at) & mask;
        starts[list]! -= 1;
        const entry = starts[list]!;
        const behind = at + row < start + length ? points[at + row]! : 0;
        words[entry] = index;
        buckets[entry] = bucket;
        around[entry] = (lettersAround(points[at - 1]!, behind) << placeBits) | (at - start);
      }
    }
  }
  const listed = from.map(({ count }) => count);
  return { starts, buckets, words, around, listed, size: listed.reduce((sum, count) => sum + count, 0) };
}

/** Where, among the letters, those three begin that the fewest words have. */
function rarest(starts: Uint32Array, letters: CodePoints, count: number): number {
  let [found, least] = [0, Number.POSITIVE_INFINITY];
  for (let at = 0; at <= count - row; at += 1) {
    if (hasDigit(letters, at)) continue;
    const list = hashOf(letters, at) & (starts.length - 2);
    const size = starts[list + 1]! - starts[list]!;
    if (size < least) [found, least] = [at, size];
  }
  return found;
}

function areAt(points: CodePoints, start: number, letters: CodePoints, count: number): boolean {
  let same = 0;
  while (same < count && points[start + same] === letters[same]) same += 1;
  return same === count;
}

function lettersAround(before: number, behind: number): number {
  return ((before & letterMask) << letterBits) | (behind & letterMask);
}

function hashOf(points: CodePoints, start: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < start + row; at += 1) hash = Math.imul(hash ^ points[at]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

function hasDigit(points: CodePoints, start: number): boolean {
  for (let at = start; at < start + row; at += 1) if (points[at]! >= digit0 && points[at]! <= digit9) return true;
  return false;
}
