import {
  arrayExpected,
  booleanExpected,
  check,
  type Expectation,
  integerExpected,
  isAbsent,
  missing,
  numberExpected,
  objectExpected,
  stringExpected,
} from '../../../contract/check.ts';
import { invalidJson } from '../../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { getOwn } from '../../json/object.ts';
import type { ActionDefinition, ActionField, ActionFields, ActionValues } from './define.ts';

/** The checked fields of an action in a request. */
export interface CheckedValues {
  readonly values: ActionValues<ActionFields>;
  readonly staged: boolean;
}

/** Checks the fields of an action; unknown ones are refused, so that a misspelt field is not lost. */
export function checkValues(definition: ActionDefinition, given: JsonObject, path: string): CheckedValues {
  const { fields } = definition;
  const common = definition.changes === 'fields' ? ['action', 'staged'] : ['action'];
  for (const name of Object.keys(given)) {
    if (!common.includes(name) && !Object.hasOwn(fields, name)) throw unknownField(definition, `${path}.${name}`);
  }
  const values: { [name: string]: JsonValue | undefined } = {};
  for (const [name, field] of Object.entries(fields)) {
    values[name] = checkField(field, getOwn(given, name), `${path}.${name}`);
  }
  const staged = getOwn(given, 'staged');
  if (!isAbsent(staged)) check(booleanExpected, staged, `${path}.staged`);
  return { values: values as ActionValues<ActionFields>, staged: staged === true };
}

const expectations: Readonly<Record<ActionField['type'], Expectation>> = {
  string: stringExpected,
  integer: integerExpected,
  number: numberExpected,
  boolean: booleanExpected,
  object: objectExpected,
  array: arrayExpected,
  any: () => undefined,
};

function checkField(field: ActionField, value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (isAbsent(value)) {
    if (field.optional) return undefined;
    throw missing(path);
  }
  check(expectations[field.type], value, path);
  return value;
}

function unknownField({ name, fields, changes }: ActionDefinition, path: string): Error {
  const known = [...Object.keys(fields), ...(changes === 'fields' ? ['staged'] : [])];
  const taken = known.length === 0 ? 'no fields' : known.join(', ');
  return invalidJson(`${path}: unknown field, ${name} takes ${taken}`);
}
