import type { DatabaseSync } from 'node:sqlite';
import { noRows, union, without } from '../row-sets.ts';
import { contentEnd, contentStart, continuedUntil, findRange, findTerms } from './leaf.ts';
import { RowList, type SegmentRows } from './row-list.ts';
import { DamagedTermIndex, type Segment, segmentReader } from './segments.ts';

/**
 * Reads the rows of terms out of the pages of the index themselves: a MATCH expression returns them one by one, which takes
 * fifty times as long.
 */
export interface TermReader {
  /** The rows of each of some different terms, ascending, in the order of the terms. */
  read(terms: readonly string[]): readonly Uint32Array[];
  /** Calls `take` for all terms with a beginning that some row has; with `endings` those alone that end in one of them, which are ASCII. */
  readBeginning(beginning: string, take: TakeRows, endings?: readonly string[]): void;
  /**
   * Calls `take` for the terms from one to below another that some row has, in the order of their bytes, until they have at
   * least so many rows. Returns the last term where there may be more.
   */
  readRange(from: string, to: string, most: number, take: TakeRows): string | undefined;
}

/** Gets the rows of a term, ascending. */
export type TakeRows = (term: string, rows: Uint32Array) => void;

/** Every term has this prefix: others would be of prefix indexes. */
const mainPrefix = '0';

/** Pages have ids of the segment and of the page in it. */
const pagesOfSegment = 2 ** 37;

/** Pages behind the first one of a term that are read together: at first, and then. */
const [firstPages, morePages] = [1, 64];

const openers = new WeakMap<DatabaseSync, () => TermReader>();

/** A reader for the snapshot that is open on a connection. */
export function openTermReader(db: DatabaseSync): TermReader {
  let open = openers.get(db);
  if (!open) {
    open = createOpener(db);
    openers.set(db, open);
  }
  return open();
}

