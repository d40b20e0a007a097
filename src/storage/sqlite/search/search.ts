import type { DatabaseSync } from 'node:sqlite';
import type { SearchPage, SortTerm } from '../../../domain/ports/list-query.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import type { MatchResult, Rung, SearchQuery } from '../../../domain/search/query/query.ts';
import { spacesOf } from '../../../domain/search/words/alternatives.ts';
import { hasFieldOf } from '../../query/field-rules.ts';
import {
  enoughHits,
  matchResult,
  mostFrequent,
  type NeededText,
  neededOn,
  resemblingWords,
  rungsOf,
  type WordCounts,
  weightsOf,
} from '../../query/ladder.ts';
import { addTypos, planText } from '../../query/plan-words.ts';
import { sql } from '../../query/sql.ts';
import type { QueryText } from '../../query/word-choices.ts';
import type { TextCondition } from '../query/access-paths.ts';
import { countProject, countRows, selectRows, settleAccessPaths } from '../query/execute.ts';
import type { PromptDeadline } from '../query/functions.ts';
import { findAfter, positionOf } from '../query/keyset.ts';
import { type CompiledSearch, compileOrders, compileSearched, pageStart } from '../query/plan-list.ts';
import { readPage } from '../query/rows.ts';
import { type FirstResults, inReadTransaction } from '../query/run-list.ts';
import { selectOne } from '../query/statements.ts';
import type { BuildPolicy } from './build-policy.ts';
import { type Columns, createColumns, maxColumnBytes } from './columns/columns.ts';
import { createDocumentReader, type DocumentReader } from './columns/documents.ts';
import { createIdOrders, type IdOrders } from './columns/id-order.ts';
import { createKeptRows, type KeptRows } from './columns/kept-rows.ts';
import { lengthColumn, readLengthsOf } from './columns/length-column.ts';
import { completionsOf, writtenCorrections } from './completions.ts';
import { computeFacets } from './facets.ts';
import { allRows } from './match-rows.ts';
import { countAlternatives, createWordCounts, type SearchScope, textCondition } from './query-terms.ts';
import { type Ranking, rankRows } from './rank.ts';
import { createVocabularies, type Vocabularies } from './vocabulary.ts';
import { createWordChanges } from './word-changes.ts';

/** What a connection caches from search to search: all of it follows the open snapshot. */
export interface SearchCache {
  readonly vocabularies: Vocabularies;
  readonly columns: Columns;
  readonly idOrders: IdOrders;
  readonly kept: KeptRows;
}

/** An empty cache for a connection that `registerFunctions` prepared. */
export function createSearchCache(db: DatabaseSync, policy: BuildPolicy, columnBytes = maxColumnBytes): SearchCache {
  return {
    vocabularies: createVocabularies(db, policy),
    columns: createColumns(db, policy, columnBytes),
    idOrders: createIdOrders(db, policy),
    kept: createKeptRows(db, policy),
  };
}

/** Builds a portion of what searches needed and did not have; true if there is more to do. */
export function advanceSearchCache(db: DatabaseSync, { vocabularies, columns, idOrders }: SearchCache): boolean {
  // Most searches leave nothing to build: that must cost no transaction.
  if (![vocabularies, columns, idOrders].some((each) => each.hasUnfinished())) return false;
  return inReadTransaction(db, () => {
    const commits = lastCommit(db);
    // One after the other: each call is a portion for which other searches may have to wait.
    return idOrders.advance(commits) || columns.advance(commits) || vocabularies.advance();
  });
}

function lastCommit(db: DatabaseSync): number {
  return (selectOne(db, sql`SELECT indexed AS commits FROM store`) as { commits: number }).commits;
}

export interface SearchLimits {
  readonly maxPageBytes: number;
  readonly declaredPaths: readonly string[];
}

