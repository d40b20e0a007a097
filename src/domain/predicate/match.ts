import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonObject } from '../json/values.ts';
import type { AtPath, Comparison, Literal, Predicate } from './ast.ts';
import { nearestDistance } from './circle.ts';
import { foldCase } from './fold-case.ts';
import { intervalsOf, liesWithin } from './intervals.ts';
import { nodesIn, resolvePath, valuesIn } from './path.ts';
import { compares, literalForms, plainForms, plainTextFields, type Scalar, scalarOf } from './scalar.ts';

/** True if the document satisfies the predicate: the meaning that every engine must have (decision 15). */
export function match(predicate: Predicate, document: JsonObject): boolean {
  return holds(predicate, document, true);
}

/** `whole`: the object is a document, whose paths may fall through and whose `id` and `key` are plain text. */
function holds(predicate: Predicate, object: JsonObject, whole: boolean): boolean {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value;
    case 'and':
      return predicate.of.every((each) => holds(each, object, whole));
    case 'or':
      return predicate.of.some((each) => holds(each, object, whole));
    case 'not':
      return !holds(predicate.of, object, whole);
    default:
      return holdsAt(predicate, object, whole);
  }
}

function holdsAt(predicate: AtPath, object: JsonObject, whole: boolean): boolean {
  const plain = whole && predicate.path.length === 1 && plainTextFields.has(predicate.path[0]!);
  const path = whole ? resolvePath(object, predicate.path) : predicate.path;
  const values = valuesIn(object, path);
  const some = (op: Exclude<Comparison, '!='>, literal: Literal) =>
    values.some((value) => valueCompares(value, op, literal, plain));
  switch (predicate.kind) {
    case 'compare':
      return predicate.op === '!=' ? !some('=', predicate.value) : some(predicate.op, predicate.value);
    case 'in':
      return predicate.values.some((literal) => some('=', literal));
    case 'within': {
      const intervals = intervalsOf(predicate.ranges, (literal) => formsOf(literal, plain));
      return values.some((value) => liesWithin(readAs(value, plain), intervals));
    }
    case 'empty':
      return values.length === 0;
    case 'defined':
      return nodesIn(object, path).length > 0;
    case 'circle':
      return nodesIn(object, path).some((node) => {
        const metres = nearestDistance(node, predicate.longitude, predicate.latitude);
        return metres !== undefined && metres <= predicate.radiusMetres;
      });
    case 'matchesIgnoreCase':
      return values.some((value) => typeof value === 'string' && foldCase(value) === foldCase(predicate.value));
    case 'embedded':
      return values.some((value) => isJsonObject(value) && holds(predicate.of, value, false));
    default:
      return predicate satisfies never;
  }
}

function valueCompares(value: JsonValue, op: Exclude<Comparison, '!='>, literal: Literal, plain: boolean): boolean {
  const scalar = readAs(value, plain);
  return scalar !== undefined && formsOf(literal, plain).some((form) => compares(scalar, op, form));
}

function readAs(value: JsonValue, plain: boolean): Scalar | undefined {
  return plain && typeof value === 'string' ? { type: 'string', value } : scalarOf(value);
}

function formsOf(literal: Literal, plain: boolean): readonly Scalar[] {
  return plain ? plainForms(literal) : literalForms(literal);
}
