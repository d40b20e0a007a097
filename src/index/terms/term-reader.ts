import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../cache/cache.ts';
import { compareTerms } from './block.ts';
import { ascending, noRows } from './row-sets.ts';
import { SegmentBlocks } from './segment-blocks.ts';
import { postingsOf, prepareStatements, ScansInOrder, SegmentScan } from './segment-scan.ts';
import { type Segment, SegmentList } from './segments.ts';
import {
  beginningRange,
  endsIn,
  grown,
  isOfWord,
  type Range,
  type SegmentRows,
  segmentRows,
  together,
} from './term-rows.ts';

/** Reads the term index in one snapshot. */
export interface TermReader {
  /** Of the newest segment: what the index has is the same as long as it is. */
  readonly stamp: number;
  /** The rows of each of some terms, ascending, in the order of the terms. They are cached, and not to be changed. */
  read(terms: readonly string[]): readonly Uint32Array[];
  /**
   * The rows of each term of some groups, such as a word and the word with each of its marks. A group is cached as one, and the same list for as long as none of its
   * terms has other rows.
   */
  readGroups(groups: readonly (readonly string[])[]): readonly (readonly Uint32Array[])[];
  /** The rows with any term with a beginning, ascending. They are cached until the index changes. `check` is called now and then. */
  readAllOf(beginning: string, check: () => void): Uint32Array;
  /**
   * The rows with any term from one to below another, ascending; with an ending of those alone that end so. Undefined where these have
   * more rows than `most`, each term counted. `check` is called now and then.
   */
  readRowsIn(
    from: string,
    to: string,
    ending: string | undefined,
    most: number,
    check: () => void,
  ): Uint32Array | undefined;
  /**
   * The words of terms, which stand behind a beginning that the terms have in common, from one to below another: in the order of their bytes, each once, at most
   * so many. Possibly no row has them any more. `since`: of segments with a later stamp alone.
   */
  readWords(beginning: string, from: string, to: string, most: number, since: number): readonly string[];
  /** Calls `take` for all terms with a beginning that some row has; with `endings` those alone that end in one of them. */
  readBeginning(beginning: string, take: TakeRows, endings?: readonly string[]): void;
  /**
   * Calls `take` for the terms from one to below another that some row has, in the order of their bytes, until they have at
   * least so many rows. Returns the last term where there may be more.
   */
  readRange(from: string, to: string, most: number, take: TakeRows): string | undefined;
}

/** Gets the rows of a term, ascending. */
export type TakeRows = (term: string, rows: Uint32Array) => void;

/** The rows of the terms of a group as of a stamp. */
interface CachedRows {
  readonly lists: readonly Uint32Array[];
  readonly stamp: number;
}

/** Rows of terms that a connection caches. */
const maxCacheBytes = 32 * 1024 * 1024;
/** What V8 takes for a group, and for a list that is not empty, beside the rows. */
const [groupBytes, listBytes] = [400, 300];

const indexes = new WeakMap<DatabaseSync, TermIndex>();

/** A reader for the transaction that is open on a connection which writes: what it caches does not outlast it. */
export function newTermReader(db: DatabaseSync): TermReader {
  return new TermIndex(db).open();
}

/** A reader for the snapshot that is open on a connection, which caches what was read for later ones: it must be one that does not write. */
export function openTermReader(db: DatabaseSync): TermReader {
  let index = indexes.get(db);
  if (!index) {
    index = new TermIndex(db);
    indexes.set(db, index);
  }
  return index.open();
}

/** A term that is looked up, with what segments say of it, the newest first. */
interface Wanted {
  readonly bytes: Buffer;
  /** Segments up to this stamp have been read before. */
  readonly since: number;
  readonly parts: SegmentRows[];
}

