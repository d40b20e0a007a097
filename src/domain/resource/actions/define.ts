import type { JsonNumber, JsonSchema } from '../../../contract/check.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../contract/json.ts';
import { actionTitle, type NeedsNoVersion, reservedActionName, updateSchema } from '../../../contract/update.ts';

/** The allowed values of an action field. `null` counts as absent. */
export interface ActionField {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'any';
  readonly description: string;
  readonly optional?: true;
  /** For the documentation. */
  readonly example: unknown;
}

export type ActionFields = Readonly<Record<string, ActionField>>;

interface ValueTypes {
  readonly string: string;
  readonly integer: JsonNumber;
  readonly number: JsonNumber;
  readonly boolean: boolean;
  readonly object: JsonObject;
  readonly array: JsonArray;
  readonly any: JsonValue;
}

/** The checked values of an action's fields, by name. */
export type ActionValues<F extends ActionFields> = {
  readonly [K in keyof F]: ValueTypes[F[K]['type']] | (F[K] extends { optional: true } ? undefined : never);
};

/** The part of a resource that an action may change. */
export interface Working {
  readonly key: string | undefined;
  /** The client's own fields of the current projection. */
  readonly current: JsonObject;
  /** The fields of the staged projection; undefined where nothing is staged (decision 13). */
  readonly staged: JsonObject | undefined;
}

/** Functions for actions. */
export interface ActionTools {
  /** The value at a path of names; undefined if it is absent or `null`. */
  readonly get: (own: JsonObject, path: readonly string[]) => JsonValue | undefined;
  /** The fields with a value at a path of names; objects on the way are created. */
  readonly set: (own: JsonObject, path: readonly string[], value: JsonValue) => JsonObject;
  /** The fields without the value at a path; unchanged if the value is absent. */
  readonly remove: (own: JsonObject, path: readonly string[]) => JsonObject;
  /** Refuses the action, and with it the whole request: 400 with this message. */
  readonly refuse: (message: string) => never;
}

/** The content of a version of the resource. Throws where it is not kept. */
export type Earlier = (version: bigint) => Working;

/** Additional members of the built-in actions. */
export interface VersionTools extends ActionTools {
  readonly earlier: Earlier;
  /** How many items of arrays the actions of a request may still compare. */
  readonly comparisons: { left: number };
}

interface Described<F extends ActionFields> {
  /** The value of `action` in a request. */
  readonly name: string;
  /** A sentence for the documentation. */
  readonly summary: string;
  /** The kind of resource that it applies to; by default resources. Only built-in actions have others. */
  readonly appliesTo?: 'variant';
  readonly fields: F;
  /**
   * `false`: the action is right whatever the version is. A request of such actions alone may leave `version` out: it changes
   * what is current when it is committed, and makes no version where it changes nothing.
   */
  readonly needsVersion?: boolean;
}

/** Changes the client's own fields of one projection; takes `staged` beside its own fields (decision 12). */
interface FieldsAction<F extends ActionFields> extends Described<F> {
  readonly changes: 'fields';
  /** Returns the new fields and leaves its argument alone. */
  readonly apply: (own: JsonObject, values: ActionValues<F>, tools: ActionTools) => JsonObject;
}

/** Changes the key, or both projections. */
interface ResourceAction<F extends ActionFields> extends Described<F> {
  readonly changes: 'resource';
  readonly apply: (working: Working, values: ActionValues<F>, tools: ActionTools) => Working;
}

/** A definition as the service holds it; `values` were checked against `fields`. */
export type ActionDefinition =
  | (Described<ActionFields> & {
      readonly changes: 'fields';
      apply(own: JsonObject, values: ActionValues<ActionFields>, tools: ActionTools): JsonObject;
    })
  | (Described<ActionFields> & {
      readonly changes: 'resource';
      apply(working: Working, values: ActionValues<ActionFields>, tools: ActionTools): Working;
    });

/** Actions by name. */
export type Actions = ReadonlyMap<string, ActionDefinition>;

