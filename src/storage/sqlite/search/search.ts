import type { DatabaseSync } from 'node:sqlite';
import type { SearchPage, SortTerm } from '../../../domain/ports/list-query.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { sql } from '../../query/sql.ts';
import type { QueryText } from '../../query/word-choices.ts';
import type { TextCondition } from '../query/access-paths.ts';
import { countRows, selectRows, settleAccessPaths } from '../query/execute.ts';
import type { PromptDeadline } from '../query/functions.ts';
import { type CompiledSearch, compileOrders, compileSearched } from '../query/plan-list.ts';
import { inReadTransaction, readPage } from '../query/run-list.ts';
import { selectOne } from '../query/statements.ts';
import type { BuildPolicy } from './build-policy.ts';
import { type Columns, createColumns } from './columns/columns.ts';
import { createDocumentReader, type DocumentReader } from './columns/documents.ts';
import { createIdOrders, type IdOrders } from './columns/id-order.ts';
import { lengthColumn } from './columns/length-column.ts';
import { answerFacets } from './facets.ts';
import { allRows } from './match-rows.ts';
import { askedTexts, textCondition } from './query-terms.ts';
import { type Ranking, rankRows } from './rank.ts';
import { createVocabularies, type Vocabularies } from './vocabulary.ts';

/** What a connection remembers from search to search: all of it follows the snapshot that is open. */
export interface SearchCache {
  readonly vocabularies: Vocabularies;
  readonly columns: Columns;
  readonly idOrders: IdOrders;
}

/** An empty memory for a connection that `registerFunctions` prepared. */
export function createSearchCache(db: DatabaseSync, policy: BuildPolicy): SearchCache {
  return {
    vocabularies: createVocabularies(db, policy),
    columns: createColumns(db, policy),
    idOrders: createIdOrders(db, policy),
  };
}

/** Makes a portion of what searches asked for and went without; true where there is more to do. */
export function advanceSearchCache(db: DatabaseSync, { vocabularies, columns, idOrders }: SearchCache): boolean {
  return inReadTransaction(db, () => {
    const commits = lastCommit(db);
    // One thing after the other: each call is a portion that others may have to wait for.
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

/** One search over the snapshot that is open. */
export interface Searching {
  readonly db: DatabaseSync;
  readonly projectKey: string;
  readonly staged: boolean;
  readonly query: SearchQuery;
  readonly cache: SearchCache;
  /** Number of the last commit in the snapshot. */
  readonly commits: number;
  /** Resources of the project. */
  readonly resources: number;
  readonly texts: readonly QueryText[];
  /** The resources that match the texts and predicates. */
  readonly select: (predicates: readonly Predicate[]) => CompiledSearch;
  /** Their row numbers, ascending. The same predicates (by identity of the list) are read once. */
  readonly rowsOf: (predicates: readonly Predicate[]) => Uint32Array;
  readonly eachDocumentOf: DocumentReader;
  readonly deadline: PromptDeadline;
}

/** Runs a search, all of it in one read transaction. Throws as `runList` does. */
export function runSearch(
  db: DatabaseSync,
  query: SearchQuery,
  cache: SearchCache,
  deadline: PromptDeadline,
  limits: SearchLimits,
): SearchPage {
  return inReadTransaction(db, () => {
    deadline.check();
    const searching = begin(db, query, cache, deadline, limits);
    const { limit, offset } = query;
    const { rows, total } = findResults(searching, limits);
    const page = rows.slice(offset, offset + limit);
    const results = readPage(db, query, page, deadline, limits.maxPageBytes);
    const facets = answerFacets(searching, limits.maxPageBytes);
    return { results, count: page.length, facets, ...(query.withTotal && { total: total() }) };
  });
}

function begin(
  db: DatabaseSync,
  query: SearchQuery,
  cache: SearchCache,
  deadline: PromptDeadline,
  { declaredPaths }: SearchLimits,
): Searching {
  const { projectKey, staged } = query;
  const commits = lastCommit(db);
  const counted = selectOne(db, sql`SELECT resources FROM project WHERE project_key = ${projectKey}`);
  const texts = askedTexts(query, cache.vocabularies, commits, deadline);
  const text = texts.length === 0 ? undefined : textCondition({ db, projectKey, staged }, texts);
  const select = selections({ db, query, text, declaredPaths });
  const known = new Map<CompiledSearch, Uint32Array>();
  const rowsOf = (predicates: readonly Predicate[]) => {
    const selection = select(predicates);
    const rows = known.get(selection) ?? allRows(searching, selection);
    known.set(selection, rows);
    deadline.check();
    return rows;
  };
  const resources = (counted as { resources: number } | undefined)?.resources ?? 0;
  const searching: Searching = {
    ...{ db, projectKey, staged, query, cache, commits, resources, texts, select, rowsOf, deadline },
    eachDocumentOf: createDocumentReader({ db, projectKey, staged }, deadline),
  };
  return searching;
}

/** Compiles the selection of each list of predicates once; lists with the same members are one. */
function selections({
  db,
  query,
  text,
  declaredPaths,
}: {
  readonly db: DatabaseSync;
  readonly query: SearchQuery;
  readonly text: TextCondition | undefined;
  readonly declaredPaths: readonly string[];
}): Searching['select'] {
  const known: { readonly predicates: readonly Predicate[]; readonly selection: CompiledSearch }[] = [];
  return (predicates) => {
    const same = known.find(
      (each) =>
        each.predicates.length === predicates.length && each.predicates.every((one, at) => one === predicates[at]),
    );
    if (same) return same.selection;
    const { projectKey, staged } = query;
    const compiled = compileSearched({ projectKey, staged, where: predicates }, text, declaredPaths);
    const selection = settleAccessPaths(db, compiled);
    known.push({ predicates, selection });
    return selection;
  };
}

interface Results {
  /** The first of the results, at least `offset + limit` of them where there are so many. */
  readonly rows: readonly number[];
  readonly total: () => number;
}

const byCreation: readonly SortTerm[] = [{ path: ['createdAt'], direction: 'desc' }];

function findResults(searching: Searching, limits: SearchLimits): Results {
  const { db, query, texts } = searching;
  const predicates = [...query.queryFilters, ...query.filters];
  const wanted = query.limit === 0 ? 0 : query.offset + query.limit;
  if (texts.length > 0 && query.sort.length === 0) {
    const rows = searching.rowsOf(predicates);
    const ranked = wanted === 0 ? [] : rankRows({ ...searching, ...columnsOf(searching) }, rows, wanted);
    return { rows: ranked, total: () => rows.length };
  }
  const selection = searching.select(predicates);
  const sort = query.sort.length === 0 ? byCreation : query.sort;
  const order = compileOrders({ ...query, where: predicates, sort }, limits.declaredPaths);
  const rows = selectRows(db, selection, order, wanted);
  return { rows, total: () => (rows.length < wanted ? rows.length : countRows(db, selection)) };
}

function columnsOf(searching: Searching): Pick<Ranking, 'lengthOf' | 'idOrder'> {
  const { cache, commits, projectKey } = searching;
  return {
    lengthOf(locale, rows) {
      const ready = cache.columns.of(searching, commits, `length ${locale}`, () => lengthColumn(locale), rows.length);
      if (!ready) return undefined;
      const { column } = ready;
      return (row) => Math.max(0, column.rows.get(row) - 1);
    },
    idOrder: (rows) => cache.idOrders.of(projectKey, commits, rows),
  };
}
