import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ServiceError } from '../contract/errors.ts';
import { StoreRefused } from '../record/engine.ts';
import { AcknowledgedFileFailed } from './acknowledged-file.ts';
import { FileReplaced, isOnReadOnlyFileSystem, readOnlyFileSystem } from './file-identity.ts';

/** Marks a file as one of ours in SQLite's header: the letters "GRS1". */
export const applicationId = 0x47525331;

/** The first engine without the WAL-reset bug of 3.7.0–3.51.2 (sqlite.org/wal.html#walresetbug). */
const leastEngine = [3, 51, 3] as const;

/** A statement waits so long for a lock. */
export const busyTimeoutMs = 2000;

/**
 * The settings that durability depends on, as [pragma, value, value as read back]. synchronous 2 is FULL: a commit
 * returns after fsync. Some builds of SQLite default to NORMAL with a WAL, and report FULL until the first statement:
 * so they are set, and read back after a statement.
 */
const durability: readonly (readonly [string, string, number | string])[] = [
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['fullfsync', 'ON', 1],
  ['checkpoint_fullfsync', 'ON', 1],
];

function readPragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function assertEngine(db: DatabaseSync): void {
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  const parts = version.split('.').map(Number);
  const at = leastEngine.findIndex((least, index) => parts[index] !== least);
  if (at >= 0 && (parts[at] ?? 0) < leastEngine[at]!) {
    throw new StoreRefused(
      `SQLite ${leastEngine.join('.')} or newer is needed, this Node has ${version}. Use a newer Node.`,
    );
  }
}

function harden(db: DatabaseSync): void {
  db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY');
}

/** Opens a connection that writes, with durability set and read back. Throws `StoreRefused` where it is not available. */
export function openWriteConnection(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  assertEngine(db);
  for (const [name, value] of durability) db.exec(`PRAGMA ${name} = ${value}`);
  harden(db);
  // What is deleted is overwritten with zeros, so that nothing forgotten stays in free pages.
  db.exec('PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = 67108864');
  db.exec('PRAGMA cache_size = -16384');
  db.prepare('SELECT count(*) AS n FROM sqlite_schema').get();
  assertDurability(db);
  return db;
}

/** Reads the durability settings back; throws `StoreRefused` where one differs. */
export function assertDurability(db: DatabaseSync): void {
  for (const [name, value, expected] of durability) {
    const actual = readPragma(db, name);
    if (actual !== expected) {
      throw new StoreRefused(
        `SQLite reports ${name} = ${actual} where ${value} was set. Without it an acknowledged write could be lost, so the service does not start. Is the data folder on a network or overlay file system? Use a local disk.`,
      );
    }
  }
}

/** Opens a connection that only reads. `cacheKiB` bounds its page cache. */
export function openReadConnection(file: string, cacheKiB: number): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  harden(db);
  db.exec(`PRAGMA cache_size = -${cacheKiB}`);
  db.exec('PRAGMA query_only = ON');
  return db;
}

/**
 * Opens a connection for a command that only reads, also of a database on a read-only file system: SQLite cannot make the
 * index of the write-ahead log there. Where there is no log, all is in the database, and no process writes to it.
 */
export function openForCommand(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    const isUnopened = resultCode(error) === sqliteCode.cannotOpen || resultCode(error) === sqliteCode.readOnly;
    // What is damaged is for the caller to find.
    if (!isUnopened || !isOnReadOnlyFileSystem(file)) return db;
    db.close();
    if (hasLog(file)) throw readOnlyFileSystem(file);
    const url = pathToFileURL(file);
    url.searchParams.set('immutable', '1');
    return new DatabaseSync(url, { readOnly: true });
  }
  return db;
}

/** True if the write-ahead log of a database holds anything. */
export function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Connections that are never closed. */
const keptOpen: DatabaseSync[] = [];

/**
 * Leaves the log to the next start, after an error of the disk: SQLite would copy it into the database and remove it when the
 * last connection closes. What a disk could not write, the system may have forgotten by then, so that a sync succeeds; the
 * next start copies all of the log again.
 */
