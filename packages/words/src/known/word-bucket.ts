import { type CodePoints, codePointBeginningDistance, codePointDistance } from '../distance.ts';
import type { LetterBucket } from './letters-within.ts';

/** A word to compare with, as code points. */
export interface SpreadWord {
  readonly points: Uint32Array;
  readonly length: number;
  readonly mask: number;
}

const firstCapacity = 8;

/**
 * Words of one length in few typed arrays instead of a string each: their code points one after the other, and a mask of
 * the letters of each. Words that come in the order of their code points, as a store has them, are found by halving; those
 * that are added later are in an open hash table of their indexes.
 */
export class WordBucket implements LetterBucket {
  readonly length: number;
  /** For code points beyond 16 bits, which need twice the room. */
  readonly #wide: boolean;
  #count = 0;
  /** Length of the sorted prefix of the words. */
  #ascending = 0;
  #points: CodePoints;
  #masks = new Uint32Array(firstCapacity);
  /** Index + 1 of each other word at its hash or after it; 0 is free. At least twice as long as there are such words. */
  #table = new Uint32Array(0);

  constructor(length: number, wide: boolean) {
    this.length = length;
    this.#wide = wide;
    this.#points = this.#pointsFor(firstCapacity);
  }

  get count(): number {
    return this.#count;
  }

  get points(): CodePoints {
    return this.#points;
  }

  get bytes(): number {
    return this.#points.byteLength + this.#masks.byteLength + this.#table.byteLength;
  }

  #pointsFor(words: number): CodePoints {
    return this.#wide ? new Uint32Array(words * this.length) : new Uint16Array(words * this.length);
  }

  /** Adds a word; true if it is new. */
  add(points: Uint32Array): boolean {
    if (this.#count === this.#ascending && (this.#count === 0 || this.#compareAt(points, 0, this.#count - 1) > 0)) {
      this.#append(points);
      this.#ascending += 1;
      return true;
    }
    if (this.has(points)) return false;
    this.#append(points);
    if (this.#table.length < 2 * (this.#count - this.#ascending)) this.#growTable();
    else this.#table[this.#slotOf(points, 0)] = this.#count;
    return true;
  }

  #append(points: CodePoints): void {
    const { length } = this;
    if (this.#count === this.#masks.length) {
      const larger = this.#pointsFor(2 * this.#count);
      larger.set(this.#points);
      this.#points = larger;
      const moreMasks = new Uint32Array(2 * this.#count);
      moreMasks.set(this.#masks);
      this.#masks = moreMasks;
    }
    const start = this.#count * length;
    for (let i = 0; i < length; i += 1) this.#points[start + i] = points[i]!;
    this.#masks[this.#count] = maskOf(points, length);
    this.#count += 1;
  }

  #growTable(): void {
    this.#table = new Uint32Array(Math.max(2 * firstCapacity, 2 * this.#table.length));
    for (let index = this.#ascending; index < this.#count; index += 1) {
      this.#table[this.#slotOf(this.#points, index * this.length)] = index + 1;
    }
  }

  has(points: CodePoints): boolean {
    let [low, high] = [0, this.#ascending];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareAt(points, 0, middle) > 0) low = middle + 1;
      else high = middle;
    }
    if (low < this.#ascending && this.#compareAt(points, 0, low) === 0) return true;
    return this.#table.length > 0 && this.#table[this.#slotOf(points, 0)] !== 0;
  }

  #slotOf(points: CodePoints, from: number): number {
    const last = this.#table.length - 1;
    let slot = hashOf(points, from, this.length) & last;
    while (this.#table[slot] !== 0 && this.#compareAt(points, from, this.#table[slot]! - 1) !== 0)
      slot = (slot + 1) & last;
    return slot;
  }

  /** Below 0 if a word comes before the one with an index, 0 if it is the same. */
  #compareAt(points: CodePoints, from: number, index: number): number {
    const start = index * this.length;
    for (let i = 0; i < this.length; i += 1) {
      const difference = points[from + i]! - this.#points[start + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  wordAt(index: number): string {
    let word = '';
    // Several times faster than a call with all of them as arguments.
    for (let at = index * this.length; at < (index + 1) * this.length; at += 1) {
      word += String.fromCodePoint(this.#points[at]!);
    }
    return word;
  }

  /** Calls `found` for each word that is at most `most` edits away. */
  near(wanted: SpreadWord, most: 1 | 2, found: (index: number, distance: number) => void): void {
    const [points, masks, length] = [this.#points, this.#masks, this.length];
    for (let index = 0; index < this.#count; index += 1) {
      const mask = masks[index]!;
      // An edit changes at most one letter on either side, so that few words are left to compare.
      if (moreBitsThan(wanted.mask & ~mask, most) || moreBitsThan(mask & ~wanted.mask, most)) continue;
      const start = index * length;
      const distance = codePointDistance(wanted.points, 0, wanted.length, points, start, start + length, most);
      if (distance !== undefined) found(index, distance);
    }
  }

  /** Calls `found` for each word with the same first letter, of which some beginning is at most `most` edits away. */
  beginningNear(wanted: SpreadWord, most: 1 | 2, found: (index: number) => void): void {
    const [points, masks, length] = [this.#points, this.#masks, this.length];
    const first = wanted.points[0]!;
    for (let index = 0; index < this.#count; index += 1) {
      const start = index * length;
      // Each edit brings at most one letter that the word lacks; those of its end do not matter.
      if (points[start] !== first || moreBitsThan(wanted.mask & ~masks[index]!, most)) continue;
      const end = start + length;
      if (codePointBeginningDistance(wanted.points, wanted.length, points, start, end, most) !== undefined)
        found(index);
    }
  }

  /** Calls `found` for each word from one on that has the letters of another one in a row, not at its beginning. */
  within({ points: letters, length: wanted, mask }: SpreadWord, from: number, found: (index: number) => void): void {
    const [points, masks, length] = [this.#points, this.#masks, this.length];
    for (let index = from; index < this.#count; index += 1) {
      if ((mask & ~masks[index]!) !== 0) continue;
      const end = (index + 1) * length - wanted;
      for (let start = index * length + 1; start <= end; start += 1) {
        let same = 0;
        while (same < wanted && points[start + same] === letters[same]) same += 1;
        if (same < wanted) continue;
        found(index);
        break;
      }
    }
  }

  /**
   * Calls `found` at least for each word with an end that begins with the first two letters of another one, not at its beginning,
   * and is at most `most` edits away from that.
   */
  endingNear({ points: letters, length: wanted, mask }: SpreadWord, most: 1 | 2, found: (index: number) => void): void {
    const [points, masks, length] = [this.#points, this.#masks, this.length];
    const [first, second] = [letters[0]!, letters[1]!];
    const [from, to] = [Math.max(1, length - wanted - most), length - Math.max(2, wanted - most)];
    for (let index = 0; index < this.#count; index += 1) {
      // Each edit takes at most one letter from the end of the word.
      if (moreBitsThan(mask & ~masks[index]!, most)) continue;
      for (let start = index * length + from; start <= index * length + to; start += 1) {
        if (points[start] !== first || points[start + 1] !== second) continue;
        found(index);
        break;
      }
    }
  }
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
