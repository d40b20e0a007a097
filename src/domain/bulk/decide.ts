import type { Operation } from '../../contract/bulk.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Draft } from '../../contract/resource.ts';
import type { Change } from '../ports/resource-store.ts';
import type { Actions } from '../resource/actions/define.ts';
import { parseRecord, type StoredResource } from '../resource/resource.ts';
import { getResource } from '../resource/target.ts';
import { type Decision, decideDelete, type Outcome, type WriteContext } from '../resource/write/decision.ts';
import { type DraftMode, decideDraft, duplicateKey, findDraftTarget } from '../resource/write/draft.ts';
import type { Gate } from '../resource/write/gate.ts';
import { checkVersion } from '../resource/write/preconditions.ts';
import { decideActions, refuseTakenKey } from '../resource/write/update.ts';
import { turnOver } from '../turns.ts';
import type { View } from './view.ts';

/** How operations are decided, beside what they say themselves. */
export interface Rules {
  readonly projectKey: string;
  readonly context: WriteContext;
  readonly actions: Actions;
  readonly gate?: Gate | undefined;
  /**
   * The rules of an import: a draft that leaves its resource as it is changes nothing, whatever its version and even where
   * it creates only, so that an import can be repeated. False for a batch.
   */
  readonly isImport: boolean;
  /** True: what follows an operation that is refused is not decided. */
  readonly stopsAtError: boolean;
  /** No further operations are decided once the resources read or created have this many characters. */
  readonly maxSize: number;
}

/** The result of an operation. `change` is absent if nothing changes. */
export type OperationResult =
  | { readonly outcome: Outcome; readonly change: Change | undefined }
  | { readonly error: ServiceError };

/** An operation, or why it is invalid. */
export type Given = Operation | ServiceError;

const modes = {
  create: 'overwrite',
  replace: 'replaceFields',
  merge: 'merge',
  overwrite: 'overwrite',
} as const satisfies Record<string, DraftMode>;

/** Operations whose resources are read together. */
const portion = 32;

/**
 * Decides operations in order, each over the results of those before it. Decides fewer than all where the rules say so,
 * but at least one. What refuses an operation is its result; throws what no operation is to blame for.
 */
export async function decideOperations(
  given: readonly Given[],
  view: View,
  rules: Rules,
): Promise<readonly OperationResult[]> {
  const results: OperationResult[] = [];
  for (const [at, each] of given.entries()) {
    if (at % portion === 0) await view.prefetch(given.slice(at, at + portion).filter(isOperation));
    if (at > 0 && view.size() > rules.maxSize) break;
    const result = await decideOne(each, view, rules);
    results.push(result);
    if ('outcome' in result) view.apply(result.outcome, result.change);
    else if (rules.stopsAtError) break;
    const over = turnOver();
    if (over) await over;
  }
  return results;
}

/** The changes of operations, in their order. */
export function changesIn(results: readonly OperationResult[]): readonly Change[] {
  return results.flatMap((result) => ('change' in result && result.change ? [result.change] : []));
}

function isOperation(given: Given): given is Operation {
  return !(given instanceof ServiceError);
}

/** True for an error of the operation itself. The others say that the store cannot work now. */
export function isOfOperation(error: unknown): error is ServiceError {
  const ofOne = ['DataCorruption', 'HookFailed'];
  return error instanceof ServiceError && (error.status < 500 || ofOne.includes(error.code));
}

async function decideOne(given: Given, view: View, rules: Rules): Promise<OperationResult> {
  if (!isOperation(given)) return { error: given };
  try {
    const decision = await decide(given, view, rules);
    return (await rules.gate?.admit(decision, view)) ?? decision;
  } catch (error) {
    if (isOfOperation(error)) return { error };
    throw error;
  }
}

async function decide(operation: Operation, view: View, rules: Rules): Promise<Decision> {
  const { projectKey, context, actions } = rules;
  switch (operation.kind) {
    case 'update': {
      const before = parseRecord(await getResource(view, projectKey, operation.target));
      const decision = decideActions(before, operation.request, actions, {}, context);
      await refuseTakenKey(view, before, decision);
      return decision;
    }
    case 'delete': {
      const before = parseRecord(await getResource(view, projectKey, operation.target));
      if (operation.version !== undefined) checkVersion(before, operation.version);
      return decideDelete(before, context);
    }
    default: {
      const { kind, draft } = operation;
      const target = await findDraftTarget(view, projectKey, draft);
      if (!rules.isImport) {
        if (kind === 'create' && target !== undefined) throw alreadyExists(target, draft);
        return decideDraft(target, draft, modes[kind], {}, projectKey, context);
      }
      const decision = decideDraft(target, { ...draft, version: undefined }, modes[kind], {}, projectKey, context);
      if (decision.change === undefined) return decision;
      if (kind === 'create' && target !== undefined) throw alreadyExists(target, draft);
      if (draft.version !== undefined) checkVersion(target, draft.version);
      return decision;
    }
  }
}

/** The error for a draft that creates only, of a resource that exists. */
function alreadyExists({ record }: StoredResource, { id }: Draft): ServiceError {
  if (id === undefined) return duplicateKey(record);
  return new ServiceError('DuplicateField', `A duplicate value ${id} exists for field id.`, {
    field: 'id',
    duplicateValue: id,
    conflictingResource: { typeId: 'resource', id: record.id },
  });
}
