import { malformedParameter, ServiceError } from '../../contract/errors.ts';
import type { ListQuery, Position, PositionKey } from '../../domain/ports/list-query.ts';
import type { Predicate } from '../../domain/predicate/ast.ts';
import { compilePredicate } from '../plan/compile-predicate.ts';
import { normalise } from '../plan/normalise.ts';
import { joined, raw, render, type Sql } from '../plan/sql.ts';
import { type AccessPath, findAccessPaths, type TextCondition } from './access-paths.ts';
import { byId, compileOrder, type OrderKey } from './plan-order.ts';

/** When to sort matches and when to scan an index in the order. It affects the speed only, never the results. */
export interface Tuning {
  /** Up to this many matches are fetched and sorted; with more, a scan in the order is tried first. */
  readonly fewRows: number;
  /** Rows that such a scan may read before all matches are sorted instead. */
  readonly scanRows: number;
}

const defaultTuning: Tuning = { fewRows: 5000, scanRows: 20_000 };

/** Which resources match, as plain data. */
export interface Selection {
  readonly projectKey: string;
  readonly staged: boolean;
  /** All must hold, over `resource r`. */
  readonly conditions: readonly Sql[];
  /** Index lookups that lead to the matches; without any, every resource is read. */
  readonly accessPaths: readonly AccessPath[];
  readonly tuning: Tuning;
}

/** Where the next page of a list without an order begins. */
export interface RowStart {
  /** Of the last item: see `placeOfRow`. */
  readonly place: number;
  /** How many items there were on all pages before. */
  readonly met: number;
}

export interface CompiledList extends Selection, Pick<ListQuery, 'limit' | 'offset' | 'withTotal' | 'countUpTo'> {
  readonly order: readonly OrderKey[];
  /** Where a page begins that continues another one: in an order, whose keys have their bounds then, the id of the last item. */
  readonly after: string | RowStart | undefined;
}

/** Part of a search: a selection, and the predicates of its conditions but for that of the text. */
export interface CompiledSearch extends Selection {
  readonly conjuncts: readonly Predicate[];
}

type Where = Pick<ListQuery, 'projectKey' | 'where' | 'staged'>;

/** SQLite binds 32,766 values at most; the remainder is for what the runner adds. */
const maxBoundValues = 32_000;

/** The document of a query: its staged projection where it has one and the query asks for it. */
function documentJson(staged: boolean): Sql {
  return raw(staged ? 'coalesce(r.staged, r.current)' : 'r.current');
}

/** Compiles a list. Throws `ServiceError` InvalidInput if it has more values than one query can bind. */
export function compileList(
  query: ListQuery,
  declaredPaths: readonly string[],
  tuning: Tuning = defaultTuning,
): CompiledList {
  const { limit, offset, withTotal, countUpTo } = query;
  const conjuncts = normalise(query.where);
  // Matches come in the order of their rows, which no write changes; all resources in that of their ids.
  const isOrdered = query.sort.length > 0 || query.where.length === 0;
  const order = isOrdered ? compileOrders(query, declaredPaths, conjuncts) : [];
  return {
    ...compileSelection(query, conjuncts, declaredPaths, { tuning }),
    order,
    after: query.after && (isOrdered ? idOf(query.after) : rowStart(query.after)),
    ...{ limit, offset, withTotal, countUpTo },
  };
}

/** Compiles the resources of a search that match predicates and a text. */
export function compileSearched(
  query: Where,
  text: TextCondition | undefined,
  declaredPaths: readonly string[],
): CompiledSearch {
  const conjuncts = normalise(query.where);
  return { ...compileSelection(query, conjuncts, declaredPaths, { text }), conjuncts };
}

/** Compiles the order of a list or search. */
export function compileOrders(
  query: Where & Pick<ListQuery, 'sort' | 'after'>,
  declaredPaths: readonly string[],
  conjuncts = normalise(query.where),
): readonly OrderKey[] {
  const { sort, after } = query;
  if (sort.length === 0) return [byId];
  if (after !== undefined && after.length !== sort.length + 1) throw strangePosition();
  const json = documentJson(query.staged);
  const context = { ...query, declaredPaths };
  return sort.map((term, at) => compileOrder(term, json, conjuncts, context, after?.[at] as PositionKey | undefined));
}

/** The id of the last item, of a position in an order. Throws `ServiceError` InvalidInput for one of another plan. */
export function idOf(after: Position): string {
  const id = after.at(-1);
  if (typeof id !== 'string') throw strangePosition();
  return id;
}

function rowStart(after: Position): RowStart {
  const [place, met] = after.map((each) =>
    typeof each === 'object' && each !== null && 'number' in each ? Number(each.number) : undefined,
  );
  if (after.length !== 2 || place === undefined || met === undefined) throw strangePosition();
  return { place, met };
}

/** Which lists have an order of their own depends on the declared paths. */
export function strangePosition(): ServiceError {
  return malformedParameter('cursor', 'the indexes have changed since it was made; start without a cursor');
}

/** Compiles the question whether anything matches. */
export function compileExists(query: Where, declaredPaths: readonly string[]): Selection {
  return compileSelection(query, normalise(query.where), declaredPaths);
}

function compileSelection(
  { projectKey, staged }: Where,
  conjuncts: readonly Predicate[],
  declaredPaths: readonly string[],
  { tuning = defaultTuning, text }: { readonly tuning?: Tuning; readonly text?: TextCondition | undefined } = {},
): Selection {
  const json = documentJson(staged);
  const conditions = conjuncts.map((each) => compilePredicate(each, json));
  if (text) conditions.push(text.condition);
  const bound = render(joined(conditions, 'AND')).values.length;
  if (bound > maxBoundValues) {
    throw new ServiceError('InvalidInput', `The conditions hold ${bound} values, ${maxBoundValues} are allowed.`);
  }
  const accessPaths = findAccessPaths(conjuncts, conditions, { projectKey, staged, declaredPaths }, text);
  return { projectKey, staged, conditions, accessPaths, tuning };
}
