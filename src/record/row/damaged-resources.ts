import type { Eventually } from '../../domain/ports/eventually.ts';
import type { Change, CommitOutcome } from '../../domain/ports/resource-store.ts';
import type { StoreStatus } from '../../domain/ports/store.ts';
import { DamagedResource } from '../../domain/resource/damaged.ts';

type Facts = NonNullable<StoreStatus['damagedResources']>;

/** More are not noted. */
const maxNoted = 10_000;
/** Resources that are read again at once. */
const maxRechecked = 10;

const nameOf = (projectKey: string, id: string) => `${projectKey}/${id}`;

/** The damaged resources that this process has met. */
export class DamagedResources {
  /** By project and id. */
  readonly #met = new Map<string, Facts['first'][number]>();

  /** Notes what a read meets. */
  async noting<T>(read: Eventually<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      if (error instanceof DamagedResource && this.#met.size < maxNoted) {
        const { projectKey, id } = error.remains;
        this.#met.set(nameOf(projectKey, id), { projectKey, id, reason: error.reason });
      }
      throw error;
    }
  }

  /** Forgets a resource that a change replaces or deletes, once that is committed. */
  async committing(change: Change, outcome: Promise<CommitOutcome>): Promise<CommitOutcome> {
    const result = await outcome;
    if (result !== 'committed' || change.kind === 'create' || !change.isOfDamaged) return result;
    const { projectKey, id } = change.kind === 'delete' ? change : change.next;
    this.#met.delete(nameOf(projectKey, id));
    return result;
  }

  /** Reads the first noted resources again, and forgets those that another process has healed. */
  async recheck(read: (projectKey: string, id: string) => Promise<unknown>): Promise<void> {
    const noted = [...this.#met].slice(0, maxRechecked);
    await Promise.all(
      noted.map(([name, { projectKey, id }]) =>
        read(projectKey, id).then(
          () => this.#met.delete(name),
          // Still damaged; or it is not known whether it is.
          () => {},
        ),
      ),
    );
  }

  facts(): Facts {
    return { count: this.#met.size, first: [...this.#met.values()] };
  }
}
