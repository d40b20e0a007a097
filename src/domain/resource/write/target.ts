import { ServiceError } from '../../../contract/errors.ts';
import type { Eventually } from '../../ports/eventually.ts';
import type { ResourceRecord, ResourceStore } from '../../ports/resource-store.ts';

/** A resource as a path names it. */
export type Target = { readonly id: string } | { readonly key: string };

/** The resource that the target names, if there is one. */
export function findResource(
  store: Pick<ResourceStore, 'get' | 'getByKey'>,
  projectKey: string,
  target: Target,
): Eventually<ResourceRecord | undefined> {
  return 'id' in target ? store.get(projectKey, target.id) : store.getByKey(projectKey, target.key);
}

/** The refusal of a target that does not exist: 404. */
export function targetNotFound(target: Target): ServiceError {
  const named = 'id' in target ? `ID '${target.id}'` : `key '${target.key}'`;
  return new ServiceError('ResourceNotFound', `The Resource with ${named} was not found.`);
}