/** Tells actions that a request may have without a version. */
export function needsNoVersion(actions: Actions): NeedsNoVersion {
  return (name) => typeof name === 'string' && actions.get(name)?.needsVersion === false;
}

/** Defines an update action. Throws if the definition is invalid. */
export function defineAction<const F extends ActionFields>(
  action: FieldsAction<F> | ResourceAction<F>,
): ActionDefinition {
  const problem = definitionProblem(action);
  if (problem !== undefined) throw new Error(`Update action: ${problem}`);
  return action as unknown as ActionDefinition;
}

const namePattern = /^[a-z][A-Za-z0-9]*$/;
const fieldTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean', 'object', 'array', 'any']);

/** The problem of an action definition, or undefined. */
export function definitionProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'expected an action definition';
  const { name, summary, fields, changes, needsVersion, apply } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !namePattern.test(name)) return 'name: expected a name such as changeColour';
  if (name === reservedActionName) return `${name}: the name is reserved`;
  if (typeof summary !== 'string' || summary === '') return `${name}: summary: expected a sentence`;
  if (changes !== 'fields' && changes !== 'resource') return `${name}: changes: expected 'fields' or 'resource'`;
  if (!['undefined', 'boolean'].includes(typeof needsVersion)) return `${name}: needsVersion: expected a boolean`;
  if (typeof apply !== 'function') return `${name}: apply: expected a function`;
  if (typeof fields !== 'object' || fields === null) return `${name}: fields: expected an object`;
  const problems = Object.entries(fields).map(([field, shape]) => fieldProblem(field, shape, changes));
  return problems.flatMap((problem) => (problem === undefined ? [] : `${name}: fields: ${problem}`))[0];
}

function fieldProblem(name: string, shape: unknown, changes: string): string | undefined {
  if (!namePattern.test(name)) return `${name}: expected a name such as colour`;
  if (name === 'action' || (name === 'staged' && changes === 'fields')) return `${name}: the name is reserved`;
  if (typeof shape !== 'object' || shape === null) return `${name}: expected an object`;
  const { type, description } = shape as Record<string, unknown>;
  if (!fieldTypes.has(type)) return `${name}: type: expected one of ${[...fieldTypes].join(', ')}`;
  return typeof description === 'string' ? undefined : `${name}: description: expected a text`;
}

/** Schema of the update of a resource over its actions. */
export function resourceUpdateSchema(actions: Actions): JsonSchema {
  const withoutVersion = [...actions.keys()].filter(needsNoVersion(actions));
  const schemas = new Map([...actions].map(([name, definition]) => [name, actionSchema(definition)]));
  return updateSchema(schemas, { withoutVersion });
}

/** Schema of an action in a request, for the OpenAPI document. */
export function actionSchema({ name, summary, appliesTo, fields, changes }: ActionDefinition): JsonSchema {
  const entries = Object.entries(fields);
  // Without `default`: generators make a property that has one required.
  const staged = { type: 'boolean', description: 'Change the staged projection only. Default: false.' };
  return {
    type: 'object',
    title: actionTitle(name),
    description: summary,
    // Forms that are made of the document offer an action only where it applies.
    ...(appliesTo && { 'x-applies-to': appliesTo }),
    required: ['action', ...entries.flatMap(([field, { optional }]) => (optional ? [] : field))],
    properties: {
      action: { type: 'string', const: name },
      ...Object.fromEntries(entries.map(([field, shape]) => [field, fieldSchema(shape)])),
      ...(changes === 'fields' ? { staged } : {}),
    },
    additionalProperties: false,
    examples: [{ action: name, ...Object.fromEntries(entries.map(([field, { example }]) => [field, example])) }],
  };
}

function fieldSchema({ type, description, example }: ActionField): JsonSchema {
  return {
    ...(type === 'any' ? {} : { type }),
    description,
    ...(example === undefined ? {} : { examples: [example] }),
  };
}
