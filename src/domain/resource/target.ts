import { ServiceError } from '../../contract/errors.ts';
import { isVariantId } from '../image/variant.ts';
import type { ResourceRecord, ResourceStore } from '../ports/resource-store.ts';

/** A resource as a path names it. */
export type Target = { readonly id: string } | { readonly key: string };

/** The reads that decide what a write does. */
export type PointReads = Pick<ResourceStore, 'get' | 'getByKey'>;

/** The record of the target. Throws 404 if it does not exist. */
export async function getResource(store: PointReads, projectKey: string, target: Target): Promise<ResourceRecord> {
  const found = 'id' in target ? store.get(projectKey, target.id) : store.getByKey(projectKey, target.key);
  const record = await found;
  if (record === undefined) throw targetNotFound(target);
  return record;
}

/** The error for a target that does not exist: 404. */
export function targetNotFound(target: Target): ServiceError {
  const named = 'id' in target ? `ID '${target.id}'` : `key '${target.key}'`;
  // A GET finds it where it is that of a variant.
  const isVariant = 'id' in target && isVariantId(target.id);
  const hint = isVariant
    ? ' Variants of images are read and updated by this id, but have no history and are not deleted.'
    : '';
  return new ServiceError('ResourceNotFound', `The Resource with ${named} was not found.${hint}`);
}

/** The JSON text of one projection. The staged one equals the current one where nothing is staged. */
export function projectionOf(record: Pick<ResourceRecord, 'current' | 'staged'>, staged: boolean): string {
  return staged ? (record.staged ?? record.current) : record.current;
}
