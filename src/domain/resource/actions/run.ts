import { checkArrayTestType } from '../../../contract/array-test-type.ts';
import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkNumber,
  checkObject,
  checkString,
  isAbsent,
  missing,
} from '../../../contract/check.ts';
import { invalidJson, ServiceError } from '../../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { checkKey, systemFieldNames } from '../../../contract/resource.ts';
import type { NamedAction } from '../../../contract/update.ts';
import { parseStoredJson, stringifyJson } from '../../json/parse.ts';
import { getOwn, isJsonObject } from '../../json/values.ts';
import { checkTexts, type Resource } from '../resource.ts';
import { builtInActions } from './built-in.ts';
import type {
  ActionDefinition,
  ActionField,
  ActionFields,
  Actions,
  ActionValues,
  Earlier,
  VersionTools,
  Working,
} from './define.ts';
import { createTools } from './edit-fields.ts';
import { maxComparisons } from './on-current.ts';

/** An action of a request, found by its name and with its fields checked. */
export interface Step {
  readonly definition: ActionDefinition;
  readonly values: ActionValues<ActionFields>;
  readonly staged: boolean;
  /** For messages: `actions[2]`. */
  readonly path: string;
}

function unknownAction(name: string, i: number, actions: Actions): ServiceError {
  const shown = name.length > 64 ? `${name.slice(0, 63)}…` : name;
  const known = [...actions.keys()].join(', ');
  return new ServiceError('InvalidInput', `actions[${i}].action: unknown action '${shown}'; expected one of ${known}`);
}

type Check = (value: JsonValue | undefined, path: string) => unknown;

const checks: Readonly<Record<ActionField['type'], Check | undefined>> = {
  string: checkString,
  integer: checkInteger,
  number: checkNumber,
  boolean: checkBoolean,
  object: checkObject,
  array: checkArray,
  any: undefined,
};

/**
 * Finds the actions of a request and checks their fields, all of them before the first is applied. Unknown fields are
 * refused, so that a misspelt one is not lost.
 */
export function readActions(named: readonly NamedAction[], actions: Actions): readonly Step[] {
  const steps: Step[] = [];
  for (const [i, { name: action, values: given }] of named.entries()) {
    const definition = actions.get(action);
    if (definition === undefined) throw unknownAction(action, i, actions);
    const { fields, changes } = definition;
    const path = `actions[${i}]`;
    for (const name of Object.keys(given)) {
      const isKnown = name === 'action' || (name === 'staged' && changes === 'fields') || Object.hasOwn(fields, name);
      if (!isKnown) throw unknownField(definition, `${path}.${name}`);
    }
    const values: { [name: string]: JsonValue | undefined } = {};
    for (const [name, { type, optional }] of Object.entries(fields)) {
      const value = getOwn(given, name);
      if (!isAbsent(value)) {
        checks[type]?.(value, `${path}.${name}`);
        values[name] = value;
      } else if (!optional) throw missing(`${path}.${name}`);
    }
    const staged = getOwn(given, 'staged');
    const isStaged = !isAbsent(staged) && checkBoolean(staged, `${path}.staged`);
    steps.push({ definition, values: values as ActionValues<ActionFields>, staged: isStaged, path });
  }
  return steps;
}

function unknownField({ name, fields, changes }: ActionDefinition, path: string): Error {
  const known = [...Object.keys(fields), ...(changes === 'fields' ? ['staged'] : [])];
  const taken = known.length === 0 ? 'no fields' : known.join(', ');
  return invalidJson(`${path}: unknown field, ${name} takes ${taken}`);
}

const builtIn: ReadonlySet<ActionDefinition> = new Set(builtInActions);

/** Applies actions in order. The resource itself is not changed, so an error leaves nothing behind. */
export function applyActions({ key, current, staged }: Resource, steps: readonly Step[], earlier: Earlier): Working {
  const before: Working = { key, current, staged };
  let hasForeign = false;
  for (const { definition } of steps) hasForeign ||= !builtIn.has(definition);
  let working = hasForeign ? copied(before) : before;
  const shared = { earlier, comparisons: { left: maxComparisons } };
  let tools = createTools(shared);
  for (const step of steps) {
    const next = applyStep(step, working, tools);
    const isForeign = !builtIn.has(step.definition);
    if (isForeign) checkResult(step.definition, next);
    // A fork shares everything between the projections, and a foreign action may put one value at two paths.
    const forked = working.staged === undefined && next.staged !== undefined;
    if (forked || isForeign) tools = createTools(shared);
    working = next;
  }
  // A foreign action may return anything; only what JSON keeps of it counts.
  if (hasForeign) working = copied(working);
  // Actions can write any field, so the known one is checked as in a draft (decision 9).
  for (const own of [working.current, working.staged]) {
    const nested = own?.objectTypeProperty;
    const isChecked = nested === current.objectTypeProperty || nested === staged?.objectTypeProperty;
    if (!isChecked && !isAbsent(nested)) checkArrayTestType(nested, 'objectTypeProperty');
  }
  return working;
}

/** The same documents, of which nothing is shared: what JSON keeps of them. */
export function copied({ key, current, staged }: Working): Working {
  const copy = (own: JsonObject) => {
    const text = stringifyJson(own);
    checkTexts(text, own);
    return parseStoredJson(text) as JsonObject;
  };
  return { key, current: copy(current), staged: staged && copy(staged) };
}

function applyStep({ definition, values, staged, path }: Step, working: Working, tools: VersionTools): Working {
  try {
    if (definition.changes === 'resource') {
      const next = definition.apply(working, values, tools);
      return {
        key: next.key === undefined ? undefined : checkKey(next.key, 'key'),
        current: next.current,
        staged: next.staged,
      };
    }
    const { key, current } = working;
    if (staged) {
      // At a fork the given tools may own parts of the current projection, which must not change.
      const from = working.staged === undefined ? createTools(tools) : tools;
      return { key, current, staged: definition.apply(working.staged ?? current, values, from) };
    }
    // Decision 12: without `staged` an action changes both projections, if there are two.
    return {
      key,
      current: definition.apply(current, values, tools),
      staged: working.staged && definition.apply(working.staged, values, tools),
    };
  } catch (error) {
    throw error instanceof ServiceError ? withPath(error, path) : error;
  }
}

/** Adds the path of the action to an error. */
function withPath({ code, message, details, headers, status }: ServiceError, path: string): ServiceError {
  if (typeof details.detailedErrorMessage === 'string') return invalidJson(`${path}.${details.detailedErrorMessage}`);
  return new ServiceError(code, `${path}: ${message}`, details, headers, status);
}

/** A wrong result is an error of the action, not of the client: 500, and logged. */
function checkResult({ name }: ActionDefinition, { current, staged }: Working): void {
  for (const own of staged === undefined ? [current] : [current, staged]) {
    if (!isJsonObject(own) || own instanceof Promise) {
      throw new Error(`The update action ${name} did not return an object of fields.`);
    }
    const system = Object.keys(own).find((field) => systemFieldNames.has(field));
    if (system !== undefined) throw new Error(`The update action ${name} returned the system field ${system}.`);
  }
}
