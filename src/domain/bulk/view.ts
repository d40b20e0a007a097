import type { Operation } from '../../contract/bulk.ts';
import type { Eventually } from '../ports/eventually.ts';
import type { ResourceRecord } from '../ports/resource-store.ts';
import type { PointReads } from '../resource/target.ts';
import type { Outcome } from '../resource/write/decision.ts';

/** A project as the next operation of a group sees it: as it was read, and what the operations before made of it. */
export interface View extends PointReads {
  /** Characters of all records that were read or made. */
  readonly size: () => number;
  /** Reads what operations name, together rather than one after the other. */
  prefetch(operations: readonly Operation[]): Promise<void>;
  /** Makes the outcome of an operation visible to those after it. */
  apply(outcome: Outcome): void;
}

type Found = Eventually<ResourceRecord | undefined>;

/** Opens a view. What it has read once it does not read again: the commit finds out whether that still holds. */
export function createView(store: PointReads, projectKey: string): View {
  const byId = new Map<string, Found>();
  const byKey = new Map<string, Found>();
  let size = 0;

  function count(record: ResourceRecord | undefined): void {
    if (record) size += record.current.length + (record.staged?.length ?? 0);
  }

  function read(known: Map<string, Found>, name: string, from: (name: string) => Found): Found {
    if (known.has(name)) return known.get(name);
    const found = from(name);
    known.set(name, found);
    if (!(found instanceof Promise)) {
      count(found);
      return found;
    }
    const settled = found.then((record) => {
      count(record);
      // An operation may have made another one of it meanwhile.
      if (known.get(name) === settled) known.set(name, record);
      return record;
    });
    // The operation that reads it gets the error.
    settled.catch(() => {});
    known.set(name, settled);
    return settled;
  }

  const get = (id: string) => read(byId, id, (name) => store.get(projectKey, name));
  const getByKey = (key: string) => read(byKey, key, (name) => store.getByKey(projectKey, name));

  return {
    size: () => size,
    get: (_, id) => get(id),
    getByKey: (_, key) => getByKey(key),
    async prefetch(operations) {
      await Promise.allSettled(operations.flatMap((operation) => namesOf(operation, get, getByKey)));
    },
    apply({ kind, record }) {
      if (kind === 'unchanged') return;
      const { id, key } = record;
      const before = byId.get(id);
      if (before && !(before instanceof Promise) && before.key !== undefined) byKey.set(before.key, undefined);
      // By key alone was it read, so its key before is the one under which it is known.
      else if (kind !== 'created') for (const [name, known] of byKey) if (isOf(known, id)) byKey.set(name, undefined);
      byId.set(id, kind === 'deleted' ? undefined : record);
      if (key !== undefined) byKey.set(key, kind === 'deleted' ? undefined : record);
      if (kind !== 'deleted') count(record);
    },
  };
}

function isOf(found: Found, id: string): boolean {
  return found !== undefined && !(found instanceof Promise) && found.id === id;
}

function namesOf(
  operation: Operation,
  get: (id: string) => Found,
  getByKey: (key: string) => Found,
): readonly Eventually<unknown>[] {
  const { id, key } = 'draft' in operation ? operation.draft : { id: undefined, key: undefined, ...operation.target };
  return [id === undefined ? undefined : get(id), typeof key === 'string' ? getByKey(key) : undefined];
}
