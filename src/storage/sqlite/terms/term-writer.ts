import type { DatabaseSync } from 'node:sqlite';
import { type BlockSizes, createSegmentWriter } from './segment-writer.ts';

/**
 * Gathers what the open transaction says of terms and rows, and writes it as one segment. What is said last of a term and a row holds,
 * so that it may be said again.
 */
export interface TermWriter {
  /** A row gains terms. Returns the characters of these. */
  add(row: number, terms: readonly string[]): number;
  /** A row loses terms. */
  remove(row: number, terms: readonly string[]): number;
  /** Writes what was gathered, in the open transaction. Returns the bytes that it takes. */
  flush(): number;
  /** Forgets what was gathered: the transaction was rolled back. */
  clear(): void;
}

/** Prepares it on a connection that writes. */
export function createTermWriter(db: DatabaseSync, sizes?: BlockSizes): TermWriter {
  const segments = createSegmentWriter(db, sizes);
  /** Postings by term, in the order in which they came: see `encodePostings`. Most terms have one. */
  let gathered = new Map<string, number | number[]>();

  function gather(posting: number, terms: readonly string[]): number {
    let characters = 0;
    for (const term of terms) {
      const own = gathered.get(term);
      if (own === undefined) gathered.set(term, posting);
      else if (typeof own === 'number') gathered.set(term, [own, posting]);
      else own.push(posting);
      characters += term.length + 1;
    }
    return characters;
  }

  return {
    add: (row, terms) => gather(2 * row, terms),
    remove: (row, terms) => gather(2 * row + 1, terms),
    flush() {
      if (gathered.size === 0) return 0;
      const { segment } = segments.begin();
      for (const [text, term] of inOrder([...gathered.keys()])) {
        const postings = gathered.get(text)!;
        segment.add({ term, length: term.length }, typeof postings === 'number' ? [postings] : lastOfEach(postings));
      }
      gathered = new Map();
      return segment.end();
    },
    clear() {
      gathered = new Map();
    },
  };
}

/** Terms with their bytes, in the order of these. */
function inOrder(terms: string[]): (readonly [text: string, bytes: Buffer])[] {
  const pairs = terms.sort().map((text) => [text, Buffer.from(text)] as const);
  // Texts are compared by UTF-16 units, which is the same order where all are ASCII.
  const isSorted = pairs.every(([text, bytes]) => bytes.length === text.length);
  return isSorted ? pairs : pairs.sort(([, a], [, b]) => Buffer.compare(a, b));
}

/** The last posting of each row, ascending. */
function lastOfEach(postings: readonly number[]): readonly number[] {
  let isInOrder = true;
  for (let at = 1; isInOrder && at < postings.length; at += 1)
    isInOrder = rowOf(postings[at]!) > rowOf(postings[at - 1]!);
  if (isInOrder) return postings;
  const last = new Map(postings.map((posting) => [rowOf(posting), posting]));
  return [...last.values()].sort((a, b) => a - b);
}

function rowOf(posting: number): number {
  return Math.floor(posting / 2);
}
