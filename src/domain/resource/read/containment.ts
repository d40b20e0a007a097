import { malformedParameter } from '../../../contract/errors.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../contract/json.ts';
import { numberOf } from '../../json/number.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';
import { containing, type Literal, type Path, type Predicate } from '../../predicate/ast.ts';
import { maxPredicateDepth, maxPredicateTerms } from '../../predicate/parse.ts';

/** A JSON object as a condition: the resource contains it (decision 17). Bounded as predicates are (decision 15). */

/**
 * The predicates that hold where a document contains the object: scalars are equal, every array holds the given items
 * in any order, objects contain, `null` is absent. Empty arrays and objects are no condition, so the empty object
 * gives no predicate.
 */
export function containment(object: JsonObject, parameter: string): readonly Predicate[] {
  const values = countValues(object, 0, parameter);
  if (values > maxPredicateTerms) throw malformedParameter(parameter, `expected at most ${maxPredicateTerms} values`);
  return Object.entries(object).flatMap(([name, value]) =>
    // It is an object in every resource, so its members need no element of an array in common.
    name === 'objectTypeProperty' && isJsonObject(value)
      ? membersOf([name], value, parameter)
      : memberOf([name], value, parameter),
  );
}

function membersOf(prefix: Path, object: JsonObject, parameter: string): readonly Predicate[] {
  return Object.entries(object).flatMap(([name, value]) => memberOf([...prefix, name], value, parameter));
}

function memberOf(path: Path, value: JsonValue, parameter: string): readonly Predicate[] {
  if (value === null) return [{ kind: 'not', of: { kind: 'defined', path } }];
  if (isJsonArray(value)) return itemsOf(path, value, parameter);
  if (isJsonObject(value)) return embedded(path, value, parameter);
  return [{ kind: 'compare', path, op: '=', value: literalOf(value) }];
}

function itemsOf(path: Path, items: JsonArray, parameter: string): readonly Predicate[] {
  if (items.some((item) => item === null || isJsonArray(item))) {
    throw malformedParameter(
      parameter,
      `${path.join('.')}: items of arrays must be strings, numbers, booleans or objects`,
    );
  }
  const values = items.filter((item) => !isJsonObject(item)).map((item) => literalOf(item as Scalar));
  const scalars: readonly Predicate[] = values.length > 0 ? [containing(path, 'all', values)] : [];
  return [...scalars, ...items.filter(isJsonObject).flatMap((item) => embedded(path, item, parameter))];
}

// Not joined paths: on an array of objects those could be satisfied by different elements.
function embedded(path: Path, object: JsonObject, parameter: string): readonly Predicate[] {
  const members = membersOf([], object, parameter);
  if (members.length === 0) return [];
  return [{ kind: 'embedded', path, of: members.length === 1 ? members[0]! : { kind: 'and', of: members } }];
}

type Scalar = Exclude<JsonValue, null | JsonArray | JsonObject>;

function literalOf(value: Scalar): Literal {
  if (typeof value === 'string') return { type: 'string', value };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  return { type: 'number', value: numberOf(value)! };
}

function countValues(value: JsonValue, depth: number, parameter: string): number {
  if (depth > maxPredicateDepth)
    throw malformedParameter(parameter, `expected nesting of at most ${maxPredicateDepth}`);
  if (!isJsonArray(value) && !isJsonObject(value)) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner, depth + 1, parameter), 0);
}
