import type { Eventually } from '../../domain/ports/eventually.ts';
import type { Change, CommitOutcome } from '../../domain/ports/resource-store.ts';
import type { StoreStatus } from '../../domain/ports/store.ts';
import { DamagedResource } from '../../domain/resource/damaged.ts';

/** The damaged resources that this process has met. */
export interface DamagedResources {
  /** Notes what a read meets. */
  noting<T>(read: Eventually<T>): Promise<T>;
  /** Reads until nothing damaged is met that was not noted before: each time without those of `idsOf`. */
  withoutDamaged<T>(read: () => Promise<T>): Promise<T>;
  /** Forgets a resource that a change replaces or deletes, once that is committed. */
  committing(change: Change, outcome: Promise<CommitOutcome>): Promise<CommitOutcome>;
  /**
   * Reads noted resources again, and forgets those that another process has healed: all of a project, before a list leaves
   * them out, or the first of all projects.
   */
  recheck(read: (projectKey: string, id: string) => Promise<unknown>, ofProject?: string): Promise<void>;
  idsOf(projectKey: string): readonly string[];
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

  const ofProjectOnly = (projectKey: string) =>
    [...(projects.get(projectKey)?.keys() ?? [])].map((id) => ({ projectKey, id }));

  /** Notes the resource of an error; true if there is one that was not noted before. */
  function note(error: unknown): boolean {
    if (!(error instanceof DamagedResource)) return false;
    const { projectKey, id } = error.remains;
    const ids = projects.get(projectKey) ?? new Map<string, string>();
    if (ids.has(id) || ids.size >= maxNoted) return false;
    projects.set(projectKey, ids.set(id, error.reason));
    count += 1;
    return true;
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
    async withoutDamaged(read) {
      for (;;) {
        try {
          return await read();
        } catch (error) {
          if (!note(error)) throw error;
        }
      }
    },
    async committing(change, outcome) {
      const result = await outcome;
      if (result !== 'committed' || change.kind === 'create' || !change.isOfDamaged) return result;
      const { projectKey, id } = change.kind === 'delete' ? change : change.next;
      forget(projectKey, id);
      return result;
    },
    async recheck(read, ofProject) {
      const noted = ofProject === undefined ? all().slice(0, maxRechecked) : ofProjectOnly(ofProject);
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
    idsOf: (projectKey) => [...(projects.get(projectKey)?.keys() ?? [])],
    facts: () => ({ count, first: count === 0 ? [] : all() }),
  };
}
