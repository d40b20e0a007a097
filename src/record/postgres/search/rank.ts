import { indexedLocale } from '#words';
import { compareUtf8 } from '../../../domain/predicate/scalar.ts';
import type { RankNumbers, SearchStart } from '../../../index/plan/search-position.ts';
import { joined, listed, raw, type Sql, sql, typed } from '../../../index/plan/sql.ts';
import { looseAlternatives, type QueryText } from '../../../index/plan/word-choices.ts';
import { type Projection, termHead } from '../../../index/terms/term-encoding.ts';
import { lengthClasses, lengthTerm, placeMarks, wordTerm } from '../../../index/terms/word-terms.ts';
import type { Connection } from '../open/connection.ts';
import { isBehind, pageStart } from '../query/keyset.ts';
import type { OrderKey, Selection } from '../query/plan-list.ts';
import { runSql } from '../query/run-sql.ts';
import { fromMatches, orderBy, slice } from '../query/select.ts';
import { termArray, textArray } from '../query/term-condition.ts';
import { type Rank, type RankedText, rankIn, type TermDocument } from './rank-terms.ts';
import type { RuledDocuments } from './rules/ruled-documents.ts';

/** Matches that have the same terms of those that decide the rank. */
interface MarkedGroup {
  readonly staged: boolean;
  /** The numbers of these terms. */
  readonly own: readonly string[];
  /** Whether each of the boosts holds. */
  readonly boosted: readonly boolean[];
  readonly matches: number;
  /** The first ids, ascending. */
  readonly ids: readonly string[];
  /** The first ids behind that where the page goes on; null for none. */
  readonly behind: readonly string[] | null;
}

export interface Ranked {
  /** The first `count` matches. */
  readonly ids: readonly string[];
  /** The rank of one of them. */
  readonly rankOf: (id: string) => RankNumbers;
  readonly total: number;
}

/** Which matches, and in which order. */
export interface Ranking {
  readonly texts: readonly RankedText[];
  readonly ruled: RuledDocuments;
  readonly boosts: readonly Boosting[];
  readonly count: number;
  /** The order of equally relevant matches, before that by id. */
  readonly order: readonly OrderKey[];
  /** Where the page goes on; absent on a first one. */
  readonly start: SearchStart | undefined;
  /** Of very many matches only these are ranked. */
  readonly among?: readonly string[] | undefined;
}

/** What multiplies the scores of the matches that a condition holds for. */
export interface Boosting {
  readonly selection: Selection;
  readonly factor: number;
}

/** Matches of one rank. */
interface Tier {
  readonly rank: Rank;
  readonly ids: readonly string[];
}

/**
 * The first matches by relevance: an earlier rung first, then the greater score, then id (decision 113). The database
 * groups the matches by words, places and lengths; the rank of each group is computed here, as by every engine.
 */
export async function rankMatches(connection: Connection, selection: Selection, ranking: Ranking): Promise<Ranked> {
  const { texts, ruled, boosts, count, order, start, among } = ranking;
  const terms = [
    ...rankingTerms(
      selection,
      texts.map(({ text }) => text),
    ),
  ];
  const groups = await runSql<MarkedGroup>(
    connection,
    groupsOf(
      ruled.without(among ? { ...selection, conditions: [sql`r.id = ANY (${textArray(among)})`] } : selection),
      ...([terms, boosts, order.length === 0 ? count : undefined, start?.id] as const),
    ),
  );
  const others = await ruled.matching(connection, selection);
  const total = groups.reduce((sum, { matches }) => sum + matches, others.length);
  const found: Tier[] = [];
  function add(rank: Rank, ids: readonly string[], behind: () => readonly string[]): void {
    const far = start ? compareRanks(rank, start.rank) : 1;
    // Fields decide which of equal ones are behind, or ids.
    if (far >= 0) found.push({ rank, ids: far > 0 || order.length > 0 ? ids : behind() });
  }
  const termsOf = termsOfNumbers(connection, terms);
  for (const { staged, own: numbers, boosted, ids, behind } of groups) {
    const own = termsOf(numbers);
    const factors = boosts.filter((_, at) => boosted[at]).map(({ factor }) => factor);
    add(multiplied(rankOf(termDocument(own, staged, selection), texts), factors), ids, () => behind ?? []);
  }
  const holding = await boostedAmong(connection, ruled, others.length === 0 ? [] : boosts, selection);
  for (const { id, document } of others) {
    const factors = holding.filter((one) => one.ids.has(id)).map(({ factor }) => factor);
    add(multiplied(rankOf(document, texts), factors), [id], () => (compareUtf8(id, start!.id) > 0 ? [id] : []));
  }
  const tiers = [...tiersOf(found.sort((a, b) => compareRanks(a.rank, b.rank)))];
  const ids = order.length === 0 ? firstIds(tiers, count) : await orderedIds(connection, selection, tiers, ranking);
  return { ids, rankOf: (id) => tiers.find((tier) => tier.ids.includes(id))!.rank, total };
}

