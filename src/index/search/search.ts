import type { DatabaseSync } from 'node:sqlite';
import type { Position, SearchPage, SortTerm } from '../../domain/ports/list-query.ts';
import type { Path, Predicate } from '../../domain/predicate/ast.ts';
import { isDecay } from '../../domain/search/boosts.ts';
import type { MatchResult, SearchQuery } from '../../domain/search/query/query.ts';
import type { TextCondition } from '../query/access-paths.ts';
import { type OpenSelection, openSelection, selectRows } from '../query/execute.ts';
import { forgetRows, isAmong, type PromptDeadline } from '../query/functions.ts';
import { findAfter, positionOf } from '../query/keyset.ts';
import { compileOrders, compileSearched, idOf } from '../query/plan-list.ts';
import type { OrderKey } from '../query/plan-order.ts';
import { readPage } from '../query/rows.ts';
import { inReadTransaction } from '../query/run-list.ts';
import { climb } from './climb.ts';
import { FollowedColumn } from './columns/column.ts';
import { decayFactors } from './columns/decay-column.ts';
import { IdOrder } from './columns/id-order.ts';
import { lengthColumn, readLengthsOf } from './columns/length-column.ts';
import { completionsOf, writtenCorrections } from './completions.ts';
import { computeFacets } from './facets.ts';
import { type FirstRows, firstOfGroups } from './groups.ts';
import { type NeededText, type WordCounts, weightsOf } from './ladder.ts';
import type { BegunPlaces } from './postings/begun-places.ts';
import type { Postings } from './postings/postings.ts';
import type { SearchBase, WordRows } from './query-terms.ts';
import { isAlone, type Ranking, rankRows } from './rank.ts';
import type { SearchCache } from './search-cache.ts';
import { isRanked, numbersOf, type SearchStart, searchPosition } from './search-position.ts';
import type { ExcludedRows } from './text-conditions.ts';
import type { FieldChanges } from './word-changes.ts';
import type { QueryText } from './words/word-choices.ts';

export interface SearchLimits {
  readonly maxPageBytes: number;
  readonly declaredPaths: readonly string[];
}

/** One search over the open snapshot. */
export interface SearchContext extends SearchBase {
  readonly query: SearchQuery;
  /** The number of resources of the project. */
  readonly resources: number;
  readonly postings: Postings;
  readonly begunPlaces: BegunPlaces;
  readonly words: WordRows;
  /** The effect of the rules of the project; absent if the index needs no correction. */
  readonly changes: FieldChanges | undefined;
  readonly texts: readonly QueryText[];
  readonly excluded: ExcludedRows;
  /** The rows that come first, in their order; -1 for a resource that is not there. */
  readonly pinned: readonly number[];
  /** The words that each text needs on the last rung of the search. */
  readonly needed: readonly NeededText[];
  readonly counts: WordCounts;
  /** How the texts found what they found; undefined without texts. */
  readonly match: MatchResult | undefined;
  /** Where the page goes on; undefined without texts. */
  readonly start: SearchStart | undefined;
  /** The resources that match the texts and predicates. */
  readonly select: (predicates: readonly Predicate[]) => OpenSelection;
  /** Their row numbers, ascending. */
  readonly rowsOf: (predicates: readonly Predicate[]) => Uint32Array;
  readonly countOf: (predicates: readonly Predicate[]) => number;
  /** Finds rows by another condition than the texts of the search. */
  readonly rowsWith: (text: TextCondition | undefined, predicates: readonly Predicate[]) => Uint32Array;
}

