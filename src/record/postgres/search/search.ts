import {
  joinedTexts,
  type ListPage,
  type SearchPage,
  type SortTerm,
  totalOf,
} from '../../../domain/ports/list-query.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { rungs } from '../../../index/plan/ladder.ts';
import { isRanked, searchPosition, searchStart } from '../../../index/plan/search-position.ts';
import { sql, typed } from '../../../index/plan/sql.ts';
import type { Connection } from '../open/connection.ts';
import { codeOf, sqlState, stillReading } from '../open/errors.ts';
import { findBroadRanges } from '../query/broad-ranges.ts';
import { type CompiledList, compileList, compileSelection, type Selection, withoutIds } from '../query/plan-list.ts';
import { checkSnapshot, type PageRow, pageOf, positionBehind, runList } from '../query/run-list.ts';
import { countMatches, inSnapshot, runSql } from '../query/run-sql.ts';
import { selectPage } from '../query/select.ts';
import { firstCandidates } from './candidates.ts';
import { byTerms, type Climbed, climb, defaultExactMatches, narrowing, type SearchLimits } from './climb.ts';
import { type Asked, askedOf, completionsOf, sampledCompletions, writtenCorrections } from './completions.ts';
import { type FacetSelections, runFacets } from './facets.ts';
import { type Ranked, rankMatches } from './rank.ts';
import { type FrequentWord, firstOfWord, hasTiers } from './rank-word.ts';
import { createChangedWords } from './rules/changed-words.ts';
import { neededInIndex } from './rules/plain-words.ts';
import { noRuledDocuments, type RuledDocuments } from './rules/ruled-documents.ts';

const defaultManyMatches = 5000;

const byCreation: readonly SortTerm[] = [{ path: ['createdAt'], direction: 'desc' }];

/** Runs a search, all of it in one snapshot. Throws as `runList` does. */
export function runSearch(connection: Connection, query: SearchQuery, limits: SearchLimits): Promise<SearchPage> {
  const { usable, check, maxPageBytes, exactMatches = defaultExactMatches } = limits;
  const countUpTo = query.countsAll ? undefined : exactMatches;
  const words = (limits.changedWords ?? createChangedWords()).of(query);
  const work = inSnapshot(connection, async (): Promise<SearchPage> => {
    await checkSnapshot(connection, query.projectKey, check);
    const where = [...query.queryFilters, ...query.filters];
    const broad = await findBroadRanges(connection, { ...query, where }, usable, { many: exactMatches });
    const intact = withoutIds(limits.damagedIds ?? []);
    const plain = (some: readonly Predicate[]) => intact(compileSelection({ ...query, where: some }, usable, broad));
    const sort = query.sort.length === 0 ? byCreation : query.sort;
    const after = searchStart(query)?.tail ?? query.after;
    const inOrder = (some: readonly Predicate[]) =>
      intact(compileList({ ...query, where: some, sort, after, countUpTo }, usable, broad));
    const parts = { connection, query, select: plain, inOrder, most: countUpTo, words };
    const base = query.texts.length === 0 ? undefined : await climb(parts, countUpTo, limits);
    const climbed = base && (await withinFilters(query, base, where));
    const narrow = narrowing(query, climbed?.needed, climbed?.ruled);
    const select = (some: readonly Predicate[]) => narrow(plain(some));
    const page: RankedPage =
      climbed && isRanked(query)
        ? await rankedPage(connection, query, select(where), plain(where), climbed, limits)
        : await sortedPage(connection, narrow(inOrder(where)), climbed, maxPageBytes);
    const ofPage = query.filters.length === 0 && page.total !== undefined;
    const matches = climbed?.counted ?? (ofPage ? page.total! + (page.totalRelation === 'gte' ? 1 : 0) : undefined);
    const facets = await runFacets(connection, query, facetSelections(query, base, plain), countUpTo, matches);
    const completions = await complete(connection, query, base, plain, exactMatches);
    const weights = query.explain && climbed && { weights: climbed.weights };
    const isMore = page.total !== undefined && (climbed?.isCut === true || climbed?.ruled.isCut === true);
    return {
      ...page,
      ...(isMore && { totalRelation: 'gte' }),
      results: joinedTexts(page.results),
      facets,
      ...completions,
      ...(climbed && { match: { ...climbed.match, ...(page.ranked !== undefined && { ranked: page.ranked }) } }),
      ...weights,
    };
  });
  return work.catch((error: unknown) => {
    // What it has read is known to the next search, which then has more time.
    throw codeOf(error) === sqlState.cancelled && words.hasLearnt() ? stillReading() : error;
  });
}

