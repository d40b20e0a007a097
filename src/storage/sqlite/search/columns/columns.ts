import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../../cache/cache.ts';
import { ServiceError } from '../../../../contract/errors.ts';
import { createChangedRows } from '../../indexing/changed-rows.ts';
import type { BuildPolicy } from '../build-policy.ts';
import type { SearchScope } from '../query-terms.ts';
import { type CachedColumn, type ColumnMaker, portionsOf, readInto } from './build-column.ts';
import { type Column, emptyColumn } from './column.ts';
import { eachDocument } from './documents.ts';
import { rowsOfProject } from './term-entries.ts';

/** A column that is built in portions between searches. */
interface UnfinishedColumn extends CachedColumn {
  readonly portions: Generator<void, void>;
  /** Rows of which searches read the documents instead. */
  readRows: number;
}

export interface ReadyColumn<T extends ColumnMaker> {
  readonly column: Column;
  readonly maker: T;
}

export interface Columns {
  /** Begins a search. The columns that it uses must fit the memory together; none of them is evicted meanwhile. */
  beginSearch(): void;
  /**
   * The column of a project's projection as of the open snapshot, which is of the commit. `unbuilt` if it is not built
   * yet and that is not worth it for this many rows, and those it was asked for before; then `advance` builds it. `tooLarge` if it does not fit the memory
   * beside the other columns of the search.
   */
  of<T extends ColumnMaker>(
    scope: SearchScope,
    commits: number,
    name: string,
    make: () => T,
    rows: number,
  ): ReadyColumn<T> | 'unbuilt' | 'tooLarge';
  /** The same if it is there already, for a use that ends before the next column is asked for. */
  built<T extends ColumnMaker>(
    scope: Pick<SearchScope, 'projectKey' | 'staged'>,
    commits: number,
    name: string,
  ): ReadyColumn<T> | undefined;
  /** Builds a portion of what was asked for, in the open snapshot; true if there is more to do. */
  advance(commits: number): boolean;
  /** True if `advance` has something to do. */
  hasUnfinished(): boolean;
}

/** Memory for all columns. A Map in the order of use rather than a `Cache`, since columns grow while they are cached. */
export const maxColumnBytes = 64 * 1024 * 1024;

/** From this share of the memory on, the final size of a column that is being built is estimated. */
const estimatedFrom = 1 / 8;

/** Documents that are read to estimate how many have a value. */
const sampledRows = 200;

/** The size of a column that did not fit is cached for a while, so that the next search does not build it again. */
const sizeKnownMs = 60_000;
const maxKnownSizes = 1000;

/** About the memory of a column beside its numbers, of a list of several values, and of a number in it. */
const columnBytes = 16_384;
const severalBytes = 64;
const numberBytes = 8;

/** Columns being built: clients may ask for any number of paths, and each search waits for few. */
const maxUnfinished = 64;

/** Lists of several values, obsolete ones included; with more the column is built again. */
const maxSeveral = 2_000_000;

