import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../../../contract/json.ts';
import { createChangedRows } from '../../write/change-log.ts';
import type { BuildPolicy } from '../build-policy.ts';
import type { SearchScope } from '../query-terms.ts';
import { eachDocument } from './documents.ts';
import { createRowMap, type RowMap } from './row-map.ts';

/**
 * What searches read of every document, by row, cached from search to search: the values of a path for its facets, the
 * length of the text for relevance. It is built from the index when first asked for, then updated from the change log
 * to the state of the open snapshot. A value is a number from 1 on.
 */
export interface Column {
  /** 0: no value. Negative: several values, at `several[-value - 1]`. */
  readonly rows: RowMap;
  readonly several: (readonly number[])[];
  /** The number of rows that have the value as their only one. */
  readonly single: number[];
  /** The number of rows with several values. */
  severalRows: number;
}

/** A column without values. */
export function emptyColumn(): Column {
  return { rows: createRowMap(), several: [], single: [], severalRows: 0 };
}

/** How a column is built. */
export interface ColumnMaker {
  /** Sets the values that the index has, in portions, and returns the rows whose documents must be read. */
  build(scope: SearchScope, column: Column): Generator<void, Iterable<number>>;
  /** The values of a document, with repeats. */
  read(document: JsonObject): readonly number[];
  /** About the memory of the values that `read` has numbered. */
  readonly bytes: () => number;
}

interface CachedColumn {
  readonly scope: SearchScope;
  readonly maker: ColumnMaker;
  readonly column: Column;
  /** The last commit in it. */
  commits: number;
}

/** A column that is built in portions between searches. */
interface UnfinishedColumn extends CachedColumn {
  readonly portions: Generator<void, void>;
}

export interface ReadyColumn<T extends ColumnMaker> {
  readonly column: Column;
  readonly maker: T;
}

export interface Columns {
  /**
   * The column of a project's projection as of the open snapshot, which is of the commit. Undefined where it is not
   * built yet and that is not worth it for this many rows; then `advance` builds it.
   */
  of<T extends ColumnMaker>(
    scope: SearchScope,
    commits: number,
    name: string,
    make: () => T,
    rows: number,
  ): ReadyColumn<T> | undefined;
  /** Builds a portion of a column that a search needed, in the open snapshot; true if there is more to do. */
  advance(commits: number): boolean;
}

/** Memory for all columns. A Map in the order of use rather than a `Cache`, since columns grow while they are cached. */
const maxBytes = 64 * 1024 * 1024;

/** About the memory of a column beside its numbers, and of a list of several values. */
const columnBytes = 16_384;
const severalBytes = 64;

/** Columns being built: clients may ask for any number of paths, and each search waits for few. */
const maxUnfinished = 64;

/** Lists of several values, obsolete ones included; with more the column is built again. */
const maxSeveral = 2_000_000;

/** Documents per portion. */
const portionRows = 2000;

/** Caches columns on a connection. */
export function createColumns(db: DatabaseSync, policy: BuildPolicy): Columns {
  const cache = new Map<string, CachedColumn>();
  const unfinished = new Map<string, UnfinishedColumn>();
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

  function begin(scope: SearchScope, commits: number, maker: ColumnMaker): UnfinishedColumn {
    const { projectKey, staged } = scope;
    const column = emptyColumn();
    const bare = { scope: { db, projectKey, staged }, maker, column, commits };
    return { ...bare, portions: portionsOf(bare) };
  }

  /** Caches a column as the most recently used; evicts the least recently used, but never the only one. */
  function store(name: string, made: CachedColumn): void {
    cache.delete(name);
    cache.set(name, made);
    let bytes = 0;
    for (const one of cache.values()) bytes += bytesOf(one);
    for (const [other, one] of cache) {
      if (bytes <= maxBytes || cache.size === 1) return;
      bytes -= bytesOf(one);
      cache.delete(other);
    }
  }

  /** Builds the rest of a column, in the open snapshot; undefined if it was begun too long ago. */
  function finish(made: UnfinishedColumn, commits: number): CachedColumn | undefined {
    for (const _ of made.portions) policy.check();
    return follow(made, commits) ? made : undefined;
  }

  return {
    of<T extends ColumnMaker>(scope: SearchScope, commits: number, name: string, make: () => T, rows: number) {
      const full = `${scope.projectKey} ${scope.staged ? 's' : 'c'} ${name}`;
      let found = cache.get(full);
      if (!found || !follow(found, commits)) {
        cache.delete(full);
        // It is built between searches if it is not worth it now, or if the search runs elsewhere.
        const made = unfinished.get(full) ?? begin(scope, commits, make());
        if (unfinished.size < maxUnfinished) unfinished.set(full, made);
        if (!policy.isWorth(rows, scope)) return undefined;
        unfinished.delete(full);
        found = policy.build(() => finish(made, commits) ?? finish(begin(scope, commits, make()), commits)!);
      }
      store(full, found);
      return { column: found.column, maker: found.maker as T };
    },
    advance(commits) {
      const [next] = unfinished;
      if (!next) return false;
      const [name, made] = next;
      if (made.portions.next().done) {
        unfinished.delete(name);
        // Portions are of several snapshots: what has changed since the first is read again.
        if (follow(made, commits)) store(name, made);
      }
      return unfinished.size > 0;
    },
  };
}

function bytesOf({ column, maker }: CachedColumn): number {
  return columnBytes + column.rows.bytes + column.several.length * severalBytes + maker.bytes();
}

/** Builds a column: from the index, then from the documents of the rows for which the index is not enough. */
function* portionsOf(made: CachedColumn): Generator<void, void> {
  const unclear = [...(yield* made.maker.build(made.scope, made.column))];
  for (let from = 0; from < unclear.length; from += portionRows) {
    readInto(made, unclear.slice(from, from + portionRows));
    yield;
  }
}

/** Sets the values of rows from their documents; deleted rows have none. */
function readInto({ scope, maker, column }: CachedColumn, rows: readonly number[]): void {
  for (const row of rows) put(column, row, 0);
  eachDocument(scope, rows, (document, row) => setValues(column, row, maker.read(document)));
}

/** Sets the values of a row. */
export function setValues(column: Column, row: number, values: readonly number[]): void {
  if (values.length <= 1) put(column, row, values[0] ?? 0);
  else put(column, row, -column.several.push(values));
}

/** Sets the number of a row, and updates the counts. */
function put(column: Column, row: number, value: number): void {
  const known = column.rows.get(row);
  if (known > 0) column.single[known]! -= 1;
  else if (known < 0) column.severalRows -= 1;
  column.rows.set(row, value);
  if (value > 0) column.single[value] = (column.single[value] ?? 0) + 1;
  else if (value < 0) column.severalRows += 1;
}

/** Adds a value to a row that may have others. */
export function addValue(column: Column, row: number, value: number): void {
  const known = column.rows.get(row);
  if (known === 0) put(column, row, value);
  else setValues(column, row, [...valuesOf(column, known), value]);
}

/** The values behind a number of `rows`. */
export function valuesOf(column: Column, value: number): readonly number[] {
  if (value === 0) return [];
  return value > 0 ? [value] : column.several[-value - 1]!;
}
