import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { bringIndexesUpToDate, charactersBeforeServing } from '../../../index/follow/rebuild-indexes.ts';
import { StoreRefused } from '../../../record/engine.ts';
import { createChangeSource } from '../../../record/sqlite/log/change-source.ts';
import { compareAcknowledged, inspectFiles, storeFiles } from '../../../record/sqlite/open/inspect.ts';
import { migrateNoting } from '../../../record/sqlite/open/migrate.ts';
import { type Acknowledged, type AcknowledgedFile, openAcknowledgedFile } from '../../../sqlite/acknowledged-file.ts';
import { openWriteConnection, resultCode, sqliteCode } from '../../../sqlite/connection.ts';
import {
  isOnReadOnlyFileSystem,
  OpenedFiles,
  readOnlyFileSystem,
  refuseHardLinks,
} from '../../../sqlite/file-identity.ts';
import { commitNumber, lastSequence } from '../../../sqlite/position.ts';
import { isOfOneValue } from '../../../sqlite/value-types.ts';

export interface OpenOptions {
  readonly file: string;
  /** Dotted paths whose texts the index keeps in order (setting INDEXED_PATHS); undefined leaves it as it is. */
  readonly declaredPaths: readonly string[] | undefined;
  readonly acceptLoss: boolean;
  /** True if changes are logged (setting HISTORY_RETENTION_DAYS); undefined leaves it as it is. */
  readonly keepsHistory?: boolean | undefined;
  /** All that it has is elsewhere as well: its commits do not wait for the disk. */
  readonly isMirror?: boolean | undefined;
}

export interface OpenedDatabase {
  readonly db: DatabaseSync;
  readonly acknowledgedFile: AcknowledgedFile;
  /** All files that an acknowledged write is in, and the lock. */
  readonly files: OpenedFiles;
  /** The paths that the indexes are built with; undefined where this process must not write to the indexes. */
  readonly declaredPaths: readonly string[] | undefined;
  close(): void;
}

/** Up to this size the whole structure is checked before serving (about 0.1 s); larger files in the background. */
const checkedAtStartBytes = 67_108_864;

function damaged(what: string): StoreRefused {
  return new StoreRefused(
    `The database is damaged: ${what}. Nothing was changed. Run “npx grs check --rebuild-indexes”, which repairs indexes; if it fails, restore the folder from a backup. “npx grs check” tells more.`,
  );
}

/**
 * Runs SQLite's structure check. Throws `StoreRefused` with the first finding that is not about one value. Those about
 * values come last.
 */
function quickCheck(db: DatabaseSync): void {
  const rows = db.prepare('PRAGMA quick_check').all() as { quick_check: string }[];
  const finding = rows.find(({ quick_check }) => !isOfOneValue(quick_check))?.quick_check;
  if (finding !== undefined && finding !== 'ok') throw damaged(finding);
}

/** Reads which store this is. The first start inserts the row. */
function readStore(db: DatabaseSync): Acknowledged {
  db.prepare(
    "INSERT INTO store (singleton, instance_id, commits, settings) VALUES (1, ?, 0, '{}') ON CONFLICT DO NOTHING",
  ).run(randomUUID());
  const sql = `SELECT instance_id AS instanceId, ${commitNumber} AS commits FROM store`;
  return db.prepare(sql).get() as unknown as Acknowledged;
}

/**
 * Begins or ends the log, where that was changed. `isOther`: the database is not where the last process left it, so that its
 * log may go on in another way than one that clients have read.
 */
function openLog(db: DatabaseSync, keepsHistory: boolean | undefined, isOther: boolean): void {
  if (keepsHistory === false) db.exec('UPDATE store SET log_from = NULL WHERE log_from IS NOT NULL');
  if (keepsHistory) db.exec(`UPDATE store SET log_from = ${lastSequence} WHERE log_from IS NULL`);
  db.prepare("UPDATE store SET epoch = ? WHERE epoch = '' OR ?").run(randomBytes(8).toString('hex'), isOther ? 1 : 0);
}

function openChecked(options: OpenOptions, note: (text: string) => void): OpenedDatabase {
  const files = storeFiles(options.file);
  refuseHardLinks(files.database);
  const acknowledged = inspectFiles(files);
  const db = openWriteConnection(options.file);
  try {
    if (options.isMirror) db.exec('PRAGMA synchronous = NORMAL');
    migrateNoting(db, note);
    if (statSync(options.file).size <= checkedAtStartBytes) quickCheck(db);
    const store = readStore(db);
    compareAcknowledged(store, acknowledged, options.acceptLoss);
    openLog(db, options.keepsHistory, acknowledged ? store.commits < acknowledged.commits : store.commits > 0);
    const progress = (label: string, done: number, total: number) => note(`${label}: ${done} of ${total}`);
    const declaredPaths = bringIndexesUpToDate(
      { db, source: createChangeSource(db) },
      options.declaredPaths,
      progress,
      charactersBeforeServing,
    );
    const acknowledgedFile = openAcknowledgedFile(files.acknowledgedFile, readStore(db));
    const close = () => {
      db.close();
      acknowledgedFile.close();
    };
    const opened = new OpenedFiles([
      files.database,
      `${files.database}-wal`,
      `${files.database}-shm`,
      files.acknowledgedFile,
      // Without it another service could begin to serve the folder. A command beside no service has none.
      ...(existsSync(files.lock) ? [files.lock] : []),
    ]);
    const acknowledge = (commits: number) => {
      opened.check();
      acknowledgedFile.acknowledge(commits);
    };
    return {
      db,
      acknowledgedFile: { ...acknowledgedFile, acknowledge },
      files: opened,
      declaredPaths,
      close,
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens the database for writing, after every check that a start has time for: files, header, engine, durability,
 * schema, structure (small files), lost commits. Throws `StoreRefused` with what to do.
 */
export function openDatabase(options: OpenOptions, note: (text: string) => void): OpenedDatabase {
  try {
    return openChecked(options, note);
  } catch (error) {
    const code = resultCode(error);
    if (code === sqliteCode.corrupt || code === sqliteCode.notADatabase) throw damaged((error as Error).message);
    if (code !== undefined && isOnReadOnlyFileSystem(options.file)) throw readOnlyFileSystem(options.file);
    throw error;
  }
}
