import { parseRecord } from '../resource.ts';
import { getResource, type Target } from '../target.ts';
import { commitDecided, type Write, type WriteResponse } from './commit.ts';
import { decideDelete, emptiedIfDamaged } from './decision.ts';
import { checkPreconditions } from './preconditions.ts';

/** Deletes a resource (E11, decision 14), also a damaged one. */
export async function deleteResource(write: Write, target: Target): Promise<WriteResponse> {
  const { store, projectKey, preconditions } = write;
  return commitDecided(write, async () => {
    const before = await getResource(store, projectKey, target)
      .then(parseRecord)
      .catch((error: unknown) => emptiedIfDamaged(error, write.context));
    checkPreconditions(preconditions, before);
    return decideDelete(before, write.context);
  });
}