/** The term index on a connection. */
class TermIndex {
  readonly #statements;
  readonly #list: SegmentList;
  readonly #cache = new Cache<string, CachedRows>({
    maxBytes: maxCacheBytes,
    bytesOf: ({ lists }) =>
      lists.reduce((sum, { byteLength }) => (byteLength === 0 ? sum : sum + listBytes + byteLength), groupBytes),
  });
  #segments: readonly Segment[] = [];
  readonly #blocks: SegmentBlocks;

  constructor(db: DatabaseSync) {
    this.#statements = prepareStatements(db);
    this.#blocks = new SegmentBlocks(this.#statements);
    this.#list = new SegmentList(db);
  }

  open(): TermReader {
    this.#segments = this.#list.read();
    this.#blocks.follow(this.#segments);
    const stamp = this.#segments[0]?.lastStamp ?? 0;
    return {
      stamp,
      read: (terms) => this.#read(terms.map((term) => [term])).map(({ lists }) => lists[0]!),
      readGroups: (groups) => this.#read(groups).map(({ lists }) => lists),
      readAllOf: (beginning, check) => {
        const name = `${beginning}*`;
        const cached = this.#cache.get(name);
        if (cached?.stamp === stamp) return cached.lists[0]!;
        const rows = this.#collect(beginningRange(beginning), Number.POSITIVE_INFINITY, check)!;
        this.#cache.set(name, { lists: [rows], stamp });
        return rows;
      },
      readRowsIn: (from, to, ending, most, check) => {
        const endings = ending === undefined ? undefined : [Buffer.from(ending)];
        return this.#collect({ from: Buffer.from(from), to: Buffer.from(to), endings }, most, check);
      },
      readWords: (beginning, from, to, most, since) => {
        const range = { from: Buffer.from(beginning + from), to: Buffer.from(beginning + to) };
        return this.#words(range, Buffer.byteLength(beginning), most, since);
      },
      readBeginning: (beginning, take, endings) => {
        const range = { ...beginningRange(beginning), endings: endings?.map((each) => Buffer.from(each)) };
        this.#scan(range, Number.POSITIVE_INFINITY, take);
      },
      readRange: (from, to, most, take) => this.#scan({ from: Buffer.from(from), to: Buffer.from(to) }, most, take),
    };
  }

  #read(groups: readonly (readonly string[])[]): readonly CachedRows[] {
    const stamp = this.#segments[0]?.lastStamp ?? 0;
    const found = groups.map((terms) => this.#cache.get(nameOf(terms)));
    const missing: { readonly at: number; readonly before: CachedRows['lists'] | undefined; readonly own: Wanted[] }[] =
      [];
    for (const [at, cached] of found.entries()) {
      if (cached?.stamp === stamp) continue;
      const since = this.#usableStamp(cached);
      const own = groups[at]!.map((term): Wanted => ({ bytes: Buffer.from(term), since, parts: [] }));
      missing.push({ at, before: since === 0 ? undefined : cached!.lists, own });
    }
    this.#lookUpAll(missing.flatMap(({ own }) => own));
    for (const { at, before, own } of missing) {
      const lists = own.map(({ parts }, n) =>
        together(before ? [...parts, { rows: before[n]!, gone: noRows }] : parts),
      );
      const isSame = before && lists.every((rows, n) => rows === before[n]);
      found[at] = { lists: isSame ? before : lists, stamp };
      this.#cache.set(nameOf(groups[at]!), found[at]);
    }
    return found as readonly CachedRows[];
  }

  /** The stamp from which on cached rows can be brought up to date; 0 where they have to be read anew. */
  #usableStamp(cached: CachedRows | undefined): number {
    if (!cached) return 0;
    const isLost = this.#segments.some(({ firstStamp, lastStamp }) => firstStamp === 0 && lastStamp > cached.stamp);
    return isLost ? 0 : cached.stamp;
  }

  /** Adds what the segments say of terms, which it sorts. */
  #lookUpAll(wanted: Wanted[]): void {
    wanted.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
    const last = wanted.at(-1);
    const behindAll = last && Buffer.concat([last.bytes, Uint8Array.of(0)]);
    if (behindAll) for (const segment of this.#segments) this.#lookUp(segment, wanted, behindAll);
  }

  /** Adds what a segment says of terms, which are in the order of their bytes. */
  #lookUp(segment: Segment, wanted: readonly Wanted[], to: Uint8Array): void {
    const asked = wanted.filter(({ since }) => segment.lastStamp > since);
    if (asked.length === 0) return;
    const scan = new SegmentScan(this.#statements, segment, asked[0]!.bytes, to, 0, this.#blocks.all(segment));
    let last: Buffer | undefined;
    let rows: SegmentRows | undefined;
    for (const { bytes, parts } of asked) {
      // A term may be asked for twice.
      if (!last?.equals(bytes)) {
        scan.seek(bytes);
        const isThere = !scan.isOver && compareTerms(scan.term, { term: bytes, length: bytes.length }) === 0;
        rows = isThere ? segmentRows(scan.takePostings()) : undefined;
        last = bytes;
      }
      if (rows) parts.push(rows);
    }
  }

  /** See `TermReader.readRowsIn`: names of terms are not made, nor a list for each. */
  #collect({ from, to, endings }: Range, most: number, check: () => void): Uint32Array | undefined {
    const scans = this.#open(from, to);
    let [rows, count] = [new Uint32Array(1024), 0];
    for (let same = scans.takeFirst(), terms = 1; same.length > 0; same = scans.takeFirst(), terms += 1) {
      if (terms % termsBetweenChecks === 0) check();
      const [first] = same as [SegmentScan];
      const isWanted = endings === undefined || endings.some((ending) => endsIn(first.term, ending));
      const parts: SegmentRows[] = [];
      for (const scan of same) {
        if (!isWanted) scan.skip();
        else if (same.length > 1) parts.push(segmentRows(scan.takePostings()));
        else {
          const postings = scan.takePostings();
          if (rows.length < count + postings) rows = grown(rows, count, postings);
          const found = postingsOf(postings);
          for (let at = 0; at < postings; at += 1) {
            rows[count] = found[at]! >>> 1;
            count += 1 - (found[at]! & 1);
          }
        }
        scans.add(scan);
      }
      if (parts.length > 0) {
        const more = together(parts);
        if (rows.length < count + more.length) rows = grown(rows, count, more.length);
        rows.set(more, count);
        count += more.length;
      }
      if (count > most) return undefined;
    }
    return ascending(rows.slice(0, count));
  }

  /** See `TermReader.readWords`. */
  #words({ from, to }: Range, start: number, most: number, since: number): readonly string[] {
    const scans = this.#open(from, to, since);
    const words: string[] = [];
    for (let same = scans.takeFirst(); same.length > 0 && words.length < most; same = scans.takeFirst()) {
      const { term } = same[0]!;
      if (isOfWord(term, start)) words.push(term.text(start));
      for (const scan of same) {
        scan.skip();
        scans.add(scan);
      }
    }
    return words;
  }

  #open(from: Uint8Array, to: Uint8Array, since = -1): ScansInOrder {
    const scans = new ScansInOrder();
    for (const [order, segment] of this.#segments.entries()) {
      if (segment.lastStamp <= since) break;
      scans.add(new SegmentScan(this.#statements, segment, from, to, order, this.#blocks.all(segment)));
    }
    return scans;
  }

  /** See `TermReader.readRange`. */
  #scan({ from, to, endings }: Range, most: number, take: TakeRows): string | undefined {
    const scans = this.#open(from, to);
    let count = 0;
    for (let same = scans.takeFirst(); same.length > 0; same = scans.takeFirst()) {
      const { term } = same[0]!;
      const isWanted = endings === undefined || endings.some((ending) => endsIn(term, ending));
      const name = isWanted ? term.text() : '';
      const parts: SegmentRows[] = [];
      for (const scan of same) {
        if (isWanted) {
          const postings = scan.takePostings();
          count += postings;
          parts.push(segmentRows(postings));
        } else scan.skip();
        scans.add(scan);
      }
      if (!isWanted) continue;
      const rows = together(parts);
      if (rows.length > 0) take(name, rows);
      if (count >= most) return name;
    }
    return undefined;
  }
}

/** Of several terms another name than of the first one alone: no term ends so. */
const nameOf = (terms: readonly string[]) => (terms.length === 1 ? terms[0]! : `${terms[0]!}|`);

/** Terms that are read between two looks at the deadline. */
const termsBetweenChecks = 256;
