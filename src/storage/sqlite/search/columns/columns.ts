import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../../../contract/json.ts';
import { createChangedRows } from '../../write/change-log.ts';
import type { BuildPolicy } from '../build-policy.ts';
import type { SearchScope } from '../query-terms.ts';
import { eachDocument } from './documents.ts';
import { createRowMap, type RowMap } from './row-map.ts';

/**
 * What a search reads of every document, by row, kept from search to search: the values of a path for its facets, the
 * length of the text for relevance. Made from the index when first asked for, then kept up by the lists of what each
 * commit changed: always the state of the snapshot that is open. A value is a number from 1 on.
 */
export interface Column {
  /** 0: none. Below 0: several, at `several[-value - 1]`. */
  readonly rows: RowMap;
  readonly several: (readonly number[])[];
  /** How many rows have the value as their only one. */
  readonly single: number[];
  /** Rows with several. */
  severalRows: number;
}

/** A column without values. */
export function emptyColumn(): Column {
  return { rows: createRowMap(), several: [], single: [], severalRows: 0 };
}

/** How a column is made. */
export interface ColumnMaker {
  /** Sets what the index tells, in portions, and answers the rows whose documents must be read after all. */
  build(place: SearchScope, column: Column): Generator<void, Iterable<number>>;
  /** The values of a document; repeats count. */
  read(document: JsonObject): readonly number[];
  /** Memory of what `read` has numbered, about. */
  readonly bytes: () => number;
}

interface Kept {
  readonly place: SearchScope;
  readonly maker: ColumnMaker;
  readonly column: Column;
  /** The snapshot that it is of. */
  commits: number;
}

/** A column of which portions are made between searches. */
interface Unfinished extends Kept {
  readonly portions: Generator<void, void>;
}

/** A column that is ready. */
export interface ReadyColumn<T extends ColumnMaker> {
  readonly column: Column;
  readonly maker: T;
}

export interface Columns {
  /**
   * The column of a project's projection as of the snapshot that is open, which is of the commit. Undefined where it
   * is not made yet and the effort is not worth it for so many rows; then `advance` makes it.
   */
  of<T extends ColumnMaker>(
    place: SearchScope,
    commits: number,
    name: string,
    make: () => T,
    rows: number,
  ): ReadyColumn<T> | undefined;
  /** Makes a portion of what was asked for, in the snapshot that is open; true where there is more to do. */
  advance(commits: number): boolean;
}

/** Memory for columns in all, in bytes; those used longest ago go first. */
const mostBytes = 64 * 1024 * 1024;

/** What a column takes beside its numbers, and a list of several values, about. */
const columnBytes = 16_384;
const severalBytes = 64;

/** Columns that are begun at most: there is no end of paths that may be asked for, and each search waits for few. */
const mostUnfinished = 64;

/** Lists of several values, those no row has any more among them: with so many the column is made anew. */
const mostSeveral = 2_000_000;

/** Documents of a portion. */
const portionRows = 2000;

/** Keeps columns on a connection. */
export function createColumns(db: DatabaseSync, policy: BuildPolicy): Columns {
  const kept = new Map<string, Kept>();
  const unfinished = new Map<string, Unfinished>();
  const changedSince = createChangedRows(db);

  function follow(known: Kept, commits: number): boolean {
    if (known.commits === commits) return true;
    if (known.column.several.length > mostSeveral) return false;
    const rows = changedSince(known.place.projectKey, known.commits, commits);
    if (!rows) return false;
    readInto(known, [...rows]);
    known.commits = commits;
    return true;
  }

  function begin(place: SearchScope, commits: number, maker: ColumnMaker): Unfinished {
    const { projectKey, staged } = place;
    const column = emptyColumn();
    const bare = { place: { db, projectKey, staged }, maker, column, commits };
    return { ...bare, portions: portionsOf(bare) };
  }

  function keep(name: string, made: Kept): void {
    kept.delete(name);
    kept.set(name, made);
    let bytes = 0;
    for (const one of kept.values()) bytes += bytesOf(one);
    for (const [other, one] of kept) {
      if (bytes <= mostBytes || kept.size === 1) return;
      bytes -= bytesOf(one);
      kept.delete(other);
    }
  }

  /** Makes what is left of a column, in the snapshot that is open; undefined where it began too long ago. */
  function finish(made: Unfinished, commits: number): Kept | undefined {
    for (const _ of made.portions) policy.check();
    return follow(made, commits) ? made : undefined;
  }

  return {
    of<T extends ColumnMaker>(place: SearchScope, commits: number, name: string, make: () => T, rows: number) {
      const full = `${place.projectKey} ${place.staged ? 's' : 'c'} ${name}`;
      let found = kept.get(full);
      if (!found || !follow(found, commits)) {
        kept.delete(full);
        // What is begun here goes on between searches if it is not worth it now, or is done elsewhere.
        const made = unfinished.get(full) ?? begin(place, commits, make());
        if (unfinished.size < mostUnfinished) unfinished.set(full, made);
        if (!policy.isWorth(rows, place)) return undefined;
        unfinished.delete(full);
        found = policy.make(() => finish(made, commits) ?? finish(begin(place, commits, make()), commits)!);
      }
      keep(full, found);
      return { column: found.column, maker: found.maker as T };
    },
    advance(commits) {
      const [next] = unfinished;
      if (!next) return false;
      const [name, made] = next;
      if (made.portions.next().done) {
        unfinished.delete(name);
        // Portions are of several snapshots: whatever has changed since the first is read once more.
        if (follow(made, commits)) keep(name, made);
      }
      return unfinished.size > 0;
    },
  };
}

function bytesOf({ column, maker }: Kept): number {
  return columnBytes + column.rows.bytes + column.several.length * severalBytes + maker.bytes();
}

/** Makes a column: what the index tells, then the documents of the rows for which that is not all. */
function* portionsOf(made: Kept): Generator<void, void> {
  const unclear = [...(yield* made.maker.build(made.place, made.column))];
  for (let from = 0; from < unclear.length; from += portionRows) {
    readInto(made, unclear.slice(from, from + portionRows));
    yield;
  }
}

/** Sets the values of rows from their documents; rows that are gone have none. */
function readInto({ place, maker, column }: Kept, rows: readonly number[]): void {
  for (const row of rows) put(column, row, 0);
  eachDocument(place, rows, (document, row) => setValues(column, row, maker.read(document)));
}

/** Sets the values of a row. */
export function setValues(column: Column, row: number, values: readonly number[]): void {
  if (values.length <= 1) put(column, row, values[0] ?? 0);
  else put(column, row, -column.several.push(values));
}

/** Sets the number of a row, and keeps the counts. */
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
