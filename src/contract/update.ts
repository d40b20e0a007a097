import {
  checkArray,
  checkInteger,
  checkObject,
  checkString,
  isAbsent,
  type JsonSchema,
  mismatch,
  missing,
} from './check.ts';
import { invalidJson } from './errors.ts';
import type { JsonArray, JsonObject, JsonValue } from './json.ts';

/** Most actions in one request (decision 12). */
export const maxActions = 500;

/** A body of E10, checked as far as the version; the actions are looked at after it was compared (decision 12). */
export interface UpdateRequest {
  /** Any integer: one that cannot be a version is a conflict, not a malformed request. */
  readonly version: bigint;
  readonly actions: JsonValue | undefined;
}

/** Reads the body of an update. Fields it does not know are refused: a misspelt one must not be lost. */
export function checkUpdate(value: JsonValue | undefined): UpdateRequest {
  const body = checkObject(value, '');
  const unknown = Object.keys(body).find((name) => name !== 'version' && name !== 'actions');
  if (isAbsent(body.version)) throw missing('version');
  if (unknown !== undefined) throw invalidJson(`${unknown}: unknown field, version and actions expected`);
  return { version: checkInteger(body.version, 'version'), actions: body.actions };
}

/** An action whose name is known to be a text, and nothing else yet. */
export interface NamedAction {
  readonly name: string;
  readonly values: JsonObject;
}

/** Reads the list of actions: at most 500 objects, each with a name. */
export function checkActions(value: JsonValue | undefined): readonly NamedAction[] {
  if (isAbsent(value)) throw missing('actions');
  const actions: JsonArray = checkArray(value, 'actions');
  if (actions.length > maxActions)
    throw mismatch('actions', `at most ${maxActions} actions expected, not ${actions.length}`);
  return actions.map((item, i) => {
    const values = checkObject(item, `actions[${i}]`);
    if (isAbsent(values.action)) throw missing(`actions[${i}].action`);
    return { name: checkString(values.action, `actions[${i}].action`), values };
  });
}

/** Schema of the update request over the schemas of all actions. */
export function updateSchema(actions: ReadonlyMap<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    required: ['version', 'actions'],
    properties: {
      version: {
        type: 'integer',
        format: 'int64',
        description: 'The current version of the resource; another is 409.',
      },
      actions: {
        type: 'array',
        maxItems: maxActions,
        description: 'Applied in order, all or none.',
        items: { oneOf: [...actions.values()] },
      },
    },
    additionalProperties: false,
    examples: [
      { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'new value' }, { action: 'doSomeThing' }] },
    ],
  };
}
