import { totalOf } from '../../../domain/ports/list-query.ts';
import type { MatchResult, Rung, SearchQuery, TextWeights } from '../../../domain/search/query/query.ts';
import { fewHits } from '../../../domain/search/relevance.ts';
import {
  anyText,
  enoughHits,
  matchResult,
  type NeededText,
  neededOn,
  rungs,
  rungsOf,
  type WordCounts,
  weightsOf,
} from '../../../index/plan/ladder.ts';
import { misspelled, takesHeads } from '../../../index/plan/plan-heads.ts';
import {
  countedBefore,
  isRanked,
  numbersOf,
  type SearchStart,
  searchStart,
} from '../../../index/plan/search-position.ts';
import type { Sql } from '../../../index/plan/sql.ts';
import type { PlannedWord, QueryText } from '../../../index/plan/word-choices.ts';
import type { UsablePaths } from '../generations/generation.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import type { CheckReady } from '../query/run-list.ts';
import { countMatches } from '../query/run-sql.ts';
import { termCondition } from '../query/term-condition.ts';
import { choicesOf, firstCandidates, hasManyNamed, type Matches, manyChoices } from './candidates.ts';
import { askedOf, manyCompleting, type SampledCompletions, sampledCompletions } from './completions.ts';
import { findHeads } from './heads.ts';
import { findTypos, findWords } from './query-terms.ts';
import { hasNeeded, type RankedText, weighText } from './rank-terms.ts';
import { hasTiers } from './rank-word.ts';
import type { ChangedWords } from './rules/changed-words.ts';
import { type FieldRules, openFieldRules, type RuleParts } from './rules/field-rules.ts';
import { noRuledDocuments, type RuledDocuments } from './rules/ruled-documents.ts';
import { createWordCounter } from './word-counts.ts';

export interface SearchLimits {
  /** The declared paths whose entries the search may use. */
  readonly usable: UsablePaths;
  /** Checks them in the snapshot of the search. */
  readonly check: CheckReady;
  readonly maxPageBytes: number;
  /** Of more matches only so many are ranked, facets are counted in a sample, and the total says `gte`. */
  readonly exactMatches?: number;
  /** So many of the words with a common beginning are looked for. */
  readonly mostBegun?: number;
  /** More words that find the asked ones are many: what can be told without looking at all of them is. */
  readonly many?: number;
  /** With more matches of a single word the first ones are looked up score by score. Another choice gives the same results. */
  readonly manyMatches?: number;
  /** What the process knows of what rules of projects change. Default: nothing. */
  readonly changedWords?: ChangedWords;
  /** Damaged resources, which are left out. Default: none. */
  readonly damagedIds?: readonly string[];
}

export const defaultExactMatches = 10_000;
const defaultMostBegun = 200;

/** What documents need of the texts, by their terms. */
export function byTerms({ projectKey, staged }: SearchQuery, needed: readonly NeededText[]): Sql {
  return termCondition((projection) => anyText(projectKey, projection, needed, { byBeginning: false }), staged);
}

/** Adds the condition of the texts to selections, if there are texts. */
export function narrowing(
  query: SearchQuery,
  needed: readonly NeededText[] | undefined,
  ruled: RuledDocuments | undefined,
): <T extends Selection>(of: T) => T {
  if (needed === undefined || ruled === undefined) return (selection) => selection;
  const condition = ruled.instead(byTerms(query, needed), (document) => needed.some((one) => hasNeeded(document, one)));
  return (selection) => ({ ...selection, conditions: [condition, ...selection.conditions], isNarrowed: true });
}

