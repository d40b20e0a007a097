import { ServiceError } from '../../../contract/errors.ts';
import type { Resource } from '../resource.ts';
import { changedFieldsSince } from './history.ts';

/** Throws 409 where the version that the client expects is not the current one (decision 12). */
export function checkVersion(resource: Resource, expected: bigint): void {
  if (expected === BigInt(resource.version)) return;
  throw new ServiceError(
    'ConcurrentModification',
    conflictMessage(resource, String(expected)),
    conflictDetails(resource, expected),
  );
}

/** The message of a conflict, in the words that clients of such APIs look for. */
export function conflictMessage({ id, version }: Resource, expected: string): string {
  return `Object ${id} has a different version than expected. Expected: ${expected} - Actual: ${version}.`;
}

/** The fields of a conflict: what to expect next time, and what changed since, as far as the history tells. */
export function conflictDetails(resource: Resource, expected: bigint | undefined): Readonly<Record<string, unknown>> {
  const changedFields = expected === undefined ? undefined : changedFieldsSince(resource, expected);
  return { currentVersion: resource.version, ...(changedFields === undefined ? undefined : { changedFields }) };
}

/** The refusal of a key that another resource of the project has (decision 10). */
export function duplicateKey(key: string, ownerId: string): ServiceError {
  return new ServiceError('DuplicateField', `A duplicate value ${key} exists for field key.`, {
    field: 'key',
    duplicateValue: key,
    conflictingResource: { typeId: 'resource', id: ownerId },
  });
}
