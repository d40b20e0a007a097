import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { getOwn, isJsonObject, type ObjectInProgress, setOwn } from './object.ts';

/** JSON Merge Patch (RFC 7396 §2): objects merge, `null` removes, anything else replaces. Changes neither argument. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  return isJsonObject(patch) ? mergeObject(isJsonObject(target) ? target : {}, patch) : patch;
}

/** The same where the patch is known to be an object. */
export function mergeObject(target: JsonObject, patch: JsonObject): JsonObject {
  const result: ObjectInProgress = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setOwn(result, key, mergePatch(getOwn(target, key), value));
  }
  return result;
}
