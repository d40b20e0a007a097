import type { DatabaseSync } from 'node:sqlite';
import { hasGone } from './block.ts';
import { isBehind, postingsOf, prepareStatements, ScansInOrder, SegmentScan, type Statements } from './segment-scan.ts';
import { type BlockSizes, createSegmentWriter, type OpenSegment, type SegmentWriter } from './segment-writer.ts';
import { fanOut, type Segment, SegmentList } from './segments.ts';

/** While idle, segments are merged into one if those other than the largest exceed this share and this size; else the newest that are this small. */
const [leastShare, leastBytes, smallBytes] = [1 / 8, 131_072, 32_768];

/** Behind every term. */
const end = Uint8Array.of(255);

/** Merges segments in steps: see segments.ts. All of it in the transaction that is open. */
export class SegmentMerger {
  readonly #statements: Statements;
  readonly #list: SegmentList;
  readonly #writer: SegmentWriter;
  readonly #deleteBlocks;
  readonly #deleteAll;
  /** The term that is being merged, since its scans go on. */
  readonly #merged = { term: new Uint8Array(1024), length: 0 };

  constructor(db: DatabaseSync, sizes?: BlockSizes) {
    this.#statements = prepareStatements(db);
    this.#list = new SegmentList(db);
    this.#writer = createSegmentWriter(db, sizes);
    // The last block that begins before the term may have it too.
    this.#deleteBlocks = db.prepare(
      'DELETE FROM posting WHERE segment = ?1 AND term < (SELECT max(term) FROM posting WHERE segment = ?1 AND term <= ?2)',
    );
    this.#deleteAll = db.prepare('DELETE FROM posting WHERE segment = ?');
  }

  /** Merges up to about so many bytes of what is due. Returns how many; 0 where nothing was. */
  merge(bytes: number): number {
    let merged = 0;
    while (merged < bytes) {
      const next = this.#nextMerge();
      if (!next) break;
      merged += Math.max(1, this.#step(next, bytes - merged));
    }
    return merged;
  }

  /** Begins to merge all segments into one, whatever they are; false while another merge is under way. */
  beginAnew(): boolean {
    const all = this.#list.read();
    if (this.#isUnderWay) return false;
    if (all.length > 0) this.#begin(all, Math.max(...all.map(({ level }) => level)));
    return true;
  }

  get #isUnderWay(): boolean {
    return this.#list.read().some(({ mergedInto }) => mergedInto !== 0);
  }

  /** Begins to merge what is to be merged while idle; false where nothing is. */
  beginAtRest(least = leastBytes): boolean {
    const all = this.#list.read();
    const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
    const beside = total - Math.max(0, ...all.map(({ bytes }) => bytes));
    if (this.#isUnderWay) return true;
    const firstLarge = all.findIndex(({ bytes }) => bytes >= smallBytes);
    const isWhole = firstLarge === -1 || beside >= Math.max(least, leastShare * total);
    const merged = isWhole ? all : all.slice(0, firstLarge);
    if (merged.length < 2) return false;
    this.#begin(merged, Math.max(...merged.map(({ level }) => level)));
    return true;
  }

  /** The merge of the lowest level that is under way or due. */
  #nextMerge(): readonly Segment[] | undefined {
    const all = this.#list.read();
    const outputs = new Set(all.map(({ mergedInto }) => mergedInto));
    const byLevel = Map.groupBy(all, ({ level }) => level);
    for (const level of [...byLevel.keys()].sort((a, b) => a - b)) {
      const own = byLevel.get(level)!;
      const underWay = own.filter(({ mergedInto }) => mergedInto !== 0);
      if (underWay.length > 0) return all.filter(({ mergedInto }) => mergedInto === underWay[0]!.mergedInto);
      const idle = own.filter(({ id }) => !outputs.has(id));
      if (idle.length >= fanOut) return this.#begin(idle, level + 1);
    }
    return undefined;
  }

  #begin(inputs: readonly Segment[], level: number): readonly Segment[] {
    const ids = new Set(inputs.map(({ id }) => id));
    const firstStamp = Math.min(...inputs.map((each) => each.firstStamp));
    const lastStamp = Math.max(...inputs.map((each) => each.lastStamp));
    const isOldest = !this.#list.read().some(({ id, lastStamp: last }) => !ids.has(id) && last < firstStamp);
    const { id: output } = this.#writer.begin({ level, firstStamp: isOldest ? 0 : firstStamp, lastStamp });
    this.#list.update((each) => (ids.has(each.id) ? { ...each, mergedInto: output } : each));
    return inputs.map((each) => ({ ...each, mergedInto: output }));
  }

  /** Writes terms of the inputs, which are sorted by age, to their output until these have so many bytes. */
  #step(inputs: readonly Segment[], bytes: number): number {
    const { id, firstStamp } = this.#list.read().find((each) => each.id === inputs[0]!.mergedInto)!;
    const output = this.#writer.continued(id);
    const scans = inputs.map((each, order) => new SegmentScan(this.#statements, each, new Uint8Array(), end, order));
    const ordered = new ScansInOrder();
    for (const scan of scans) ordered.add(scan);
    while (output.bytes < bytes) {
      const same = ordered.takeFirst();
      if (same.length === 0) break;
      this.#mergeTerm(same, firstStamp === 0, output);
      for (const scan of same) ordered.add(scan);
    }
    const written = output.end();
    this.#deleteMerged(inputs, ordered.takeFirst()[0]?.term.text());
    return written;
  }

  /** Adds the term that scans are at, the newest first, to a segment. With `isOldest` rows that lost it are left out. */
  #mergeTerm(scans: readonly SegmentScan[], isOldest: boolean, output: OpenSegment): void {
    const first = scans[0]!;
    const { term } = first;
    const merged = this.#merged;
    if (scans.length === 1 && first.isWhole && !(isOldest && hasGone(term))) {
      output.addEncoded(term, term);
      first.skip();
      return;
    }
    if (merged.term.length < term.length) merged.term = new Uint8Array(2 * term.length);
    for (let at = 0; at < term.length; at += 1) merged.term[at] = term.term[at]!;
    merged.length = term.length;
    let postings = newestOfAll(scans);
    if (isOldest && postings.some(isGone)) postings = postings.filter((posting) => !isGone(posting));
    if (postings.length > 0) output.add(merged, postings);
  }

  /** Deletes what was merged: everything before the term `mergedTo`, or all where there is none left. */
  #deleteMerged(inputs: readonly Segment[], mergedTo: string | undefined): void {
    for (const { id } of inputs) {
      if (mergedTo === undefined) this.#deleteAll.run(id);
      else this.#deleteBlocks.run(id, Buffer.from(mergedTo));
    }
    const ids = new Set(inputs.map(({ id }) => id));
    this.#list.update((each) => {
      if (!ids.has(each.id)) return each;
      return mergedTo === undefined ? undefined : { ...each, mergedTo };
    });
  }
}

