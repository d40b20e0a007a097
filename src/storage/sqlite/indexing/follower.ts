import type { DatabaseSync } from 'node:sqlite';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { type TermDifference, termDifference } from '../../index/index-entries.ts';
import { type ChangeRecord, documentsBefore, documentsBeforeAll } from '../../row/change-record.ts';
import { documentsOf } from '../../row/stored-row.ts';
import { isUnlisted } from '../open/log-schema.ts';
import { countingUp } from '../open/position.ts';
import { SegmentMerger } from '../terms/merge-segments.ts';
import { createTermWriter } from '../terms/term-writer.ts';
import { createCacheNotes, createChangeRecords, createSweep } from './change-records.ts';
import { createDamagedRows, createMisplacedRows, createReindexRows, unlessDamaged } from './damaged-rows.ts';
import { createOrdersWriter, type Place, type PlaceChange, placeChangeOf, placeOf } from './followed-orders.ts';
import { createDocumentReader } from './indexed-documents.ts';
import { createRebuilding, type Rebuilding } from './rebuilding.ts';
import { createVocabularyWriter } from './vocabulary-writer.ts';

/**
 * Brings the indexes up to date from the records of changes. All changes that wait are indexed together: that costs a
 * fraction of indexing each with its own commit (decision 98).
 */
export interface Follower {
  /**
   * Indexes everything that waits, inside the open transaction. A resource that cannot be read or indexed is left out (see `createReindexRows`).
   * Throws where SQLite does.
   */
  follow(): void;
  /**
   * Leaves those of the rows out that are damaged, inside the open transaction, in which `follow` was called. Where one is gone, or
   * none is named since a row has a number that no query can read, resources get other rows. Returns false where nothing changed.
   */
  setAside(rows: readonly number[]): boolean;
  /** Merges segments of the index, up to about so many bytes, inside the open transaction. Returns how many. */
  merge(bytes: number): number;
  /** Whether all segments should be merged into one, while nobody writes; begins it, inside the open transaction. */
  beginWholeMerge(): boolean;
  /** What is left to do where the indexes are built again, in the transaction in which `follow` was called. */
  readonly rebuilding: Rebuilding;
  /**
   * Computes the terms of changes that have just been committed, for the next `follow`: half of its work and more, done while
   * the main thread has something to do.
   */
  prepare(written: readonly UnpreparedChange[]): void;
  /** To be called after a transaction that followed was committed, or rolled back. */
  committed(): void;
  rolledBack(): void;
}

/** A resource that was created or updated: the change, its row, what it replaced, and the texts of its projections. */
export type UnpreparedChange = readonly [
  sequence: number,
  projectKey: string,
  row: number,
  before: string | null,
  current: string,
  staged: string | null,
];

/** Characters of resources whose terms are kept: others are left to `follow`, which keeps none. */
const maxPreparedCharacters = 1_048_576;

/** Bytes that are merged for each that is written: a segment of 100 changes is merged three or four times in a store of a million. */
const mergedPerWritten = 4;

/** Bytes that one run merges at most: some milliseconds. */
const mostMerged = 262_144;

/** What is to be written to the index for a row. */
export interface RowDifference {
  /** The change; of several that are indexed as one, the last. */
  readonly sequence: number;
  readonly projectKey: string;
  readonly row: number;
  /** Where it is in the orders; undefined where it is not there, or not any more. */
  readonly before: Place | undefined;
  readonly after: Place | undefined;
  readonly terms: TermDifference;
}

/** The difference of the only change of a row; of a row with several that are not indexed, none. */
interface Prepared {
  readonly sequence: number;
  readonly differences: readonly RowDifference[];
}

/** No change has this number. */
const severalChanges: Prepared = { sequence: -1, differences: [] };