export function keepLog(file: string): void {
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    keptOpen.push(db);
  } catch {
    // What cannot be read now SQLite cannot copy either.
  }
}

/** The primary result code of an error thrown by SQLite; undefined for any other error. */
export function resultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Primary result codes that the service distinguishes (sqlite.org/rescode.html). */
export const sqliteCode = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  lockingProtocol: 15,
  constraint: 19,
  notADatabase: 26,
} as const;

/** Codes of a disk, a file or a machine that fails: no fault of the statement, so it may succeed another time. */
const outsideFaults: ReadonlySet<number | undefined> = new Set([
  sqliteCode.busy,
  sqliteCode.noMemory,
  sqliteCode.ioError,
  sqliteCode.corrupt,
  sqliteCode.full,
  sqliteCode.cannotOpen,
  sqliteCode.lockingProtocol,
  sqliteCode.notADatabase,
]);

/** True for an error of the disk, the file or the machine, rather than of the statement. */
export function isOutsideFault(error: unknown): boolean {
  return outsideFaults.has(resultCode(error));
}

/**
 * SQLITE_CORRUPT_INDEX: a statement that deletes or changes a row found that an index lacks its entry. It was rolled back, and
 * the rest of the file may be written.
 */
export function isDamagedIndex(error: unknown): boolean {
  return (error as { errcode?: unknown } | null)?.errcode === (sqliteCode.corrupt | (3 << 8));
}

/** True for an error after which this process must not write to the database again. */
export function isFatal(error: unknown): boolean {
  if (error instanceof AcknowledgedFileFailed || error instanceof FileReplaced) return true;
  if (isDamagedIndex(error)) return false;
  const code = resultCode(error);
  const { ioError, corrupt, lockingProtocol, notADatabase } = sqliteCode;
  return code === ioError || code === corrupt || code === lockingProtocol || code === notADatabase;
}

/**
 * What a client gets for an error of a read: 503 where the disk failed, any other error as it is. Of a log that cannot be
 * read SQLite says that the database is malformed.
 */
export function readError(error: unknown): unknown {
  if (!isOutsideFault(error)) return error;
  // The files are there since the start, so what cannot be opened now is for lack of file descriptors.
  const problem =
    resultCode(error) === sqliteCode.cannotOpen
      ? 'A file of the database cannot be opened: perhaps the service has as many files open as it may have. Try again later.'
      : 'The disk cannot be read, or the database is damaged. Try again later.';
  return Object.assign(new ServiceError('OverCapacity', problem, {}, { 'retry-after': '5' }), { cause: error });
}

/** Reads; throws what `readError` makes of an error. */
export function readOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw readError(error);
  }
}

/** A port whose reads fail as `readError` says. */
export function refusingReads<T extends object>(port: T): T {
  const refusing = (value: unknown) => {
    if (typeof value !== 'function') return value;
    return (...args: readonly unknown[]) =>
      readOrRefuse(() => {
        const result = value(...args);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          throw readError(error);
        });
      });
  };
  return Object.fromEntries(Object.entries(port).map(([name, value]) => [name, refusing(value)])) as T;
}

/**
 * Locks a data folder exclusively, so that no second service uses it. The operating system releases the lock when the
 * process ends, however it ends. SQLite holds it, since Node has no file locks. Throws `StoreRefused` where another
 * process has it.
 */
export function lockDataFolder(file: string): { release(): void } {
  if (!existsSync(file) && isOnReadOnlyFileSystem(file)) throw readOnlyFileSystem(file);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (resultCode(error) !== sqliteCode.busy) throw isOnReadOnlyFileSystem(file) ? readOnlyFileSystem(file) : error;
    throw new StoreRefused(
      `Another process serves this data folder (lock: ${file}). Stop it first, or set DATA_DIR to another folder.`,
    );
  }
  return { release: () => db.close() };
}
