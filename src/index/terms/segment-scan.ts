import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { BlockReader, compareTerms, DamagedTermIndex, decodePostings, type TermBytes } from './block.ts';
import { startIn } from './segment-blocks.ts';
import type { Segment } from './segments.ts';

/** Blocks of a segment that are read together when it is scanned: at first, and then twice as many each time up to the most. */
const [firstBlocks, mostBlocks] = [2, 32];

/** A block as it is stored. */
export type BlockRow = readonly [term: Uint8Array, part: number, checksum: number, block: Uint8Array];

type Place = readonly [part: number, isFirst: number, begin: Uint8Array];

export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements(db: DatabaseSync) {
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const columns = 'term, part, checksum, block';
  return {
    /** The last block of a segment that begins with a term or before it. */
    place: prepare(
      'SELECT part, term = ?1, term FROM posting WHERE segment = ?2 AND term <= ?1 ORDER BY term DESC, part DESC LIMIT 1',
    ),
    all: prepare(`SELECT ${columns} FROM posting WHERE segment = ? ORDER BY term, part`),
    from: prepare(
      `SELECT ${columns} FROM posting WHERE segment = ?1 AND (term, part) >= (?2, ?3) AND term < ?4
        ORDER BY term, part LIMIT ?5`,
    ),
  };
}

/** The terms of a segment in a range, in their order, each with its rows. */
export class SegmentScan {
  /** Whose terms come first where several scans are at the same: the number of the segment among all, the newest first. */
  readonly order: number;
  isOver = false;
  readonly #statements: Statements;
  readonly #segment: number;
  readonly #to: TermBytes;
  readonly #toBytes: Uint8Array;
  readonly #all: readonly BlockRow[] | undefined;
  #blocks: readonly BlockRow[] = [];
  #at = 0;
  #limit = firstBlocks;
  #isLast = false;
  #reader: BlockReader | undefined;

  /** `all`: its blocks, where they were read before. */
  constructor(
    statements: Statements,
    { id, mergedTo }: Segment,
    first: Uint8Array,
    to: Uint8Array,
    order: number,
    all?: readonly BlockRow[],
  ) {
    this.#statements = statements;
    this.#segment = id;
    const merged = Buffer.from(mergedTo);
    const from = Buffer.compare(merged, first) > 0 ? merged : first;
    this.#toBytes = to;
    this.#to = { term: to, length: to.length };
    this.order = order;
    this.#all = all;
    this.#begin(from);
  }

  /** Goes to the first term that is not below one, unless it is there or behind it. */
  seek(term: Uint8Array): void {
    const wanted = { term, length: term.length };
    if (this.isOver || compareTerms(this.term, wanted) >= 0) return;
    const further = this.#blocks[this.#at + 1];
    if (further && Buffer.compare(term, further[0]) < 0) this.#stepTo(wanted);
    else this.#begin(term);
  }

