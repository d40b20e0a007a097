import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { adminClientFile } from '../../auth/admin.ts';
import type { Config } from '../../config/settings.ts';
import { locateStore } from '../../configured-store.ts';
import { StoreRefused } from '../../record/engine.ts';
import { isFullDisk, UsageError } from '../command.ts';
import { folderProblem } from '../data-folder.ts';
import { readConfigOfStore } from '../store.ts';

export const help = `Copy the data folder while the service runs, or while it does not: the database as of one moment, the files of images, and
the administrator's client. Every write that was acknowledged before is in the copy.

Usage:
  npx grs backup <folder>   the folder is made; if it is there it must be empty

The copy has its grs.db when it is whole. To restore it, use it as the data folder of a service that is stopped. Files of images
in object storage are not in it.

While the database is copied its write-ahead log cannot start over: the disk needs room for what is written meanwhile. A store on
PostgreSQL has the tools of PostgreSQL, such as pg_dump.

Exit codes: 0 all is copied, 1 something could not be read or written, 2 wrong arguments or no store.

Example: back up the data in /srv/grs, and check the copy
  DATA_DIR=/srv/grs npx grs backup /backup/grs-monday
  DATA_DIR=/backup/grs-monday npx grs check`;

export const needsArguments = true;

type BackUp = (folder: string, beforeDone: () => Promise<void>) => Promise<void>;

async function isEmpty(folder: string): Promise<boolean> {
  return !existsSync(folder) || (await readdir(folder)).length === 0;
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Copies a file that is not there yet. One that was deleted meanwhile is left out. */
async function copyMissing(from: string, to: string): Promise<void> {
  if (existsSync(to)) return;
  try {
    await copyFile(from, to);
  } catch (error) {
    if (isMissing(error) && !existsSync(from)) return;
    throw error;
  }
  await sync(to);
}

/** Copies the files of images that are not there yet: the name of one stands for its content, and it is whole. */
async function copyImages(from: string, to: string): Promise<void> {
  const projects = existsSync(from) ? await readdir(from, { withFileTypes: true }) : [];
  for (const project of projects) {
    // Files that begin with a dot are temporary.
    if (!project.isDirectory() || project.name.startsWith('.')) continue;
    await mkdir(join(to, project.name), { recursive: true, mode: 0o700 });
    for (const name of await readdir(join(from, project.name))) {
      await copyMissing(join(from, project.name, name), join(to, project.name, name));
    }
    await sync(join(to, project.name));
  }
}

/** The folder, or the nearest one above it that exists, without symbolic links. */
function realFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  const above = dirname(folder);
  return above === folder ? folder : join(realFolder(above), relative(above, folder));
}

/** A copy in the data folder would be lost with it, and one in its images would be swept as an image that no row names. */
function refuseInside(dataDir: string, folder: string): void {
  const [data, copy] = [dataDir, folder].map((each) => `${realFolder(resolve(each))}${sep}`);
  if (copy!.startsWith(data!))
    throw new UsageError(`${folder} is in the data folder ${dataDir}; name a folder outside`);
}

/** Copies the data folder into an empty one. */
async function backUp({ dataDir }: Config, copyDatabase: BackUp, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const copyFiles = () => copyImages(join(dataDir, 'images'), join(folder, 'images'));
  // Before and after: a file that a row of the copy refers to was there at that moment, so at one of the two.
  await copyFiles();
  await copyMissing(join(dataDir, adminClientFile), join(folder, adminClientFile));
  await copyDatabase(folder, copyFiles);
}

/** Why a copy is not complete, and what to do, in sentences. */
function problemOf(error: unknown, folder: string): string {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  if (isFullDisk(error)) {
    return `The disk of ${folder} is full, so the backup is not complete. Make room, or name a folder on another disk.`;
  }
  if (['EACCES', 'EPERM'].includes(code) && path !== undefined) {
    return `This user may not use ${path}, so the backup is not complete. Run the command as the owner of the data folder.`;
  }
  return `The backup is not complete: ${message}.`;
}

function remainder(folder: string): string {
  return existsSync(folder) && readdirSync(folder).length > 0 ? `Remove ${folder} before you try again.` : '';
}

/** Runs `grs backup`. */
export async function run(args: readonly string[]): Promise<number> {
  const [given, ...others] = args;
  if (!given || given.startsWith('-') || others.length > 0) throw new UsageError('expected one folder');
  const folder = resolve(given);
  const config = readConfigOfStore();
  const { address, engine } = locateStore(config);
  const copyDatabase = engine.backUp?.bind(undefined, address);
  if (!copyDatabase) throw new UsageError(`a store on ${engine.name} is backed up by the tools of its database`);
  refuseInside(config.dataDir, folder);
  const problem = folderProblem(folder);
  if (problem !== undefined) throw new UsageError(`${folder} cannot be used: ${problem}`);
  if (!(await isEmpty(folder))) throw new UsageError(`${folder} is not empty; name a new folder`);
  try {
    await backUp(config, copyDatabase, folder);
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    console.error(`${problemOf(error, folder)} ${remainder(folder)}`.trimEnd());
    return 1;
  }
  console.log(`${folder} is a copy of the store.`);
  return 0;
}
