import type { DatabaseSync } from 'node:sqlite';
import { noRows, union, without } from '../row-sets.ts';
import { contentEnd, contentStart, continuedUntil, findBeginning, findTerms } from './leaf.ts';
import { RowList, type SegmentRows } from './row-list.ts';
import { DamagedTermIndex, type Segment, segmentReader } from './segments.ts';

/**
 * Reads the rows of terms out of the pages of the index themselves: a MATCH expression returns them one by one, which takes
 * fifty times as long (decision 192).
 */
export interface TermReader {
  /** The rows of each of some different terms, ascending, in the order of the terms. */
  read(terms: readonly string[]): readonly Uint32Array[];
  /** Calls `take` for all terms with a beginning that some row has. */
  readBeginning(beginning: string, take: TakeRows): void;
}

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

  /** Adds the rows of the term that a page ends with, out of the pages behind it. */
  function addContinued({ id, lastPage }: Segment, page: number): void {
    const first = id * pagesOfSegment;
    for (let [from, count] = [page + 1, firstPages]; from <= lastPage; from += count, count = morePages) {
      const last = Math.min(lastPage, from + count - 1);
      for (const [block] of pages.all(first + from, first + last) as unknown as readonly [Uint8Array][]) {
        const until = continuedUntil(block);
        rows.addFrom(block, contentStart, until ?? contentEnd(block));
        if (until !== undefined) return;
      }
    }
  }

  function rowsOf(segment: Segment, page: number, block: Uint8Array, from: number, to: number, isLast: boolean) {
    rows.clear();
    rows.addFrom(block, from, to);
    if (isLast) addContinued(segment, page);
    return rows.taken();
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
      readBeginning(beginning, take) {
        const bytes = bytesOf(beginning);
        const found = new Map<string, SegmentRows[]>();
        for (const segment of segments()) {
          for (let page = pageOf(segment, bytes), hasMore = true; hasMore && page <= segment.lastPage; page += 1) {
            const block = readPage(segment, page);
            hasMore = findBeginning(block, bytes, (own, { from, to, isLast }) => {
              const term = Buffer.from(own.subarray(mainPrefix.length)).toString();
              const part = rowsOf(segment, page, block, from, to, isLast);
              const parts = found.get(term);
              if (parts) parts.push(part);
              else found.set(term, [part]);
            });
          }
        }
        for (const [term, parts] of found) {
          const all = together(parts);
          if (all.length > 0) take(term, all);
        }
      },
    };
  };
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
