import type { DatabaseSync } from 'node:sqlite';
import { indexedLocale, plainSpaceOf } from '#words';
import { hasFieldOf, hasPlainRules } from '../../domain/search/field-rules.ts';
import type { MatchResult, Rung, SearchQuery } from '../../domain/search/query/query.ts';
import type { TextCondition } from '../query/access-paths.ts';
import { countProject } from '../query/execute.ts';
import { isAmong, type PromptDeadline } from '../query/functions.ts';
import { rowsOfProject } from './columns/term-entries.ts';
import { isEnough, matchResult, mostFrequent, neededOn, resemblingWords, rungsOf, weightOf } from './ladder.ts';
import { type Selecting, selecting } from './match-rows.ts';
import { BegunPlaces } from './postings/begun-places.ts';
import { Postings } from './postings/postings.ts';
import { createSecondParts } from './postings/second-parts.ts';
import { createWordCounts, textCondition, WordRows } from './query-terms.ts';
import type { SearchContext, SearchLimits } from './search.ts';
import { lastCommit, type SearchCache } from './search-cache.ts';
import { countedBefore, countedPlaces, type SearchStart, searchStart } from './search-position.ts';
import { createTextConditions, pinnedRows } from './text-conditions.ts';
import { FieldChanges } from './word-changes.ts';
import { takeHeads, takesHeads } from './words/plan-heads.ts';
import { addTypos, type Planning, planText } from './words/plan-words.ts';
import { type Alternative, manyBegun, type QueryText } from './words/word-choices.ts';
/** Climbs the ladder up to the rung that has enough hits. */
export function climb(
  db: DatabaseSync,
  query: SearchQuery,
  cache: SearchCache,
  deadline: PromptDeadline,
  limits: SearchLimits,
): SearchContext {
  const { projectKey, staged } = query;
  const commits = lastCommit(db);
  const scope = { db, projectKey, staged };
  const knownIn = (space: string) => {
    // Comparing a word with all words of a large vocabulary takes milliseconds.
    deadline.checkNow();
    return cache.vocabularies.of(projectKey, indexedLocale(space));
  };
  const withFields = (): Uint32Array => selecting(base, undefined, limits).rowsOf([hasFieldOf(query.fields)]);
  const postings = new Postings(scope, deadline);
  const changes =
    query.fields.length === 0 || (query.texts.length === 0 && query.excluded.length === 0)
      ? undefined
      : new FieldChanges({ ...scope, cache, commits, deadline, postings, rowsWithFields: withFields }, query.fields);
  const begunPlaces = new BegunPlaces({ ...scope, cache, commits, deadline }, query.fields);
  const words = new WordRows(begunPlaces, postings, changes);
  const plainSpaces = hasPlainRules(query.fields)
    ? cache.vocabularies.locales(projectKey).filter(Boolean).map(plainSpaceOf)
    : [];
  const asked = { ...scope, query, cache, commits, deadline, postings, begunPlaces, words, changes };
  const conditions = createTextConditions({ ...asked, knownIn, plainSpaces });
  const base = {
    ...{ ...asked, excluded: conditions.excluded, pinned: pinnedRows(db, query) },
    ...{ counts: createWordCounts(words), resources: countProject(db, projectKey) },
  };
  if (query.texts.length === 0) {
    const nothing = { texts: [], needed: [], match: undefined, start: undefined };
    return { ...base, ...nothing, ...selecting(base, everythingElse(base), limits) };
  }
  const start = searchStart(query);
  let texts: readonly QueryText[] = planned(base, { knownIn, plainSpaces }, start).map((text, at) => {
    return { ...text, withPhrases: conditions.withPhrases(query.texts[at]!) };
  });
  let isLoose = false;
  const totals: Partial<Record<Rung, number>> = {};
  const rungs = rungsOf(query, texts);
  for (const rung of rungs) {
    deadline.checkNow();
    if (rung !== 'all' && !isLoose) {
      if (query.fuzzyLevel > 0) texts = texts.map((text) => addTypos(text, query.fuzzyLevel, knownIn));
      const { counts } = { ...base, ...countedBefore(start, texts) };
      const isFound = (some: readonly Alternative[]) => words.of(some).length > 0;
      if (takesHeads(query)) texts = texts.map((text) => takeHeads(text, counts.strict, isFound, knownIn));
      isLoose = true;
    }
    const counted = { ...base, ...countedBefore(start, texts) };
    const needed = neededOn(rung, texts, counted.counts);
    const selected = selecting(base, textCondition(base, needed), limits);
    totals[rung] = hits(base, selected);
    const isLast = start ? rung === start.lastRung : isEnough(query, rung, texts, totals[rung]);
    if (!isLast && rung !== rungs.at(-1)) continue;
    return { ...counted, texts, needed, match: matchOf(counted, rung, totals, texts), start, ...selected };
  }
  throw new Error('a search has a last rung');
}

/** Without a text to find, all resources but those that the query excludes; undefined where it excludes nothing. */
function everythingElse(base: Base): TextCondition | undefined {
  if (base.query.excluded.length === 0) return undefined;
  const rows = base.excluded.removedFrom(rowsOfProject(base));
  return { rows, condition: isAmong(base.db, rows) };
}

/** The texts without typos. */
function planned(
  base: Base,
  vocabulary: Pick<Planning, 'knownIn' | 'plainSpaces'>,
  start: SearchStart | undefined,
): readonly QueryText[] {
  const { query, begunPlaces, words, resources, deadline } = base;
  // Looked up together, the words with a beginning need not be known one by one: only suggestions name them.
  const areNamed = !begunPlaces.areKnown || query.suggest !== undefined;
  const planning: Planning = {
    ...{ prefix: query.prefix, ...vocabulary, secondParts: createSecondParts(base) },
    isFound: (some) => words.of(some).length > 0,
    enoughBegun: areNamed ? undefined : manyBegun,
    weightOf(choices) {
      deadline.checkNow();
      return weightOf({ share: 1 }, words.of([{ factor: 1, isShort: false, parts: [choices] }]).length, resources);
    },
  };
  const counted = countedPlaces(start, query.texts);
  return query.texts.map((text, at) => planText(text, planning, counted?.[at]));
}

function hits({ query }: Base, { countOf, rowsOf }: Selecting): number {
  // These need the rows anyway.
  const isRead = query.facets.length > 0 || (query.sort.length === 0 && query.limit > 0);
  return isRead ? rowsOf(query.queryFilters).length : countOf(query.queryFilters);
}

function matchOf(base: Base, rung: Rung, totals: MatchResult['totals'], texts: readonly QueryText[]): MatchResult {
  return matchResult(rung, totals, texts, base.counts, ({ spaces }, asked) => {
    for (const words of resemblingWords(asked)) {
      const counted = words.map((word) => {
        const choices = spaces.map((space) => ({ locale: space, word }));
        return { word, documents: base.words.of([{ factor: 1, isShort: false, parts: [choices] }]).length };
      });
      const found = mostFrequent(counted);
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

type Base = Omit<SearchContext, 'texts' | 'needed' | 'match' | 'start' | keyof Selecting>;
