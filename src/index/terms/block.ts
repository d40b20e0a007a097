/**
 * A block of postings: terms in the order of their bytes, each with what a segment says of rows. For each term:
 *
 *     bytes shared with the term before | other bytes | their UTF-8 | bytes of the postings | postings
 *
 * The first term of a block is whole. A posting is `2 * row`, or `2 * row + 1` where the row has the term no more; they ascend, and each
 * is written as its difference to the one before. All numbers are unsigned LEB128.
 */

/** Bytes of a block, about: one page of the database. */
export const blockBytes = 3800;

/** Thrown where a block is not as it was written: what SQLite says of damaged pages. */
export class DamagedTermIndex extends Error {
  /** SQLITE_CORRUPT (sqlite.org/rescode.html). */
  readonly errcode = 11;

  constructor() {
    super('the term index is damaged');
  }
}

/** The bytes of a term: the first `length` of a buffer that may be written over later. */
export interface TermBytes {
  readonly term: Uint8Array;
  readonly length: number;
}

/** The bytes of postings: those from one place in a buffer that may be written over later to below another. */
export interface PostingBytes {
  readonly block: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Less than 0 where one term comes before another, 0 where they are the same. */
export function compareTerms(one: TermBytes, other: TermBytes): number {
  const most = Math.min(one.length, other.length);
  const [a, b] = [one.term, other.term];
  for (let at = 0; at < most; at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return one.length - other.length;
}

/** Writes blocks, one after the other. */
export class BlockWriter {
  #bytes = Buffer.allocUnsafe(2 * blockBytes);
  #length = 0;
  /** The last term, and the first one of the block. */
  #last = new Uint8Array(256);
  #lastLength = 0;
  #first: Uint8Array = new Uint8Array();

  get length(): number {
    return this.#length;
  }

  /** Adds a term behind the last one, with its postings. Makes no object: it runs for each term of each write and merge. */
  add({ term, length }: TermBytes, { block, from, to }: PostingBytes): void {
    const isFirst = this.#length === 0;
    if (isFirst) this.#first = Uint8Array.prototype.slice.call(term, 0, length);
    if (length > this.#last.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#last);
      this.#last = larger;
    }
    const last = this.#last;
    let shared = 0;
    if (!isFirst) {
      const most = Math.min(this.#lastLength, length);
      while (shared < most && last[shared] === term[shared]) shared += 1;
    }
    this.#reserve(length + to - from + 20);
    this.#number(shared);
    this.#number(length - shared);
    const bytes = this.#bytes;
    let end = this.#length;
    for (let at = shared; at < length; at += 1, end += 1) {
      bytes[end] = term[at]!;
      last[at] = term[at]!;
    }
    this.#lastLength = length;
    this.#length = end;
    this.#number(to - from);
    end = this.#length;
    for (let at = from; at < to; at += 1, end += 1) bytes[end] = block[at]!;
    this.#length = end;
  }

  /** The first term of the block, and the block, which are copies; the next term begins another one. */
  take(): { readonly first: Uint8Array; readonly block: Uint8Array } {
    const block = Uint8Array.prototype.slice.call(this.#bytes, 0, this.#length);
    this.#length = 0;
    return { first: this.#first, block };
  }

  #number(value: number): void {
    this.#length = writeNumber(this.#bytes, this.#length, value);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length + more);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Writes a number, and returns where it ends. */
function writeNumber(bytes: Uint8Array, from: number, value: number): number {
  let [at, left] = [from, value];
  for (; left >= 128; left = Math.floor(left / 128)) bytes[at++] = (left & 127) | 128;
  bytes[at] = left;
  return at + 1;
}

const encoded = { block: new Uint8Array(4096), from: 0, to: 0 };

/** The bytes of postings, which ascend. Valid until the next call. */
export function encodePostings(postings: ArrayLike<number>): PostingBytes {
  if (encoded.block.length < 5 * postings.length) encoded.block = new Uint8Array(10 * postings.length);
  let [at, last] = [0, 0];
  for (let index = 0; index < postings.length; index += 1) {
    at = writeNumber(encoded.block, at, postings[index]! - last);
    last = postings[index]!;
  }
  encoded.to = at;
  return encoded;
}

/** Adds the postings that bytes have to a list, and returns how many it then has. Each takes a byte at least. */
export function decodePostings(bytes: Uint8Array, from: number, to: number, out: Uint32Array, count: number): number {
  let [at, last, end] = [from, 0, count];
  while (at < to) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let factor = 128; byte >= 128; factor *= 128) {
      if (at >= to) throw new DamagedTermIndex();
      byte = bytes[at++]!;
      value += (byte & 127) * factor;
    }
    last += value;
    out[end++] = last;
  }
  return end;
}

/** True if postings have a row that has the term no more. */
export function hasGone({ block, from, to }: PostingBytes): boolean {
  // The lowest bit of a number is that of its first byte.
  let isGone = 0;
  for (let at = from; at < to; at += 1) {
    isGone ^= block[at]! & 1;
    if (isGone === 1) return true;
    while (block[at]! >= 128) at += 1;
  }
  return false;
}

/** Reads the terms of a block in their order: it is at the first one at first. */
export class BlockReader implements TermBytes, PostingBytes {
  readonly #block: Uint8Array;
  #at = 0;
  /** The bytes of the term that it is at, of which `length` count. */
  term = Buffer.allocUnsafe(64);
  length = 0;
  /** Where the postings of the term are. */
  from = 0;
  to = 0;

  /** It is behind the last term. */
  isOver = false;

  constructor(block: Uint8Array) {
    this.#block = block;
    this.next();
  }

  get block(): Uint8Array {
    return this.#block;
  }

  /** Goes to the next term. */
  next(): void {
    const block = this.#block;
    if (this.#at >= block.length) {
      this.isOver = true;
      return;
    }
    const shared = this.#number();
    const others = this.#number();
    const length = shared + others;
    if (shared > this.length || this.#at + others > block.length) throw new DamagedTermIndex();
    if (length > this.term.length) {
      const larger = Buffer.allocUnsafe(2 * length);
      larger.set(this.term);
      this.term = larger;
    }
    for (let at = shared; at < length; at += 1) this.term[at] = block[this.#at++]!;
    this.length = length;
    const bytes = this.#number();
    this.from = this.#at;
    this.to = this.#at + bytes;
    if (this.to > block.length) throw new DamagedTermIndex();
    this.#at = this.to;
  }

  /** The term, or what stands in it from a byte on. */
  text(from = 0): string {
    return this.term.toString('utf8', from, this.length);
  }

  #number(): number {
    const block = this.#block;
    let byte = block[this.#at++];
    if (byte === undefined) throw new DamagedTermIndex();
    let value = byte & 127;
    for (let factor = 128; byte >= 128; factor *= 128) {
      byte = block[this.#at++];
      if (byte === undefined) throw new DamagedTermIndex();
      value += (byte & 127) * factor;
    }
    return value;
  }
}
