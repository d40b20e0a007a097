import type { Operation } from '../../contract/bulk.ts';
import type { Change, ResourceRecord } from '../ports/resource-store.ts';
import type { PointReads } from '../resource/target.ts';
import type { Outcome } from '../resource/write/decision.ts';
import type { Gate } from '../resource/write/gate.ts';

type Records = Map<string, ResourceRecord | undefined>;

export type View = ReturnType<typeof createView>;

/**
 * A project as the next operation of a group sees it: as it was read, and what the operations before made of it. What it has
 * read once it does not read again: the commit finds out whether that still holds.
 */
export function createView(store: PointReads, projectKey: string, gate?: Pick<Gate, 'marked'>) {
  /** Of the resources that were changed. */
  const marks = new Map<string, readonly string[]>();
  const byId: Records = new Map();
  const byKey: Records = new Map();
  let size = 0;

  function count(record: ResourceRecord | undefined): void {
    if (record) size += record.current.length + (record.staged?.length ?? 0);
  }

  async function read(known: Records, name: string, by: keyof PointReads): Promise<ResourceRecord | undefined> {
    if (known.has(name)) return known.get(name);
    const record = await store[by](projectKey, name);
    // Two operations may name it.
    if (!known.has(name)) {
      known.set(name, record);
      count(record);
    }
    return known.get(name);
  }

  const get = (id: string) => read(byId, id, 'get');
  const getByKey = (key: string) => read(byKey, key, 'getByKey');

  return {
    /** Characters of all records that were read or made. */
    size: () => size,
    get: (_project: string, id: string) => get(id),
    getByKey: (_project: string, key: string) => getByKey(key),
    /** The resources with a mark; with those that have lost or gained it at least `limit`, where so many have it. */
    async marked(_project: string, mark: string, limit: number): Promise<readonly string[]> {
      const stored = (await gate?.marked(projectKey, mark, limit + marks.size)) ?? [];
      const gained = [...marks].filter(([, own]) => own.includes(mark)).map(([id]) => id);
      return [...stored.filter((id) => !marks.has(id)), ...gained].sort();
    },
    /** Reads what operations name, together rather than one after the other. */
    async prefetch(operations: readonly Operation[]): Promise<void> {
      // What fails is read again by its operation, which gets the error.
      await Promise.allSettled(
        operations.flatMap((operation) => {
          const { id, key } =
            'draft' in operation ? operation.draft : { id: undefined, key: undefined, ...operation.target };
          return [id === undefined ? undefined : get(id), typeof key === 'string' ? getByKey(key) : undefined];
        }),
      );
    },
    /** Makes the outcome of an operation visible to those after it. */
    apply({ kind, record }: Outcome, change: Change | undefined): void {
      if (kind === 'unchanged') return;
      const { id, key } = record;
      if (change?.rules) marks.set(id, change.rules.marks);
      const before = byId.get(id);
      if (before?.key !== undefined) byKey.set(before.key, undefined);
      // By key alone was it read, so its key before is the one under which it is known.
      else if (kind !== 'created') for (const [name, known] of byKey) if (known?.id === id) byKey.set(name, undefined);
      byId.set(id, kind === 'deleted' ? undefined : record);
      if (key !== undefined) byKey.set(key, kind === 'deleted' ? undefined : record);
      if (kind !== 'deleted') count(record);
    },
  };
}