/** Prepares following on a connection that writes. */
export function createFollower(db: DatabaseSync, declaredPaths: readonly string[]): Follower {
  const records = createChangeRecords(db);
  const cacheNotes = createCacheNotes(db);
  const documentsIn = createDocumentReader(db);
  const setIndexed = db.prepare('UPDATE store SET indexed = ?');
  const count = db.prepare(countingUp('project'));
  const countBytes = db.prepare(countingUp('project_log'));
  const list = db.prepare(
    `INSERT INTO project_change (project_key, sequence) SELECT project_key, sequence FROM change
      WHERE ${isUnlisted} ON CONFLICT DO NOTHING`,
  );
  const sweep = createSweep(db);
  const termWriter = createTermWriter(db);
  const writeOrders = createOrdersWriter(db);
  const merger = new SegmentMerger(db);
  const vocabulary = createVocabularyWriter(db);
  const damaged = createDamagedRows(db);
  const rebuilding = createRebuilding(db, { declaredPaths, termWriter, vocabulary, count, damaged });
  const reindex = createReindexRows(db, { declaredPaths, termWriter, vocabulary, damaged, count, documentsIn });
  const misplacedIn = createMisplacedRows(db);
  const dataVersion = db.prepare('PRAGMA data_version');
  const prepared = new Map<number, Prepared>();
  let preparedCharacters = 0;
  /** Bytes that are to be merged. */
  let owed = 0;
  let seenVersion: unknown;

  /** What is known of the vocabulary holds while no other connection writes: a command beside the service may. */
  function noticeOthers(): void {
    const { data_version: version } = dataVersion.get() as { data_version: number };
    if (version !== seenVersion) vocabulary.clearCache();
    seenVersion = version;
  }

  /** The differences of the changes of one row, given in their order. */
  function differencesOf(ofRow: readonly ChangeRecord[]): readonly RowDifference[] {
    const { row, projectKey, sequence } = ofRow[0]!;
    const known = prepared.get(row);
    if (ofRow.length === 1 && known?.sequence === sequence) return known.differences;
    let after = documentsIn(row);
    const isOne = ofRow.length > 1 && ofRow.every((each) => each.projectKey === projectKey);
    if (isOne) return differenceOf(ofRow.at(-1)!, documentsBeforeAll(ofRow, after), after);
    const differences: (readonly RowDifference[])[] = [];
    for (const record of ofRow.toReversed()) {
      const before = documentsBefore(record.before, after);
      differences.push(differenceOf(record, before, after));
      after = before;
    }
    return differences.toReversed().flat();
  }

  function differenceOf(
    { sequence, projectKey, row }: Pick<ChangeRecord, 'sequence' | 'projectKey' | 'row'>,
    before: Documents | undefined,
    after: Documents | undefined,
  ): readonly RowDifference[] {
    if (!before && !after) return [];
    const terms = termDifference(projectKey, before, after, declaredPaths);
    const [from, to] = [before && placeOf(projectKey, before), after && placeOf(projectKey, after)];
    return [{ sequence, projectKey, row, before: from, after: to, terms }];
  }

  function prepare([sequence, projectKey, row, before, current, staged]: UnpreparedChange): void {
    if (prepared.has(row)) {
      prepared.set(row, severalChanges);
      return;
    }
    preparedCharacters += current.length + (staged?.length ?? 0);
    if (preparedCharacters > maxPreparedCharacters) return;
    const after = documentsOf({ current, staged });
    const differences = differenceOf({ sequence, projectKey, row }, documentsBefore(before, after), after);
    prepared.set(row, { sequence, differences });
  }

  function forgetPrepared(): void {
    prepared.clear();
    preparedCharacters = 0;
  }

  function writeTerms({ row, terms }: RowDifference): void {
    termWriter.remove(row, terms.removed);
    termWriter.add(row, terms.added);
    for (const { prefix, removed, added } of terms.text) {
      termWriter.remove(row, removed, prefix);
      termWriter.add(row, added, prefix);
    }
  }

  /** Writes what was gathered of terms, and merges segments in proportion. */
  function flushTerms(): void {
    // What nothing was due for is not saved up: the next merge would take all of it in one transaction, for which writes wait.
    owed = Math.min(owed + mergedPerWritten * termWriter.flush(), mostMerged);
    owed = Math.max(0, owed - merger.merge(owed));
  }

  return {
    follow() {
      const { indexed, last } = records.position();
      if (indexed === last) return;
      noticeOthers();
      const { changes: unindexed, isIntact } = records.unindexed();
      const byRow = Map.groupBy(unindexed, ({ row }) => row);
      const places: PlaceChange[] = [];
      const removedTexts: (readonly string[])[] = [];
      const resources = new Map<string, number>();
      // Row by row, so that the terms of a row are garbage before those of the next are made.
      const builtTo = rebuilding.builtTo();
      const unknown = damaged.unknown(byRow.keys(), isIntact);
      for (const [row, ofRow] of [...byRow].sort(([a], [b]) => a - b)) {
        if (unknown.has(row)) continue;
        if (row > builtTo) {
          const place = unlessDamaged(() => placeChangeOf(ofRow, documentsIn(row)));
          if (place) places.push(place);
          else unknown.add(row);
          continue;
        }
        const differences = unlessDamaged(() => differencesOf(ofRow));
        if (!differences) {
          unknown.add(row);
          continue;
        }
        places.push({ row, before: differences[0]?.before, after: differences.at(-1)?.after });
        for (const difference of differences) {
          const { projectKey, terms, before, after } = difference;
          if (!before !== !after) resources.set(projectKey, (resources.get(projectKey) ?? 0) + (after ? 1 : -1));
          writeTerms(difference);
          vocabulary.add(projectKey, terms.gained);
          for (const { prefix, removed } of terms.text) removedTexts.push(removed.map((rest) => prefix + rest));
        }
      }
      writeOrders(places);
      if (unknown.size > 0 || !isIntact) removedTexts.push(...reindex(unknown, !isIntact, builtTo));
      flushTerms();
      vocabulary.flush(last);
      vocabulary.remove(removedTexts);
      for (const [projectKey, more] of resources) if (more !== 0) count.run(projectKey, more);
      for (const [projectKey, ofProject] of Map.groupBy(unindexed, (each) => each.projectKey)) {
        const bytes = ofProject.reduce((sum, record) => sum + record.bytes, 0);
        if (bytes > 0) countBytes.run(projectKey, bytes);
      }
      list.run();
      setIndexed.run(last);
      sweep(last);
    },
    rebuilding: {
      ...rebuilding,
      write(most) {
        noticeOthers();
        return rebuilding.write(most);
      },
    },
    setAside(rows) {
      const known = damaged.read();
      const found = rows.filter((row) => !known.has(row) && !unlessDamaged(() => documentsIn(row)));
      const misplaced = misplacedIn(rows);
      const changed = [...found, ...(misplaced ?? [])];
      if (changed.length === 0) return false;
      const note = cacheNotes(changed);
      const texts = reindex(new Set(changed), misplaced !== undefined, rebuilding.builtTo());
      note();
      flushTerms();
      vocabulary.flush(records.position().last);
      vocabulary.remove(texts);
      return true;
    },
    merge: (bytes) => merger.merge(bytes),
    beginWholeMerge: () => merger.beginWhole(),
    prepare(written) {
      try {
        for (const change of written) prepare(change);
      } catch {
        // The same happens when it is to be indexed, and is handled there.
      }
    },
    committed: forgetPrepared,
    rolledBack() {
      termWriter.clear();
      vocabulary.clearCache();
    },
  };
}
