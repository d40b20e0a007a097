import type { DatabaseSync } from 'node:sqlite';
import type { Documents } from '../../domain/ports/resource-store.ts';
import { type ChangeRecord, documentsBefore, documentsBeforeAll } from '../../record/row/change-record.ts';
import { countingUp } from '../../sqlite/position.ts';
import { termDifference } from '../terms/index-entries.ts';
import { SegmentMerger } from '../terms/merge-segments.ts';
import { createTermWriter } from '../terms/term-writer.ts';
import type { TermChange } from '../terms/word-terms.ts';
import type { ChangeSource, CopiedRows, Position } from './change-source.ts';
import {
  createDamagedRows,
  createDocumentReader,
  createMisplacedRows,
  createReindexRows,
  unlessDamaged,
} from './damaged-rows.ts';
import { createOrdersFiller, createOrdersWriter, type Place, placeChangeOf, placeOf } from './followed-orders.ts';
import { ReadChanges } from './read-changes.ts';
import { createRebuilding, type Rebuilding } from './rebuilding.ts';

/** Bytes that are merged for each that is written: a segment of 400 changes is merged three times in a store of a million. */
const mergedPerWritten = 4;

/** Bytes that a transaction merges, at least and at most: some milliseconds. */
const [leastMerged, mostMerged] = [65_536, 262_144];

/** Commits between two runs, among which the merging for a run is shared. */
const commitsPerRun = 8;

/** The index changes for a row. */
export interface RowDifference {
  readonly projectKey: string;
  readonly row: number;
  /** Where it is in the orders; undefined where it is not there, or not any more. */
  readonly before: Place | undefined;
  readonly after: Place | undefined;
  readonly terms: readonly TermChange[];
}

/** The statements with which a follower works, and the writers of what follows. */
function prepareAll(db: DatabaseSync, declaredPaths: readonly string[]) {
  const count = db.prepare(countingUp('project'));
  const termWriter = createTermWriter(db);
  const [damaged, documentsIn] = [createDamagedRows(db), createDocumentReader(db)];
  const shared = { declaredPaths, termWriter, count, damaged };
  return {
    ...{ termWriter, damaged, documentsIn, count },
    writeOrders: createOrdersWriter(db),
    fillOrders: createOrdersFiller(db),
    merger: new SegmentMerger(db),
    rebuilding: createRebuilding(db, shared),
    reindex: createReindexRows(db, { ...shared, documentsIn }),
    misplacedIn: createMisplacedRows(db),
    dataVersion: db.prepare('PRAGMA data_version'),
  };
}

/**
 * Brings the indexes up to date from the records of changes, on a connection that writes. All changes that wait are indexed
 * together: that costs a fraction of indexing each with its own commit (decision 98).
 */
export class Follower {
  readonly #db: DatabaseSync;
  readonly #declaredPaths: readonly string[];
  readonly #source: ChangeSource;
  readonly #on: ReturnType<typeof prepareAll>;
  /** Bytes of the segment that was written last. */
  #written = 0;
  #seenVersion: unknown;
  #read: ReadChanges | undefined;
  /** Remaining work of a rebuild, in the transaction in which `follow` was called. */
  readonly rebuilding: Rebuilding;

  constructor(db: DatabaseSync, declaredPaths: readonly string[], source: ChangeSource) {
    this.#db = db;
    this.#source = source;
    this.#declaredPaths = declaredPaths;
    this.#on = prepareAll(db, declaredPaths);
    const { rebuilding } = this.#on;
    this.rebuilding = {
      builtTo: rebuilding.builtTo,
      write: (most) => {
        this.#noticeOthers();
        return rebuilding.write(most);
      },
    };
  }

  /** Reads the changes that wait, in a transaction of its own, so that `follow` has the indexes to write alone. */
  readAhead(): void {
    this.#db.exec('BEGIN');
    try {
      this.#noticeOthers();
      this.#readOn(this.#source.position());
    } catch {
      // `follow` meets it again, and says what it is.
      this.rolledBack();
    } finally {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    }
  }

