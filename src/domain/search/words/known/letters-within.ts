import type { CodePoints } from '../distance.ts';

/**
 * Which words of one length have three letters in a row, not at their beginning: a chain of words for each three letters,
 * instead of a look at every word. Chains are found by a hash of the letters and may hold words with others, since whoever
 * asks compares them anyway.
 */
export interface LettersWithin {
  /** Adds the words from the last one added on, at most so many; true if more are left. */
  readonly addUpTo: (points: CodePoints, count: number, most: number) => boolean;
  /** Calls `found` once for each word that may have so many letters. They `areIndexed`. */
  readonly each: (letters: CodePoints, count: number, found: (index: number) => void) => void;
  readonly bytes: () => number;
}

/** Letters in a row. */
const row = 3;

const firstChains = 16;
const [digit0, digit9] = [0x30, 0x39];

/** True if words are indexed by the first of these letters: those with a digit are in most article numbers, and no heads. */
export function areIndexed(letters: CodePoints, length: number): boolean {
  return length >= row && !hasDigit(letters, 0);
}

/** No words, each of so many code points. */
export function createLettersWithin(length: number): LettersWithin {
  /** The number of the last entry of each chain; 0 for an empty one. */
  let chains = new Uint32Array(firstChains);
  /** How many entries each chain has. */
  let lengths = new Uint32Array(firstChains);
  /** By entry: the index of its word, and the number of the entry before it. */
  let words = new Uint32Array(firstChains);
  let before = new Uint32Array(firstChains);
  let entries = 0;
  let added = 0;

  function addWord(points: CodePoints, index: number): void {
    for (let start = index * length + 1; start <= (index + 1) * length - row; start += 1) {
      if (hasDigit(points, start)) continue;
      if (entries + 1 === words.length) [words, before] = [doubled(words), doubled(before)];
      const chain = chainOf(points, start);
      entries += 1;
      words[entries] = index;
      before[entries] = chains[chain]!;
      chains[chain] = entries;
      lengths[chain]! += 1;
    }
  }

  function chainOf(points: CodePoints, start: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < start + row; at += 1) hash = Math.imul(hash ^ points[at]!, 0x01000193);
    return (hash ^ (hash >>> 15)) & (chains.length - 1);
  }

  /** Longer chains would have too many words with other letters. */
  function makeChains(points: CodePoints): void {
    chains = new Uint32Array(4 * chains.length);
    lengths = new Uint32Array(chains.length);
    entries = 0;
    for (let index = 0; index < added; index += 1) addWord(points, index);
  }

  /** The chain with the fewest words, among those of any three of the letters: all of them have the words. */
  function shortestChain(letters: CodePoints, count: number): number {
    let shortest = chainOf(letters, 0);
    for (let start = 1; start <= count - row; start += 1) {
      if (hasDigit(letters, start)) continue;
      const chain = chainOf(letters, start);
      if (lengths[chain]! < lengths[shortest]!) shortest = chain;
    }
    return shortest;
  }

  return {
    addUpTo(points, count, most) {
      const end = Math.min(count, added + most);
      for (; added < end; added += 1) {
        if (entries > 2 * chains.length) makeChains(points);
        addWord(points, added);
      }
      return added < count;
    },
    each(letters, count, found) {
      let last = -1;
      for (let entry = chains[shortestChain(letters, count)]!; entry !== 0; entry = before[entry]!) {
        // The entries of a word follow each other.
        if (words[entry] === last) continue;
        last = words[entry]!;
        found(last);
      }
    },
    bytes: () => chains.byteLength + lengths.byteLength + words.byteLength + before.byteLength,
  };
}

function hasDigit(points: CodePoints, start: number): boolean {
  for (let at = start; at < start + row; at += 1) if (points[at]! >= digit0 && points[at]! <= digit9) return true;
  return false;
}

function doubled(some: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * some.length);
  larger.set(some);
  return larger;
}
