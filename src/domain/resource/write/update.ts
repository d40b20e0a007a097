import type { JsonValue } from '../../../contract/json.ts';
import { checkActions, checkUpdate, type UpdateRequest } from '../../../contract/update.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import type { Actions } from '../actions/define.ts';
import { applyActions, readActions } from '../actions/run.ts';
import type { WriteContext } from '../context.ts';
import { getResource } from '../read/read.ts';
import { type Kept, keptRecord } from '../resource.ts';
import { commitDecided, type Write, type WriteAnswer } from './commit.ts';
import { checkVersion, duplicateKey } from './conflict.ts';
import { type Decision, decideNothing, decideUpdate } from './decision.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';
import type { Target } from './target.ts';

/** Updates a resource by a list of actions (E10, decision 12). */
export async function updateByActions(
  write: Write,
  target: Target,
  body: JsonValue | undefined,
  actions: Actions,
): Promise<WriteAnswer> {
  const { store, projectKey, context, preconditions } = write;
  const request = checkUpdate(body);
  return commitDecided(write, async () => {
    const kept = keptRecord(await getResource(store, projectKey, target));
    const decision = decideActions(kept, request, actions, preconditions, context);
    await checkKeyFree(store, kept, decision);
    return decision;
  });
}

/** Decides an update: the version is compared before the actions are looked at; none of them changes nothing. */
export function decideActions(
  kept: Kept,
  request: UpdateRequest,
  actions: Actions,
  conditions: Preconditions,
  context: WriteContext,
): Decision {
  checkPreconditions(conditions, kept.resource);
  checkVersion(kept.resource, request.version);
  const steps = readActions(checkActions(request.actions), actions);
  if (steps.length === 0) return decideNothing(kept);
  return decideUpdate(kept, applyActions(kept.resource, steps), context);
}

async function checkKeyFree(store: ResourceStore, { resource }: Kept, { outcome }: Decision): Promise<void> {
  const { key } = outcome.record;
  if (key === undefined || key === resource.key) return;
  const owner = await store.getByKey(resource.projectKey, key);
  if (owner !== undefined && owner.id !== resource.id) throw duplicateKey(key, owner.id);
}
