import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { isOrderedPath } from '../../index/ordered-paths.ts';
import { encodePath } from '../../index/term-encoding.ts';
import { presenceRange, type TermRange, wholeRange } from './term-scan.ts';
import { ascendingRanges, rangeEndsOf, rangesBeyond } from './value-ranges.ts';

/** Ranges of terms that, read one after another, have the documents in an order. */
export interface TermScan {
  readonly kind: 'terms';
  readonly ranges: readonly TermRange[];
  /** The walk has the order only where no document of the project has an entry in any of these. */
  readonly unless: readonly TermRange[];
  /** Part of the ranges, for a condition on the same path, which will do where `unless` too is without entries. */
  readonly bounded?: { readonly ranges: readonly TermRange[]; readonly unless: TermRange };
}

/**
 * The walk that has the order of a path: of ordered paths in both directions, of others the ascending one, as long as
 * there are no plain texts among their values. Undefined where there is none.
 */
export function planTermScan(
  path: Path,
  direction: 'asc' | 'desc',
  conjuncts: readonly Predicate[],
  declaredPaths: readonly string[],
): TermScan | undefined {
  const isOrdered = isOrderedPath(path, declaredPaths);
  if (!isOrdered && direction === 'desc') return undefined;
  const isShort = arrayTestNames.has(path[0]!);
  const encoded = encodePath(isShort ? [arrayTestField, ...path] : path);
  // A short form is the path below objectTypeProperty unless a document has a field of that name itself.
  const own = isShort ? [presenceRange(encodePath(path.slice(0, 1)))] : [];
  const texts = isOrdered ? [] : [wholeRange(encoded, 's')];
  const ranges = direction === 'asc' ? ascendingRanges(encoded, isOrdered) : [wholeRange(encoded, 'd')];
  const bounded = isOrdered ? boundedPart(path, encoded, direction, conjuncts, declaredPaths) : undefined;
  return { kind: 'terms', ranges, unless: [...own, ...texts], ...(bounded && { bounded }) };
}

/** A document with several values may have one beyond the bound and another that it is ordered by. */
function boundedPart(
  path: Path,
  encoded: string,
  direction: 'asc' | 'desc',
  conjuncts: readonly Predicate[],
  declaredPaths: readonly string[],
): TermScan['bounded'] {
  const sign = direction === 'asc' ? '>' : '<';
  const isSame = (other: Path) => other.length === path.length && other.every((name, at) => name === path[at]);
  const end = rangeEndsOf(conjuncts, declaredPaths).find(
    (each) => isSame(each.path) && each.op.startsWith(sign) && each.forms.length === 1,
  );
  if (!end) return undefined;
  const ranges = rangesBeyond(encoded, direction, end.forms[0]!);
  return { ranges, unless: wholeRange(encoded, 'm') };
}
