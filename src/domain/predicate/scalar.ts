import type { JsonValue } from '../../contract/json.ts';
import { canonicalInstant } from '../instant.ts';
import { isRawNumber, numberForm, numberOf, parseNumber } from '../json/number.ts';
import type { Comparison, Literal } from './ast.ts';

/** A value that predicates compare. Values of different types are never equal and have no order (decision 15). */
export type Scalar =
  | { readonly type: 'boolean'; readonly value: boolean }
  /** An exact 64-bit integer, or a double. */
  | { readonly type: 'number'; readonly value: bigint | number }
  /** An instant in canonical form. */
  | { readonly type: 'instant'; readonly value: string }
  | { readonly type: 'string'; readonly value: string };

/** Top-level fields whose texts are never instants: they compare by bytes (decision 7). */
export const plainTextFields: ReadonlySet<string> = new Set(['id', 'key']);

/** The scalar that a JSON value is; undefined for null, arrays and objects. */
export function scalarOf(value: JsonValue | undefined): Scalar | undefined {
  if (typeof value === 'string') return scalarOfText(value);
  if (typeof value === 'boolean') return { type: 'boolean', value };
  if (typeof value === 'number' || isRawNumber(value)) return { type: 'number', value: numberOf(value)! };
  return undefined;
}

/** A text as an instant where it is one, else as plain text. */
function scalarOfText(text: string): Scalar {
  const instant = canonicalInstant(text);
  return instant === undefined ? { type: 'string', value: text } : { type: 'instant', value: instant };
}

/** The scalars of a literal: one, or for the text of a variable one for each type that it can be read as. */
export function literalForms(literal: Literal): readonly Scalar[] {
  if (literal.type === 'string') return [scalarOfText(literal.value)];
  if (literal.type !== 'untyped') return [literal];
  const text = literal.value;
  const forms: Scalar[] = [scalarOfText(text)];
  if (numberForm.test(text) && Number.isFinite(Number(text))) forms.push({ type: 'number', value: parseNumber(text) });
  if (text === 'true' || text === 'false') forms.push({ type: 'boolean', value: text === 'true' });
  return forms;
}

/** The scalars of a literal that is compared with a field of `plainTextFields`. */
export function plainForms(literal: Literal): readonly Scalar[] {
  const text = literal.type === 'string' || literal.type === 'untyped' ? literal.value : undefined;
  return text === undefined ? [] : [{ type: 'string', value: text }];
}

/** True if both have the same type and the comparison holds. Booleans have no order. */
export function compares(left: Scalar, op: Exclude<Comparison, '!='>, right: Scalar): boolean {
  if (left.type !== right.type || (left.type === 'boolean' && op !== '=')) return false;
  const order = compareScalars(left, right);
  if (op === '=') return order === 0;
  if (op === '<') return order < 0;
  if (op === '<=') return order <= 0;
  return op === '>' ? order > 0 : order >= 0;
}

/** Order of scalars of all types in sorts: numbers, texts and instants, booleans (decision 16). */
export function compareScalars(left: Scalar, right: Scalar): number {
  const classes = rank(left) - rank(right);
  if (classes !== 0) return classes;
  if (typeof left.value === 'string') return compareUtf8(left.value, right.value as string);
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
}

function rank(scalar: Scalar): number {
  return scalar.type === 'number' ? 0 : scalar.type === 'boolean' ? 2 : 1;
}

/** Order of the UTF-8 bytes of two texts. JavaScript's own order differs where surrogates meet U+E000–U+FFFF. */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return aboveSurrogates(a) - aboveSurrogates(b);
  }
  return left.length - right.length;
}

/** Moves surrogates above all other units, where the code points that they make belong. */
function aboveSurrogates(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
