import type { ResourceRecord, ResourceStore } from '../../ports/resource-store.ts';
import { findResource, type Target, targetNotFound } from '../write/target.ts';

/** The resource that the target names (E2, E3). Throws 404 where there is none. */
export async function getResource(store: ResourceStore, projectKey: string, target: Target): Promise<ResourceRecord> {
  const record = await findResource(store, projectKey, target);
  if (record === undefined) throw targetNotFound(target);
  return record;
}

/** The body of an answer in one projection: the staged one equals the current one where nothing is staged. */
export function projectionOf(record: ResourceRecord, staged: boolean): string {
  return staged ? (record.staged ?? record.current) : record.current;
}
