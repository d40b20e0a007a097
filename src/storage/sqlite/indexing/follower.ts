import type { DatabaseSync } from 'node:sqlite';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { type IndexDifference, indexDifference } from '../../index/index-entries.ts';
import { type ChangeRecord, documentsBefore, documentsBeforeAll } from '../../row/change-record.ts';
import { type DocumentTexts, documentsOf } from '../../row/stored-row.ts';
import { isUnlisted } from '../open/log-schema.ts';
import { createChangeRecords } from './change-records.ts';
import { createOrdersWriter, type Place, type PlaceChange, placeOf } from './followed-orders.ts';
import type { LargeDifference } from './index-thread.ts';
import { createTermMerger } from './merge-index.ts';
import { createVocabularyWriter, type WordGroup } from './vocabulary-writer.ts';

/** Terms that a large document loses and gains, of its values and of its words, and the words that it gains. */
export type IndexColumns = readonly [
  removed: string,
  added: string,
  removedText: string,
  addedText: string,
  addedWords: readonly WordGroup[],
];

/**
 * Brings the indexes up to date from the records of changes. All changes that wait are indexed together: that costs a
 * fraction of indexing each with its own commit (decision 98).
 */
export interface Follower {
  /** Indexes everything that waits, inside the open transaction. Throws where SQLite does, or if a record is damaged. */
  follow(): void;
  /**
   * Computes the terms of resources that have just been created, for the next `follow`: half of its work, done while the main
   * thread has something to do (decision 188).
   */
  prepare(created: readonly CreatedRow[]): void;
  /** Hands over the terms of a change of a large document, which another thread has computed. */
  supply(sequence: number, terms: IndexColumns): void;
  /** To be called after a transaction that followed was committed, or rolled back. */
  committed(): void;
  rolledBack(): void;
}

/** A resource that was created: the change, its row, and the texts of its projections. */
export type CreatedRow = readonly [
  sequence: number,
  projectKey: string,
  row: number,
  current: string,
  staged: string | null,
];

/** Changes whose records are kept for the caches of searches; caches that are older are built again. */
export const keptRecords = 8192;

/** Older records that are no changes of the log are deleted once in about this many changes. */
const sweepInterval = 1024;

/** Characters of resources whose terms are kept: others are left to `follow`, which keeps none. */
const maxPreparedCharacters = 1_048_576;

/** What is to be written to the index for a row. */
interface RowDifference {
  readonly projectKey: string;
  readonly row: number;
  /** Where it is in the orders; undefined where it is not there, or not any more. */
  readonly before: Place | undefined;
  readonly after: Place | undefined;
  readonly terms: IndexDifference | LargeDifference;
}

/** The difference of a creation, for which its row must not have changed since. */
interface Prepared {
  readonly sequence: number;
  readonly differences: readonly RowDifference[];
}