/** Of matches that are too many for all to be looked at by the rules of the project, those within `filter` may be few enough. */
async function withinFilters(query: SearchQuery, climbed: Climbed, where: readonly Predicate[]): Promise<Climbed> {
  if (!climbed.ruled.isCut || query.filters.length === 0) return climbed;
  return { ...climbed, ruled: await climbed.rules.within(climbed.match.rung, climbed.needed, where) };
}

/** Of matches that are too many for all to be looked at, a facet looks at those of its sample. */
function facetSelections(
  query: SearchQuery,
  climbed: Climbed | undefined,
  plain: (where: readonly Predicate[]) => Selection,
): FacetSelections {
  const narrowed = (ruled: RuledDocuments | undefined) => {
    const narrow = narrowing(query, climbed?.needed, ruled);
    return (some: readonly Predicate[]) => narrow(plain(some));
  };
  if (!climbed?.ruled.isCut) {
    const select = narrowed(climbed?.ruled);
    return { select, ruled: async () => select };
  }
  const { rules, match, needed } = climbed;
  const ruled: FacetSelections['ruled'] = async (where, sample) =>
    narrowed(await rules.within(match.rung, needed, where, sample));
  const condition = rules.orPlain(byTerms(query, needed), () => byTerms(query, needed.map(neededInIndex)));
  const select = (some: readonly Predicate[]): Selection => {
    const selection = plain(some);
    return { ...selection, conditions: [condition, ...selection.conditions], isNarrowed: true };
  };
  return { select, ruled, isSuperset: true };
}

/** What is asked for beside the results of a text that is being typed. */
async function complete(
  connection: Connection,
  query: SearchQuery,
  climbed: Climbed | undefined,
  select: Asked['select'],
  exactMatches: number,
): Promise<Pick<SearchPage, 'completions' | 'sampled' | 'written'> | undefined> {
  if (!climbed) return undefined;
  const spaces = climbed.texts.flatMap(({ text }) => text.spaces);
  const written = await writtenCorrections(connection, query, Object.values(climbed.match.corrected), spaces, select);
  if (query.suggest === undefined) return { written };
  const looked = climbed.ruled.isCut ? { sampled: climbed.ruled.documents.length } : {};
  if (climbed.completed) return { written, ...climbed.completed };
  const asked = askedOf(query, climbed.texts[0]!.text, climbed.ruled, select);
  if (!asked) return { written, completions: [] };
  const isBroad = climbed.counted > exactMatches;
  const sampled = isBroad ? await sampledCompletions(connection, asked, exactMatches, 1) : undefined;
  return { written, ...(sampled ?? { completions: await completionsOf(connection, asked), ...looked }) };
}

async function sortedPage(
  connection: Connection,
  list: CompiledList,
  climbed: Climbed | undefined,
  maxPageBytes: number,
): Promise<ListPage> {
  const page = await runList(connection, list, maxPageBytes);
  if (!climbed || !page.next) return page;
  const { match, numbers } = climbed;
  return { ...page, next: searchPosition(match.rung, match.rung === 'most' ? numbers : [], page.next) };
}

/** A page by relevance, and how many were ranked if not all. */
type RankedPage = ListPage & { readonly ranked?: number };