/** Runs a search in one read transaction. Throws as `runList` does. */
export function runSearch(
  db: DatabaseSync,
  query: SearchQuery,
  cache: SearchCache,
  deadline: PromptDeadline,
  limits: SearchLimits,
): SearchPage {
  return inReadTransaction(db, () => {
    deadline.check();
    forgetRows(db);
    const context = climb(db, query, cache, deadline, limits);
    const { limit, offset } = query;
    const { rows: found, total, next, skipped = 0, groupOf } = findResults(context, limits);
    const rows = found.slice(offset + skipped, offset + skipped + limit);
    const { results, count } = readPage(db, query, rows, deadline, limits.maxPageBytes);
    const facets = computeFacets(context, limits.maxPageBytes);
    const matched = context.match && { match: context.match, ...completions(context), ...explained(context) };
    const grouped = groupOf && { groups: rows.map(groupOf) };
    return {
      results,
      count,
      next: next?.(),
      facets,
      ...matched,
      ...grouped,
      ...(query.withTotal && { total: total() }),
    };
  });
}

function completions(context: SearchContext): Pick<SearchPage, 'completions' | 'written'> {
  const [{ suggest, texts }, written] = [context.query, writtenCorrections(context)];
  if (suggest === undefined) return { written };
  const [text, last] = [context.texts[0]!, texts[0]!.last];
  const found = last === undefined ? [] : completionsOf(context, text, text.words[last]!, suggest);
  return { completions: found, written };
}

function explained(context: SearchContext): Pick<SearchPage, 'weights' | 'hour'> {
  const { query, match, texts, needed, counts, resources } = context;
  if (!query.explain) return {};
  const hour = hourOfSearch(context);
  const weights = weightsOf(match!.rung, texts, needed, counts, resources);
  return { weights, ...(hour !== undefined && { hour }) };
}

/** The beginning of the results. */
interface FirstResults {
  /** The first matches in the order; at least the wanted number if that many match. */
  readonly rows: readonly number[];
  readonly total: () => number;
  /** The position behind the last of them, if more follow in an order that can be continued. */
  readonly next?: () => Position;
  /** How many results come before the page, beside the offset: those of the pages before, where it is found by its number. */
  readonly skipped?: number;
  readonly groupOf?: FirstRows['groupOf'];
}

const byCreation: readonly SortTerm[] = [{ path: ['createdAt'], direction: 'desc' }];

function findResults(context: SearchContext, limits: SearchLimits): FirstResults {
  const { db, query } = context;
  if (query.group) return findGrouped(context, query.group, limits);
  if (isRanked(query)) return findRanked(context, limits);
  const predicates = [...query.queryFilters, ...query.filters];
  const wanted = query.limit === 0 ? 0 : query.offset + query.limit;
  const selection = context.select(predicates);
  const sort = query.sort.length === 0 ? byCreation : query.sort;
  const after = context.start ? context.start.tail : query.after;
  const order = compileOrders({ ...query, where: predicates, sort, after }, limits.declaredPaths);
  const more = wanted === 0 ? 0 : wanted + 1;
  const found = after ? findAfter(db, selection, order, idOf(after), more) : selectRows(db, selection, order, more);
  const rows = found.slice(0, wanted);
  const hasNext = found.length > wanted && rows.length > 0;
  return {
    rows,
    total: () => (after === undefined && found.length < more ? found.length : context.countOf(predicates)),
    ...(hasNext && { next: () => positionBehind(context, order, rows.at(-1)!) }),
  };
}

/** The first of each group. Pages are found by their number: only from the beginning of the order it is known which results are first ones. */
function findGrouped(context: SearchContext, path: Path, limits: SearchLimits): FirstResults {
  const { match, texts, start } = context;
  const { group: _, after, ...query } = context.query;
  const [before] = start?.tail ?? after ?? [];
  const skipped = Number((before as { readonly number?: string } | undefined)?.number ?? 0);
  const end = skipped + query.offset + query.limit;
  const matches = context.rowsOf([...query.queryFilters, ...query.filters]);
  const { rows, total, groupOf } = firstOfGroups(context, path, matches, query.limit === 0 ? 0 : end, (limit) => {
    const whole = { ...query, hour: start?.hour ?? query.hour, offset: 0, limit };
    return findResults({ ...context, query: whole, start: undefined }, limits).rows;
  });
  const tail: Position = [{ number: String(end) }, ''];
  const next = () => {
    if (!match) return tail;
    const numbers = numbersOf(texts, context);
    return searchPosition(match.rung, numbers, tail, undefined, hourOfSearch(context));
  };
  return { rows, total: () => total, skipped, groupOf, ...(end < total && query.limit > 0 && { next }) };
}

