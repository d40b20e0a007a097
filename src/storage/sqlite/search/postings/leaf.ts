import { DamagedTermIndex } from './segments.ts';

/**
 * Pages of terms and their rows as FTS5 writes them with `detail = none`: a header (the place of the first row, then the
 * end of the content), the content, and behind it the places of the terms, each as the difference to the one before. A term
 * is the number of bytes that it shares with the one before, that of its other bytes, and these; the first one is whole.
 * Its rows follow: the first one, and the differences to the one before, up to the next term, or on in the pages behind.
 * Numbers have seven bits in a byte, the high ones first.
 */

/** Where the content of a page begins. */
export const contentStart = 4;

/** FTS5 cuts tokens at 32 KiB. */
const maxTermBytes = 33 * 1024;

/** The bytes of the term that a page is at: of one page at a time. */
const term = Buffer.alloc(maxTermBytes);

/** The rows of a term in a page. */
export interface FoundTerm {
  /** The number of the term among the wanted ones. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  /** It is the last term of the page: its rows may go on in the pages behind. */
  readonly isLast: boolean;
}

/**
 * Looks in a page for wanted terms, which ascend, from one on. Returns the number of the first that comes behind the last
 * term of the page.
 */
export function findTerms(
  page: Uint8Array,
  wanted: readonly Uint8Array[],
  first: number,
  take: (found: FoundTerm) => void,
): number {
  const end = contentEnd(page);
  const size = page.length;
  let [number, start, entry] = [first, 0, end];
  let want = wanted[number]!;
  /** The bytes that the term before, which is less, shares with the wanted one. */
  let same = 0;
  while (entry < size) {
    let byte = page[entry++]!;
    let value = byte & 127;
    for (; byte >= 128 && entry < size; value = value * 128 + (byte & 127)) byte = page[entry++]!;
    start += value;
    let [at, shared] = [start, 0];
    if (start !== value) {
      byte = page[at++]!;
      shared = byte & 127;
      for (; byte >= 128 && at < end; shared = shared * 128 + (byte & 127)) byte = page[at++]!;
    }
    byte = page[at++]!;
    let more = byte & 127;
    for (; byte >= 128 && at < end; more = more * 128 + (byte & 127)) byte = page[at++]!;
    const length = shared + more;
    if (at + more > end || length > maxTermBytes) throw new DamagedTermIndex();
    // What differs before the bytes that both share with it is greater, and what differs behind them still less: the bytes of
    // the latter are not needed, since the next one that is compared shares fewer.
    if (shared > same) continue;
    for (let to = shared; to < length; to += 1) term[to] = page[at++]!;
    for (same = shared; ; same = 0) {
      while (same < length && same < want.length && term[same] === want[same]) same += 1;
      const isEqual = same === length && same === want.length;
      if (!isEqual && (same === length || (same < want.length && term[same]! < want[same]!))) break;
      if (isEqual) {
        const isLast = entry >= size;
        take({ at: number, from: at, to: isLast ? end : start + numberAt(page, entry), isLast });
      }
      number += 1;
      if (number === wanted.length) return number;
      want = wanted[number]!;
    }
  }
  return number;
}

/**
 * Calls `take` for the terms of a page from one to below another, until it returns false; true if more of them may be in the
 * page behind.
 */
export function findRange(
  page: Uint8Array,
  from: Uint8Array,
  to: Uint8Array,
  take: (term: Buffer, length: number, found: Omit<FoundTerm, 'at'>) => boolean,
): boolean {
  const end = contentEnd(page);
  let [start, length, isInside] = [0, 0, false];
  for (let entry = end; entry < page.length; ) {
    const isFirst = entry === end;
    start += numberAt(page, entry);
    entry += bytesAt(page, entry);
    let at = start;
    const shared = isFirst ? 0 : numberAt(page, at);
    if (!isFirst) at += bytesAt(page, at);
    const more = numberAt(page, at);
    at += bytesAt(page, at);
    if (shared > length || at + more > end || shared + more > maxTermBytes) throw new DamagedTermIndex();
    length = shared + more;
    for (let place = shared; place < length; place += 1) term[place] = page[at++]!;
    if (!isBelow(length, to)) return false;
    if (!isInside && isBelow(length, from)) continue;
    isInside = true;
    const isLast = entry >= page.length;
    const own = { from: at, to: isLast ? end : start + numberAt(page, entry), isLast };
    if (!take(term, length, own)) return false;
  }
  return true;
}

/** Whether the term that a page is at, which has so many bytes, comes before another one. */
function isBelow(length: number, other: Uint8Array): boolean {
  let at = 0;
  while (at < length && at < other.length && term[at] === other[at]) at += 1;
  return at === length ? at < other.length : at < other.length && term[at]! < other[at]!;
}

/** The end of the rows with which a page begins, those of the last term of the page before; undefined if all are. */
export function continuedUntil(page: Uint8Array): number | undefined {
  const end = contentEnd(page);
  return end < page.length ? numberAt(page, end) : undefined;
}

/** Where the content of a page ends, and the places of the terms begin. */
export function contentEnd(page: Uint8Array): number {
  const end = page[2]! * 256 + page[3]!;
  if (!(end >= contentStart && end <= page.length)) throw new DamagedTermIndex();
  return end;
}

function numberAt(page: Uint8Array, from: number): number {
  let value = 0;
  for (let at = from; at < page.length; at += 1) {
    value = value * 128 + (page[at]! & 127);
    if (page[at]! < 128) return value;
  }
  throw new DamagedTermIndex();
}

function bytesAt(page: Uint8Array, from: number): number {
  let at = from;
  while (page[at]! >= 128) at += 1;
  return at - from + 1;
}
