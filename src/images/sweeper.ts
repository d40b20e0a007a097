import type { JsonObject } from '../contract/json.ts';
import { filesOf, imageDetailsOf, variantProjectOf } from '../domain/image/variant.ts';
import { parseStoredJson } from '../domain/json/parse.ts';
import type { ImageStore, ResourceStore } from '../domain/ports.ts';
import type { Log } from '../telemetry/log.ts';
import type { Quota } from './quota.ts';
import type { Spool } from './spool.ts';

export interface SweepParts {
  readonly store: ResourceStore;
  readonly files: ImageStore;
  readonly spool: Spool;
  readonly quota: Quota;
  readonly nowMs: () => number;
  readonly log: Log;
  /** True: stop where it is. */
  readonly isClosing: () => boolean;
}

/** No upload takes as long from its first byte to its row: what is older and has no row will never have one. */
export const graceMs = 60 * 60_000;

/**
 * Deletes files that no variant refers to, of uploads that died between file and row or of staged changes that were
 * reverted, and temporary files of processes that died. Resolves to the number of image files deleted.
 */
export async function sweepImages(parts: SweepParts): Promise<number> {
  const { files, spool, quota, nowMs, log } = parts;
  const beforeMs = nowMs() - graceMs;
  await spool.sweep(beforeMs);
  let projectKey: string | undefined;
  let listed: ReadonlySet<string> = new Set();
  let deleted = 0;
  for await (const file of files.list()) {
    if (parts.isClosing()) break;
    if (file.storedAtMs >= beforeMs) continue;
    const [project = '', name = ''] = file.name.split('/');
    // The rows are read after the files were found old: a row that refers to one was there long before.
    if (project !== projectKey) listed = await listedFiles(parts.store, project);
    projectKey = project;
    if (listed.has(name) || !(await files.delete(file.name))) continue;
    quota.note(file, -1);
    deleted += 1;
  }
  if (deleted > 0) log.write('info', 'images-swept', { deleted });
  return deleted;
}

/** Names of all files that variants of a project refer to, in either projection. */
async function listedFiles(store: ResourceStore, projectKey: string): Promise<ReadonlySet<string>> {
  const listed = new Set<string>();
  let afterId: string | undefined;
  for (;;) {
    const records = await store.walk(variantProjectOf(projectKey), afterId, 500);
    if (records.length === 0) return listed;
    afterId = records.at(-1)!.id;
    for (const { current, staged } of records) {
      for (const text of staged === undefined ? [current] : [current, staged]) addFiles(listed, text);
    }
  }
}

function addFiles(listed: Set<string>, text: string): void {
  for (const details of imageDetailsOf(parseStoredJson(text) as JsonObject)) {
    for (const file of filesOf(details)) listed.add(file);
  }
}
