import type { DatabaseSync } from 'node:sqlite';
import { compareUtf8 } from '../../domain/predicate/scalar.ts';
import { BlockReader, BlockWriter, encodePostings, type TermBytes } from './block.ts';
import { addPostings, postingsOf } from './segment-scan.ts';
import { type BlockSizes, createSegmentWriter, type OpenSegment } from './segment-writer.ts';

/**
 * Gathers what the open transaction says of terms and rows, and writes it as one segment. What is said last of a term and a row holds,
 * so that it may be said again.
 */
export interface TermWriter {
  /**
   * A row gains terms, which come without their common beginning: the less there is of a text that was just made, the sooner it is found.
   * Each comes with the same beginning always: see `splitTerm`. Returns the characters of the terms.
   */
  add(row: number, terms: readonly string[], prefix: string): number;
  /** A row loses terms. */
  remove(row: number, terms: readonly string[], prefix: string): number;
  /** Writes what was gathered, in the open transaction. Returns the bytes that it takes. */
  flush(): number;
  /** Writes terms that were gathered of rows numbered from 0, for rows from `firstRow` on: see `GatheredTerms.encode`. */
  write(terms: Uint8Array, firstRow: number): number;
  /** Forgets what was gathered: the transaction was rolled back. */
  clear(): void;
}

/** Postings by term, in the order in which they came: see `encodePostings`. Most terms have one. */
type Gathered = Map<string, number | number[]>;

/** Prepares it on a connection that writes. */
export function createTermWriter(db: DatabaseSync, sizes?: BlockSizes): TermWriter {
  const segments = createSegmentWriter(db, sizes);
  const gathered = new GatheredTerms();
  return {
    add: (row, terms, prefix) => gathered.gather(2 * row, terms, prefix),
    remove: (row, terms, prefix) => gathered.gather(2 * row + 1, terms, prefix),
    flush() {
      if (gathered.isEmpty) return 0;
      const { segment } = segments.begin();
      gathered.writeTo(segment);
      return segment.end();
    },
    write(terms, firstRow) {
      const { segment } = segments.begin();
      for (const reader = new BlockReader(terms); !reader.isOver; reader.next()) {
        const postings = postingsOf(addPostings(reader, 0));
        for (let at = 0; at < postings.length; at += 1) postings[at]! += 2 * firstRow;
        segment.add(reader, postings);
      }
      return segment.end();
    },
    clear: () => gathered.clear(),
  };
}

/** Terms of rows, in memory. */
export class GatheredTerms {
  /** By prefix. */
  #all = new Map<string, Gathered>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Adds a posting (block.ts) to terms: see `TermWriter.add`. */
  gather(posting: number, terms: readonly string[], prefix: string): number {
    // Else a change of no term would write a segment without a term, which no merge is due for and every read opens.
    if (terms.length === 0) return 0;
    const gathered: Gathered = this.#all.get(prefix) ?? new Map();
    this.#all.set(prefix, gathered);
    let characters = 0;
    for (const term of terms) {
      const own = gathered.get(term);
      if (own === undefined) gathered.set(term, posting);
      else if (typeof own === 'number') gathered.set(term, [own, posting]);
      else own.push(posting);
      characters += prefix.length + term.length + 1;
    }
    return characters;
  }

  /** Hands all over in the order of the terms, and forgets it. */
  writeTo(segment: Pick<OpenSegment, 'add'>): void {
    const term = new TermBuffer();
    for (const [prefix, gathered, rests] of inOrder(this.#all)) {
      term.begin(prefix);
      for (const rest of rests) {
        const found = gathered.get(rest)!;
        const postings = typeof found === 'number' ? [found] : found;
        segment.add(term.with(rest), lastOfEach(postings));
      }
    }
    this.clear();
  }

  /** The same as one block. */
  encode(): Uint8Array {
    const block = new BlockWriter();
    this.writeTo({ add: (term, postings) => block.add(term, encodePostings(postings)) });
    return block.take().block;
  }

  clear(): void {
    this.#all = new Map();
  }
}

/** The terms by prefix, in the order of their bytes. Those without a prefix are in several parts, since none begins as a prefix does. */
function* inOrder(
  all: ReadonlyMap<string, Gathered>,
): Generator<readonly [prefix: string, gathered: Gathered, rests: readonly string[]]> {
  const plain = all.get('') ?? new Map();
  const rests = sorted(plain);
  let from = 0;
  for (const [prefix, gathered] of [...all].sort(([a], [b]) => compareUtf8(a, b))) {
    if (prefix === '') continue;
    let to = from;
    while (to < rests.length && compareUtf8(rests[to]!, prefix) < 0) to += 1;
    yield ['', plain, rests.slice(from, to)];
    yield [prefix, gathered, sorted(gathered)];
    from = to;
  }
  yield ['', plain, rests.slice(from)];
}

function sorted(gathered: Gathered): readonly string[] {
  const terms = [...gathered.keys()];
  // Texts are compared by UTF-16 units, which is another order where one has such as are used in pairs, or lie behind them.
  return terms.some(hasHighUnits) ? terms.sort(compareUtf8) : terms.sort();
}

function hasHighUnits(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 0xd800) return true;
  return false;
}

/** The bytes of one term at a time. */
class TermBuffer implements TermBytes {
  term = Buffer.alloc(1024);
  length = 0;
  #prefixLength = 0;

  begin(prefix: string): void {
    this.length = 0;
    this.#append(prefix);
    this.#prefixLength = this.length;
  }

  /** The term of the prefix and another part. */
  with(rest: string): this {
    this.length = this.#prefixLength;
    this.#append(rest);
    return this;
  }

  #append(text: string): void {
    const most = this.length + 3 * text.length;
    if (most > this.term.length) this.term = Buffer.concat([this.term, Buffer.alloc(most)]);
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= 128) {
        this.length += this.term.write(text.slice(at), this.length);
        return;
      }
      this.term[this.length] = code;
      this.length += 1;
    }
  }
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
