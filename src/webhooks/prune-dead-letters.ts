import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { startBackgroundTask } from '../telemetry/background-task.ts';
import type { Log } from '../telemetry/log.ts';
import type { DeadLetter } from './records/dead-letters.ts';
import { deadLettersOf, deleteKept, scanKept } from './records/records.ts';
import { readRegistry } from './records/registry.ts';

interface PruneDeps {
  readonly store: ResourceStore;
  readonly retentionDays: number;
  readonly nowMs: () => number;
  readonly log: Log;
}

const dayMs = 86_400_000;
const pruneEveryMs = 6 * 60 * 60_000;
/** After a start other work comes first. */
const firstPruneMs = 5 * 60_000;
/** Letters that are read and deleted before other writes get their turn. */
const portion = 50;

/** Deletes the dead letters of all projects that were given up before a time (ms since the epoch). Resolves to their number. */
export async function pruneDeadLetters(store: ResourceStore, olderThanMs: number): Promise<number> {
  let deleted = 0;
  for (const projectKey of (await readRegistry(store)).keys()) {
    const letters = deadLettersOf(projectKey);
    let afterId: string | undefined;
    for (;;) {
      const found = await scanKept(store, letters, afterId, portion);
      if (found.length === 0) break;
      const old = found.filter(({ value }) => Date.parse((value as unknown as DeadLetter).at) < olderThanMs);
      await Promise.all(old.map(({ id }) => deleteKept(store, letters, id)));
      deleted += old.length;
      afterId = found.at(-1)!.id;
    }
  }
  return deleted;
}

/** Prunes dead letters regularly. Returns the function that ends it. With 0 days they stay until somebody deletes them. */
export function startPruningDeadLetters({ store, retentionDays, nowMs, log }: PruneDeps): () => void {
  if (retentionDays === 0) return () => {};
  async function run(): Promise<void> {
    const deleted = await pruneDeadLetters(store, nowMs() - retentionDays * dayMs);
    if (deleted > 0) log.write('info', 'dead-letters-pruned', { deleted });
  }
  const times = { everyMs: pruneEveryMs, firstMs: firstPruneMs };
  return startBackgroundTask({ ...times, run, log, failedEvent: 'pruning-dead-letters-failed' });
}
