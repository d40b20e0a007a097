import { Cache } from '../../cache/cache.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { Store } from '../../domain/ports/store.ts';
import { deleteUnusedSessions, sessionLimits, sessionsProjectOf } from '../../domain/sessions/sessions.ts';
import { startBackgroundTask } from '../../telemetry/background-task.ts';
import type { Log } from '../../telemetry/log.ts';

/** Bounds the sessions of projects, and deletes those that nobody uses. */

const recountMs = 60_000;
const maxProjects = 1000;

/** Makes the function that throws 413 where a project has too many sessions for another one. It counts once a minute. */
export function createSessionQuota(store: Pick<ResourceStore, 'list'>, nowMs: () => number) {
  const counts = new Cache<string, { readonly atMs: number; count: number }>({ maxEntries: maxProjects });
  return async (projectKey: string): Promise<void> => {
    let known = counts.get(projectKey);
    if (!known || Math.abs(nowMs() - known.atMs) >= recountMs) {
      const all = { where: [], sort: [], limit: 0, offset: 0, withTotal: true, staged: false };
      const { total } = await store.list({ ...all, projectKey: sessionsProjectOf(projectKey) });
      known = { atMs: nowMs(), count: total ?? 0 };
      counts.set(projectKey, known);
    }
    known.count += 1;
    if (known.count <= sessionLimits.sessions) return;
    const message = `The project has ${sessionLimits.sessions} sessions, the most that it may have. Delete those that are unused with DELETE /${projectKey}/sessions.`;
    throw new ServiceError('QuotaExceeded', message);
  };
}

const sixHoursMs = 6 * 3_600_000;
const projectsAtOnce = 500;

/** Deletes the unused sessions of all projects regularly. Returns the function that ends it. */
export function startExpiringSessions(
  { resources, projects }: Pick<Store, 'resources' | 'projects'>,
  nowMs: () => number,
  log: Log,
): () => void {
  async function run(): Promise<void> {
    for (let after: string | undefined; ; ) {
      const keys = await projects(projectsAtOnce, after);
      if (keys.length === 0) return;
      for (const key of keys) await deleteUnusedSessions(resources, key, sessionLimits.unusedDays, nowMs());
      after = keys.at(-1);
    }
  }
  return startBackgroundTask({ everyMs: sixHoursMs, firstMs: 600_000, run, log, failedEvent: 'sessions-failed' });
}
