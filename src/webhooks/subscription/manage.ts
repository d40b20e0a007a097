import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { checkActions, checkUpdate } from '../../contract/update.ts';
import { stringifyJson } from '../../domain/json/parse.ts';
import type { ChangeLog } from '../../domain/ports/change-log.ts';
import type { ResourceRecord, ResourceStore } from '../../domain/ports/resource-store.ts';
import { scanIntact } from '../../domain/resource/read/scan-intact.ts';
import { parseRecord } from '../../domain/resource/resource.ts';
import type { Target } from '../../domain/resource/target.ts';
import { commitDecided, type Write, type WriteResponse } from '../../domain/resource/write/commit.ts';
import {
  type Decision,
  decideCreate,
  decideDelete,
  decideUpdate,
  emptiedIfDamaged,
  type Outcome,
} from '../../domain/resource/write/decision.ts';
import { duplicateKey } from '../../domain/resource/write/draft.ts';
import { checkPreconditions, checkVersion } from '../../domain/resource/write/preconditions.ts';
import { deleteDeadLetters } from '../records/dead-letters.ts';
import { forgetState, initState } from '../records/delivery-state.ts';
import { attemptsOf, deleteKept, scanKept, subscriptionsOf } from '../records/records.ts';
import { announce } from '../records/registry.ts';
import { applyActions, type Edited } from './actions.ts';
import { checkSubscriptionDraft, type UrlProblem } from './draft.ts';
import { fieldsOf, type SubscriptionFields } from './subscription.ts';

/** Most subscriptions of a project. */
export const maxSubscriptions = 50;

export interface ManageDeps {
  readonly store: ResourceStore;
  readonly changes: ChangeLog;
  readonly isLogKept: boolean;
  readonly urlProblem: UrlProblem;
  readonly newSecret: () => string;
  /** Called after the subscriptions of a project changed. */
  readonly onChange: (projectKey: string) => void;
}

/** A write of a subscription: the project is that of the resources. */
export type SubscriptionWrite = Pick<Write, 'projectKey' | 'context' | 'preconditions'> & {
  /** Makes the response; `secret` is one that is shown only now. */
  readonly responseOf: (record: ResourceRecord, secret: string | undefined) => WriteResponse;
};

/** Creates a subscription. What changes after its response is delivered. */
export async function createSubscription(
  deps: ManageDeps,
  write: SubscriptionWrite,
  body: JsonValue | undefined,
): Promise<WriteResponse> {
  const { store, changes } = deps;
  const { projectKey, context, preconditions } = write;
  if (!deps.isLogKept) {
    const problem = 'This service keeps no log of changes, so nothing could be delivered: HISTORY_RETENTION_DAYS is 0.';
    throw new ServiceError('InvalidOperation', problem);
  }
  const { key, secret: given, from, enabled, ...others } = checkSubscriptionDraft(body, deps.urlProblem);
  const secret = given ?? deps.newSecret();
  const fields: SubscriptionFields = {
    ...others,
    disabled: enabled ? undefined : 'byClient',
    secrets: [{ value: secret, createdAt: context.nowIso }],
  };
  const id = context.newId();
  const { epoch, last, pruned } = await changes.bounds(projectKey);
  // Both before the subscription exists: no delivery begins elsewhere, and every start finds it.
  await announce(store, projectKey, context.nowIso);
  await initState(store, { projectKey, id }, { epoch, position: from === 'now' ? last : pruned }, context.nowIso);
  try {
    return await commit(deps, write, secret, async () => {
      checkPreconditions(preconditions, undefined);
      await refuseTakenKey(store, projectKey, key, id);
      await refuseTooMany(store, projectKey);
      return decideCreate(subscriptionsOf(projectKey), id, { ...editOf(fields), key }, context);
    });
  } catch (error) {
    // Of one that may have been stored, the state must stay.
    if (error instanceof ServiceError && error.status < 500) await forgetState(store, { projectKey, id });
    throw error;
  }
}

/** Updates a subscription by a list of actions. */
export async function updateSubscription(
  deps: ManageDeps,
  write: SubscriptionWrite,
  target: Target,
  body: JsonValue | undefined,
): Promise<WriteResponse> {
  const { store, urlProblem, newSecret } = deps;
  const { projectKey, context, preconditions } = write;
  const request = checkUpdate(body, preconditions.version);
  let edited: Edited | undefined;
  return commit(
    deps,
    write,
    () => edited?.newSecret,
    async () => {
      const record = await getSubscription(store, projectKey, target);
      const before = parseRecord(record);
      checkPreconditions(preconditions, before, request.version);
      const actions = checkActions(request.actions);
      const nowMs = Date.parse(context.nowIso);
      edited = applyActions({ key: record.key, fields: fieldsOf(record) }, actions, { urlProblem, newSecret, nowMs });
      await refuseTakenKey(store, projectKey, edited.key, record.id);
      return decideUpdate(before, { ...editOf(edited.fields), key: edited.key }, context);
    },
  );
}

