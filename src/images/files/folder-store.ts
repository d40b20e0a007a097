import { randomBytes } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ImageFile, ImageStore } from '../../domain/ports/image-store.ts';
import { systemRefusal } from '../../domain/system-errors.ts';

/** The folder of temporary files, in the same file system as what they become. No project key begins with a dot. */
export const temporaryFolder = '.incoming';

/** The name of an image in a store: `<projectKey>/<file name>`. */
export const imageNameForm = /^[A-Za-z0-9_-]{1,64}\/[A-Za-z0-9_-]{1,160}\.[a-z]{1,5}$/;

/** The ImageStore port on a folder: `<folder>/<projectKey>/<file name>`. */
export function createFolderStore(folder: string): ImageStore {
  const pathOf = (name: string) => {
    if (!imageNameForm.test(name)) throw new Error(`not the name of an image: ${JSON.stringify(name)}`);
    return join(folder, name);
  };

  async function* listProject(projectKey: string): AsyncIterable<ImageFile> {
    for (const entry of await namesIn(join(folder, projectKey))) {
      const name = `${projectKey}/${entry}`;
      const found = imageNameForm.test(name) ? await ifThere(stat(pathOf(name))) : undefined;
      if (found?.isFile()) yield fileOf(name, found);
    }
  }

  return {
    async put(name, bytes) {
      const path = pathOf(name);
      if (await ifThere(stat(path))) return false;
      await putFile(join(folder, temporaryFolder), path, bytes);
      return true;
    },
    async find(name) {
      const found = await ifThere(stat(pathOf(name)));
      return found && fileOf(name, found);
    },
    read: (name, first, last) => readFrom(pathOf(name), first, last),
    delete: async (name) => (await ifThere(unlink(pathOf(name)).then(() => true))) ?? false,
    async *list() {
      for (const projectKey of await namesIn(folder)) if (!projectKey.startsWith('.')) yield* listProject(projectKey);
    },
    listProject,
  };
}

/** A copy may keep the time of the content that it copies, but not `ctime`: the file has been here since then. */
function fileOf(name: string, { size, mtimeMs, ctimeMs }: Stats): ImageFile {
  return { name, sizeBytes: size, storedAtMs: Math.max(mtimeMs, ctimeMs) };
}

/** What an operation on a file or folder has resolved to; undefined where there is none. */
function ifThere<T>(operation: Promise<T>): Promise<T | undefined> {
  return operation.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder)))?.sort() ?? [];
}

/** First the content becomes durable, then the name: a file that can be seen is whole. */
async function putFile(temporaries: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(temporaries, `put-${randomBytes(12).toString('hex')}`);
  try {
    await makeFolder(temporaries);
    await makeFolder(dirname(path));
    await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    // A file that cannot be removed now is swept later.
    await rm(temporary, { force: true }).catch(() => {});
    throw storageError(error);
  }
}

/** The file is opened by the first step. */
async function* readFrom(path: string, start: number, end: number): AsyncIterable<Uint8Array> {
  yield* createReadStream(path, { start, end }) as AsyncIterable<Buffer>;
}

/** Makes the names in a folder durable: a file whose name is not on the disk is lost in a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Makes a folder and its parents durably, for their owner only. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** 507 for a full disk, 503 for one that failed; any other error as it is. */
export function storageError(error: unknown): unknown {
  return systemRefusal(error) ?? error;
}
