import { DatabaseSync } from 'node:sqlite';
import { resultCode, StoreRefused, sqliteCode } from './connection.ts';

export interface DataLock {
  release(): void;
}

/**
 * Keeps a second service away from a data folder: an exclusive lock that the operating system drops when the process
 * ends, however it ends. SQLite holds it, since Node has no file locks of its own. Throws `StoreRefused` where another
 * process has it.
 */
export function lockDataFolder(file: string): DataLock {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (resultCode(error) !== sqliteCode.busy) throw error;
    throw new StoreRefused(
      `Another process serves this data folder (lock: ${file}). Stop it first, or set DATA_DIR to another folder.`,
    );
  }
  return { release: () => db.close() };
}
