import type { PositionKey, SortTerm } from '../../domain/ports/list-query.ts';
import type { Literal, Path, Predicate } from '../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames, isSamePath } from '../../domain/predicate/path.ts';
import { columns, type SystemColumn, systemColumnOf } from '../plan/compile-column.ts';
import { seenOf } from '../plan/compile-predicate.ts';
import { raw, type Sql, type SqlValue, sql } from '../plan/sql.ts';
import { TermCompiler, type TermRange } from '../plan/term-expression.ts';
import { isOrderedPath } from '../terms/ordered-paths.ts';
import { encodePath } from '../terms/term-encoding.ts';
import type { AccessPath, QueryContext } from './access-paths.ts';
import { lookupOf, presenceRange, wholeRange } from './lookup.ts';
import { ascendingRanges, intervalsAmong, rangesAfter, rangesBeyond } from './value-ranges.ts';

/** One key of an order. */
export interface OrderKey {
  readonly direction: 'asc' | 'desc';
  /** The key over `resource r`; NULL where it is missing. */
  readonly key: Sql;
  /** The index that has the rows in this order, without those that lack the key. */
  readonly scan?: OrderedScan;
  /** How to find those without the key; absent where all have it. */
  readonly missing?: { readonly condition: Sql; readonly accessPaths: readonly AccessPath[] };
  /** Where the list continues: behind this value. */
  readonly bound?: KeyBound;
}

/** The key of the last item before a page. */
export interface KeyBound {
  /** Of the type that the key has in SQL; null where it is missing. */
  readonly value: SqlValue;
  /** Lead to the documents with the same key, among others. */
  readonly tied: readonly AccessPath[];
  /** The part of the scan behind the value. */
  readonly scan?: OrderedScan;
}

export type OrderedScan = { readonly kind: 'column'; readonly column: SystemColumn } | TermScan;

/** Ranges of terms that have the documents in an order when they are read one after another. */
export interface TermScan {
  readonly kind: 'terms';
  readonly ranges: readonly TermRange[];
  /** The ranges have the order only if no document of the project has an entry in any of these. */
  readonly unless: readonly TermRange[];
  /** Part of the ranges, for a condition on the same path; sufficient if `unless` here has no entries either. */
  readonly bounded?: { readonly ranges: readonly TermRange[]; readonly unless: TermRange };
}

/** The order that ties end with, and that of what has no other. */
export const byId: OrderKey = { direction: 'asc', key: columns.id, scan: { kind: 'column', column: 'id' } };

/**
 * Compiles a term of an order. `json` is the document, `conjuncts` are the conditions of the query; with `after`, the key
 * of the last item before the page.
 */
export function compileOrder(
  term: SortTerm,
  json: Sql,
  conjuncts: readonly Predicate[],
  context: QueryContext,
  after?: PositionKey,
): OrderKey {
  const order = compileKey(term, json, conjuncts, context);
  return after === undefined ? order : { ...order, bound: compileBound(term, order, after, context) };
}

function compileBound(
  { path, direction }: SortTerm,
  { scan, missing }: OrderKey,
  key: PositionKey,
  context: QueryContext,
) {
  const value = sqlValueOf(key);
  if (key === null) return { value, tied: missing?.accessPaths ?? [], ...(scan && { scan }) };
  if (scan?.kind === 'column') return { value, tied: [], scan };
  const plain = typeof key === 'object' ? (value as bigint | number) : key;
  const tied = equalValues(path, plain, context);
  if (!scan) return { value, tied };
  const encoded = encodePath(arrayTestNames.has(path[0]!) ? [arrayTestField, ...path] : path);
  const ranges = rangesAfter(encoded, isOrderedPath(path, context.declaredPaths), direction, plain);
  const { bounded: _, ...whole } = scan;
  return { value, tied, scan: { ...whole, ranges } };
}

/** Documents with an equal value at the path, which need not be the one that they sort by. */
function equalValues(
  path: Path,
  value: string | bigint | number | boolean,
  context: QueryContext,
): readonly AccessPath[] {
  const { projectKey, declaredPaths } = context;
  const literal = { type: typeof value === 'bigint' ? 'number' : typeof value, value } as Literal;
  const has: Predicate = { kind: 'in', path, values: [literal] };
  const lookup = lookupOf(context, (projection) => new TermCompiler(projectKey, projection, declaredPaths).exact(has)!);
  return [{ kind: 'terms', lookup, covers: [] }];
}