/** Caches columns on a connection. */
export function createColumns(db: DatabaseSync, policy: BuildPolicy, maxBytes = maxColumnBytes): Columns {
  const cache = new Map<string, CachedColumn>();
  /** Names of the columns that the current search has used. */
  const used = new Set<string>();
  /** Estimated bytes of columns that did not fit. */
  const knownSizes = new Cache<string, number>({ maxEntries: maxKnownSizes, maxAgeMs: sizeKnownMs });
  const unfinished = new Map<string, UnfinishedColumn>();
  /** Why columns could not be built between searches: a row is damaged, which the next search that needs one says. */
  const damages = new Cache<string, ServiceError>({ maxEntries: maxKnownSizes, maxAgeMs: sizeKnownMs });
  const changedSince = createChangedRows(db);

  function follow(known: CachedColumn, commits: number): boolean {
    if (known.commits === commits) return true;
    if (known.column.several.length > maxSeveral) return false;
    const rows = changedSince(known.scope.projectKey, known.commits, commits);
    if (!rows) return false;
    readInto(known, [...rows]);
    known.commits = commits;
    return true;
  }

  function begin(scope: SearchScope, commits: number, make: () => ColumnMaker): UnfinishedColumn {
    const { projectKey, staged } = scope;
    const column = emptyColumn();
    const bare = { scope: { db, projectKey, staged }, make, maker: make(), column, commits };
    return { ...bare, portions: portionsOf(bare), readRows: 0 };
  }

  /**
   * Whether to build a column now, for so many rows. Searches that read documents instead have soon cost more than the
   * column does: what they have read so far counts.
   */
  function isWorth(full: string, rows: number): boolean {
    return policy.isWorth(rows + (unfinished.get(full)?.readRows ?? 0));
  }

  /** Memory left beside the columns that the current search uses. */
  function bytesLeft(): number {
    let bytes = maxBytes;
    for (const name of used) bytes -= cache.has(name) ? bytesOf(cache.get(name)!) : 0;
    return bytes;
  }

  /** Caches a column as the most recently used, and evicts the least recently used. False if it does not fit. */
  function store(name: string, made: CachedColumn): boolean {
    cache.delete(name);
    if (bytesOf(made) > bytesLeft()) {
      knownSizes.set(name, bytesOf(made));
      return false;
    }
    cache.set(name, made);
    let bytes = 0;
    for (const one of cache.values()) bytes += bytesOf(one);
    for (const [other, one] of cache) {
      if (bytes <= maxBytes) break;
      if (used.has(other) || other === name) continue;
      bytes -= bytesOf(one);
      cache.delete(other);
    }
    return true;
  }

  /** Builds a portion; true if it was the last one. Throws `TooLarge`. */
  function build(name: string, made: UnfinishedColumn): boolean {
    try {
      const { done } = made.portions.next();
      const bytes = estimate(made, maxBytes * estimatedFrom);
      if (bytes <= bytesLeft()) return done === true;
      knownSizes.set(name, bytes);
      throw new TooLarge();
    } catch (error) {
      // A generator that threw has ended, as if it had read everything, and must not be continued.
      unfinished.delete(name);
      throw error;
    }
  }

  /** Builds the rest of a column, in the open snapshot. */
  function finish(name: string, begun: () => UnfinishedColumn, commits: number): CachedColumn {
    for (;;) {
      const made = unfinished.get(name) ?? begun();
      let others = 0;
      for (const each of unfinished.values()) others += bytesOf(each);
      if (others > maxBytes) unfinished.clear();
      // If the time runs out, building continues between searches, and with the next search.
      unfinished.set(name, made);
      while (!build(name, made)) policy.check();
      unfinished.delete(name);
      // Otherwise it was begun too long ago.
      if (follow(made, commits)) return made;
    }
  }

  return {
    beginSearch: () => used.clear(),
    hasUnfinished: () => unfinished.size > 0,
    built<T extends ColumnMaker>(scope: Pick<SearchScope, 'projectKey' | 'staged'>, commits: number, name: string) {
      const full = fullName(scope, name);
      const found = cache.get(full);
      if (!found || !follow(found, commits)) return undefined;
      cache.delete(full);
      cache.set(full, found);
      return { column: found.column, maker: found.maker as T };
    },
    of<T extends ColumnMaker>(scope: SearchScope, commits: number, name: string, make: () => T, rows: number) {
      const full = fullName(scope, name);
      let found = cache.get(full);
      if (found?.commits === commits) {
        // It fits as it did.
        cache.delete(full);
        cache.set(full, found);
        used.add(full);
        return { column: found.column, maker: found.maker as T };
      }
      if (!found || !follow(found, commits)) {
        cache.delete(full);
        if ((knownSizes.get(full) ?? 0) > bytesLeft()) return 'tooLarge';
        const damage = damages.get(full);
        if (damage) {
          // Once: the row may have been mended since.
          damages.delete(full);
          throw damage;
        }
        const begun = () => begin(scope, commits, make);
        if (!isWorth(full, rows)) {
          if (unfinished.size < maxUnfinished && !unfinished.has(full)) unfinished.set(full, begun());
          const noted = unfinished.get(full);
          if (noted) noted.readRows += rows;
          return 'unbuilt';
        }
        try {
          found = finish(full, begun, commits);
        } catch (error) {
          if (error instanceof TooLarge) return 'tooLarge';
          throw error;
        }
      }
      if (!store(full, found)) return 'tooLarge';
      used.add(full);
      return { column: found.column, maker: found.maker as T };
    },
    advance(commits) {
      used.clear();
      const [next] = unfinished;
      if (!next) return false;
      const [name, made] = next;
      try {
        if (build(name, made)) {
          unfinished.delete(name);
          // Portions are of several snapshots: what has changed since the first is read again.
          if (follow(made, commits)) store(name, made);
        }
      } catch (error) {
        if (error instanceof ServiceError) damages.set(name, error);
        else if (!(error instanceof TooLarge)) throw error;
      }
      return unfinished.size > 0;
    },
  };
}

/** Thrown when a column does not fit the memory. */
class TooLarge extends Error {}

/** About the final bytes of a column: its present ones, until there are enough of them to estimate the rest. */
function estimate(made: CachedColumn, from: number): number {
  const bytes = bytesOf(made);
  if (bytes < from) return bytes;
  const { column, scope, make } = made;
  const rowsWithValue = column.singleRows + column.severalRows;
  if (rowsWithValue === 0) return bytes;
  // Values that only the sample has must not count as if the rows read so far had them.
  made.expectedRows ??= expectedRows(scope, make());
  // Half of the estimate, since a sample is inexact, and refusing a column that fits would be worse.
  return Math.max(bytes, (bytes / rowsWithValue) * made.expectedRows * 0.5);
}

/** The number of rows with a value, estimated from a sample. */
function expectedRows(scope: SearchScope, maker: ColumnMaker): number {
  const rows = rowsOfProject(scope);
  const step = Math.max(1, Math.floor(rows.length / sampledRows));
  const sample = rows.filter((_, at) => at % step === 0);
  let found = 0;
  eachDocument(scope, sample, (document) => {
    if (maker.read(document).length > 0) found += 1;
  });
  return sample.length === 0 ? 0 : (found / sample.length) * rows.length;
}

function bytesOf({ column, maker }: CachedColumn): number {
  const { rows, several, severalNumbers } = column;
  return columnBytes + rows.bytes + several.length * severalBytes + severalNumbers * numberBytes + maker.bytes();
}

function fullName({ projectKey, staged }: Pick<SearchScope, 'projectKey' | 'staged'>, name: string): string {
  return `${projectKey} ${staged ? 's' : 'c'} ${name}`;
}
