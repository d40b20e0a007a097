import { getResource } from '../read/read.ts';
import { type Kept, keptRecord } from '../resource.ts';
import { commitDecided, type Write, type WriteAnswer } from './commit.ts';
import { checkVersion } from './conflict.ts';
import { type Decision, decideDelete } from './decision.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';
import type { Target } from './target.ts';

/** Deletes a resource (E11, decision 14); with `version` only in that version. */
export async function deleteResource(write: Write, target: Target, version?: bigint): Promise<WriteAnswer> {
  const { store, projectKey, preconditions } = write;
  return commitDecided(write, async () => {
    const kept = keptRecord(await getResource(store, projectKey, target));
    return decideDeletion(kept, version, preconditions);
  });
}

/** Decides a deletion: conditions first, then the version. */
function decideDeletion(kept: Kept, version: bigint | undefined, conditions: Preconditions): Decision {
  checkPreconditions(conditions, kept.resource);
  if (version !== undefined) checkVersion(kept.resource, version);
  return decideDelete(kept);
}
