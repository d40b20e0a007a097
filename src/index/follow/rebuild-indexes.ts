import type { DatabaseSync } from 'node:sqlite';
import { analysisVersion } from '../../domain/search/words/document-words.ts';
import type { Progress } from '../../record/engine.ts';
import { resultCode } from '../../sqlite/connection.ts';
import { boundedCount } from '../../sqlite/position.ts';
import { hasStrayRows, moveStrayRows } from '../../sqlite/row-numbers.ts';
import { SegmentList, termIndexVersion } from '../terms/segments.ts';
import type { ChangeSource } from './change-source.ts';
import { createOrdersFiller, emptyOrders } from './followed-orders.ts';
import { Follower } from './follower.ts';
import { builtSettings, createRebuildMark } from './rebuild-mark.ts';

/** Characters of terms in a portion while nobody waits for it: some 100 ms. */
const portionCharacters = 4_194_304;

/** Work that a start does before the first request: enough for a store with some thousand resources. */
export const charactersBeforeServing = 4 * portionCharacters;

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

/** A database whose indexes are built, and the changes that they follow. */
export interface Followed {
  readonly db: DatabaseSync;
  readonly source: ChangeSource;
}

/** What the indexes were built with. With other word breaks they would keep terms that no later write finds. */
interface IndexSettings {
  readonly declaredPaths: readonly string[];
  /** The versions of our own analysis and of the tables for breaking and folding words. */
  readonly words: string;
  readonly terms: number;
}

function settingsOf(declaredPaths: readonly string[]): IndexSettings {
  const { icu = '', unicode = '' } = process.versions;
  return {
    declaredPaths: [...declaredPaths].sort(),
    words: `${analysisVersion}, ICU ${icu}, Unicode ${unicode}`,
    terms: termIndexVersion,
  };
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

/** True if the indexes that a store has, or is building, are those of these paths and of this version of the service. */
export function isBuiltFor(db: DatabaseSync, declaredPaths: readonly string[]): boolean {
  const { settings } = db.prepare('SELECT settings FROM store').get() as { settings: string };
  try {
    return builtSettings(settings) === JSON.stringify(settingsOf(declaredPaths));
  } catch {
    return false;
  }
}

/**
 * Has the indexes built again from the first row on, by `Rebuilding`. `isDamaged`: what does not depend on words as well, and the
 * changes that are not indexed yet are not asked for. `reindex`: what SQLite keeps as indexes, too.
 */
function beginRebuild(
  { db, source }: Followed,
  declaredPaths: readonly string[],
  isDamaged: boolean,
  reindex = false,
): void {
  inTransaction(db, () => {
    new SegmentList(db).clear();
    db.exec('DELETE FROM posting; DELETE FROM project; DELETE FROM damaged');
    if (isDamaged) {
      emptyOrders(db);
      source.relist();
    }
    // It reads the tables without row numbers as well, those that were just emptied among them.
    if (reindex) db.exec('REINDEX');
    moveStrayRows(db);
    if (isDamaged) createOrdersFiller(db)(0);
    const update = db.prepare('UPDATE store SET settings = ?, commits = commits + 1');
    update.run(JSON.stringify(settingsOf(declaredPaths)));
    createRebuildMark(db).write(-1);
  });
}

const label = 'indexing the values';

/** Indexes the changes that wait, and continues pending index builds, up to this many characters of terms. */
function followAndBuild(
  { db, source }: Followed,
  declaredPaths: readonly string[],
  progress: Progress,
  most = Number.POSITIVE_INFINITY,
): void {
  // Damage to it is found before anything is served.
  new SegmentList(db).read();
  const follower = new Follower(db, declaredPaths, source);
  const { builtTo } = follower.rebuilding;
  const { total } = db.prepare('SELECT count(*) AS total FROM resource').get() as { total: number };
  const counted = db.prepare(`SELECT coalesce(sum(${boundedCount('resources')}), 0) AS done FROM project`);
  const isWhole = () => !Number.isFinite(builtTo());
  for (let written = 0, isFirst = true; written < most; isFirst = false) {
    const wasWhole = isWhole();
    if (wasWhole && !isFirst) return;
    inTransaction(db, () => {
      follower.follow();
      written += follower.rebuild(portionCharacters);
    });
    if (!wasWhole && total > 0) progress(label, isWhole() ? total : (counted.get() as { done: number }).done, total);
  }
}

/** Has the indexes follow; where a record or a row that they should follow is damaged, all of them are built again. */
function followOrRebuild(
  followed: Followed,
  declaredPaths: readonly string[],
  progress: Progress,
  most?: number,
): void {
  try {
    followAndBuild(followed, declaredPaths, progress, most);
  } catch (error) {
    // SQLite's own errors say that the disk or the file is at fault.
    if (resultCode(error) !== undefined) throw error;
    beginRebuild(followed, declaredPaths, true);
    followAndBuild(followed, declaredPaths, progress, most);
  }
}

/**
 * Indexes the changes that wait since the last time that the store was open. Builds the indexes again if they were built with other
 * settings or a record is damaged, or goes on where a process has left that: up to about `most` characters of terms, the rest is
 * left to the writer. Without `declaredPaths` it leaves the indexes as they are. Returns the declared paths of the indexes;
 * undefined where this process must not write to them, because they were built by other rules.
 */
export function bringIndexesUpToDate(
  followed: Followed,
  declaredPaths: readonly string[] | undefined,
  progress: Progress,
  most?: number,
): readonly string[] | undefined {
  const { db } = followed;
  if (!declaredPaths) {
    const found = readDeclaredPaths(db);
    return found && isBuiltFor(db, found) ? found : undefined;
  }
  const isDamaged = hasStrayRows(db);
  if (isDamaged || !isBuiltFor(db, declaredPaths)) beginRebuild(followed, declaredPaths, isDamaged);
  followOrRebuild(followed, declaredPaths, progress, most);
  return declaredPaths;
}

/** Rebuilds all indexes from the rows, those of SQLite as well. If it is interrupted, the next start goes on. */
export function rebuildIndexes(followed: Followed, declaredPaths: readonly string[], progress: Progress): void {
  beginRebuild(followed, declaredPaths, true, true);
  followAndBuild(followed, declaredPaths, progress);
}