/** The key as SQLite compares it: booleans are one byte each. */
function sqlValueOf(key: PositionKey): SqlValue {
  if (key === null || typeof key === 'string') return key;
  if (typeof key === 'boolean') return new Uint8Array([key ? 1 : 0]);
  return positionNumber(key.number);
}

/** The number in a position (decision 128): an exact 64-bit integer where it is one, else the double. */
function positionNumber(digits: string): bigint | number {
  const isInteger = /^-?\d{1,19}$/.test(digits) && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
  return isInteger ? BigInt(digits) : Number(digits);
}

function compileKey(
  { path, direction }: SortTerm,
  json: Sql,
  conjuncts: readonly Predicate[],
  context: QueryContext,
): OrderKey {
  const column = systemColumnOf(path);
  if (column) {
    const order: OrderKey = { direction, key: columns[column], scan: { kind: 'column', column } };
    return column === 'key' ? { ...order, missing: missingResourceKey(context.projectKey) } : order;
  }
  const key = compileSortKey(path, direction, json);
  const scan = planTermScan(path, direction, conjuncts, context.declaredPaths);
  // No document without the key satisfies the condition that bounds the scan.
  const missing = scan?.bounded ? {} : { missing: missingKey(path, key, context) };
  return { direction, key, ...missing, ...(scan && { scan }) };
}

function missingResourceKey(projectKey: string): NonNullable<OrderKey['missing']> {
  const select = sql`SELECT r.row AS row FROM resource r INDEXED BY resource_keyless WHERE r.project_key = ${projectKey} AND r.key IS NULL AND r.row NOT IN (SELECT row FROM damaged)`;
  return { condition: raw('r.key IS NULL'), accessPaths: [{ kind: 'column', select, covers: [] }] };
}

function missingKey(path: Path, key: Sql, context: QueryContext): NonNullable<OrderKey['missing']> {
  const condition = sql`${key} IS NULL`;
  const lookup = lookupOf(context, (projection) =>
    new TermCompiler(context.projectKey, projection, context.declaredPaths).lacksScalar(path),
  );
  // The runner adds the condition to others and sets `covers` to its number among them.
  return { condition, accessPaths: [{ kind: 'terms', lookup, covers: [] }] };
}

/** What a document sorts by, by `sort_key` of `registerFunctions`. NULL where it has none. */
function compileSortKey(path: Path, direction: 'asc' | 'desc', json: Sql): Sql {
  return sql`sort_key(${seenOf(json, [path])}, ${JSON.stringify(path)}, ${direction})`;
}

/**
 * The scan that has the order of a path: of ordered paths in both directions, of others the ascending one, as long as
 * there are no plain texts among their values. Undefined where there is none.
 */
function planTermScan(
  path: Path,
  direction: 'asc' | 'desc',
  conjuncts: readonly Predicate[],
  declaredPaths: readonly string[],
): TermScan | undefined {
  const isOrdered = isOrderedPath(path, declaredPaths);
  if (!isOrdered && direction === 'desc') return undefined;
  const isShort = arrayTestNames.has(path[0]!);
  const encoded = encodePath(isShort ? [arrayTestField, ...path] : path);
  // A short form is the path below objectTypeProperty unless a document itself has a field of that name.
  const own = isShort ? [presenceRange(encodePath(path.slice(0, 1)))] : [];
  const texts = isOrdered ? [] : [wholeRange(encoded, 's')];
  const ranges = direction === 'asc' ? ascendingRanges(encoded, isOrdered) : [wholeRange(encoded, 'd')];
  const bounded = isOrdered ? boundedPart(path, encoded, direction, conjuncts, declaredPaths) : undefined;
  return { kind: 'terms', ranges, unless: [...own, ...texts], ...(bounded && { bounded }) };
}

/** A document with several values may have one beyond the bound and sort by another. */
function boundedPart(
  path: Path,
  encoded: string,
  direction: 'asc' | 'desc',
  conjuncts: readonly Predicate[],
  declaredPaths: readonly string[],
): TermScan['bounded'] {
  const ends = intervalsAmong(conjuncts, declaredPaths).flatMap(({ path: of, intervals: [one, ...others] }) =>
    isSamePath(of, path) && others.length === 0 ? (one![direction === 'asc' ? 'from' : 'to'] ?? []) : [],
  );
  const [end] = ends;
  return end && { ranges: rangesBeyond(encoded, direction, end), unless: wholeRange(encoded, 'm') };
}