/** Prepares following on a connection that writes. */
export function createFollower(db: DatabaseSync, declaredPaths: readonly string[]): Follower {
  const records = createChangeRecords(db);
  const textsOf = db.prepare('SELECT current, staged FROM resource WHERE row = ?');
  const setIndexed = db.prepare('UPDATE store SET indexed = ?');
  const count = db.prepare(
    'INSERT INTO project (project_key, resources) VALUES (?, ?) ON CONFLICT DO UPDATE SET resources = resources + excluded.resources',
  );
  const countBytes = db.prepare(
    'INSERT INTO project_log (project_key, bytes) VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes',
  );
  const list = db.prepare(
    `INSERT INTO project_change (project_key, sequence) SELECT project_key, sequence FROM change
      WHERE ${isUnlisted} ON CONFLICT DO NOTHING`,
  );
  const sweep = db.prepare(
    'DELETE FROM change WHERE sequence > (SELECT swept FROM store) AND sequence <= ? AND id IS NULL',
  );
  const sweepWords = db.prepare('DELETE FROM added_word WHERE born <= ?');
  const setSwept = db.prepare('UPDATE store SET swept = ?');
  const writeTerms = createTermWriter(db);
  const writeOrders = createOrdersWriter(db);
  const merger = createTermMerger(db);
  const vocabulary = createVocabularyWriter(db);
  const dataVersion = db.prepare('PRAGMA data_version');
  const supplied = new Map<number, IndexColumns>();
  /** By row. */
  const prepared = new Map<number, Prepared>();
  let preparedCharacters = 0;
  let swept = 0;
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
    const texts = textsOf.get(row) as DocumentTexts | undefined;
    let after = texts && documentsOf(texts);
    const isOne =
      ofRow.length > 1 && ofRow.every((each) => each.projectKey === projectKey && !supplied.has(each.sequence));
    if (isOne) return differenceOf(projectKey, row, documentsBeforeAll(ofRow, after), after);
    const differences: RowDifference[][] = [];
    for (const record of ofRow.toReversed()) {
      const before = documentsBefore(record.before, after);
      differences.push(differenceOf(record.projectKey, row, before, after, supplied.get(record.sequence)));
      after = before;
    }
    return differences.toReversed().flat();
  }

  function differenceOf(
    projectKey: string,
    row: number,
    before: Documents | undefined,
    after: Documents | undefined,
    columns?: IndexColumns,
  ): RowDifference[] {
    if (!before && !after) return [];
    const terms = columns ? namedColumns(columns) : indexDifference(projectKey, before, after, declaredPaths);
    const [from, to] = [before && placeOf(projectKey, before), after && placeOf(projectKey, after)];
    return [{ projectKey, row, before: from, after: to, terms }];
  }

  function prepare([sequence, projectKey, row, current, staged]: CreatedRow): void {
    preparedCharacters += current.length + (staged?.length ?? 0);
    if (preparedCharacters > maxPreparedCharacters) return;
    const documents = documentsOf({ current, staged });
    prepared.set(row, { sequence, differences: differenceOf(projectKey, row, undefined, documents) });
  }

  function forgetPrepared(): void {
    prepared.clear();
    preparedCharacters = 0;
  }

  return {
    follow() {
      const { indexed, last } = records.position();
      if (indexed === last) return;
      noticeOthers();
      const unindexed = records.unindexed();
      const byRow = Map.groupBy(unindexed, ({ row }) => row);
      const places: PlaceChange[] = [];
      const removedTexts: string[] = [];
      const resources = new Map<string, number>();
      let characters = 0;
      // Row by row, so that the terms of a row are garbage before those of the next are made.
      for (const [, ofRow] of [...byRow].sort(([a], [b]) => a - b)) {
        const differences = differencesOf(ofRow);
        const { row } = ofRow[0]!;
        places.push({ row, before: differences[0]?.before, after: differences.at(-1)?.after });
        for (const difference of differences) {
          const { projectKey, terms, before, after } = difference;
          characters += writeTerms(difference);
          if ('gained' in terms) vocabulary.add(projectKey, terms.gained);
          else vocabulary.addGroups(projectKey, terms.addedWords, last);
          if (terms.removedText !== '') removedTexts.push(terms.removedText);
          if (!before !== !after) resources.set(projectKey, (resources.get(projectKey) ?? 0) + (after ? 1 : -1));
        }
      }
      writeOrders(places);
      merger.wrote(characters);
      vocabulary.flush(last);
      vocabulary.remove(removedTexts);
      for (const [projectKey, more] of resources) if (more !== 0) count.run(projectKey, more);
      for (const [projectKey, ofProject] of Map.groupBy(unindexed, (each) => each.projectKey)) {
        const bytes = ofProject.reduce((sum, record) => sum + record.bytes, 0);
        if (bytes > 0) countBytes.run(projectKey, bytes);
      }
      list.run();
      setIndexed.run(last);
      if (last - swept < sweepInterval) return;
      const until = Math.max(0, last - keptRecords);
      sweep.run(until);
      sweepWords.run(until);
      setSwept.run(until);
      swept = last;
    },
    supply: (sequence, terms) => supplied.set(sequence, terms),
    prepare(created) {
      try {
        for (const each of created) prepare(each);
      } catch {
        // The same happens when it is to be indexed, and is handled there.
      }
    },
    committed() {
      supplied.clear();
      forgetPrepared();
    },
    rolledBack() {
      supplied.clear();
      vocabulary.clearCache();
    },
  };
}

/**
 * Writes the terms of a row, to be called by ascending row: FTS5 starts a new segment whenever a row number is lower than
 * the one before. While the row lives each delete is paired with an insert, so that FTS5's own count of rows stays
 * correct. Returns the characters of the terms.
 */
function createTermWriter(db: DatabaseSync): (difference: RowDifference) => number {
  const removeTerms = db.prepare("INSERT INTO term (term, rowid, t) VALUES ('delete', ?, ?)");
  const addTerms = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  // FTS5 leaves a last rowid that may not fit a number; reading it as one throws after the statement has run.
  for (const statement of [removeTerms, addTerms]) statement.setReadBigInts(true);
  return ({ row, terms, before, after }) => {
    const removed = joined(terms.removed, terms.removedText);
    const added = joined(terms.added, terms.addedText);
    if (before && after && removed === '' && added === '') return 0;
    if (before) removeTerms.run(row, removed);
    if (after) addTerms.run(row, added);
    return removed.length + added.length;
  };
}

function namedColumns([removed, added, removedText, addedText, addedWords]: IndexColumns): LargeDifference {
  return { removed, added, removedText, addedText, addedWords };
}

function joined(values: string, text: string): string {
  return values === '' || text === '' ? values + text : `${values} ${text}`;
}