function createOpener(db: DatabaseSync): () => TermReader {
  const readSegments = segmentReader(db);
  const pageOfTerm = db.prepare(
    'SELECT pgno >> 1 FROM term_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1',
  );
  const onePage = db.prepare('SELECT block FROM term_data WHERE id = ?');
  const pages = db.prepare('SELECT block FROM term_data WHERE id BETWEEN ? AND ? ORDER BY id');
  for (const statement of [pageOfTerm, onePage, pages]) statement.setReturnArrays(true);
  const rows = new RowList();

  /** The only page that may have a term, or the first with terms that begin so. */
  function pageOf({ id, firstPage }: Segment, term: Uint8Array): number {
    const [page] = (pageOfTerm.get(id, term) as unknown as readonly [number] | undefined) ?? [1];
    return Math.max(page, firstPage);
  }

  function readPage({ id }: Segment, page: number): Uint8Array {
    const found = onePage.get(id * pagesOfSegment + page) as unknown as readonly [Uint8Array] | undefined;
    if (!found) throw new DamagedTermIndex();
    return found[0];
  }

  /** Adds the rows of the term that a page ends with, out of the pages behind it; returns the last one of these. */
  function addContinued({ id, lastPage }: Segment, page: number): number {
    const first = id * pagesOfSegment;
    let read = page;
    for (let [from, count] = [page + 1, firstPages]; from <= lastPage; from += count, count = morePages) {
      const last = Math.min(lastPage, from + count - 1);
      for (const [block] of pages.all(first + from, first + last) as unknown as readonly [Uint8Array][]) {
        read += 1;
        const until = continuedUntil(block);
        rows.addFrom(block, contentStart, until ?? contentEnd(block));
        if (until !== undefined) return read;
      }
    }
    return read;
  }

  function rowsOf(segment: Segment, page: number, block: Uint8Array, from: number, to: number, isLast: boolean) {
    rows.clear();
    rows.addFrom(block, from, to);
    if (isLast) addContinued(segment, page);
    return rows.taken();
  }

  /**
   * Calls `take` for the terms of a segment in a range, as texts of their bytes, until they have at least so many rows. Returns
   * the last one where the rest of the range was not looked at.
   */
  function readSegment(
    segment: Segment,
    { from, to, endings }: Range,
    most: number,
    take: TakePart,
  ): string | undefined {
    let [count, last] = [0, undefined as string | undefined];
    for (let page = pageOf(segment, from), hasMore = true; hasMore && page <= segment.lastPage; ) {
      const block = readPage(segment, page);
      let next = page + 1;
      hasMore = findRange(block, from, to, (term, length, { from: first, to: end, isLast }) => {
        const isWanted = endings === undefined || endings.some((ending) => endsIn(term, length, ending));
        // Of the last term the pages behind it have to be passed.
        if (!isWanted && !isLast) return true;
        rows.clear();
        rows.addFrom(block, first, end);
        // The page with which its rows end has the next term.
        if (isLast) next = Math.max(next, addContinued(segment, page));
        const part = rows.taken();
        if (!isWanted) return true;
        // One byte is one letter: the order of these texts is that of the bytes.
        const name = term.toString('latin1', 0, length);
        take(name, part);
        count += part.rows.length + part.gone.length;
        if (count >= most) last = name;
        return last === undefined;
      });
      page = next;
    }
    return last;
  }

  return () => {
    let known: readonly Segment[] | undefined;
    const segments = () => (known ??= readSegments());
    return {
      read(terms) {
        const all = terms.map((term) => ({ bytes: bytesOf(term), parts: [] as SegmentRows[] }));
        const sorted = all.toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
        const wanted = sorted.map(({ bytes }) => bytes);
        for (const segment of segments()) {
          for (let next = 0, page = 0; next < wanted.length; ) {
            const other = pageOf(segment, wanted[next]!);
            // Terms that lie together, as a word and its marks do, are mostly in one page: it is looked through once.
            if (other === page) next += 1;
            else {
              page = other;
              const block = readPage(segment, page);
              next = findTerms(block, wanted, next, ({ at, from, to, isLast }) => {
                sorted[at]!.parts.push(rowsOf(segment, page, block, from, to, isLast));
              });
            }
          }
        }
        return all.map(({ parts }) => together(parts));
      },
      readBeginning(beginning, take, endings) {
        const from = bytesOf(beginning);
        // No byte of a text is 255.
        const to = Buffer.concat([from, Uint8Array.of(255)]);
        readBetween(
          { from, to, endings: endings?.map((ending) => Buffer.from(ending)) },
          Number.POSITIVE_INFINITY,
          take,
        );
      },
      readRange(from, to, most, take) {
        return readBetween({ from: bytesOf(from), to: bytesOf(to) }, most, take);
      },
    };

    function readBetween(range: Range, most: number, take: TakeRows): string | undefined {
      const takeRows = (name: string, all: Uint32Array) => {
        if (all.length > 0) take(termOf(name), all);
      };
      const [only, ...others] = segments();
      if (!only) return undefined;
      if (others.length === 0) {
        const last = readSegment(only, range, most, (name, { rows: own }) => takeRows(name, own));
        return last && termOf(last);
      }
      const found = new Map<string, SegmentRows[]>();
      let [end, last] = [range.to, undefined as string | undefined];
      // The oldest segment, which is the largest, first: of the others only what lies in its part of the range is read.
      for (const segment of segments().toReversed()) {
        const until = readSegment(segment, { ...range, to: end }, most, (name, part) => {
          const parts = found.get(name);
          if (parts) parts.unshift(part);
          else found.set(name, [part]);
        });
        if (until === undefined) continue;
        last = until;
        end = Buffer.from(`${last}\0`, 'latin1');
      }
      for (const name of [...found.keys()].sort()) {
        if (last !== undefined && name > last) break;
        takeRows(name, together(found.get(name)!));
      }
      return last && termOf(last);
    }
  };
}

/** From one term to below another; with endings those that end so. */
interface Range {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly endings?: readonly Uint8Array[] | undefined;
}

/** True if the first so many bytes end in some others. */
function endsIn(term: Uint8Array, length: number, ending: Uint8Array): boolean {
  const start = length - ending.length;
  for (let at = 0; at < ending.length; at += 1) if (term[start + at] !== ending[at]) return false;
  return true;
}

type TakePart = (name: string, part: SegmentRows) => void;

const isAscii = /^[\0-\x7f]*$/;

/** A term by the text of its bytes. */
function termOf(name: string): string {
  const term = name.slice(mainPrefix.length);
  return isAscii.test(term) ? term : Buffer.from(term, 'latin1').toString();
}

function bytesOf(term: string): Uint8Array {
  return Buffer.from(mainPrefix + term);
}

/** The rows of a term by all segments, of which the newest are first. */
function together(parts: readonly SegmentRows[]): Uint32Array {
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