function isGone(posting: number): boolean {
  return (posting & 1) === 1;
}

/** The postings of the term that scans are at, the newest first: of a row what the newest of them says. They go to the next term. */
function newestOfAll(scans: readonly SegmentScan[]): Uint32Array {
  let count = 0;
  /** Where the postings of each scan begin, from the oldest to the newest. */
  const begins: number[] = [];
  let isAscending = true;
  for (let at = scans.length - 1; at >= 0; at -= 1) {
    const begin = count;
    count = scans[at]!.takePostings(begin);
    begins.push(begin);
    // Most changes are of rows behind all others.
    if (begin > 0 && isAscending) isAscending = isBehind(begin);
  }
  const all = postingsOf(count);
  if (isAscending) return all;
  const parts = begins.map((begin, at) => all.subarray(begin, begins[at + 1] ?? count));
  return parts.reduce((older, newer) => newestOf(newer, older));
}

/** Bytes that are merged in a transaction where nobody waits for it. */
const wholeStepBytes = 4_194_304;

/** Merges all segments into one where it is worth it, in transactions of its own. */
export function mergeAll(db: DatabaseSync): void {
  const merger = new SegmentMerger(db);
  for (let isMore = true; isMore; ) {
    db.exec('BEGIN IMMEDIATE');
    isMore = merger.beginAtRest() && merger.merge(wholeStepBytes) > 0;
    db.exec('COMMIT');
  }
}

/** Postings of the same term in two segments, the newer first: of a row what that says. */
function newestOf(newer: Uint32Array, older: Uint32Array): Uint32Array {
  const both = new Uint32Array(newer.length + older.length);
  let [at, old, count] = [0, 0, 0];
  while (at < newer.length && old < older.length) {
    const [row, oldRow] = [newer[at]! >>> 1, older[old]! >>> 1];
    if (row <= oldRow) {
      both[count++] = newer[at++]!;
      if (row === oldRow) old += 1;
    } else both[count++] = older[old++]!;
  }
  while (at < newer.length) both[count++] = newer[at++]!;
  while (old < older.length) both[count++] = older[old++]!;
  return both.subarray(0, count);
}
