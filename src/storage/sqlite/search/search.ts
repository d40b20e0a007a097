import type { DatabaseSync } from 'node:sqlite';
import type { SearchPage, SortTerm } from '../../../domain/ports/list-query.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { sql } from '../../query/sql.ts';
import type { QueryText } from '../../query/word-choices.ts';
import { countProject, countRows, selectRows, settleAccessPaths } from '../query/execute.ts';
import type { PromptDeadline } from '../query/functions.ts';
import { type CompiledSearch, compileOrders, compileSearched } from '../query/plan-list.ts';
import { type FirstResults, inReadTransaction, readPage } from '../query/run-list.ts';
import { selectOne } from '../query/statements.ts';
import type { BuildPolicy } from './build-policy.ts';
import { type Columns, createColumns, maxColumnBytes } from './columns/columns.ts';
import { createDocumentReader, type DocumentReader } from './columns/documents.ts';
import { createIdOrders, type IdOrders } from './columns/id-order.ts';
import { lengthColumn } from './columns/length-column.ts';
import { computeFacets } from './facets.ts';
import { allRows } from './match-rows.ts';
import { queryTexts, type SearchScope, textCondition } from './query-terms.ts';
import { type Ranking, rankRows } from './rank.ts';
import { createVocabularies, type Vocabularies } from './vocabulary.ts';

/** What a connection caches from search to search: all of it follows the open snapshot. */
export interface SearchCache {
  readonly vocabularies: Vocabularies;
  readonly columns: Columns;
  readonly idOrders: IdOrders;
}

/** An empty cache for a connection that `registerFunctions` prepared. */
export function createSearchCache(db: DatabaseSync, policy: BuildPolicy, columnBytes = maxColumnBytes): SearchCache {
  return {
    vocabularies: createVocabularies(db, policy),
    columns: createColumns(db, policy, columnBytes),
    idOrders: createIdOrders(db, policy),
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
  return (selectOne(db, sql`SELECT commits FROM store`) as { commits: number }).commits;
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
  /** The resources that match the texts and predicates. */
  readonly select: (predicates: readonly Predicate[]) => CompiledSearch;
  /** Their row numbers, ascending. */
  readonly rowsOf: (predicates: readonly Predicate[]) => Uint32Array;
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
    const { rows, total } = findResults(context, limits);
    const page = rows.slice(offset, offset + limit);
    const results = readPage(db, query, page, deadline, limits.maxPageBytes);
    const facets = computeFacets(context, limits.maxPageBytes);
    return { results, count: page.length, facets, ...(query.withTotal && { total: total() }) };
  });
}

/** What is computed once for each list of predicates; lists with the same members count as the same. */
interface Selected {
  readonly predicates: readonly Predicate[];
  readonly selection: CompiledSearch;
  rows?: Uint32Array;
}

function begin(
  db: DatabaseSync,
  query: SearchQuery,
  cache: SearchCache,
  deadline: PromptDeadline,
  { declaredPaths }: SearchLimits,
): SearchContext {
  const { projectKey, staged } = query;
  const scope = { db, projectKey, staged };
  const commits = lastCommit(db);
  const texts = queryTexts(query, cache.vocabularies, commits, deadline);
  const text = texts.length === 0 ? undefined : textCondition(scope, texts);
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
  const context: SearchContext = {
    ...{ ...scope, query, cache, commits, texts, deadline },
    resources: countProject(db, projectKey),
    select: (predicates) => selectedBy(predicates).selection,
    rowsOf(predicates) {
      const selected = selectedBy(predicates);
      selected.rows ??= allRows(context, selected.selection);
      deadline.checkNow();
      return selected.rows;
    },
    eachDocumentOf: createDocumentReader(scope, deadline),
  };
  return context;
}

const byCreation: readonly SortTerm[] = [{ path: ['createdAt'], direction: 'desc' }];

function findResults(context: SearchContext, limits: SearchLimits): FirstResults {
  const { db, query, texts } = context;
  const predicates = [...query.queryFilters, ...query.filters];
  const wanted = query.limit === 0 ? 0 : query.offset + query.limit;
  if (texts.length > 0 && query.sort.length === 0) {
    const rows = context.rowsOf(predicates);
    const ranked = wanted === 0 ? [] : rankRows({ ...context, ...columnsOf(context) }, rows, wanted);
    return { rows: ranked, total: () => rows.length };
  }
  const selection = context.select(predicates);
  const sort = query.sort.length === 0 ? byCreation : query.sort;
  const order = compileOrders({ ...query, where: predicates, sort }, limits.declaredPaths);
  const rows = selectRows(db, selection, order, wanted);
  return { rows, total: () => (rows.length < wanted ? rows.length : countRows(db, selection)) };
}

function columnsOf(context: SearchContext): Pick<Ranking, 'lengthOf' | 'idOrder'> {
  const { cache, commits, projectKey } = context;
  return {
    lengthOf(locale, rows) {
      const ready = cache.columns.of(context, commits, `length ${locale}`, () => lengthColumn(locale), rows.length);
      if (typeof ready === 'string') return undefined;
      const { column } = ready;
      return (row) => Math.max(0, column.rows.get(row) - 1);
    },
    idOrder: (rows) => cache.idOrders.of(projectKey, commits, rows),
  };
}
