import { type ActionName, actionNames } from '../contract/backend-actions.ts';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { isJsonObject } from '../domain/json/object.ts';

/** Adds a problem under its place in the file. */
export type Complain = (place: string, problem: string) => void;

/** The object at a place; a complaint and an empty one where there is none. */
export function objectAt(value: JsonValue, place: string, complain: Complain): JsonObject {
  if (isJsonObject(value)) return value;
  complain(place, 'an object expected');
  return {};
}

/** Complains of names that are not known: a misspelt one must not be ignored. */
export function knownNames(object: JsonObject, names: readonly string[], place: string, complain: Complain): void {
  for (const name of Object.keys(object)) {
    if (!names.includes(name)) {
      complain(place === '' ? name : `${place}.${name}`, `unknown, ${names.join(', ')} expected`);
    }
  }
}

/** The actions that a list names; all of them where there is no list. */
export function actionsAt(value: JsonValue | undefined, place: string, complain: Complain): readonly ActionName[] {
  if (value === undefined) return actionNames;
  const names = actionNames.filter((name) => Array.isArray(value) && value.includes(name));
  if (Array.isArray(value) && names.length === value.length && names.length > 0) return names;
  complain(place, `an array of some of ${actionNames.join(', ')} expected`);
  return actionNames;
}
