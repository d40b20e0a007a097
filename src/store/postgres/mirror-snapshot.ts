import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { isBuiltFor } from '../../index/follow/rebuild-indexes.ts';
import { StoreRefused } from '../../record/engine.ts';
import { storeFiles } from '../../record/sqlite/open/inspect.ts';
import { listMigrations, schemaVersion } from '../../record/sqlite/open/migrate.ts';
import { lockDataFolder } from '../../sqlite/connection.ts';
import { backUpStore } from '../sqlite/maintenance/back-up.ts';
import { mirrorFile } from './engine.ts';

/** Copies the mirror of a machine, which may be in use, into a file. Throws `StoreRefused`. */
export async function snapshotMirror(dataDir: string, copy: string): Promise<void> {
  const file = mirrorFile(dataDir);
  if (!existsSync(file))
    throw new StoreRefused(`There is no mirror at ${file}. The first start of the service makes it.`);
  await backUpStore(file, copy, async () => {});
}

/**
 * Makes a snapshot the mirror of a machine that has none yet, and returns what came of it. What the snapshot lacks follows from the log of each
 * project; where that no longer reaches back, the start copies the project. Throws `StoreRefused`.
 */
export async function seedMirror(
  dataDir: string,
  declaredPaths: readonly string[],
  read: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<string> {
  const file = mirrorFile(dataDir);
  const files = storeFiles(file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = lockDataFolder(files.lock);
  const unfinished = `${file}-unfinished`;
  try {
    if (existsSync(file)) return `${file} is there already, and is kept.`;
    await pipeline(await read(), createWriteStream(unfinished, { mode: 0o600, flush: true }));
    const result = inspect(unfinished, declaredPaths);
    for (const left of [files.acknowledgedFile, `${file}-wal`, `${file}-shm`]) rmSync(left, { force: true });
    renameSync(unfinished, file);
    return result;
  } finally {
    rmSync(unfinished, { force: true });
    lock.release();
  }
}

/** Reads all of a snapshot. */
function inspect(file: string, declaredPaths: readonly string[]): string {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const db = new DatabaseSync(url, { readOnly: true });
  try {
    const version = schemaVersion(db);
    if (!listMigrations().some((each) => each.version === version)) {
      throw new StoreRefused(`The snapshot has schema ${version}, which this version of the service does not know.`);
    }
    const finding = db.prepare('PRAGMA quick_check(1)').get()!.quick_check as string;
    if (finding !== 'ok') throw new Error(finding);
    const { projects } = db.prepare('SELECT count(*) AS projects FROM mirrored').get() as { projects: number };
    if (projects === 0) throw new Error('it has no project');
    const index = isBuiltFor(db, declaredPaths)
      ? ''
      : ' Its index is of other INDEXED_PATHS or another version: the start builds it again beside the service.';
    return `The mirror has ${projects} ${projects === 1 ? 'project' : 'projects'}.${index}`;
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(`This is not a whole snapshot of a mirror: ${(error as Error).message}.`);
  } finally {
    db.close();
  }
}
