import type { ListPage, SearchPage, SortTerm } from '../../../domain/ports/list-query.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { sql, typed } from '../../query/sql.ts';
import type { QueryText } from '../../query/word-choices.ts';
import type { UsablePaths } from '../generations/generation.ts';
import type { Connection } from '../open/connection.ts';
import { compileList, compileSelection, type Selection } from '../query/plan-list.ts';
import { type CheckReady, checkSnapshot, type PageRow, pageOf, runList } from '../query/run-list.ts';
import { inSnapshot, runSql } from '../query/run-sql.ts';
import { selectPage } from '../query/select.ts';
import { termCondition } from '../query/term-condition.ts';
import { runFacet } from './facets.ts';
import { anyText, findWords } from './query-terms.ts';
import { rankMatches } from './rank.ts';

export interface SearchLimits {
  /** The declared paths whose entries the search may use. */
  readonly usable: UsablePaths;
  /** Checks them in the snapshot of the search. */
  readonly check: CheckReady;
  readonly maxPageBytes: number;
}

const byCreation: readonly SortTerm[] = [{ path: ['createdAt'], direction: 'desc' }];

/** Runs a search, all of it in one snapshot. Throws as `runList` does. */
export function runSearch(
  connection: Connection,
  query: SearchQuery,
  { usable, check, maxPageBytes }: SearchLimits,
): Promise<SearchPage> {
  return inSnapshot(connection, async () => {
    await checkSnapshot(connection, query.projectKey, check);
    const texts = await findWords(connection, query);
    const narrow = narrowing(query, texts);
    const select = (where: readonly Predicate[]) => narrow(compileSelection({ ...query, where }, usable));
    const where = [...query.queryFilters, ...query.filters];
    const sort = query.sort.length === 0 ? byCreation : query.sort;
    const page =
      texts.length > 0 && query.sort.length === 0
        ? await rankedPage(connection, query, select(where), texts, maxPageBytes)
        : await runList(connection, narrow(compileList({ ...query, where, sort }, usable)), maxPageBytes);
    const facets: [string, SearchPage['facets'][number][1]][] = [];
    // One after another, so that all of them share the deadline.
    for (const facet of query.facets) facets.push([facet.name, await runFacet(connection, facet, query, select)]);
    return { ...page, facets };
  });
}

/** Adds the condition of the texts to selections, if there are texts. */
function narrowing(
  { projectKey, staged }: SearchQuery,
  texts: readonly QueryText[],
): <T extends Selection>(of: T) => T {
  if (texts.length === 0) return (selection) => selection;
  const condition = termCondition((projection) => anyText(projectKey, projection, texts), staged);
  return (selection) => ({ ...selection, conditions: [condition, ...selection.conditions], isNarrowed: true });
}

async function rankedPage(
  connection: Connection,
  { projectKey, staged, limit, offset, withTotal }: SearchQuery,
  selection: Selection,
  texts: readonly QueryText[],
  maxPageBytes: number,
): Promise<ListPage> {
  const ranked = await rankMatches(connection, selection, texts, offset + limit);
  const ids = typed(JSON.stringify(ranked.ids.slice(offset)), 'text');
  const inOrder = sql`SELECT u.id FROM jsonb_array_elements_text(${ids}::jsonb) WITH ORDINALITY u (id, position) ORDER BY u.position`;
  const rows = await runSql<PageRow>(connection, selectPage(projectKey, staged, inOrder, maxPageBytes));
  const page = pageOf(rows, staged, maxPageBytes);
  return withTotal ? { ...page, total: ranked.total } : page;
}
