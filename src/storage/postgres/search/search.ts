import type { ListPage, SearchPage, SortTerm } from '../../../domain/ports/list-query.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { sql, typed } from '../../query/sql.ts';
import type { QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import { type PageRow, pageOf, readPage } from '../query/page.ts';
import { compileList, compileSelection } from '../query/plan-list.ts';
import { render } from '../query/render.ts';
import { inSnapshot, runList } from '../query/run-list.ts';
import { termCondition } from '../query/term-condition.ts';
import { answerFacet, type Select } from './facets.ts';
import { anyText, askedTexts } from './query-terms.ts';
import { rankMatches } from './rank.ts';

export interface SearchLimits {
  readonly declaredPaths: readonly string[];
  readonly maxPageBytes: number;
}

/** Runs a search, all of it in one snapshot. Throws as `runList` does. */
export function runSearch(connection: Connection, query: SearchQuery, limits: SearchLimits): Promise<SearchPage> {
  return inSnapshot(connection, async () => {
    const texts = await askedTexts(connection, query);
    const narrowed = narrowing(query, texts);
    const select: Select = (where) => narrowed(compileSelection({ ...query, where }, limits.declaredPaths));
    const page = await findPage(connection, query, texts, { ...limits, select, narrowed });
    const facets: [string, SearchPage['facets'][number][1]][] = [];
    // One after the other, so that the deadline is that of all.
    for (const facet of query.facets) facets.push([facet.name, await answerFacet(connection, facet, query, select)]);
    return { ...page, facets };
  });
}

type Narrowed = <T extends ReturnType<typeof compileSelection>>(selection: T) => T;

/** Adds the texts to the conditions of a selection. */
function narrowing({ projectKey, staged, texts: asked }: SearchQuery, texts: readonly QueryText[]): Narrowed {
  if (asked.length === 0) return (selection) => selection;
  const condition = termCondition((projection) => anyText(projectKey, projection, texts), staged);
  return (selection) => ({ ...selection, conditions: [condition, ...selection.conditions], isNarrowed: true });
}

const byCreation: readonly SortTerm[] = [{ path: ['createdAt'], direction: 'desc' }];

interface Finding extends SearchLimits {
  readonly select: Select;
  readonly narrowed: Narrowed;
}

function findPage(
  connection: Connection,
  query: SearchQuery,
  texts: readonly QueryText[],
  finding: Finding,
): Promise<ListPage> {
  if (texts.length > 0 && query.sort.length === 0) return rankedPage(connection, query, texts, finding);
  const where = [...query.queryFilters, ...query.filters];
  const sort = query.sort.length === 0 ? byCreation : query.sort;
  const list = finding.narrowed(compileList({ ...query, where, sort }, finding.declaredPaths));
  return runList(connection, list, finding.maxPageBytes);
}

async function rankedPage(
  connection: Connection,
  { projectKey, staged, queryFilters, filters, limit, offset, withTotal }: SearchQuery,
  texts: readonly QueryText[],
  { select, maxPageBytes }: Finding,
): Promise<ListPage> {
  const selection = select([...queryFilters, ...filters]);
  const ranked = await rankMatches(connection, selection, texts, offset + limit);
  const ids = typed(JSON.stringify(ranked.ids.slice(offset)), 'text');
  const inOrder = sql`SELECT u.id FROM jsonb_array_elements_text(${ids}::jsonb) WITH ORDINALITY u (id, at) ORDER BY u.at`;
  const rows = await connection.query<PageRow>(render(readPage(projectKey, staged, inOrder, maxPageBytes)));
  const page = pageOf(rows, staged, maxPageBytes);
  return withTotal ? { ...page, total: ranked.total } : page;
}
