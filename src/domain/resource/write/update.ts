import type { JsonValue } from '../../../contract/json.ts';
import { checkActions, checkUpdate, type UpdateRequest } from '../../../contract/update.ts';
import type { Actions, Earlier } from '../actions/define.ts';
import publish from '../actions/publish.ts';
import restore from '../actions/restore.ts';
import revertStagedChanges from '../actions/revert-staged-changes.ts';
import { applyActions, readActions, type Step } from '../actions/run.ts';
import { parseRecord, type StoredResource } from '../resource.ts';
import { getResource, type PointReads, type Target } from '../target.ts';
import { commitDecided, type Write, type WriteResponse } from './commit.ts';
import { type Decision, decideNothing, decideUpdate, type EditKind, type WriteContext } from './decision.ts';
import { duplicateKey } from './draft.ts';
import { noEarlier, readEarlier } from './earlier.ts';
import { checkPreconditions, checkVersion, type Preconditions } from './preconditions.ts';

/** Updates a resource by a list of actions (E10, decision 12). */
export async function updateByActions(
  write: Write,
  target: Target,
  body: JsonValue | undefined,
  actions: Actions,
): Promise<WriteResponse> {
  const { store, projectKey, context, preconditions } = write;
  const request = checkUpdate(body, preconditions.version);
  return commitDecided(write, async () => {
    const before = parseRecord(await getResource(store, projectKey, target));
    const earlier = await readEarlier(write, before, request);
    const decision = decideActions(before, request, actions, preconditions, context, earlier);
    await refuseTakenKey(store, before, decision);
    return decision;
  });
}

/** Refuses an update to a key that another resource has. */
export async function refuseTakenKey(store: PointReads, { record }: StoredResource, decision: Decision): Promise<void> {
  const { projectKey, key } = decision.outcome.record;
  const owner = key === undefined || key === record.key ? undefined : await store.getByKey(projectKey, key);
  if (owner !== undefined && owner.id !== record.id) throw duplicateKey(owner);
}

/**
 * Actions that do nothing where nothing is staged. Of a request with no others, the resource keeps its version then
 * (decision 95); any other action makes a new one, whether or not it changes a field (decision 12).
 */
const onStagedChanges: ReadonlySet<unknown> = new Set([publish, revertStagedChanges]);

/** Decides an update. The version is compared before the actions are checked; an empty list changes nothing. */
export function decideActions(
  before: StoredResource,
  request: UpdateRequest,
  actions: Actions,
  conditions: Preconditions,
  context: WriteContext,
  earlier: Earlier = noEarlier,
): Decision {
  checkPreconditions(conditions, before);
  checkVersion(before.resource, request.version);
  const steps = readActions(checkActions(request.actions), actions);
  let isNothing = before.resource.staged === undefined;
  for (const { definition } of steps) isNothing &&= onStagedChanges.has(definition);
  if (isNothing) return decideNothing(before);
  return decideUpdate(before, { ...applyActions(before.resource, steps, earlier), kind: kindOf(steps) }, context);
}

function kindOf(steps: readonly Step[]): EditKind {
  const definitions = steps.map(({ definition }) => definition);
  const isPublished = definitions.includes(publish);
  const isReverted = definitions.includes(revertStagedChanges);
  const isRestored = definitions.includes(restore);
  const type = isRestored ? 'restored' : isPublished ? 'published' : isReverted ? 'reverted' : 'updated';
  return { type, cause: 'actions', actions: definitions.map(({ name }) => name) };
}
