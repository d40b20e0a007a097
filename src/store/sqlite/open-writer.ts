import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StoreOptions } from '../../record/engine.ts';
import { storeFiles } from '../../record/sqlite/open/inspect.ts';
import { createOpeningNotes } from '../../record/sqlite/open/opening-notes.ts';
import { keepLog, lockDataFolder } from '../../sqlite/connection.ts';
import { startWriter } from './write/writer-handle.ts';

/** Apart from store.ts, so that the thread of the writer starts before this one loads all the rest. */

export interface SqliteOptions extends StoreOptions {
  /** Database file; its folder is created if it is missing. */
  readonly file: string;
  /** Start although commits that were acknowledged are missing. */
  readonly acceptLoss: boolean;
  readonly isMirror?: boolean;
}

export type OpenedWriter = Awaited<ReturnType<typeof openWriter>>;

/**
 * Takes the folder's lock and starts the writer, which checks the database. `close` closes both. Throws `StoreRefused`.
 */
export async function openWriter(options: SqliteOptions) {
  const { file, declaredPaths, acceptLoss, isMirror, metrics, note, onFatal } = options;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const isShared = options.access === 'shared';
  const lock = isShared ? undefined : lockDataFolder(storeFiles(file).lock);
  try {
    const indexed = isShared ? undefined : declaredPaths;
    // A command beside a service leaves the log as it is.
    const keepsHistory = isShared ? undefined : options.keepsHistory;
    const opening = createOpeningNotes(note);
    const writer = await startWriter({
      ...{ file, declaredPaths: indexed, acceptLoss, isMirror, keepsHistory, metrics, note: opening.note },
      onFatal(message) {
        keepLog(file);
        onFatal(message);
      },
    }).finally(opening.opened);
    chmodSync(file, 0o600);
    return { writer, close: () => writer.close().finally(() => lock?.release()) };
  } catch (error) {
    lock?.release();
    throw error;
  }
}
