import {
  agreedVersion,
  checkArray,
  checkFields,
  checkInteger,
  checkObject,
  checkString,
  isAbsent,
  type JsonSchema,
  mismatch,
  missing,
} from './check.ts';
import { type JsonArray, type JsonObject, type JsonValue, list, object, text } from './json.ts';

/** Most actions in one request (decision 12). */
const maxActions = 500;

/** A body of E10, checked except for the actions, which are checked after the version was compared (decision 12). */
export interface UpdateRequest {
  /** Any integer: one that cannot be a version is a conflict, not a malformed request. Undefined: any may be current. */
  readonly version: bigint | undefined;
  readonly actions: JsonValue | undefined;
}

/** True for the name of an action that is right whatever the version is. */
export type NeedsNoVersion = (name: unknown) => boolean;

/** Checks the body of an update; its version may be in the query instead. Actions that all need none may come without one. */
export function checkUpdate(
  value: JsonValue | undefined,
  versionInQuery?: bigint,
  needsNoVersion: NeedsNoVersion = () => false,
): UpdateRequest {
  const { version: inBody, actions, ...others } = checkObject(value, '');
  const version = agreedVersion(isAbsent(inBody) ? undefined : checkInteger(inBody, 'version'), versionInQuery);
  if (version === undefined && !areAll(actions, needsNoVersion)) throw missing('version');
  // Not by checkFields: most writes are updates, and take the shortest way.
  for (const name in others) throw mismatch(name.slice(0, 64), 'unknown field; expected version, actions');
  return { version, actions };
}

function areAll(actions: JsonValue | undefined, needsNoVersion: NeedsNoVersion): boolean {
  if (!Array.isArray(actions) || actions.length === 0) return false;
  return actions.every((item) => needsNoVersion((item as JsonObject | null)?.action));
}

/** An action whose name is known to be a string; its other fields are not checked yet. */
export interface NamedAction {
  readonly name: string;
  readonly values: JsonObject;
}

/** Checks the list of actions: at most 500 objects, each with a name. */
export function checkActions(value: JsonValue | undefined): readonly NamedAction[] {
  if (isAbsent(value)) throw missing('actions');
  const actions: JsonArray = checkArray(value, 'actions');
  if (actions.length > maxActions) {
    throw mismatch('actions', `expected at most ${maxActions} actions, not ${actions.length}`);
  }
  const named: NamedAction[] = [];
  for (const [i, item] of actions.entries()) {
    const values = checkObject(item, `actions[${i}]`);
    if (isAbsent(values.action)) throw missing(`actions[${i}].action`);
    named.push({ name: checkString(values.action, `actions[${i}].action`), values });
  }
  return named;
}

/** A change of all resources that match: by update actions, or their deletion. */
export interface ByPredicateRequest {
  readonly where: string;
  /** Undefined: the resources are deleted. */
  readonly actions: JsonValue | undefined;
  readonly expect: number | undefined;
}

/** Checks the body of a change by predicate, except for the actions. */
export function checkByPredicate(value: JsonValue | undefined): ByPredicateRequest {
  const { where, actions, delete: isDeletion, expect } = checkFields(value, '', byPredicateFields);
  if (isAbsent(where)) throw missing('where');
  if (isAbsent(actions) === isAbsent(isDeletion))
    throw mismatch('actions', 'expected either actions or "delete": true');
  if (!isAbsent(isDeletion) && isDeletion !== true) throw mismatch('delete', 'expected true');
  const expected = isAbsent(expect) ? undefined : checkInteger(expect, 'expect');
  if (expected !== undefined && expected < 0n) throw mismatch('expect', 'expected 0 or more');
  return {
    where: checkString(where, 'where'),
    actions: actions ?? undefined,
    expect: expected === undefined ? undefined : Number(expected),
  };
}

const byPredicateFields = ['where', 'actions', 'delete', 'expect'];

/** Schema of a change by predicate, over that of an update. */
export function byPredicateSchema(update: JsonSchema): JsonSchema {
  const { actions } = update.properties as Record<string, JsonSchema>;
  return object(
    'ByPredicate',
    {
      where: text('A predicate; the resources that it holds of are changed.'),
      'actions?': actions,
      'delete?': { type: 'boolean', description: '`true`, instead of actions: the resources are deleted.' },
      'expect?': {
        type: 'integer',
        minimum: 0,
        description: 'How many resources have to match; otherwise 412, and nothing is changed.',
      },
    },
    {
      additionalProperties: false,
      examples: [
        {
          where: 'season = "winter"',
          actions: [{ action: 'incrementNumber', path: 'price', by: -5 }],
          expect: 12,
        },
      ],
    },
  );
}

/** The name of the schema of an update action in the OpenAPI document: `SetKeyAction` for `setKey`. */
export function actionTitle(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Action`;
}

/** Its schema would have the title of the one that stands for all update actions. */
export const reservedActionName = 'resourceUpdate';

const resourceExample = {
  version: 1,
  actions: [{ action: 'changeSomeProperty', someProperty: 'new value' }, { action: 'doSomeThing' }],
};

/** Schema of the update request over the schemas of all actions; `action` discriminates. */
export function updateSchema(
  actions: ReadonlyMap<string, JsonSchema>,
  { subject = 'Resource', example = resourceExample as object, withoutVersion = [] as readonly string[] } = {},
): JsonSchema {
  const references = [...actions].map(([name, { title }]) => [name, `#/components/schemas/${title}`]);
  const anyAction = {
    title: `${subject}UpdateAction`,
    oneOf: [...actions.values()],
    discriminator: { propertyName: 'action', mapping: Object.fromEntries(references) },
  };
  const exception = `. May be absent where all actions are of ${withoutVersion.join(', ')}: they change what is current.`;
  return object(
    `${subject}Update`,
    {
      [withoutVersion.length > 0 ? 'version?' : 'version']: {
        type: 'integer',
        format: 'int64',
        description: `The current version of the ${subject.toLowerCase()}; another is 409${withoutVersion.length > 0 ? exception : '.'}`,
      },
      actions: list(anyAction, { maxItems: maxActions, description: 'Applied in order, all or none.' }),
    },
    { additionalProperties: false, examples: [example] },
  );
}
