import type { DatabaseSync } from 'node:sqlite';
import { analysisVersion } from '../../../domain/search/words/document-words.ts';
import type { Progress } from '../../engine.ts';
import { indexDifference } from '../../index/index-entries.ts';
import { documentsOf, isIntact, type StoredRow } from '../../row/stored-row.ts';
import { resultCode } from '../open/connection.ts';
import { isLogged, loggedBytes } from '../open/log-schema.ts';
import { settingsWithoutPartly } from '../open/partly-indexed.ts';
import { storedColumns } from '../open/stored-columns.ts';
import { createChangeRecords } from './change-records.ts';
import { rebuildOrders } from './followed-orders.ts';
import { createFollower } from './follower.ts';
import { createTermMerger } from './merge-index.ts';
import { createVocabularyWriter } from './vocabulary-writer.ts';

/** A row of `resource` with its number. */
export type NumberedRow = StoredRow & { readonly row: number };

const pageRows = 2000;

/** All resources by row number, in pages, so that memory stays bounded. */
export function* pagesOfRows(db: DatabaseSync, size: number): Generator<readonly NumberedRow[]> {
  const page = db.prepare(`SELECT row, ${storedColumns} FROM resource WHERE row > ? ORDER BY row LIMIT ?`);
  for (let last = -1; ; ) {
    const rows = page.all(last, size) as unknown as NumberedRow[];
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1)?.row ?? last;
  }
}

/** All resources one by one. */
function* allRows(db: DatabaseSync, label: string, progress: Progress): Generator<NumberedRow> {
  const { total } = db.prepare('SELECT count(*) AS total FROM resource').get() as { total: number };
  let done = 0;
  for (const rows of pagesOfRows(db, pageRows)) {
    yield* rows;
    done += rows.length;
    progress(label, Math.min(done, total), total);
  }
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** What the index was built with. With other word breaks it would keep terms that no later write finds again. */
interface IndexSettings {
  readonly declaredPaths: readonly string[];
  /** The versions of our own analysis and of the tables for breaking and folding words. */
  readonly words: string;
}

function settingsOf(declaredPaths: readonly string[]): IndexSettings {
  const { icu = '', unicode = '' } = process.versions;
  return { declaredPaths: [...declaredPaths].sort(), words: `${analysisVersion}, ICU ${icu}, Unicode ${unicode}` };
}

/**
 * The declared paths that a store was indexed with; undefined where they cannot be read. They need no checksum: each start
 * compares the settings with its own, and rebuilds the indexes unless they are the same in every byte.
 */
export function readDeclaredPaths(db: DatabaseSync): readonly string[] | undefined {
  const { settings } = db.prepare('SELECT settings FROM store').get() as { settings: string };
  try {
    return (JSON.parse(settings) as Partial<IndexSettings>).declaredPaths ?? [];
  } catch {
    return undefined;
  }
}

/** Rebuilds the indexes from the resources, in the open transaction. Damaged resources are left out. */
function rebuildAll(db: DatabaseSync, declaredPaths: readonly string[], progress: Progress): void {
  db.exec(
    "INSERT INTO term (term) VALUES ('delete-all'); DELETE FROM word; DELETE FROM added_word; DELETE FROM project",
  );
  rebuildOrders(db);
  const { last } = createChangeRecords(db).position();
  const add = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  add.setReadBigInts(true);
  const vocabulary = createVocabularyWriter(db, { anew: true });
  const merger = createTermMerger(db);
  const resources = new Map<string, number>();
  let rows = 0;
  for (const row of allRows(db, 'indexing the values', progress)) {
    if (!isIntact(row)) continue;
    const { added, addedText, gained } = indexDifference(row.project_key, undefined, documentsOf(row), declaredPaths);
    add.run(row.row, addedText === '' ? added : `${added} ${addedText}`);
    merger.wrote(added.length + addedText.length);
    vocabulary.add(row.project_key, gained);
    rows += 1;
    if (rows % pageRows === 0) vocabulary.flush(last);
    resources.set(row.project_key, (resources.get(row.project_key) ?? 0) + 1);
  }
  vocabulary.flush(last);
  const count = db.prepare('INSERT INTO project (project_key, resources) VALUES (?, ?)');
  for (const [projectKey, number] of resources) count.run(projectKey, number);
  db.exec(`DELETE FROM project_change;
    INSERT INTO project_change (project_key, sequence)
      SELECT project_key, sequence FROM change WHERE ${isLogged} ORDER BY project_key, sequence;
    UPDATE project_log SET bytes = 0;
    INSERT INTO project_log (project_key, bytes)
      SELECT project_key, sum(${loggedBytes}) FROM change WHERE ${isLogged} GROUP BY project_key
      ON CONFLICT DO UPDATE SET bytes = excluded.bytes`);
  db.prepare('UPDATE store SET settings = ?, indexed = ?, commits = commits + 1').run(
    JSON.stringify(settingsOf(declaredPaths)),
    last,
  );
}

/**
 * Indexes the changes that wait since the last time that the store was open, or rebuilds the indexes, all or nothing, if
 * they were built with other settings or a record is damaged. Without `declaredPaths` it leaves the indexes as they are.
 * Returns the declared paths of the indexes; undefined where this process must not write to them, because they were built
 * by other rules.
 */
export function bringIndexesUpToDate(
  db: DatabaseSync,
  declaredPaths: readonly string[] | undefined,
  progress: Progress,
): readonly string[] | undefined {
  const { settings } = db.prepare('SELECT settings FROM store').get() as { settings: string };
  const built = settingsWithoutPartly(settings);
  const isSame = (paths: readonly string[]) => built === JSON.stringify(settingsOf(paths));
  if (!declaredPaths) {
    const found = readDeclaredPaths(db);
    return found && isSame(found) ? found : undefined;
  }
  if (isSame(declaredPaths)) followOrRebuild(db, declaredPaths, progress);
  else rebuildIndexes(db, declaredPaths, progress);
  return declaredPaths;
}

function followOrRebuild(db: DatabaseSync, declaredPaths: readonly string[], progress: Progress): void {
  try {
    inTransaction(db, () => createFollower(db, declaredPaths).follow());
  } catch (error) {
    // SQLite's own errors say that the disk or the file is at fault.
    if (resultCode(error) !== undefined) throw error;
    rebuildIndexes(db, declaredPaths, progress);
  }
}

/** Rebuilds the indexes from the resources, all or nothing. */
export function rebuildIndexes(db: DatabaseSync, declaredPaths: readonly string[], progress: Progress): void {
  inTransaction(db, () => rebuildAll(db, declaredPaths, progress));
}
