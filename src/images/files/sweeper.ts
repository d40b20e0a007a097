import type { JsonObject } from '../../contract/json.ts';
import { originalFileName, parseImageFileName, renditionFileName } from '../../domain/image/file-name.ts';
import { filesOf, imageDetailsOf, variantProjectOf } from '../../domain/image/variant.ts';
import { parseStoredJson } from '../../domain/json/parse.ts';
import type { ImageFile, ImageStore } from '../../domain/ports/image-store.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import { DamagedResource } from '../../domain/resource/damaged.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Codec } from '../codec/open-codec.ts';
import { readWhole } from './file-cache.ts';
import type { Quota } from './quota.ts';
import type { Spool } from './spool.ts';

export interface SweepParts {
  readonly store: ResourceStore;
  readonly files: ImageStore;
  readonly spool: Spool;
  readonly quota: Quota;
  readonly codec: Pick<Codec, 'prepare'>;
  readonly nowMs: () => number;
  readonly log: Log;
  /** Ends the sweep where it is true. */
  readonly isClosing: () => boolean;
}

/** No upload takes this long from its first byte to its row: an older file without a row will never have one. */
const graceMs = 60 * 60_000;

/** A project whose files are being swept. */
type SweptProject = Awaited<ReturnType<typeof readProject>>;

/**
 * Deletes image files that no variant refers to (of uploads that died between file and row, and of reverted staged
 * changes) and temporary files of processes that died. Makes missing renditions again. Returns the number of image
 * files deleted.
 */
export async function sweepImages(parts: SweepParts): Promise<number> {
  const { files, spool, nowMs, log } = parts;
  const beforeMs = nowMs() - graceMs;
  await spool.sweep(beforeMs);
  let project: SweptProject | undefined;
  let deleted = 0;
  for await (const file of files.list()) {
    if (parts.isClosing()) break;
    const [projectKey = '', name = ''] = file.name.split('/');
    if (project?.projectKey !== projectKey) {
      if (project) await makeMissing(parts, project);
      // Files that may be deleted were there for an hour before the rows are read here, and so were rows that refer to them.
      project = await readProject(parts.store, projectKey);
    }
    if (project.referred.has(name)) project.referred.set(name, true);
    else if (project.hasVariants && file.storedAtMs < beforeMs) deleted += await deleteFile(parts, file);
  }
  if (project && !parts.isClosing()) await makeMissing(parts, project);
  if (deleted > 0) log.write('info', 'images-swept', { deleted });
  return deleted;
}

async function deleteFile({ files, quota }: SweepParts, file: ImageFile): Promise<number> {
  if (!(await files.delete(file.name))) return 0;
  quota.note(file, -1);
  return 1;
}

function ignoreDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedResource)) throw error;
}

/**
 * Reads the files that the variants of a project refer to, in either projection; true is for those that were found. Without any
 * variant the rows may be in another store, or not be imported yet: its files are left alone.
 */
async function readProject(store: ResourceStore, projectKey: string) {
  const referred = new Map<string, boolean>();
  let afterId: string | undefined;
  for (;;) {
    const records = await store.scan(variantProjectOf(projectKey), afterId, 500).catch(ignoreDamaged);
    // The files of a damaged variant are not known, so that none of its project is deleted.
    if (records === undefined) return { projectKey, hasVariants: false, referred: new Map<string, boolean>() };
    if (records.length === 0) return { projectKey, hasVariants: afterId !== undefined, referred };
    afterId = records.at(-1)!.id;
    for (const { current, staged } of records) {
      for (const text of staged === undefined ? [current] : [current, staged]) addFiles(referred, text);
    }
  }
}

function addFiles(referred: Map<string, boolean>, text: string): void {
  for (const details of imageDetailsOf(parseStoredJson(text) as JsonObject)) {
    for (const file of filesOf(details)) referred.set(file, false);
  }
}

/** Makes the renditions that images lack, as after an import where not all files were copied. */
async function makeMissing(parts: SweepParts, { projectKey, referred }: SweptProject): Promise<void> {
  const { files, log } = parts;
  const missing = new Set<string>();
  for (const [name, isThere] of referred) {
    const original = isThere ? undefined : originalFileName(name);
    if (original === undefined || !referred.get(original) || missing.has(original)) continue;
    // Files are listed before rows are read: it may have been put between the two.
    if (!(await files.find(`${projectKey}/${name}`))) missing.add(original);
  }
  let made = 0;
  for (const file of missing) {
    if (parts.isClosing()) break;
    try {
      await makeRenditions(parts, projectKey, file);
      made += 1;
    } catch (error) {
      // The next sweep tries again.
      if (!parts.isClosing()) log.write('warn', 'rendition-failed', { projectKey, file, error });
    }
  }
  if (made > 0) log.write('info', 'renditions-made', { projectKey, images: made });
}

async function makeRenditions(parts: SweepParts, projectKey: string, original: string): Promise<void> {
  const { files, codec, quota } = parts;
  const found = await files.find(`${projectKey}/${original}`);
  if (found === undefined) return;
  const bytes = await readWhole(files, found);
  const { renditions } = await codec.prepare(bytes, parseImageFileName(original)!.type);
  for (const { name: rendition, bytes: made } of renditions) {
    const name = `${projectKey}/${renditionFileName(original, rendition)}`;
    // False where it is there.
    if (await files.put(name, made)) quota.note({ name, sizeBytes: made.length }, 1);
  }
}
