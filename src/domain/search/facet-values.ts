import type { JsonObject } from '../../contract/json.ts';
import { canonicalInstant } from '../instant.ts';
import type { Literal, Path } from '../predicate/ast.ts';
import { valuesAt } from '../predicate/path.ts';
import {
  compareScalars,
  compares,
  compareUtf8,
  literalForms,
  plainTextFields,
  type Scalar,
  scalarOf,
} from '../predicate/scalar.ts';
import type { FacetRange } from './query/query.ts';

/** The values of documents that facets count (decision 24). */

export type DataType = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'datetime';

export interface FacetScalar {
  /** A text as it is stored, a number in its canonical form, `true` or `false`. */
  readonly term: string;
  readonly dataType: DataType;
  /** Its value in ranges. */
  readonly scalar: Scalar;
}

/**
 * The values of a document that a facet of the path counts, repeated ones as often as they occur. `hasValue`: there is some value
 * other than null, even an object; the opposite of the filter `missing`.
 */
export function facetScalars(document: JsonObject, path: Path) {
  const values = valuesAt(document, path);
  const plain = path.length === 1 && plainTextFields.has(path[0]!);
  const scalars = values.flatMap((value): readonly FacetScalar[] => {
    if (typeof value === 'string') {
      const scalar: Scalar = plain ? { type: 'string', value } : scalarOf(value)!;
      return [{ term: value, dataType: textType(value), scalar }];
    }
    const scalar = scalarOf(value);
    return scalar ? [{ term: String(scalar.value), dataType: scalar.type as 'number' | 'boolean', scalar }] : [];
  });
  return { hasValue: values.length > 0, scalars };
}

/** The term that a document is grouped by: of several the least, as in an ascending sort; undefined without any. */
export function leastTerm(scalars: readonly FacetScalar[]): string | undefined {
  const compare = (one: FacetScalar, other: FacetScalar) =>
    compareScalars(one.scalar, other.scalar) || compareUtf8(one.term, other.term);
  return scalars.toSorted(compare)[0]?.term;
}

const time = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/;
const dateLength = 'YYYY-MM-DD'.length;

/** The data type of a single text. */
export function textType(text: string): DataType {
  if (time.test(text)) return 'time';
  if (canonicalInstant(text) === undefined) return 'text';
  return text.length === dateLength ? 'date' : 'datetime';
}

/** The data type of all values of a path: the one that they have in common, else text. */
export function commonType(types: Iterable<DataType>): DataType {
  const [first = 'text', ...others] = new Set(types);
  return others.length === 0 ? first : 'text';
}

/** A bound of a range as a scalar to compare with. */
export function boundOf(literal: Literal): Scalar {
  return literalForms(literal)[0]!;
}

/** True for a number or instant in the range, excluding its upper bound. An open range holds all of both. */
export function isInRange(scalar: Scalar, { from, to }: FacetRange): boolean {
  if (scalar.type !== 'number' && scalar.type !== 'instant') return false;
  return (!from || compares(scalar, '>=', boundOf(from))) && (!to || compares(scalar, '<', boundOf(to)));
}

/** The number for statistics: of an instant, the milliseconds since the epoch. */
export function statisticOf({ type, value }: Scalar): number {
  if (type !== 'instant') return Number(value);
  // Canonical texts have whole seconds, and then perhaps a fraction of any length.
  return Date.parse(`${value.slice(0, 19)}Z`) + Number(`0${value.slice(19)}e3`);
}