/** Deletes a subscription with everything that belongs to it. */
export async function deleteSubscription(
  deps: ManageDeps,
  write: SubscriptionWrite,
  target: Target,
): Promise<WriteResponse> {
  const { store } = deps;
  const { projectKey, context, preconditions } = write;
  let id = '';
  const response = await commit(deps, write, undefined, async () => {
    const before = await getSubscription(store, projectKey, target)
      .then(parseRecord)
      .catch((error: unknown) => emptiedIfDamaged(error, context));
    checkPreconditions(preconditions, before);
    id = before.resource.id;
    return decideDelete(before, context);
  });
  // It is deleted, whatever becomes of what belonged to it.
  await Promise.allSettled([
    forgetState(store, { projectKey, id }),
    deleteKept(store, attemptsOf(projectKey), id),
    deleteDeadLetters(store, { projectKey, id }),
  ]);
  return response;
}

/** Disables a subscription whose receiver is gone, unless it changed meanwhile. */
export async function disableGone(
  deps: Pick<ManageDeps, 'store' | 'onChange'>,
  { projectKey, context }: Pick<Write, 'projectKey' | 'context'>,
  id: string,
  expectedVersion: number,
): Promise<void> {
  const write = { projectKey, context, preconditions: {}, responseOf: () => ({ status: 200, headers: {}, body: '' }) };
  await commit(deps, write, undefined, async () => {
    const before = parseRecord(await getSubscription(deps.store, projectKey, { id }));
    checkVersion(before, BigInt(expectedVersion));
    return decideUpdate(
      before,
      { ...editOf({ ...fieldsOf(before.record), disabled: 'gone' }), key: before.record.key },
      context,
    );
  });
}

/** The record of a subscription. Throws 404. */
export async function getSubscription(
  store: ResourceStore,
  projectKey: string,
  target: Target,
): Promise<ResourceRecord> {
  const companion = subscriptionsOf(projectKey);
  const record = await ('id' in target ? store.get(companion, target.id) : store.getByKey(companion, target.key));
  if (record !== undefined) return record;
  const named = 'id' in target ? `ID '${target.id}'` : `key '${target.key}'`;
  throw new ServiceError('ResourceNotFound', `The subscription with ${named} was not found.`);
}

/** The records of all subscriptions of a project that can be read, oldest first. */
export async function listSubscriptions(store: ResourceStore, projectKey: string): Promise<readonly ResourceRecord[]> {
  const all: ResourceRecord[] = [];
  for (;;) {
    const some = await scanIntact(store, subscriptionsOf(projectKey), all.at(-1)?.id, 500);
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** As text, so that the indexes take it as a single term. */
function editOf(fields: SubscriptionFields) {
  return { current: { json: stringifyJson(fields as unknown as JsonObject) }, staged: undefined };
}

async function commit(
  { store, onChange }: Pick<ManageDeps, 'store' | 'onChange'>,
  { projectKey, context, preconditions, responseOf }: SubscriptionWrite,
  secret: string | undefined | (() => string | undefined),
  decide: () => Promise<Decision>,
): Promise<WriteResponse> {
  const response = await commitDecided(
    {
      store,
      projectKey: subscriptionsOf(projectKey),
      context,
      preconditions,
      responseOf: ({ record }: Outcome) => responseOf(record, typeof secret === 'function' ? secret() : secret),
    },
    decide,
  );
  // It is stored. Processes that are not told now read all subscriptions once a minute.
  await announce(store, projectKey, context.nowIso).catch(() => {});
  onChange(projectKey);
  return response;
}

async function refuseTakenKey(
  store: ResourceStore,
  projectKey: string,
  key: string | undefined,
  id: string,
): Promise<void> {
  const owner = key === undefined ? undefined : await store.getByKey(subscriptionsOf(projectKey), key);
  if (owner !== undefined && owner.id !== id) throw duplicateKey(owner, 'subscription');
}

async function refuseTooMany(store: ResourceStore, projectKey: string): Promise<void> {
  const found = await scanKept(store, subscriptionsOf(projectKey), undefined, maxSubscriptions);
  if (found.length < maxSubscriptions) return;
  throw new ServiceError('InvalidOperation', `A project has at most ${maxSubscriptions} subscriptions.`);
}
