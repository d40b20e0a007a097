import type { Eventually } from '../../domain/ports/eventually.ts';
import type { Change, CommitOutcome } from '../../domain/ports/resource-store.ts';
import type { StoreStatus } from '../../domain/ports/store.ts';
import { DamagedResource } from '../../domain/resource/damaged.ts';

/** The damaged resources that this process has met. */
export interface DamagedResources {
  /** Notes what a read meets. */
  noting<T>(read: Eventually<T>): Promise<T>;
  /** Forgets a resource that a change replaces or deletes, once that is committed. */
  committing(change: Change, outcome: Promise<CommitOutcome>): Promise<CommitOutcome>;
  /** Reads the first noted resources again, and forgets those that another process has healed. */
  recheck(read: (projectKey: string, id: string) => Promise<unknown>): Promise<void>;
  facts(): NonNullable<StoreStatus['damagedResources']>;
}

/** More of a project are not noted. */
const maxNoted = 1000;
/** Resources of all projects that are read again at once. */
const maxRechecked = 10;

/** Creates it without any. */
export function createDamagedResources(): DamagedResources {
  /** The reasons, by project and id. */
  const projects = new Map<string, Map<string, string>>();
  let count = 0;

  const all = () =>
    [...projects].flatMap(([projectKey, ids]) => [...ids].map(([id, reason]) => ({ projectKey, id, reason })));

  /** Notes the resource of an error. */
  function note(error: unknown): void {
    if (!(error instanceof DamagedResource)) return;
    const { projectKey, id } = error.remains;
    const ids = projects.get(projectKey) ?? new Map<string, string>();
    if (ids.has(id) || ids.size >= maxNoted) return;
    projects.set(projectKey, ids.set(id, error.reason));
    count += 1;
  }

  function forget(projectKey: string, id: string): void {
    const ids = projects.get(projectKey);
    if (!ids?.delete(id)) return;
    count -= 1;
    if (ids.size === 0) projects.delete(projectKey);
  }

  return {
    async noting(read) {
      try {
        return await read;
      } catch (error) {
        note(error);
        throw error;
      }
    },
    async committing(change, outcome) {
      const result = await outcome;
      if (result !== 'committed' || change.kind === 'create' || !change.isOfDamaged) return result;
      const { projectKey, id } = change.kind === 'delete' ? change : change.next;
      forget(projectKey, id);
      return result;
    },
    async recheck(read) {
      const noted = all().slice(0, maxRechecked);
      await Promise.all(
        noted.map(({ projectKey, id }) =>
          read(projectKey, id).then(
            () => forget(projectKey, id),
            // Still damaged; or it is not known whether it is.
            () => {},
          ),
        ),
      );
    },
    facts: () => ({ count, first: count === 0 ? [] : all() }),
  };
}