/** The position behind a row in an order by fields. */
function positionBehind(context: SearchContext, order: readonly OrderKey[], row: number): Position {
  const { db, texts, match } = context;
  const position = positionOf(db, order, row);
  if (!match) return position;
  return searchPosition(match.rung, match.rung === 'all' && !match.ignored ? [] : numbersOf(texts, context), position);
}

function findRanked(context: SearchContext, limits: SearchLimits): FirstResults {
  const { db, query, texts, match, start } = context;
  const predicates = [...query.queryFilters, ...query.filters];
  const rows = context.rowsOf(predicates);
  const total = () => rows.length;
  if (query.limit === 0) return { rows: [], total };
  const hour = hourOfSearch(context) ?? query.hour;
  const boosted = query.boosts.map((one) => {
    if (isDecay(one)) return { factors: decayFactors(context, one, rows, hour) };
    return { factor: one.factor, rows: context.rowsOf([...predicates, one.predicate]) };
  });
  const wanted = query.offset + query.limit;
  const ties = { ...query, where: [], sort: query.ties, after: start?.tail };
  const order = query.ties.length === 0 ? [] : compileOrders(ties, limits.declaredPaths);
  const tieOrder = order.length === 0 ? undefined : orderByFields(context, order, limits);
  const ranked = rankRows(
    { ...context, ...columnsOf(context), boosted, tieOrder, start, lastRung: match!.rung },
    rows,
    wanted + 1,
  );
  const page = { rows: ranked.rows.slice(0, wanted), total };
  if (ranked.rows.length <= wanted) return page;
  // A word that is alone and found as it is has no weight.
  const isPlain = isAlone(texts) && match!.rung === 'all' && !query.explain;
  const numbers = isPlain ? [] : numbersOf(texts, context);
  const rank = ranked.rankAt(wanted - 1);
  return {
    ...page,
    next: () =>
      searchPosition(match!.rung, numbers, positionOf(db, order, page.rows.at(-1)!), rank, hourOfSearch(context)),
  };
}

/** Orders equally relevant rows by the fields of the query: all of them, or those behind the last item before the page. */
function orderByFields(
  { db, query }: SearchContext,
  order: readonly OrderKey[],
  { declaredPaths }: SearchLimits,
): Ranking['tieOrder'] {
  return (rows, count, start) => {
    const text = { rows, condition: isAmong(db, rows) };
    const selection = openSelection(db, compileSearched({ ...query, where: [] }, text, declaredPaths));
    return start ? findAfter(db, selection, order, start.id, count) : selectRows(db, selection, order, count);
  };
}

/** By which hour the search judges recency; undefined where it does not. */
function hourOfSearch({ query, start }: SearchContext): number | undefined {
  return query.boosts.some((boost) => 'recent' in boost) ? (start?.hour ?? query.hour) : undefined;
}

function columnsOf(context: SearchContext): Pick<Ranking, 'lengthsOf' | 'idOrder'> {
  const { db, cache, commits, projectKey, resources } = context;
  return {
    lengthsOf(locale) {
      // Without the column, the lengths of all resources are read for each search.
      const make = () => new FollowedColumn(context, lengthColumn(locale));
      const ready = cache.columns.of(context, commits, `length ${locale}`, resources, make);
      return ready && ((kind, rows, into) => readLengthsOf(ready.column, kind, rows, into));
    },
    idOrder(rows) {
      return cache.columns.of({ projectKey, staged: false }, commits, 'ids', rows, () => new IdOrder(db, projectKey));
    },
  };
}
