import { canonicalInstant } from '../../instant.ts';
import type { Literal } from '../../predicate/ast.ts';
import { type Cursor, keyword } from '../../predicate/cursor.ts';
import { readPath } from '../../predicate/parse.ts';
import { literalForms } from '../../predicate/scalar.ts';
import {
  beginsValue,
  expectEnd,
  openExpression,
  readBound,
  readLiterals,
  readNodes,
  readRanges,
  type Variables,
  type WrittenRange,
} from './expression.ts';
import type { Facet, FacetKind, FacetRange } from './query.ts';

const range = keyword('range');
const tree = keyword('tree');
const as = keyword('as');
const countingProducts = keyword('counting products');
const alias = /[-_A-Za-z0-9]+/y;

/**
 * Parses one facet of a search (decision 24): a path for its terms, with `tree`, values or ranges after a colon for the
 * counts of these; then `as <alias>`, then `counting products`. Throws `ServiceError` InvalidInput that shows the position.
 */
export function parseFacet(text: string, variables: Variables = new Map()): Facet {
  const cursor = openExpression(text, 'facet');
  const start = cursor.position();
  const path = readPath(cursor);
  const written = text.slice(start, cursor.position()).trimEnd();
  const about = readAbout(cursor, variables);
  const named = cursor.take(as) !== undefined;
  const name = named ? cursor.take(alias) : written;
  if (name === undefined) throw cursor.expected("an alias of letters, digits, '-' and '_'");
  const counting = cursor.take(countingProducts) !== undefined;
  expectEnd(cursor, expectedAfter(about, named, counting));
  return { name, path, countingProducts: counting, ...about };
}

function expectedAfter({ kind }: FacetKind, named: boolean, counting: boolean): string {
  if (counting) return 'the end';
  if (named) return "'counting products' or the end";
  return `${kind === 'terms' ? "':'" : kind === 'tree' ? "'('" : "','"}, 'as' and an alias, 'counting products' or the end`;
}

function readAbout(cursor: Cursor, variables: Variables): FacetKind {
  if (cursor.take(/:/y) === undefined) return { kind: 'terms' };
  if (cursor.take(tree) !== undefined) return { kind: 'tree', below: cursor.sees(/\(/y) ? readNodes(cursor) : [] };
  if (cursor.sees(beginsValue)) return { kind: 'values', values: readLiterals(cursor, variables) };
  if (cursor.take(range) === undefined) {
    throw cursor.expected("values (texts in double quotes, numbers, true, false), 'range' or 'tree'");
  }
  const ranges = readRanges(cursor, () => readOrderedBound(cursor));
  return { kind: 'ranges', ranges: ranges.map((each) => ofOneType(cursor, each)) };
}

/** A number, in quotes or not, or an instant: only these have the statistics of ranges. */
function readOrderedBound(cursor: Cursor): Literal {
  const what = "a number, a date or date-time in double quotes, or '*'";
  const position = cursor.position();
  const literal = readBound(cursor, what);
  if (literal.type === 'number') return literal;
  const number = literalForms(literal).find(({ type }) => type === 'number');
  if (number?.type === 'number') return number;
  const text = String(literal.value);
  if (canonicalInstant(text) === undefined) throw cursor.expected(what, position);
  return { type: 'string', value: text };
}

function ofOneType(cursor: Cursor, { from, to, position }: WrittenRange): FacetRange {
  if (from && to && from.type !== to.type) {
    throw cursor.refused('Both ends of a range must be numbers, or both points in time', position);
  }
  return { from, to };
}