  /**
   * Indexes everything that waits, inside the open transaction. A resource that cannot be read or indexed is left out (see `createReindexRows`).
   * Throws where SQLite does. `copied`: prepared terms, used if exactly these rows wait to be indexed.
   */
  follow(copied?: CopiedRows): void {
    const { rebuilding, reindex, termWriter, writeOrders, count } = this.#on;
    const position = this.#source.position();
    const { indexed, last } = position;
    if (indexed === last) return;
    this.#noticeOthers();
    if (copied?.count === last - indexed && this.#isPlain(copied)) {
      this.#take(copied, last);
      return;
    }
    const isAhead = this.#read !== undefined;
    let read = this.#readOn(position);
    if (!read.areAllKnown && isAhead) {
      // What the indexes have of such rows is looked up in them, where what was read ahead is not yet.
      this.#forgetRead();
      read = this.#readOn(position);
    }
    const { places, resources, unknown, isIntact, changes } = read;
    writeOrders([...places.values()]);
    if (!read.areAllKnown) reindex(unknown, !isIntact, rebuilding.builtTo());
    this.#written = termWriter.flush();
    for (const [projectKey, more] of resources) if (more !== 0) count.run(projectKey, more);
    this.#source.indexed(last, changes);
    this.#read = undefined;
  }

  /** Reads the changes that were not read yet. */
  #readOn({ indexed, last }: Position): ReadChanges {
    const { rebuilding, damaged } = this.#on;
    if (this.#read?.from !== indexed) this.#forgetRead();
    this.#read ??= new ReadChanges(indexed);
    const read = this.#read;
    const { changes, isIntact } = this.#source.unindexed(read.to);
    const byRow = Map.groupBy(changes, ({ row }) => row);
    const builtTo = rebuilding.builtTo();
    for (const row of damaged.unknown(byRow.keys(), isIntact)) read.unknown.add(row);
    // Row by row, so that the terms of a row are garbage before those of the next are made.
    for (const [row, ofRow] of [...byRow].sort(([a], [b]) => a - b)) {
      if (!read.unknown.has(row) && !this.#followRow(ofRow, row <= builtTo, read)) read.unknown.add(row);
    }
    read.isIntact &&= isIntact;
    read.to = last;
    for (const change of changes) read.changes.push(change);
    return read;
  }

  #forgetRead(): void {
    this.#read = undefined;
    this.#on.termWriter.clear();
  }

