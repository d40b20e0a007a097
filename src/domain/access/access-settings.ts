import { checkFields, checkInteger, checkString, mismatch, optional } from '../../contract/check.ts';
import type { JsonValue } from '../../contract/json.ts';
import { systemFieldNames } from '../../contract/resource.ts';
import { listOf, readNames } from '../search/settings/checks.ts';
import type { SettingsKind } from '../settings/stored-settings.ts';
import { PrivatePaths } from './private-paths.ts';

/** The settings of a project that say what readers of what is published may see. */

export const maxPrivatePaths = 100;

function parseAccess(body: JsonValue | undefined) {
  const own = checkFields(body, '', ['version', 'privatePaths']);
  return {
    /** The version that must be current; undefined: any. */
    version: optional(own, 'version', '', checkInteger),
    privatePaths: optional(own, 'privatePaths', '', listOf(maxPrivatePaths, checkPrivatePath)) ?? [],
  };
}

function checkPrivatePath(value: JsonValue | undefined, place: string): string {
  const path = checkString(value, place);
  const names = readNames(path);
  if (names === undefined) throw mismatch(place, 'expected a dotted path such as supplier.price');
  if (systemFieldNames.has(names[0]!)) {
    throw mismatch(place, `${names[0]} is a system field; expected a field of your own`);
  }
  return path;
}

export const accessSettings: SettingsKind<PrivatePaths> = {
  id: 'access',
  parse: parseAccess,
  valueOf: (body) => new PrivatePaths(parseAccess(body).privatePaths.map((path) => readNames(path)!)),
};