/** One search over the open snapshot. */
export interface SearchContext extends SearchScope {
  readonly query: SearchQuery;
  readonly cache: SearchCache;
  /** The number of the last commit in the snapshot. */
  readonly commits: number;
  /** The number of resources of the project. */
  readonly resources: number;
  readonly texts: readonly QueryText[];
  /** What each text needs on the last rung that the search takes. */
  readonly needed: readonly NeededText[];
  readonly counts: WordCounts;
  /** How the texts found what they found; undefined without texts. */
  readonly match: MatchResult | undefined;
  /** The resources that match the texts and predicates. */
  readonly select: (predicates: readonly Predicate[]) => CompiledSearch;
  /** Their row numbers, ascending. */
  readonly rowsOf: (predicates: readonly Predicate[]) => Uint32Array;
  readonly countOf: (predicates: readonly Predicate[]) => number;
  /** The same with another condition than the texts of the search. */
  readonly rowsWith: (text: TextCondition | undefined, predicates: readonly Predicate[]) => Uint32Array;
  readonly eachDocumentOf: DocumentReader;
  readonly deadline: PromptDeadline;
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
    cache.columns.beginSearch();
    const context = begin(db, query, cache, deadline, limits);
    const { limit, offset } = query;
    const { rows, total, next } = findResults(context, limits);
    const { results, count } = readPage(db, query, rows.slice(offset, offset + limit), deadline, limits.maxPageBytes);
    const facets = computeFacets(context, limits.maxPageBytes);
    const matched = context.match && { match: context.match, ...completions(context), ...explained(context) };
    return { results, count, next: next?.(), facets, ...matched, ...(query.withTotal && { total: total() }) };
  });
}

function completions(context: SearchContext): Pick<SearchPage, 'completions' | 'written'> {
  const [{ suggest, texts }, written] = [context.query, writtenCorrections(context)];
  if (suggest === undefined) return { written };
  const [text, last] = [context.texts[0]!, texts[0]!.last];
  const found = last === undefined ? [] : completionsOf(context, text, text.words[last]!, suggest);
  return { completions: found, written };
}

function explained({ query, match, texts, needed, counts, resources }: SearchContext): Pick<SearchPage, 'weights'> {
  return query.explain ? { weights: weightsOf(query, match!.rung, texts, needed, counts, resources) } : {};
}

/** What is computed once for each list of predicates; lists with the same members count as the same. */
interface Selected {
  readonly predicates: readonly Predicate[];
  readonly selection: CompiledSearch;
  rows?: Uint32Array;
}

/** Climbs the ladder up to the rung that has enough hits. */
function begin(
  db: DatabaseSync,
  query: SearchQuery,
  cache: SearchCache,
  deadline: PromptDeadline,
  limits: SearchLimits,
): SearchContext {
  const { projectKey, staged } = query;
  const commits = lastCommit(db);
  const scope = { db, projectKey, staged, kept: cache.kept.asOf(projectKey, commits) };
  const knownIn = (space: string) => {
    // Comparing a word with all words of a large vocabulary takes milliseconds.
    deadline.checkNow();
    return cache.vocabularies.of(projectKey, space, commits);
  };
  const withFields = (): Uint32Array => selecting(base, undefined, limits).rowsOf([hasFieldOf(query.fields)]);
  const changes =
    query.fields.length === 0 || query.texts.length === 0
      ? undefined
      : createWordChanges({ ...scope, cache, commits, deadline, rowsWithFields: withFields }, query.fields);
  const ruled = { ...scope, changes };
  const base = {
    ...{ ...ruled, query, cache, commits, deadline, counts: createWordCounts(ruled) },
    ...{ resources: countProject(db, projectKey), eachDocumentOf: createDocumentReader(scope, deadline) },
  };
  if (query.texts.length === 0) {
    return { ...base, texts: [], needed: [], match: undefined, ...selecting(base, undefined, limits) };
  }
  let texts = query.texts.map((text) => planText(text, query.prefix, knownIn));
  let hasTypos = false;
  const totals: Partial<Record<Rung, number>> = {};
  const rungs = rungsOf(query);
  for (const rung of rungs) {
    deadline.checkNow();
    if (rung !== 'all' && query.fuzzyLevel > 0 && !hasTypos) {
      texts = texts.map((text) => addTypos(text, query.fuzzyLevel, knownIn));
      hasTypos = true;
    }
    const needed = neededOn(rung, texts, base.counts);
    const selected = selecting(base, textCondition(ruled, needed), limits);
    totals[rung] = hits(base, selected);
    if (totals[rung] < enoughHits(query) && rung !== rungs.at(-1)) continue;
    return { ...base, texts, needed, match: matchOf(base, rung, totals, texts), ...selected };
  }
  throw new Error('a search has a last rung');
}

function hits({ query }: Base, { countOf, rowsOf }: Selecting): number {
  // These need the rows anyway.
  const isRead = query.facets.length > 0 || (query.sort.length === 0 && query.limit > 0);
  return isRead ? rowsOf(query.queryFilters).length : countOf(query.queryFilters);
}

