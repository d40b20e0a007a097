import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/contract/json.ts';
import type { PatchOperation } from '../../../src/domain/history/json-patch.ts';
import { parseStoredJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { jsonEquals } from '../../../src/domain/json/values.ts';

// biome-ignore lint/suspicious/noExplicitAny: a patch leads into values of any shape.
type Any = any;

/** Applies a patch as RFC 6902 says, and checks each old value on the way. */
export function applied(before: JsonValue, patch: readonly PatchOperation[]): JsonValue {
  const holder: { root: Any } = { root: parseStoredJson(stringifyJson(before)) };
  for (const { op, path, value, ...old } of patch) {
    const names = path.split('/').slice(1);
    const last = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const name = last.pop();
    let parent: Any = holder;
    let at = 'root';
    if (name !== undefined) {
      parent = last.reduce((inner: Any, each) => own(inner, each), holder.root);
      at = name;
    }
    const isThere = Object.hasOwn(parent, at);
    if (op !== 'add') assert.ok(isThere, `${op} ${path}: there is a value`);
    if ('oldValue' in old) assert.ok(jsonEquals(own(parent, at) as JsonValue, old.oldValue), `${path}: its old value`);
    if (Array.isArray(parent)) parent.splice(Number(at), op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
    else if (op === 'remove') delete parent[at];
    else Object.defineProperty(parent, at, { value, writable: true, enumerable: true, configurable: true });
  }
  return holder.root;
}

function own(value: Any, name: string): Any {
  assert.ok(Object.hasOwn(value, name));
  return value[name];
}
