import { type CodePoints, codePointBeginningDistance, codePointDistance } from '../distance.ts';
import type { LetterBucket } from './letters-within.ts';

/**
 * Words of one length in few typed arrays instead of a string each: their code points one after the other, and a mask of
 * the letters of each. Words that come in the order of their code points, as a store has them, are found by halving; those
 * that are added later are in an open hash table of their indexes.
 */
export interface WordBucket extends LetterBucket {
  /** Adds a word; true if it is new. */
  readonly add: (points: Uint32Array) => boolean;
  readonly has: (points: Uint32Array) => boolean;
  readonly wordAt: (index: number) => string;
  readonly bytes: () => number;
  /** Calls `found` for each word from one on that has the letters of another one in a row, not at its beginning. */
  readonly within: (wanted: SpreadWord, from: number, found: (index: number) => void) => void;
  /**
   * Calls `found` at least for each word with an end that begins with the first two letters of another one, not at its beginning,
   * and is at most `most` edits away from that.
   */
  readonly endingNear: (wanted: SpreadWord, most: 1 | 2, found: (index: number) => void) => void;
  /** Calls `found` for each word that is at most `most` edits away. */
  readonly near: (wanted: SpreadWord, most: 1 | 2, found: (index: number, distance: number) => void) => void;
  /** Calls `found` for each word with the same first letter, of which some beginning is at most `most` edits away. */
  readonly beginningNear: (wanted: SpreadWord, most: 1 | 2, found: (index: number) => void) => void;
}

/** A word to compare with, as code points. */
export interface SpreadWord {
  readonly points: Uint32Array;
  readonly length: number;
  readonly mask: number;
}

const firstCapacity = 8;

