import { canonicalInstant } from '../../src/domain/instant.ts';
import type { Change, Documents, StorableRecord } from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { uncheckedRecord } from './records.ts';

function recordOf(projectKey: string, { current, staged }: Documents): StorableRecord {
  return uncheckedRecord({
    projectKey,
    id: String(current.id),
    key: current.key as string | undefined,
    version: current.version as number,
    createdAt: canonicalInstant(String(current.createdAt))!,
    lastModifiedAt: canonicalInstant(String(current.lastModifiedAt))!,
    current: JSON.stringify(current),
    staged: staged && JSON.stringify(staged),
    history: '',
  });
}

function changeOf(projectKey: string, id: string, before?: Documents, after?: Documents): Change | undefined {
  const next = after && recordOf(projectKey, after);
  const expectedVersion = Number(before?.current.version);
  if (before && after) return { kind: 'update', expectedVersion, next: next!, before, after };
  if (before) return { kind: 'delete', projectKey, id, expectedVersion, before };
  return after && { kind: 'create', next: next!, after };
}

/** Writes whole documents through a store: creates, overwrites or (without documents) deletes a resource. */
export function createDocumentWriter(store: Pick<Store, 'resources'>) {
  const known = new Map<string, Documents>();
  return async (projectKey: string, id: string, documents: Documents | undefined): Promise<void> => {
    const name = `${projectKey}/${id}`;
    const change = changeOf(projectKey, id, known.get(name), documents);
    const word = change ? await store.resources.commit(change) : 'committed';
    if (word !== 'committed') throw new Error(`${name}: ${word}`);
    if (documents) known.set(name, documents);
    else known.delete(name);
  };
}
