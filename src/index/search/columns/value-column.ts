import { exactNumber } from '../../../domain/json/number.ts';
import type { Path } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import type { Scalar } from '../../../domain/predicate/scalar.ts';
import { type FacetScalar, facetScalars, textType } from '../../../domain/search/facet-values.ts';
import { systemColumnOf } from '../../plan/compile-column.ts';
import { presenceRange, wholeRange } from '../../query/lookup.ts';
import { numberOfKey } from '../../terms/order-key.ts';
import { encodePath, unescapeText } from '../../terms/term-encoding.ts';
import type { TakeRows } from '../../terms/term-reader.ts';
import type { SearchScope } from '../query-terms.ts';
import type { Column, ColumnMaker } from './column.ts';
import { createNumbering } from './numbering.ts';
import { eachEntry, rowsOfProject, rowsStaged } from './term-entries.ts';

/** The number of a value that is no scalar. */
export const noScalar = 1;

/** The column of what facets see at a path: `noScalar`, or 2 plus the number of a scalar. */
export interface ValueColumn extends ColumnMaker {
  /** The scalars that occur or have occurred, by their number. */
  readonly scalars: readonly FacetScalar[];
  /** Their values as doubles; NaN where a double is not exactly the value. */
  readonly doubles: readonly number[];
}

/** The column of a path. */
export function valueColumn(path: Path): ValueColumn {
  const { values: scalars, numberOf: numbered, bytes } = createNumbering<FacetScalar>();
  const doubles: number[] = [];

  function numberOf(scalar: FacetScalar): number {
    const number = numbered(`${scalar.scalar.type} ${scalar.term}`, scalar, scalar.term.length);
    if (number > doubles.length) doubles.push(doubleOf(scalar.scalar));
    return noScalar + number;
  }

  return {
    scalars,
    doubles,
    build: (scope, column, progress) => buildFromIndex(scope, column, path, numberOf, progress),
    read(document) {
      const { hasValue, scalars: found } = facetScalars(document, path);
      return found.length === 0 && hasValue ? [noScalar] : found.map(numberOf);
    },
    bytes,
  };
}

/** The value of a number as a double; NaN where none is exactly the value, and for other scalars. */
export function doubleOf({ type, value }: Scalar): number {
  if (type !== 'number') return Number.NaN;
  const double = Number(value);
  return typeof value === 'number' || Number.isSafeInteger(double) ? double : Number.NaN;
}

/**
 * Reads the terms of the path. Some of them do not determine the value: an instant can be written in several forms, a
 * long text is a digest, repeated numbers are one entry. Returns the rows of such documents.
 */
function buildFromIndex(
  scope: SearchScope,
  column: Column,
  path: Path,
  numberOf: (scalar: FacetScalar) => number,
  progress: () => void,
): Iterable<number> {
  if (systemColumnOf(path)) return rowsOfProject(scope);
  const isShort = arrayTestNames.has(path[0]!);
  const encoded = encodePath(isShort ? [arrayTestField, ...path] : path);
  const unclear = new Set<number>(rowsStaged(scope));
  const each = (kind: string, take: TakeRows) =>
    eachEntry(scope, 'c', wholeRange(encoded, kind), progress, (term, rows) =>
      take(term.slice(encoded.length + 2), rows),
    );
  const addUnclear: TakeRows = (_, rows) => {
    for (const row of rows) unclear.add(row);
  };
  const valuesOf = (scalarOf: (end: string) => FacetScalar | undefined): TakeRows => {
    return (end, rows) => {
      const scalar = scalarOf(end);
      if (!scalar) return addUnclear(end, rows);
      column.addValue(rows, numberOf(scalar));
    };
  };
  each('b', valuesOf(booleanScalar));
  each('n', valuesOf(numberScalar));
  each('s', valuesOf(textScalar));
  for (const kind of ['o', 't', 'r']) each(kind, addUnclear);
  // A short form is the path below objectTypeProperty unless a document itself has a field of that name.
  if (isShort) eachEntry(scope, 'c', presenceRange(encodePath([path[0]!])), progress, addUnclear);
  return unclear;
}

function booleanScalar(end: string): FacetScalar {
  const value = end === '1';
  return { term: String(value), dataType: 'boolean', scalar: { type: 'boolean', value } };
}

function numberScalar(key: string): FacetScalar | undefined {
  const found = numberOfKey(key);
  if (found === undefined) return undefined;
  const value = exactNumber(found);
  return { term: String(value), dataType: 'number', scalar: { type: 'number', value } };
}

function textScalar(end: string): FacetScalar | undefined {
  if (end.startsWith('*')) return undefined;
  const value = unescapeText(end);
  return { term: value, dataType: textType(value), scalar: { type: 'string', value } };
}