/** An empty bucket. `wide` is for words with code points beyond 16 bits, which need twice the room. */
export function createBucket(length: number, wide: boolean): WordBucket {
  const pointsOf = (size: number): CodePoints => (wide ? new Uint32Array(size) : new Uint16Array(size));
  let count = 0;
  /** So many words ascend, from the first one on. */
  let ascending = 0;
  let all = pointsOf(firstCapacity * length);
  let masks = new Uint32Array(firstCapacity);
  /** Index + 1 of each other word at its hash or after it; 0 is free. At least twice as long as there are such words. */
  let table = new Uint32Array(0);

  function slotOf(points: CodePoints, from: number): number {
    let slot = hashOf(points, from, length) & (table.length - 1);
    while (table[slot] !== 0 && compareAt(points, from, table[slot]! - 1) !== 0) slot = (slot + 1) & (table.length - 1);
    return slot;
  }

  /** Below 0 if a word comes before the one with an index, 0 if it is the same. */
  function compareAt(points: CodePoints, from: number, index: number): number {
    const start = index * length;
    for (let i = 0; i < length; i += 1) {
      const difference = points[from + i]! - all[start + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  function has(points: CodePoints): boolean {
    let [low, high] = [0, ascending];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareAt(points, 0, middle) > 0) low = middle + 1;
      else high = middle;
    }
    if (low < ascending && compareAt(points, 0, low) === 0) return true;
    return table.length > 0 && table[slotOf(points, 0)] !== 0;
  }

  function append(points: CodePoints): void {
    if (count === masks.length) {
      const larger = pointsOf(2 * all.length);
      larger.set(all);
      all = larger;
      const moreMasks = new Uint32Array(2 * masks.length);
      moreMasks.set(masks);
      masks = moreMasks;
    }
    const start = count * length;
    for (let i = 0; i < length; i += 1) all[start + i] = points[i]!;
    masks[count] = maskOf(points, length);
    count += 1;
  }

  function add(points: Uint32Array): boolean {
    if (count === ascending && (count === 0 || compareAt(points, 0, count - 1) > 0)) {
      append(points);
      ascending += 1;
      return true;
    }
    if (has(points)) return false;
    append(points);
    if (table.length < 2 * (count - ascending)) {
      table = new Uint32Array(Math.max(2 * firstCapacity, 2 * table.length));
      for (let index = ascending; index < count; index += 1) table[slotOf(all, index * length)] = index + 1;
    } else table[slotOf(points, 0)] = count;
    return true;
  }

  function near(wanted: SpreadWord, most: 1 | 2, found: (index: number, distance: number) => void): void {
    for (let index = 0; index < count; index += 1) {
      const mask = masks[index]!;
      // An edit changes at most one letter on either side, so that few words are left to compare.
      if (moreBitsThan(wanted.mask & ~mask, most) || moreBitsThan(mask & ~wanted.mask, most)) continue;
      const start = index * length;
      const distance = codePointDistance(wanted.points, 0, wanted.length, all, start, start + length, most);
      if (distance !== undefined) found(index, distance);
    }
  }

  function beginningNear(wanted: SpreadWord, most: 1 | 2, found: (index: number) => void): void {
    const first = wanted.points[0]!;
    for (let index = 0; index < count; index += 1) {
      const start = index * length;
      // Each edit brings at most one letter that the word lacks; those of its end do not matter.
      if (all[start] !== first || moreBitsThan(wanted.mask & ~masks[index]!, most)) continue;
      const end = start + length;
      if (codePointBeginningDistance(wanted.points, wanted.length, all, start, end, most) !== undefined) found(index);
    }
  }

  function within(wanted: SpreadWord, from: number, found: (index: number) => void): void {
    for (let index = from; index < count; index += 1) if (hasWithin(index, wanted)) found(index);
  }

  function endingNear({ points, length: wanted, mask }: SpreadWord, most: 1 | 2, found: (index: number) => void): void {
    const [first, second] = [points[0]!, points[1]!];
    const [from, to] = [Math.max(1, length - wanted - most), length - Math.max(2, wanted - most)];
    for (let index = 0; index < count; index += 1) {
      // Each edit takes at most one letter from the end of the word.
      if (moreBitsThan(mask & ~masks[index]!, most)) continue;
      for (let start = index * length + from; start <= index * length + to; start += 1) {
        if (all[start] !== first || all[start + 1] !== second) continue;
        found(index);
        break;
      }
    }
  }

  function hasWithin(index: number, { points, length: wanted, mask }: SpreadWord): boolean {
    if ((mask & ~masks[index]!) !== 0) return false;
    const end = (index + 1) * length - wanted;
    for (let start = index * length + 1; start <= end; start += 1) {
      let same = 0;
      while (same < wanted && all[start + same] === points[same]) same += 1;
      if (same === wanted) return true;
    }
    return false;
  }

  return {
    length,
    count: () => count,
    points: () => all,
    add,
    within,
    endingNear,
    has,
    wordAt(index) {
      let word = '';
      // Several times faster than a call with all of them as arguments.
      for (let at = index * length; at < (index + 1) * length; at += 1) word += String.fromCodePoint(all[at]!);
      return word;
    },
    bytes: () => all.byteLength + masks.byteLength + table.byteLength,
    near,
    beginningNear,
  };
}

/** One bit per letter; those whose code points end in the same five bits share one. */
export function maskOf(points: CodePoints, length: number): number {
  let mask = 0;
  for (let i = 0; i < length; i += 1) mask |= 1 << (points[i]! & 31);
  return mask >>> 0;
}

/** True if more than one, or more than two, bits are set. Clearing the lowest bit a few times beats counting all. */
function moreBitsThan(bits: number, most: 1 | 2): boolean {
  const second = bits & (bits - 1);
  const third = second & (second - 1);
  return (most === 1 ? second : third) !== 0;
}

/** FNV-1a over code points, its high bits mixed into the low ones that choose the slot. */
function hashOf(points: CodePoints, from: number, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < from + length; i += 1) hash = Math.imul(hash ^ points[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
