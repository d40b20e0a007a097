import type { JsonValue } from '../../../contract/json.ts';
import { checkActions, checkUpdate, type UpdateRequest } from '../../../contract/update.ts';
import type { EventType } from '../../ports/change-log.ts';
import { publish, restore, revertStagedChanges } from '../actions/built-in.ts';
import { type Actions, type Earlier, needsNoVersion } from '../actions/define.ts';
import { applyActions, readActions, type Step } from '../actions/run.ts';
import { parseRecord, type StoredResource } from '../resource.ts';
import { getResource, type PointReads, type Target } from '../target.ts';
import { commitDecided, type Write, type WriteResponse } from './commit.ts';
import {
  type Decision,
  decideEdit,
  decideNothing,
  decideUpdate,
  type EditKind,
  type WriteContext,
} from './decision.ts';
import { duplicateKey } from './draft.ts';
import { noEarlier, readEarlier } from './earlier.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';

/**
 * Updates a resource by a list of actions (E10, decision 12). The version is compared before the actions are checked. Without
 * one, the write waits for those before it rather than compete with them.
 */
export async function updateByActions(
  write: Write,
  target: Target,
  body: JsonValue | undefined,
  actions: Actions,
): Promise<WriteResponse> {
  const { store, projectKey, context, preconditions } = write;
  const request = checkUpdate(body, preconditions.version, needsNoVersion(actions));
  const decide = async () => {
    const before = parseRecord(await getResource(store, projectKey, target));
    checkPreconditions(preconditions, before, request.version);
    const steps = readActions(checkActions(request.actions), actions);
    const kind = kindOf(steps);
    const earlier = kind.type === 'restored' ? await readEarlier(write, before, steps) : noEarlier;
    const decision = decideSteps(before, steps, kind, context, earlier);
    if (decision.outcome.record.key !== before.record.key) await refuseTakenKey(store, before, decision);
    return decision;
  };
  if (request.version !== undefined) return commitDecided(write, decide);
  return commitDecided(write, decide, 'id' in target ? `id ${target.id}` : `key ${target.key}`);
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

/** Decides an update where earlier versions cannot be restored; else as `updateByActions`. */
export function decideActions(
  before: StoredResource,
  request: UpdateRequest,
  actions: Actions,
  conditions: Preconditions,
  context: WriteContext,
): Decision {
  checkPreconditions(conditions, before, request.version);
  const steps = readActions(checkActions(request.actions), actions);
  return decideSteps(before, steps, kindOf(steps), context, noEarlier);
}

/** An empty list changes nothing. */
function decideSteps(
  before: StoredResource,
  steps: readonly Step[],
  kind: EditKind,
  context: WriteContext,
  earlier: Earlier,
): Decision {
  let isNothing = before.resource.staged === undefined;
  for (const { definition } of steps) isNothing &&= onStagedChanges.has(definition);
  if (isNothing) return decideNothing(before);
  const edit = { ...applyActions(before.resource, steps, earlier), kind };
  const mayChangeNothing = steps.every(({ definition }) => definition.needsVersion === false);
  return mayChangeNothing ? decideEdit(before, edit, context) : decideUpdate(before, edit, context);
}

/** The types of events by the actions that make them, the strongest one last. */
const eventTypes: ReadonlyMap<unknown, EventType> = new Map<unknown, EventType>([
  [revertStagedChanges, 'reverted'],
  [publish, 'published'],
  [restore, 'restored'],
]);

function kindOf(steps: readonly Step[]): EditKind {
  const actions: string[] = [];
  const definitions = new Set<unknown>();
  for (const { definition } of steps) {
    actions.push(definition.name);
    definitions.add(definition);
  }
  let type: EventType = 'updated';
  for (const [definition, made] of eventTypes) if (definitions.has(definition)) type = made;
  return { type, cause: 'actions', actions };
}