async function rankedPage(
  connection: Connection,
  query: SearchQuery,
  selection: Selection,
  plain: Selection,
  climbed: Climbed,
  limits: SearchLimits,
): Promise<RankedPage> {
  const { usable, maxPageBytes, manyMatches = defaultManyMatches, exactMatches = defaultExactMatches } = limits;
  const { projectKey, staged, limit, offset, withTotal, countsAll } = query;
  const { texts, ruled, start, match, numbers } = climbed;
  const { order } = compileList({ ...query, where: [], sort: query.ties, after: undefined }, usable);
  const wanted = limit === 0 ? 0 : offset + limit;
  const count = wanted === 0 ? 0 : wanted + 1;
  const boosts = query.boosts.map(({ predicate, factor }) => {
    return { factor, selection: compileSelection({ projectKey, staged, where: [predicate] }, usable) };
  });
  const only = order.length === 0 && count > 0 ? onlyFrequentWord(query, climbed, manyMatches) : undefined;
  const known = await countedFirst();
  const isBounded = !only && count > 0 && known !== undefined && known > exactMatches;
  const rung = rungs.indexOf(match.rung);
  const besides = ruled === noRuledDocuments ? plain : undefined;
  const look = () => firstCandidates(connection, { matches: selection, besides }, texts, rung, exactMatches);
  const among = isBounded ? (climbed.candidates?.slice(0, exactMatches) ?? (await look())) : undefined;
  const rank = async (): Promise<Ranked> => {
    if (only) return { ...(await firstOfWord(connection, selection, only, count, start)), total: 0 };
    if (count === 0 && known !== undefined) return { ids: [], rankOf: () => ({ rung, score: 0 }), total: known };
    return rankMatches(connection, selection, { texts, ruled, boosts, count, order, start, among });
  };
  const found = await rank();
  const shown = found.ids.slice(offset, wanted);
  const ids = typed(JSON.stringify(shown), 'text');
  const inOrder = sql`SELECT u.id FROM jsonb_array_elements_text(${ids}::jsonb) WITH ORDINALITY u (id, position) ORDER BY u.position`;
  const rows = await runSql<PageRow>(connection, selectPage(projectKey, staged, inOrder, maxPageBytes));
  const page = pageOf(rows, staged, maxPageBytes);
  const last = found.ids.length > wanted ? shown.at(-1) : undefined;
  const tail = last === undefined ? undefined : await positionBehind(connection, projectKey, last, order);
  const next = tail && searchPosition(match.rung, numbers, tail, found.rankOf(last!));
  const isCut = among !== undefined || (count > 0 && ruled.isCut);
  const ranked = among?.length ?? found.total;
  const total = totalOf(known ?? found.total, countsAll ? undefined : exactMatches);
  return { ...page, ...(next && { next }), ...(withTotal && total), ...(isCut && { ranked }) };

  /** The number of matches, where that is not what ranking counts; beyond a bound one more than that. */
  async function countedFirst(): Promise<number | undefined> {
    if (query.filters.length === 0) return climbed.counted;
    if (climbed.counted <= exactMatches && !only) return undefined;
    return countMatches(connection, selection, countsAll ? undefined : exactMatches + 1);
  }
}

/** The only word of a search that begins, where it has many matches whose scores are those of terms. */
function onlyFrequentWord(
  { staged, boosts }: SearchQuery,
  { texts, ruled, match, counted }: Climbed,
  manyMatches: number,
): FrequentWord | undefined {
  const words = texts.flatMap(({ text }) => text.words);
  if (staged || boosts.length > 0 || ruled.documents.length > 0) return undefined;
  if (texts.length > 1 || words.length > 1 || match.rung !== 'all') return undefined;
  if (counted <= manyMatches || !hasTiers(words[0]!.strict)) return undefined;
  return { alternatives: words[0]!.strict, weight: texts[0]!.strictWeights[0]! };
}