function multiplied({ rung, score }: Rank, factors: readonly number[]): Rank {
  return { rung, score: factors.reduce((product, factor) => product * factor, score) };
}

/** The documents with rules that match, for each of the boosts. */
async function boostedAmong(
  connection: Connection,
  ruled: RuledDocuments,
  boosts: readonly Boosting[],
  selection: Selection,
): Promise<readonly { readonly ids: ReadonlySet<string>; readonly factor: number }[]> {
  const found: { ids: Set<string>; factor: number }[] = [];
  for (const { selection: boosted, factor } of boosts) {
    const conditions = [...selection.conditions, ...boosted.conditions];
    const documents = await ruled.matching(connection, { ...selection, conditions });
    found.push({ ids: new Set(documents.map(({ id }) => id)), factor });
  }
  return found;
}

function compareRanks(left: RankNumbers, right: RankNumbers): number {
  return left.rung - right.rung || right.score - left.score;
}

/** With the first `count` ids of each group, or all, and the first ones behind the id `from`. */
function groupsOf(
  selection: Selection,
  terms: readonly string[],
  boosts: readonly Boosting[],
  count: number | undefined,
  from: string | undefined,
): Sql {
  const some = raw(count === undefined ? '' : `[1:${Math.trunc(count)}]`);
  const first = sql`(array_agg(s.id ORDER BY s.id))${some}`;
  const behind =
    from === undefined ? raw('NULL') : sql`(array_agg(s.id ORDER BY s.id) FILTER (WHERE s.id > ${from}))${some}`;
  const holds = boosts.map(({ selection: boosted }) => sql`coalesce(${joined(boosted.conditions, 'AND')}, FALSE)`);
  const boosted = sql`ARRAY[${listed(holds, ', ')}]::boolean[]`;
  return sql`SELECT s.staged, s.own::text[] AS own, s.boosted, count(*) AS matches, ${first} AS ids, ${behind} AS behind
    FROM (SELECT r.id, r.staged IS NOT NULL AS staged, ${ownTerms(terms)} AS own, ${boosted} AS boosted ${fromMatches(selection)}) s
    GROUP BY s.staged, s.own, s.boosted`;
}

/** Those of the terms that `resource r` has. A list of more than eight is hashed: a beginning has thousands of terms. */
export function ownTerms(terms: readonly string[]): Sql {
  return sql`ARRAY(SELECT t.term FROM unnest(r.terms) t (term) WHERE t.term = ANY (${termArray(terms)}))`;
}

/** The terms that the numbers of `ownTerms` stand for, of a statement on this connection. */
export function termsOfNumbers(
  { terms: hash }: Connection,
  terms: readonly string[],
): (own: readonly string[]) => ReadonlySet<string> {
  const byNumber = new Map(terms.map((term) => [hash.of(term), term]));
  return (own) => new Set(own.map((number) => byNumber.get(number)!));
}

