import { ServiceError } from '../../../contract/errors.ts';
import type { ListQuery, SortTerm } from '../../../domain/ports/list-query.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import { columns, type SystemColumn, systemColumnOf } from '../../query/compile-column.ts';
import { compilePredicate } from '../../query/compile-predicate.ts';
import { normalise } from '../../query/normalise.ts';
import { raw, render, type Sql, sql } from '../../query/sql.ts';
import { createTermCompiler } from '../../query/term-expression.ts';
import {
  type AccessPath,
  findAccessPaths,
  matchingRows,
  type QueryContext,
  type TextCondition,
} from './access-paths.ts';
import { sqliteDialect } from './dialect.ts';
import { printTerms } from './match-expression.ts';
import { planTermScan, type TermScan } from './plan-ordered-scan.ts';
import { compileSortKey } from './sort-key.ts';

/** When to sort matches and when to walk an order's own index. Another choice gives the same answers, only slower. */
export interface Tuning {
  /** So many matches are fetched and sorted; of more, walking the index of the order comes first. */
  readonly fewRows: number;
  /** So many rows a walk may look at before it gives way to sorting all matches. */
  readonly scanRows: number;
}

const defaultTuning: Tuning = { fewRows: 5000, scanRows: 20_000 };

/** Which resources match, as plain data that can cross to a read thread. */
export interface Selection {
  readonly projectKey: string;
  readonly staged: boolean;
  /** All must hold, over `resource r`. */
  readonly conditions: readonly Sql[];
  /** Ways to the matches by an index; with none of them, every resource is looked at. */
  readonly accessPaths: readonly AccessPath[];
  readonly tuning: Tuning;
}

/** One key of an order. */
export interface OrderKey {
  readonly direction: 'asc' | 'desc';
  /** The key over `resource r`; NULL where it is missing. */
  readonly key: Sql;
  /** The index that has the rows in this order, those without the key left out. */
  readonly scan?: OrderedScan;
  /** How to find those without the key; absent where all have it. */
  readonly missing?: { readonly condition: Sql; readonly accessPaths: readonly AccessPath[] };
}

export type OrderedScan = { readonly kind: 'column'; readonly column: SystemColumn } | TermScan;

export interface CompiledList extends Selection {
  readonly order: readonly OrderKey[];
  readonly limit: number;
  readonly offset: number;
  readonly withTotal: boolean;
}

export type CompiledExists = Selection;

/** SQLite binds 32,766 values at most; the rest is for what the runner adds. */
const maxBoundValues = 32_000;

/** The document that a query asks about: its staged projection where it has one and the query is for it. */
function documentJson(staged: boolean): Sql {
  return raw(staged ? 'coalesce(r.staged, r.current)' : 'r.current');
}

/** Compiles a list. Throws `ServiceError` InvalidInput where it has more values than one query can bind. */
export function compileList(
  query: ListQuery,
  declaredPaths: readonly string[],
  tuning: Tuning = defaultTuning,
): CompiledList {
  const { sort, limit, offset, withTotal } = query;
  const conjuncts = normalise(query.where);
  const order = sort.map((term) => compileOrder(term, conjuncts, { ...query, declaredPaths }));
  return { ...compileSelection(query, conjuncts, declaredPaths, tuning), order, limit, offset, withTotal };
}

/** Part of a search: a selection, and the predicates that its conditions are, but for that of the text. */
export interface CompiledSearch extends Selection {
  readonly conjuncts: readonly Predicate[];
}

/** Compiles part of a search: the resources that match predicates and a text. */
export function compileSearched(
  query: Pick<ListQuery, 'projectKey' | 'where' | 'staged'>,
  text: TextCondition | undefined,
  declaredPaths: readonly string[],
): CompiledSearch {
  const conjuncts = normalise(query.where);
  return { ...compileSelection(query, conjuncts, declaredPaths, defaultTuning, text), conjuncts };
}

/** Compiles the order of a search. */
export function compileOrders(
  query: Pick<ListQuery, 'projectKey' | 'where' | 'staged' | 'sort'>,
  declaredPaths: readonly string[],
): readonly OrderKey[] {
  const conjuncts = normalise(query.where);
  return query.sort.map((term) => compileOrder(term, conjuncts, { ...query, declaredPaths }));
}

/** Compiles the question whether anything matches. */
export function compileExists(
  query: Pick<ListQuery, 'projectKey' | 'where' | 'staged'>,
  declaredPaths: readonly string[],
): CompiledExists {
  return compileSelection(query, normalise(query.where), declaredPaths, defaultTuning);
}

function compileSelection(
  { projectKey, staged }: Pick<ListQuery, 'projectKey' | 'staged'>,
  conjuncts: readonly Predicate[],
  declaredPaths: readonly string[],
  tuning: Tuning,
  text?: TextCondition,
): Selection {
  const document = { dialect: sqliteDialect, json: documentJson(staged), columns };
  const conditions = conjuncts.map((each) => compilePredicate(each, document));
  if (text) conditions.push(sql`r.row IN (${text.rows})`);
  const bound = conditions.reduce((sum, each) => sum + render(each).values.length, 0);
  if (bound > maxBoundValues) {
    throw new ServiceError(
      'InvalidInput',
      `The conditions hold ${bound} names and values, ${maxBoundValues} are allowed.`,
    );
  }
  const accessPaths = findAccessPaths(conjuncts, conditions, { projectKey, staged, declaredPaths }, text);
  return { projectKey, staged, conditions, accessPaths, tuning };
}

function compileOrder({ path, direction }: SortTerm, conjuncts: readonly Predicate[], context: QueryContext): OrderKey {
  const column = systemColumnOf(path);
  if (column === 'key') {
    return {
      direction,
      key: columns.key,
      scan: { kind: 'column', column },
      missing: { condition: raw('r.key IS NULL'), accessPaths: [keylessPath(context.projectKey)] },
    };
  }
  if (column) return { direction, key: columns[column], scan: { kind: 'column', column } };
  const key = compileSortKey(path, direction, documentJson(context.staged));
  const scan = planTermScan(path, direction, conjuncts, context.declaredPaths);
  // A condition that bounds the walk is one that no document without the key satisfies.
  const missing = scan?.bounded ? {} : { missing: missingKey(path, key, context) };
  return { direction, key, ...missing, ...(scan && { scan }) };
}

function missingKey(
  path: readonly string[],
  key: Sql,
  { projectKey, staged, declaredPaths }: QueryContext,
): NonNullable<OrderKey['missing']> {
  const condition = sql`${key} IS NULL`;
  const expression = printTerms(projectKey, staged, (projection) =>
    createTermCompiler(projectKey, projection, declaredPaths).lacksScalar(path),
  );
  if (expression === undefined) return { condition, accessPaths: [] };
  // `covers` is for the list of conditions that this one is added to as the last; the runner sets it.
  return { condition, accessPaths: [{ kind: 'terms', select: matchingRows(expression), covers: [] }] };
}

function keylessPath(projectKey: string): AccessPath {
  const select = sql`SELECT r.row AS row FROM resource r INDEXED BY resource_keyless WHERE r.project_key = ${projectKey} AND r.key IS NULL`;
  return { kind: 'column', select, covers: [] };
}