  /** True where nothing else is known of the rows. */
  #isPlain({ firstRow }: CopiedRows): boolean {
    const { rebuilding, damaged } = this.#on;
    return !Number.isFinite(rebuilding.builtTo()) && ![...damaged.read()].some((row) => row >= firstRow);
  }

  #take({ projectKey, firstRow, count, terms }: CopiedRows, last: number): void {
    const { fillOrders, termWriter, count: addToCount } = this.#on;
    fillOrders(firstRow);
    this.#written = termWriter.write(terms, firstRow);
    addToCount.run(projectKey, count);
    this.#source.indexed(last, []);
  }

  /** Returns false where the row is damaged. `isBuilt`: its terms are in the index. */
  #followRow(ofRow: readonly ChangeRecord[], isBuilt: boolean, read: ReadChanges): boolean {
    const { row } = ofRow[0]!;
    if (!isBuilt) {
      const place = unlessDamaged(() => placeChangeOf(ofRow, this.#on.documentsIn(row)));
      if (place) read.move(row, place.before, place.after);
      return place !== undefined;
    }
    const differences = unlessDamaged(() => this.#differencesOf(ofRow));
    if (!differences) return false;
    read.move(row, differences[0]?.before, differences.at(-1)?.after);
    for (const difference of differences) {
      const { projectKey, before, after } = difference;
      if (!before !== !after) read.resources.set(projectKey, (read.resources.get(projectKey) ?? 0) + (after ? 1 : -1));
      this.#writeTerms(difference);
    }
    return true;
  }

  /** The differences of the changes of one row, given in their order. */
  #differencesOf(ofRow: readonly ChangeRecord[]): readonly RowDifference[] {
    const { row, projectKey } = ofRow[0]!;
    let after = this.#on.documentsIn(row);
    if (ofRow.every((each) => each.projectKey === projectKey)) {
      return this.#differenceOf(ofRow[0]!, documentsBeforeAll(ofRow, after), after);
    }
    const differences: (readonly RowDifference[])[] = [];
    for (const record of ofRow.toReversed()) {
      const before = documentsBefore(record.before, after);
      differences.push(this.#differenceOf(record, before, after));
      after = before;
    }
    return differences.toReversed().flat();
  }

  #differenceOf(
    { projectKey, row }: ChangeRecord,
    before: Documents | undefined,
    after: Documents | undefined,
  ): readonly RowDifference[] {
    if (!before && !after) return [];
    const terms = termDifference(projectKey, before, after, this.#declaredPaths);
    const [from, to] = [before && placeOf(projectKey, before), after && placeOf(projectKey, after)];
    return [{ projectKey, row, before: from, after: to, terms }];
  }

  #writeTerms({ row, terms }: RowDifference): void {
    const { termWriter } = this.#on;
    for (const { prefix, removed, added } of terms) {
      termWriter.remove(row, removed, prefix);
      termWriter.add(row, added, prefix);
    }
  }

  /**
   * Merges segments in proportion to what was written, inside the open transaction, which commits writes, and in which `follow` was called
   * if `isRun`. After rows that were `copied` without a limit: the transaction takes long anyway, and hundreds of segments would be left for
   * queries to read.
   */
  mergeDue(isRun: boolean, isCopied: boolean): void {
    const bytes = (mergedPerWritten * this.#written) / (isRun ? 1 : commitsPerRun);
    this.merge(isCopied ? bytes : Math.min(mostMerged, Math.max(leastMerged, bytes)));
  }

  /** What was read is valid while no other connection writes. A command may write during a run of the service. */
  #noticeOthers(): void {
    const { data_version: version } = this.#on.dataVersion.get() as { data_version: number };
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    this.rolledBack();
  }

  /**
   * Leaves those of the rows out that are damaged, inside the open transaction, in which `follow` was called. Where one is gone, or
   * none is named since a row has a number that no query can read, resources get other rows. Returns false where nothing changed.
   */
  setAside(rows: readonly number[]): boolean {
    const { damaged, documentsIn, misplacedIn, reindex, rebuilding, termWriter } = this.#on;
    const known = damaged.read();
    const found = rows.filter((row) => !known.has(row) && !unlessDamaged(() => documentsIn(row)));
    const misplaced = misplacedIn(rows);
    const changed = [...found, ...(misplaced ?? [])];
    if (changed.length === 0) return false;
    const note = this.#source.noteRows(changed);
    reindex(new Set(changed), misplaced !== undefined, rebuilding.builtTo());
    note();
    this.#written = termWriter.flush();
    return true;
  }

  /**
   * Builds the next part of the indexes, inside the open transaction, and merges as much: each part is a segment, and queries would read
   * thousands of them. Returns its characters.
   */
  rebuild(characters: number): number {
    const written = this.#on.rebuilding.write(characters);
    this.merge(written);
    return written;
  }

  /** Merges segments of the index, up to about this many bytes, inside the open transaction. Returns the number of bytes. */
  merge(bytes: number): number {
    return this.#on.merger.merge(bytes);
  }

  /** Starts a merge of segments, inside the open transaction, if one is due while idle. Returns true if it started. */
  beginMergeAtRest(): boolean {
    return this.#on.merger.beginAtRest();
  }

  /** Begins to remove what was forgotten, inside the open transaction in which `follow` was called: all segments are merged. False while others are. */
  beginPurge(): boolean {
    if (!this.#on.merger.beginAnew()) return false;
    this.#source.purge();
    return true;
  }

  /** To be called after a transaction that followed was rolled back. */
  rolledBack(): void {
    this.#forgetRead();
  }
}
