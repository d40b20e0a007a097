import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { type Acknowledged, readAcknowledged } from '../../../sqlite/acknowledged-file.ts';
import { applicationId } from '../../../sqlite/connection.ts';
import { StoreRefused } from '../../engine.ts';

/** The files of an embedded store. */
export interface StoreFiles {
  readonly database: string;
  /** See acknowledged-file.ts. */
  readonly acknowledgedFile: string;
  readonly lock: string;
}

export function storeFiles(database: string): StoreFiles {
  return { database, acknowledgedFile: `${database}-acknowledged`, lock: `${database}-lock` };
}

const restore = 'Restore the folder from a backup; nothing was changed.';

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}

/** SQLite's file header (sqlite.org/fileformat.html §1.3): page size at 16, page count at 28, application id at 68. */
function readHeader(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(fd, header, 0, 100, 0));
  } finally {
    closeSync(fd);
  }
}

function checkHeader(file: string, size: number, logBytes: number): void {
  const header = readHeader(file);
  if (header.length < 100 || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw new StoreRefused(`${file} is not a database, or its beginning is damaged. ${restore}`);
  }
  const id = header.readUInt32BE(68);
  if (id !== applicationId && id !== 0) throw new StoreRefused(`${file} is the database of another program.`);
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const expected = pageSize * header.readUInt32BE(28);
  // The tail of the file may still be in the log: SQLite copies it when it opens the file.
  if (logBytes === 0 && size < expected) {
    throw new StoreRefused(`${file} is truncated: it has ${size} bytes instead of ${expected}. ${restore}`);
  }
}

/**
 * Checks the files before SQLite opens them, since SQLite would take an empty file for a new database. Returns what was
 * acknowledged last; undefined for a new store. Throws `StoreRefused`. The files are closed before SQLite opens them:
 * closing one later would drop SQLite's locks on it.
 */
export function inspectFiles({ database, acknowledgedFile }: StoreFiles): Acknowledged | undefined {
  const acknowledged = readAcknowledged(acknowledgedFile);
  const size = sizeOf(database);
  const logBytes = sizeOf(`${database}-wal`);
  if (size === 0 && acknowledged) {
    const found = existsSync(database) ? 'is empty' : 'is missing';
    throw new StoreRefused(
      `${database} ${found}, but ${acknowledgedFile} says that it had ${acknowledged.commits} commits. ${restore} To start with an empty store, move the whole folder away.`,
    );
  }
  // If the first start lost power, SQLite rolls the file back with its rollback journal, which exists only until WAL is on.
  const isCreating = acknowledged === undefined && sizeOf(`${database}-journal`) > 0;
  if (size > 0 && !isCreating) checkHeader(database, size, logBytes);
  return acknowledged;
}

/** Compares the opened database with what was acknowledged. Throws `StoreRefused` if it is another one or is behind. */
export function compareAcknowledged(
  found: Acknowledged,
  expected: Acknowledged | undefined,
  acceptLoss: boolean,
): void {
  if (!expected) return;
  if (found.instanceId !== expected.instanceId) {
    throw new StoreRefused(
      `The database is not the one that belongs here (instance ${found.instanceId}, expected ${expected.instanceId}). Put the right file back, or restore the whole folder from one backup.`,
    );
  }
  const behind = expected.commits - found.commits;
  if (behind > 0 && !acceptLoss) {
    throw new StoreRefused(
      `The database is ${behind} commits behind what was acknowledged (${found.commits} of ${expected.commits}): acknowledged writes are missing, as after damage to the write-ahead log. ${restore} To continue without them, start once with ACCEPT_LOSS=true.`,
    );
  }
}
