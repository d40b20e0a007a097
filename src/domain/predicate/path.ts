import { arrayTestTypeFields } from '../../contract/array-test-type.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { getOwn, isJsonArray, isJsonObject } from '../json/values.ts';
import type { Path } from './ast.ts';

/** Names of ArrayTestType: as the first name of a path they reach into `objectTypeProperty` (decision 15). */
export const arrayTestNames: ReadonlySet<string> = new Set(arrayTestTypeFields);

/** The field that these short paths reach into. */
export const arrayTestField = 'objectTypeProperty';

/** The own property of that name; `null` counts as absent (decision 8). */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return getOwn(object, name) ?? undefined;
}

/** True if both paths have the same names, whatever they reach in a document. */
export function isSamePath(left: Path, right: Path): boolean {
  return left.length === right.length && left.every((name, at) => name === right[at]);
}

/** The path that a path means in this document: itself, or below `objectTypeProperty` (decision 15). */
export function resolvePath(document: JsonObject, path: Path): Path {
  const first = path[0]!;
  const fallsThrough = arrayTestNames.has(first) && memberOf(document, first) === undefined;
  return fallsThrough ? [arrayTestField, ...path] : path;
}

/** The values at the last name of a path in an object, arrays whole, without nulls. No fall-through. */
export function nodesIn(object: JsonObject, path: Path): readonly JsonValue[] {
  const nodes: JsonValue[] = [];
  collectNodes(object, path, 0, nodes);
  return nodes;
}

function collectNodes(object: JsonObject, path: Path, at: number, nodes: JsonValue[]): void {
  const member = memberOf(object, path[at]!);
  if (member === undefined) return;
  if (at === path.length - 1) {
    nodes.push(member);
    return;
  }
  for (const element of elementsOf(member)) if (isJsonObject(element)) collectNodes(element, path, at + 1, nodes);
}

/** The values of a path in an object: as `nodesIn`, an array standing for its elements (one level). */
export function valuesIn(object: JsonObject, path: Path): readonly JsonValue[] {
  const nodes = nodesIn(object, path);
  return nodes.length === 1 ? elementsOf(nodes[0]!) : nodes.flatMap(elementsOf);
}

/** The values of a path in a document, with the fall-through of ArrayTestType's names. */
export function valuesAt(document: JsonObject, path: Path): readonly JsonValue[] {
  return valuesIn(document, resolvePath(document, path));
}

/** The non-null elements of an array; anything else alone. */
function elementsOf(node: JsonValue): readonly JsonValue[] {
  return isJsonArray(node) ? node.filter((element) => element !== null) : [node];
}
