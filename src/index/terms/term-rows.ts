import type { TermBytes } from './block.ts';
import { noRows, union, without } from './row-sets.ts';
import { postingsOf } from './segment-scan.ts';

/** The rows of a term in one segment. */
export interface SegmentRows {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** Rows that had the term in an older segment, and have it no longer. */
  readonly gone: Uint32Array;
}

/** A copy of the first rows, with room for more. */
export function grown(rows: Uint32Array<ArrayBuffer>, count: number, more: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * rows.length + more);
  larger.set(rows.subarray(0, count));
  return larger;
}

/** The rows of the first `count` postings of the buffer. */
export function segmentRows(count: number): SegmentRows {
  const buffer = postingsOf(count);
  let goneCount = 0;
  for (let at = 0; at < count; at += 1) goneCount += buffer[at]! & 1;
  const rows = new Uint32Array(count - goneCount);
  if (goneCount === 0) {
    for (let at = 0; at < count; at += 1) rows[at] = buffer[at]! >>> 1;
    return { rows, gone: noRows };
  }
  const gone = new Uint32Array(goneCount);
  let [end, goneEnd] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    if ((buffer[at]! & 1) === 0) rows[end++] = buffer[at]! >>> 1;
    else gone[goneEnd++] = buffer[at]! >>> 1;
  }
  return { rows, gone };
}

/** The rows of a term by all segments, of which the newest are first. */
export function together(parts: readonly SegmentRows[]): Uint32Array {
  if (parts.length === 0) return noRows;
  let { rows: found, gone } = parts[0]!;
  if (parts.length === 1) return found;
  let said = union([found, gone]);
  for (const { rows, gone: older } of parts.slice(1)) {
    found = union([found, without(rows, said)]);
    said = union([said, rows, older]);
  }
  return found;
}

/** From one term to below another; with endings those that end so. */
export interface Range {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly endings?: readonly Uint8Array[] | undefined;
}

/** All terms that begin so. */
export function beginningRange(beginning: string): Range {
  const from = Buffer.from(beginning);
  // No byte of a text is 255.
  return { from, to: Buffer.concat([from, Uint8Array.of(255)]) };
}

/** True if a term has no mark behind what begins at a place: it is that of a word. */
export function isOfWord({ term, length }: TermBytes, start: number): boolean {
  for (let at = start; at < length; at += 1) if (term[at] === bar) return false;
  return true;
}

const bar = '|'.charCodeAt(0);

export function endsIn({ term, length }: TermBytes, ending: Uint8Array): boolean {
  const start = length - ending.length;
  if (start < 0) return false;
  for (let at = 0; at < ending.length; at += 1) if (term[start + at] !== ending[at]) return false;
  return true;
}
