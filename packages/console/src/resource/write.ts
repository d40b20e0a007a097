import { type Call, pathOf } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';
import { type Difference, differences, pathText, systemFields } from '../model/paths.ts';

/** A place and what is to be there; undefined removes it. */
export interface FieldChange {
  readonly path: readonly string[];
  readonly value: Json | undefined;
}

/** The changes of an edit, one for each field. */
export function changesOf(base: JsonMap, mine: JsonMap): readonly Difference[] {
  const own = differences(base, mine);
  return base.key === mine.key ? own : [{ path: ['key'], before: base.key, after: mine.key }, ...own];
}

/** True if an update action can name the place and the value. */
export function isActionable({ path, value }: FieldChange): boolean {
  return value !== null && path.every((name) => name !== '');
}

/** The fields of the client of a document. */
export function ownFields(document: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !systemFields.has(name)));
}

/**
 * The call that saves changes over a version: update actions, which leave other fields alone. What they cannot say (a
 * `null`, an empty name) is written by overwriting the resource in that version with `whole`.
 */
export function saveCall(
  projectKey: string,
  stored: JsonMap,
  changes: readonly FieldChange[],
  whole: JsonMap,
  isStaged: boolean,
): Call {
  const { id, version } = stored as { id: string; version: number };
  if (!isStaged && !changes.every(isActionable)) {
    const key = whole.key === undefined ? {} : { key: whole.key };
    return { method: 'PUT', path: pathOf(projectKey, 'resource'), json: { id, version, ...key, ...ownFields(whole) } };
  }
  const actions = changes.map(({ path, value }): JsonMap => {
    if (path.length === 1 && path[0] === 'key') return { action: 'setKey', ...(value !== undefined && { key: value }) };
    const staged = isStaged ? { staged: true } : {};
    return { action: 'setField', path: pathText(path), ...(value !== undefined && { value }), ...staged };
  });
  return { method: 'POST', path: pathOf(projectKey, 'resource', id), json: { version, actions } };
}
