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
  idsOf(projectKey: string): readonly string[];
  facts(): NonNullable<StoreStatus['damagedResources']>;
}

/** More are not noted. */
const maxNoted = 1000;

/** Creates it without any. */
export function createDamagedResources(): DamagedResources {
  /** The reasons, by project and id. */
  const projects = new Map<string, Map<string, string>>();
  let count = 0;

  const all = () =>
    [...projects].flatMap(([projectKey, ids]) => [...ids].map(([id, reason]) => ({ projectKey, id, reason })));

  /** Notes the resource of an error; true if there is one that was not noted before. */
  function note(error: unknown): boolean {
    if (!(error instanceof DamagedResource) || count >= maxNoted) return false;
    const { projectKey, id } = error.remains;
    const ids = projects.get(projectKey) ?? new Map<string, string>();
    if (ids.has(id)) return false;
    projects.set(projectKey, ids.set(id, error.reason));
    count += 1;
    return true;
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
      if (projects.get(projectKey)?.delete(id)) count -= 1;
      return result;
    },
    idsOf: (projectKey) => [...(projects.get(projectKey)?.keys() ?? [])],
    facts: () => ({ count, first: count === 0 ? [] : all() }),
  };
}