/** Climbs the ladder up to the rung that has enough hits. */
export async function climb(
  parts: RuleParts,
  countUpTo: number | undefined,
  { mostBegun = defaultMostBegun, exactMatches = defaultExactMatches, many = manyChoices }: SearchLimits,
): Promise<Climbed> {
  const { connection, query, select } = parts;
  const most = countUpTo === undefined ? undefined : Math.max(countUpTo, fewHits) + 1;
  const found = await findWords(connection, query, mostBegun);
  let { texts } = found;
  let rules = await openFieldRules(parts, texts);
  let isLoose = false;
  const counter = createWordCounter(connection, query, () => rules);
  const totals: Partial<Record<Rung, number>> = {};
  const taken = rungsOf(query);
  const start = searchStart(query);
  const asked = rules.whole && askedOf(query, texts[0]!, rules.whole, select);
  const completed = asked && (await sampledCompletions(connection, asked, exactMatches, manyCompleting));
  const takeHeads = async () => {
    const { strict } = countedBefore(start, texts)?.counts ?? {};
    const isUnknown = async (word: PlannedWord) =>
      !(strict ? strict(word) > 0 : await counter.has(word.strict)) && !(await counter.has(misspelled(word)));
    const found = await eachInTurn(texts, (text) => findHeads(connection, query, text, isUnknown));
    if (found.every((one) => one === undefined)) return;
    const withAll = texts.map((text, at) => found[at]?.all ?? text);
    rules = await openFieldRules(parts, withAll);
    texts = await eachInTurn(texts, async (text, at) => found[at]?.choose(counter.has) ?? text);
    rules = await openFieldRules(parts, texts);
  };
  for (const rung of taken) {
    if (rung !== 'all' && !isLoose) {
      if (query.fuzzyLevel > 0) {
        texts = await findTypos(connection, query, texts);
        rules = await openFieldRules(parts, texts);
      }
      if (takesHeads(query)) await takeHeads();
      isLoose = true;
    }
    const before = countedBefore(start, texts);
    const known = before?.counts ?? (rung === 'most' ? await counter.count(texts) : undefined);
    const needed = neededOn(rung, texts, known ?? alike);
    const filtered = select(query.queryFilters);
    const ruled = await rules.within(rung, needed, query.queryFilters);
    const isCut = found.isCut || ruled.isCut;
    const among = {
      matches: narrowing(query, needed, ruled)(filtered),
      besides: ruled === noRuledDocuments ? filtered : undefined,
    };
    const isMany = choicesOf(needed) > many && !hasOnlyTiers(texts);
    const { counted, candidates } = completed
      ? { counted: exactMatches + 1 }
      : isMany && most !== undefined
        ? await countMany(connection, query, among, sought(texts, needed), rung, most)
        : { counted: await countMatches(connection, among.matches, most) };
    const { total, totalRelation = isCut ? 'gte' : undefined } = totalOf(counted, countUpTo);
    totals[rung] = total;
    const isLast = start ? rung === start.lastRung : counted >= enoughHits(query);
    if (!isLast && rung !== taken.at(-1)) continue;
    // Neither for a single word, whose weight makes no difference, nor without results are words and resources counted.
    const isUnweighed = query.limit === 0 && !query.explain;
    const isAlike =
      rung === 'all' && (isUnweighed || (!query.explain && texts.length === 1 && texts[0]!.words.length === 1));
    const isBroad = isMany && counted > exactMatches;
    const counts = known ?? (isAlike ? alike : await counter.count(texts, !isUnweighed, isBroad ? many : undefined));
    const corrections = rung === 'all' ? new Map() : await counter.correct(texts, counts);
    const result = matchResult(rung, totals, texts, counts, (_, word) => corrections.get(word));
    const match = { ...result, ...(totalRelation && { totalRelation }) };
    const resources = before?.resources ?? (isUnweighed || isAlike ? 1 : await counter.resources());
    return {
      ...{ counted, candidates, isCut: found.isCut, completed },
      ...{ needed, match, ruled, rules, weights: weightsOf(query, rung, texts, needed, counts, resources) },
      ...{ start, numbers: numbersOf(texts, { resources, counts }) },
      texts: texts.map((text, at) => weighText(text, needed[at]!, counts, resources)),
    };
  }
  throw new Error('a search has a last rung');
}

/** One connection answers one question after the other. */
async function eachInTurn<T, U>(all: readonly T[], of: (one: T, at: number) => Promise<U>): Promise<readonly U[]> {
  const found: U[] = [];
  for (const [at, one] of all.entries()) found.push(await of(one, at));
  return found;
}

const sought = (texts: readonly QueryText[], needed: readonly NeededText[]) =>
  texts.map((text, at) => ({ text, needed: needed[at]! }));

/** Of a single word the index tells the order. */
function hasOnlyTiers(texts: readonly QueryText[]): boolean {
  const words = texts.flatMap((text) => text.words);
  return words.length === 1 && hasTiers(words[0]!.strict);
}

/**
 * Counts the matches of very many words up to `most`. Where they are to be ranked, those that would be ranked of more are looked
 * for at once, which says whether there are more; else those with all words in their names usually are enough.
 */
async function countMany(
  connection: Connection,
  query: SearchQuery,
  among: Matches,
  texts: ReturnType<typeof sought>,
  rung: Rung,
  most: number,
): Promise<Pick<Climbed, 'counted' | 'candidates'>> {
  if (isRanked(query) && query.limit > 0 && query.filters.length === 0) {
    const candidates = await firstCandidates(connection, among, texts, rungs.indexOf(rung), most);
    return { counted: candidates.length, candidates };
  }
  const { matches, besides } = among;
  if (besides && (await hasManyNamed(connection, besides, texts, most))) return { counted: most };
  return { counted: await countMatches(connection, matches, most) };
}

/** Where numbers do not matter. */
const alike: WordCounts = { strict: () => 1, loose: () => 1 };

/** The rung that a search ends on. */
export interface Climbed {
  /** Matches within `filter.query`, beyond a bound one more than that. */
  readonly counted: number;
  /** The first ones of them to be ranked, where they were looked for to be counted. */
  readonly candidates?: readonly string[] | undefined;
  /** More words may match than were looked for: see `findWords`. */
  readonly isCut: boolean;
  /** What completes a text that very many resources have; nothing else is asked for then. */
  readonly completed: SampledCompletions | undefined;
  readonly needed: readonly NeededText[];
  readonly ruled: RuledDocuments;
  readonly rules: FieldRules;
  readonly match: MatchResult;
  readonly texts: readonly RankedText[];
  readonly weights: readonly TextWeights[];
  readonly start: SearchStart | undefined;
  /** From which the weights are computed. */
  readonly numbers: readonly number[];
}
