import { checkFields } from '../../contract/check.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import type { SettingsKind } from '../settings/stored-settings.ts';

/** Until which version of the types the marks of a project are complete, and which of its unique paths cannot be enforced. */

/** A unique path of which several resources have the same value. */
export interface ConflictingPath {
  readonly type: string;
  readonly path: string;
  /** How many values. */
  readonly conflicts: number;
  /** The first of them. */
  readonly examples: readonly { readonly value: JsonValue; readonly ids: readonly string[] }[];
}

export interface BuiltState {
  /** The version of the types; 0 before the first ones are built. */
  readonly version: number;
  readonly conflicting: readonly ConflictingPath[];
}

/** Where nothing was built yet. */
export const neverBuilt: BuiltState = { version: 0, conflicting: [] };

/** It is written by the service alone. */
export const builtState: SettingsKind<BuiltState> = {
  id: 'types-built',
  parse: (body) => {
    const { built = 0, conflicting = [] } = checkFields(body, '', ['built', 'conflicting']);
    return { version: undefined, built, conflicting } as never;
  },
  valueOf: ({ built = 0, conflicting = [] }: JsonObject) => ({
    version: built as number,
    conflicting: conflicting as never as readonly ConflictingPath[],
  }),
};
