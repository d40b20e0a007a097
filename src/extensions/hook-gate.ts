import { checkArrayTestType } from '../contract/array-test-type.ts';
import { isAbsent } from '../contract/check.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json.ts';
import { systemFieldNames } from '../contract/resource.ts';
import { isJsonObject } from '../domain/json/values.ts';
import type { Working } from '../domain/resource/actions/define.ts';
import { copied } from '../domain/resource/actions/run.ts';
import type { Decision } from '../domain/resource/write/decision.ts';
import { workingOf } from '../domain/resource/write/earlier.ts';
import type { Gate, GateReads } from '../domain/resource/write/gate.ts';
import type { HookChange, HookDefinition } from './define-hook.ts';
import { reasonOf, runOperatorCode } from './operator-code.ts';

const defaultTimeoutMs = 1000;

/** Tells the operator which hook failed and why. */
type OnHookFailed = (error: Error) => void;

/** Runs the hooks of the operator over each decision, in their order, and then passes it on. */
export class HookGate implements Gate {
  readonly #hooks: readonly HookDefinition[];
  readonly #next: Gate;
  readonly #onFailed: OnHookFailed;
  readonly marked: Gate['marked'];

  constructor(hooks: readonly HookDefinition[], next: Gate, onFailed: OnHookFailed) {
    this.#hooks = hooks;
    this.#onFailed = onFailed;
    this.#next = next;
    this.marked = next.marked;
  }

  dependsOnOthers(projectKey: string): ReturnType<Gate['dependsOnOthers']> {
    return this.#next.dependsOnOthers(projectKey);
  }

  forget(projectKey: string): void {
    this.#next.forget(projectKey);
  }

  async admit(decision: Decision, reads: GateReads): Promise<Decision> {
    let decided = decision;
    // What the service writes for itself passes no hooks.
    const isOfResource = !decision.outcome.record.projectKey.includes('~');
    for (const hook of isOfResource ? this.#hooks : []) decided = await decidedBy(hook, decided, this.#onFailed);
    return this.#next.admit(decided, reads);
  }
}

/** The decision after a hook. Throws `HookFailed` where its code fails, or takes too long. */
async function decidedBy(hook: HookDefinition, decision: Decision, onFailed: OnHookFailed): Promise<Decision> {
  if (decision.change === undefined) return decision;
  const ended = new AbortController();
  const change = changeOf(decision, ended.signal);
  let documents: Working | undefined;
  try {
    documents = checkResult(hook, change, await withinTime(hook, change, ended));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // Where many resources are written, the error of one is only a line of the response.
    onFailed(new Error(`The hook ${hook.name} failed: ${reasonOf(error)}`, { cause: error }));
    throw new ServiceError('HookFailed', `The hook ${hook.name} failed, so nothing was written.`);
  }
  return documents ? decision.again!(documents) : decision;
}

function changeOf({ change, outcome }: Decision, signal: AbortSignal): HookChange {
  const { kind, origin } = change!;
  const { projectKey, id } = outcome.record;
  const before = change!.kind === 'create' ? undefined : copied(workingOf(change!.before));
  const after = change!.kind === 'delete' ? before! : copied(workingOf(change!.after));
  const { clientId = '', externalUserId, cause = '', actions = [] } = origin ?? {};
  return {
    ...{ kind, projectKey, id, ...after, before, signal, cause, actions },
    actor: { clientId, externalUserId },
    refuse(message) {
      throw new ServiceError('InvalidOperation', message);
    },
  };
}

async function withinTime(hook: HookDefinition, change: HookChange, ended: AbortController): Promise<unknown> {
  const { name, timeoutMs = defaultTimeoutMs } = hook;
  const made = runOperatorCode(name, () => hook.before(change));
  if (!(made instanceof Promise)) return made;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const problem = new Error(`it took longer than ${timeoutMs} ms`);
    ended.abort(problem);
    late.reject(problem);
  }, timeoutMs);
  try {
    return await Promise.race([made, late.promise]);
  } finally {
    clearTimeout(timer);
    // What it does after its time concerns no one.
    made.catch(() => {});
  }
}

/** The documents that a hook wants stored; undefined where it changes nothing. A wrong result is an error of the hook. */
function checkResult({ name }: HookDefinition, change: HookChange, result: unknown): Working | undefined {
  if (result === undefined || result === null) return undefined;
  if (change.kind === 'delete') throw new Error(`The hook ${name} cannot change what is deleted.`);
  if (!isJsonObject(result as JsonObject)) throw new Error(`The hook ${name} did not return an object with documents.`);
  const { current = change.current, staged = change.staged, ...others } = result as Partial<Working>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`The hook ${name} returned ${unknown}; expected current or staged.`);
  for (const own of staged === undefined ? [current] : [current, staged]) {
    if (!isJsonObject(own)) throw new Error(`The hook ${name} did not return an object of fields.`);
    const system = Object.keys(own).find((field) => systemFieldNames.has(field));
    if (system !== undefined) throw new Error(`The hook ${name} returned the system field ${system}.`);
  }
  const documents = copied({ key: change.key, current, staged });
  for (const { objectTypeProperty: nested } of [documents.current, documents.staged ?? ({} as JsonObject)]) {
    if (!isAbsent(nested)) checkArrayTestType(nested, 'objectTypeProperty');
  }
  return documents;
}