function matchOf(base: Base, rung: Rung, totals: MatchResult['totals'], texts: readonly QueryText[]): MatchResult {
  return matchResult(rung, totals, texts, base.counts, ({ locale }, asked) => {
    for (const words of resemblingWords(asked)) {
      const counted = words.map((word) => {
        const choices = spacesOf(locale).map((space) => ({ locale: space, word }));
        return { word, documents: countAlternatives(base, [{ factor: 1, isShort: false, parts: [choices] }]) };
      });
      const found = mostFrequent(counted);
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

type Selecting = Pick<SearchContext, 'select' | 'rowsOf' | 'countOf' | 'rowsWith'>;
type Base = Omit<SearchContext, 'texts' | 'needed' | 'match' | keyof Selecting>;

/** Selections of the resources that match a text and predicates. */
function selecting(base: Base, text: TextCondition | undefined, limits: SearchLimits): Selecting {
  const { declaredPaths } = limits;
  const { db, projectKey, staged } = base;
  const known: Selected[] = [];
  const selectedBy = (predicates: readonly Predicate[]): Selected => {
    const isSame = (each: Selected) =>
      each.predicates.length === predicates.length && each.predicates.every((one, at) => one === predicates[at]);
    const same = known.find(isSame);
    if (same) return same;
    const compiled = compileSearched({ projectKey, staged, where: predicates }, text, declaredPaths);
    const selected = { predicates, selection: settleAccessPaths(db, compiled) };
    known.push(selected);
    return selected;
  };
  return {
    select: (predicates) => selectedBy(predicates).selection,
    rowsOf(predicates) {
      const selected = selectedBy(predicates);
      selected.rows ??= allRows(base, selected.selection);
      base.deadline.checkNow();
      return selected.rows;
    },
    countOf(predicates) {
      const { rows, selection } = selectedBy(predicates);
      return rows ? rows.length : countRows(db, selection);
    },
    rowsWith: (other, predicates) => selecting(base, other, limits).rowsOf(predicates),
  };
}

const byCreation: readonly SortTerm[] = [{ path: ['createdAt'], direction: 'desc' }];

function findResults(context: SearchContext, limits: SearchLimits): FirstResults {
  const { db, query, texts } = context;
  const predicates = [...query.queryFilters, ...query.filters];
  const wanted = query.limit === 0 ? 0 : query.offset + query.limit;
  if (texts.length > 0 && query.sort.length === 0) {
    const rows = context.rowsOf(predicates);
    const tieOrder = query.ties.length === 0 ? undefined : orderByFields(context, limits);
    const ranked = wanted === 0 ? [] : rankRows({ ...context, ...columnsOf(context), tieOrder }, rows, wanted);
    return { rows: ranked, total: () => rows.length };
  }
  const selection = context.select(predicates);
  const sort = query.sort.length === 0 ? byCreation : query.sort;
  const order = compileOrders({ ...query, where: predicates, sort }, limits.declaredPaths);
  const more = wanted === 0 ? 0 : wanted + 1;
  const { after } = query;
  const found = after
    ? findAfter(db, selection, order, pageStart(after), more)
    : selectRows(db, selection, order, more);
  const rows = found.slice(0, wanted);
  const hasNext = found.length > wanted && rows.length > 0;
  return {
    rows,
    total: () => (after === undefined && found.length < more ? found.length : context.countOf(predicates)),
    ...(hasNext && { next: () => positionOf(db, order, rows.at(-1)!) }),
  };
}

/** Orders equally relevant rows by the fields of the query. */
function orderByFields({ db, query }: SearchContext, { declaredPaths }: SearchLimits): Ranking['tieOrder'] {
  const order = compileOrders({ ...query, where: [], sort: query.ties }, declaredPaths);
  return (rows, count) => {
    const those = sql`SELECT value AS row FROM json_each(${JSON.stringify(rows)})`;
    const selection = compileSearched({ ...query, where: [] }, { rows: those }, declaredPaths);
    return selectRows(db, settleAccessPaths(db, selection), order, count);
  };
}

function columnsOf(context: SearchContext): Pick<Ranking, 'lengthsOf' | 'idOrder'> {
  const { cache, commits, projectKey, resources } = context;
  return {
    lengthsOf(locale) {
      // Without the column, the lengths of all resources are read for each search.
      const ready = cache.columns.of(context, commits, `length ${locale}`, () => lengthColumn(locale), resources);
      if (typeof ready === 'string') return undefined;
      const { column } = ready;
      return (kind, rows, into) => readLengthsOf(column, kind, rows, into);
    },
    idOrder: (rows) => cache.idOrders.of(projectKey, commits, rows),
  };
}