  #begin(from: Uint8Array): void {
    if (this.#all) {
      this.#blocks = this.#all;
      this.#at = startIn(this.#all, from);
      this.#isLast = true;
    } else {
      const place = this.#statements.place.get(from, this.#segment) as unknown as Place | undefined;
      const [part, isFirst, begin] = place ?? [0, 1, from];
      this.#limit = firstBlocks;
      // A term may be in several blocks, which all begin with it.
      this.#fetch(begin, isFirst === 1 ? 0 : part);
    }
    this.#open();
    this.#stepTo({ term: from, length: from.length });
  }

  #stepTo(wanted: TermBytes): void {
    while (!this.isOver && compareTerms(this.term, wanted) < 0) {
      const reader = this.term;
      while (!reader.isOver && compareTerms(reader, wanted) < 0) reader.next();
      this.#moved();
    }
  }

  /** The term that it is at, and the block that has it, until the next one. */
  get term(): BlockReader {
    return this.#reader!;
  }

  /** True if that block has all postings of the term. */
  get isWhole(): boolean {
    const further = this.#blocks[this.#at + 1];
    return this.#blocks[this.#at]![1] === 0 && (further ? further[1] === 0 : this.#isLast);
  }

  /** Goes to the next term. */
  skip(): void {
    this.#take(false, 0);
  }

  /** Reads the postings of the term behind the first `before`: see `addPostings`. Returns the new count; then it goes to the next term. */
  takePostings(before = 0): number {
    return this.#take(true, before);
  }

  #take(areWanted: boolean, before: number): number {
    let count = areWanted ? addPostings(this.#reader!, before) : before;
    this.#next();
    // Further blocks of the term.
    while (!this.isOver && this.#blocks[this.#at]![1] > 0) {
      if (areWanted) count = addPostings(this.#reader!, count);
      this.#next();
    }
    return count;
  }

  #fetch(term: Uint8Array, part: number): void {
    const { from } = this.#statements;
    this.#blocks = from.all(this.#segment, term, part, this.#toBytes, this.#limit) as unknown as readonly BlockRow[];
    this.#isLast = this.#blocks.length < this.#limit;
    this.#at = 0;
    this.#limit = Math.min(2 * this.#limit, mostBlocks);
  }

  #open(): void {
    if (this.#at === this.#blocks.length && !this.#isLast) {
      const [term, part] = this.#blocks.at(-1)!;
      this.#fetch(term, part + 1);
    }
    const row = this.#blocks[this.#at];
    this.#reader = row && readerOf(row);
    this.#enter();
  }

  #next(): void {
    this.#reader!.next();
    this.#moved();
  }

  /** To be called when the reader was moved. */
  #moved(): void {
    if (this.#reader!.isOver) {
      this.#at += 1;
      this.#open();
    } else this.#enter();
  }

  #enter(): void {
    this.isOver = this.#reader === undefined || compareTerms(this.#reader, this.#to) >= 0;
  }
}

/** Throws where the block is not as it was written. */
export function readerOf([, , checksum, block]: BlockRow): BlockReader {
  if (crc32(block) !== checksum) throw new DamagedTermIndex();
  return new BlockReader(block);
}

/** The postings of the term that is being read: of one at a time. */
let buffer = new Uint32Array(4096);

/** Appends the postings of a term in a block after the first `count`; returns the new count. */
export function addPostings({ block, from, to }: BlockReader, count: number): number {
  if (buffer.length < count + to - from) {
    const larger = new Uint32Array(2 * buffer.length + to - from);
    larger.set(buffer.subarray(0, count));
    buffer = larger;
  }
  return decodePostings(block, from, to, buffer, count);
}

/** The first `count` of the postings that were read last. */
export function postingsOf(count: number): Uint32Array {
  return buffer.subarray(0, count);
}

/** True if a posting of these is of a row behind that of the one before it. */
export function isBehind(at: number): boolean {
  return buffer[at]! >>> 1 > buffer[at - 1]! >>> 1;
}

/** Scans in the order of the terms that they are at; of the same term the newest segment is first. */
export class ScansInOrder {
  readonly #scans: SegmentScan[] = [];
  readonly #same: SegmentScan[] = [];

  add(scan: SegmentScan): void {
    if (scan.isOver) return;
    const scans = this.#scans;
    let at = 0;
    // Mostly it is the largest segment again whose next term comes first.
    for (; at < scans.length; at += 1) {
      const difference = compareTerms(scans[at]!.term, scan.term);
      if (difference > 0 || (difference === 0 && scans[at]!.order > scan.order)) break;
    }
    scans.push(scan);
    for (let end = scans.length - 1; end > at; end -= 1) scans[end] = scans[end - 1]!;
    scans[at] = scan;
  }

  /** Takes the scans that are at the first term; they are to be added again. Valid until the next call; empty at the end. */
  takeFirst(): readonly SegmentScan[] {
    const [scans, same] = [this.#scans, this.#same];
    same.length = 0;
    const first = scans[0];
    if (!first) return same;
    let count = 1;
    while (count < scans.length && compareTerms(scans[count]!.term, first.term) === 0) count += 1;
    for (let at = 0; at < count; at += 1) same.push(scans[at]!);
    for (let at = count; at < scans.length; at += 1) scans[at - count] = scans[at]!;
    scans.length -= count;
    return same;
  }
}
