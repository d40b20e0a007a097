import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import { readKeptOrEmpty, registryProject, scanKept, writeKept } from './records.ts';

/**
 * Tells all processes that the subscriptions of a project changed, and a start that there are some: gives the record of the
 * project another version.
 */
export async function announce(store: ResourceStore, projectKey: string, nowIso: string): Promise<void> {
  for (;;) {
    const found = await readKeptOrEmpty(store, registryProject, projectKey);
    const next = { id: projectKey, version: found?.version ?? 0, value: {} };
    if ((await writeKept(store, registryProject, next, nowIso)) !== undefined) return;
  }
}

/** The version of a damaged record: its id still names a project with subscriptions. */
const damagedVersion = -1;

/** The version of the record of each project that has, or had, subscriptions. */
export async function readRegistry(store: ResourceStore): Promise<ReadonlyMap<string, number>> {
  const versions = new Map<string, number>();
  let afterId: string | undefined;
  for (;;) {
    const found = await scanKept(store, registryProject, afterId, 500, (id) => versions.set(id, damagedVersion));
    if (found.length === 0) return versions;
    for (const { id, version } of found) versions.set(id, version);
    afterId = found.at(-1)!.id;
  }
}
