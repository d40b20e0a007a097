import { checkArrayTestType } from '../../../contract/array-test-type.ts';
import { isAbsent } from '../../../contract/check.ts';
import { invalidJson, ServiceError } from '../../../contract/errors.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { checkKey, isSystemField } from '../../../contract/resource.ts';
import type { NamedAction } from '../../../contract/update.ts';
import { isJsonObject } from '../../json/object.ts';
import { parseStoredJson, stringifyJson } from '../../json/parse.ts';
import type { Resource } from '../resource.ts';
import type { ActionDefinition, Actions, ActionTools, Working } from './define.ts';
import { createTools } from './edit-fields.ts';
import { builtInActions } from './index.ts';
import { type CheckedValues, checkValues } from './values.ts';

/** An action that was found and whose fields were checked. */
export interface Step extends CheckedValues {
  readonly definition: ActionDefinition;
  /** For messages: `actions[2]`. */
  readonly place: string;
}

/** Finds the actions of a request and checks their fields, all of them before the first is applied. */
export function readActions(named: readonly NamedAction[], actions: Actions): readonly Step[] {
  return named.map(({ name, values }, i) => {
    const definition = actions.get(name);
    if (definition === undefined) throw unknownAction(name, i, actions);
    const place = `actions[${i}]`;
    return { definition, place, ...checkValues(definition, values, place) };
  });
}

function unknownAction(name: string, i: number, actions: Actions): ServiceError {
  const shown = name.length > 64 ? `${name.slice(0, 63)}…` : name;
  const known = [...actions.keys()].join(', ');
  return new ServiceError('InvalidInput', `actions[${i}].action: unknown action '${shown}', one of ${known} expected`);
}

const builtIn: ReadonlySet<ActionDefinition> = new Set(builtInActions);

/** Applies actions in their order. The resource itself stays as it is, so a refusal leaves nothing behind. */
export function applyActions(resource: Resource, steps: readonly Step[]): Working {
  const foreign = steps.some(({ definition }) => !builtIn.has(definition));
  const { key, current, staged } = resource;
  let working: Working = { key, current, staged };
  if (foreign) working = copied(working);
  let tools = createTools();
  for (const step of steps) {
    const next = applyStep(step, working, tools);
    // A fork shares everything between the projections, and a foreign action may put one value in two places.
    const forked = working.staged === undefined && next.staged !== undefined;
    if (forked || !builtIn.has(step.definition)) tools = createTools();
    working = next;
  }
  // What a foreign action returned may hold anything; only what JSON keeps of it counts.
  return checked(foreign ? copied(working) : working, resource);
}

function applyStep(step: Step, working: Working, tools: ActionTools): Working {
  try {
    return step.definition.changes === 'fields'
      ? applyToFields(step, working, tools)
      : applyToAll(step, working, tools);
  } catch (error) {
    throw error instanceof ServiceError ? placed(error, step.place) : error;
  }
}

/** The same refusal, with the place of the action that it is of. */
function placed({ code, message, details, headers, status }: ServiceError, place: string): ServiceError {
  if (typeof details.detailedErrorMessage === 'string') return invalidJson(`${place}.${details.detailedErrorMessage}`);
  return new ServiceError(code, `${place}: ${message}`, details, headers, status);
}

/** Decision 12: `staged` changes the staged projection only; else both change, as far as there are two. */
function applyToFields({ definition, values, staged }: Step, working: Working, tools: ActionTools): Working {
  if (definition.changes !== 'fields') return working;
  const apply = (own: JsonObject, means: ActionTools) => fieldsFrom(definition, definition.apply(own, values, means));
  if (!staged) {
    return {
      ...working,
      current: apply(working.current, tools),
      staged: working.staged && apply(working.staged, tools),
    };
  }
  // At a fork the given tools may own parts of the current projection, which must stay as it is.
  const next = working.staged === undefined ? apply(working.current, createTools()) : apply(working.staged, tools);
  return { ...working, staged: next };
}

function applyToAll({ definition, values }: Step, working: Working, tools: ActionTools): Working {
  if (definition.changes !== 'resource') return working;
  const { key, current, staged } = definition.apply(working, values, tools);
  return {
    key: key === undefined ? undefined : checkKey(key, 'key'),
    current: fieldsFrom(definition, current),
    staged: staged && fieldsFrom(definition, staged),
  };
}

/** A fault of the action, not of the client: it is answered 500 and logged. */
function fieldsFrom(definition: ActionDefinition, result: JsonObject): JsonObject {
  if (builtIn.has(definition)) return result;
  const { name } = definition;
  if (!isJsonObject(result) || result instanceof Promise) {
    throw new Error(`The update action ${name} did not return an object of fields.`);
  }
  const system = Object.keys(result).find(isSystemField);
  if (system !== undefined) throw new Error(`The update action ${name} returned the system field ${system}.`);
  return result;
}

function copied({ key, current, staged }: Working): Working {
  const copy = (own: JsonObject) => parseStoredJson(stringifyJson(own)) as JsonObject;
  return { key, current: copy(current), staged: staged && copy(staged) };
}

/** Actions can write any field, so the known ones are checked as in a draft (decision 9). */
function checked(working: Working, resource: Resource): Working {
  for (const own of [working.current, working.staged]) {
    const nested = own?.objectTypeProperty;
    const same = nested === resource.current.objectTypeProperty || nested === resource.staged?.objectTypeProperty;
    if (!same && !isAbsent(nested)) checkArrayTestType(nested, 'objectTypeProperty');
  }
  return working;
}