/** Those of one rank together, of matches in the order of their ranks. */
function* tiersOf(ranked: readonly Tier[]): Generator<Tier> {
  for (let at = 0; at < ranked.length; ) {
    const { rank } = ranked[at]!;
    const ids: string[] = [];
    for (; at < ranked.length && compareRanks(ranked[at]!.rank, rank) === 0; at += 1) {
      for (const id of ranked[at]!.ids) ids.push(id);
    }
    yield { rank, ids };
  }
}

/** The first ids, those of one tier in their own order. */
function firstIds(tiers: readonly Tier[], count: number): readonly string[] {
  const first: string[] = [];
  for (const { ids } of tiers) {
    if (first.length >= count) break;
    for (const id of ids.toSorted(compareUtf8)) first.push(id);
  }
  return first.slice(0, count);
}

/** The same, those of one tier by fields, then by id; of the tier where the page goes on what is behind its start. */
async function orderedIds(
  connection: Connection,
  selection: Selection,
  tiers: readonly Tier[],
  { count, order, start }: Ranking,
): Promise<readonly string[]> {
  const tierOf: [id: string, tier: number][] = [];
  let enough = 0;
  for (const { rank, ids } of tiers) {
    if (enough >= count) break;
    const isTied = start !== undefined && compareRanks(rank, start.rank) === 0;
    for (const id of ids) tierOf.push([id, isTied ? 0 : enough + 1]);
    if (!isTied) enough += ids.length;
  }
  const tier = sql`(${typed(JSON.stringify(Object.fromEntries(tierOf)), 'text')}::jsonb ->> r.id)::int`;
  const { keys, id } = start ? pageStart(start.tail) : { keys: [], id: '' };
  const isBehindStart = start ? [sql`(${tier} > 0 OR ${isBehind(order, keys, id)})`] : [];
  const among = sql`r.id = ANY (${textArray(tierOf.map(([own]) => own))})`;
  const those = { ...selection, conditions: [among, ...isBehindStart] };
  const rows = await runSql<{ id: string }>(
    connection,
    sql`SELECT r.id ${fromMatches(those, order)} ORDER BY ${tier}, ${orderBy(order)} ${slice(count, 0)}`,
  );
  return rows.map((row) => row.id);
}

/** The terms of words, of where they stand, and of lengths. */
export function rankingTerms(
  { projectKey, staged }: Pick<Selection, 'projectKey' | 'staged'>,
  texts: readonly QueryText[],
): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const projection of staged ? (['c', 's'] as const) : (['c'] as const)) {
    const head = termHead(projectKey, projection);
    const locales = new Set<string>();
    for (const text of texts) {
      for (const choice of text.words.flatMap(looseAlternatives).flatMap(({ parts }) => parts.flat())) {
        locales.add(indexedLocale(choice.locale));
        const term = wordTerm(head, choice.locale, choice.word);
        terms.add(term);
        for (const { mark } of placeMarks(choice.locale).marks) terms.add(term + mark);
      }
    }
    for (const locale of locales) {
      for (const length of lengthClasses) {
        terms.add(lengthTerm(head, locale, 'n', length));
        terms.add(lengthTerm(head, locale, 't', length));
      }
    }
  }
  return terms;
}

/** The best rank of all texts. */
function rankOf(document: TermDocument, texts: readonly RankedText[]): Rank {
  const ranks = texts.map((text) => rankIn(document, text)).filter((rank) => rank !== undefined);
  return ranks.sort(compareRanks)[0]!;
}

/** A document with these of the terms, in the projection that the search sees. */
export function termDocument(
  own: ReadonlySet<string>,
  hasStaged: boolean,
  { projectKey, staged }: Pick<Selection, 'projectKey' | 'staged'>,
): TermDocument {
  const projection: Projection = staged && hasStaged ? 's' : 'c';
  return { own, head: termHead(projectKey, projection), lengths: new Map() };
}
