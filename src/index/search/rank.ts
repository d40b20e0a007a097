import type { Rung } from '../../contract/search-pages.ts';
import { nthGreatest } from '../../domain/search/nth-greatest.ts';
import { pinnedScore } from '../../domain/search/settings/pins.ts';
import { commonPositions, noRows, without } from '../terms/row-sets.ts';
import { byId, type IdOrder } from './columns/id-order.ts';
import { type NeededText, type WordCounts, weigh } from './ladder.ts';
import type { SearchBase } from './query-terms.ts';
import type { SearchContext } from './search.ts';
import type { RankNumbers, SearchStart } from './search-position.ts';
import { type Marks, type MarksOnRungs, markWord, never, rungNumber, WordSums, type WordValues } from './word-sums.ts';
import { type LengthsOfRows, ValueReader } from './word-values.ts';
import type { PlannedWord, QueryText } from './words/word-choices.ts';

/** The input of a ranking besides the rows. */
export interface Ranking extends SearchBase, Pick<SearchContext, 'postings' | 'begunPlaces' | 'changes' | 'pinned'> {
  readonly texts: readonly QueryText[];
  /** The words that each text needs on the last rung. */
  readonly needed: readonly NeededText[];
  readonly lastRung: Rung;
  readonly counts: WordCounts;
  /** Resources of the project. */
  readonly resources: number;
  readonly lengthsOf: LengthsOfRows;
  readonly idOrder: (rows: number) => IdOrder | undefined;
  /** What scores are multiplied by: those of some rows, ascending, by one factor, or those of all by one each. */
  readonly boosted: readonly Multiplier[];
  /** The first `count` of equally relevant rows where the query has an order for them; absent: by id. */
  readonly tieOrder: RowOrder | undefined;
  /** Where the page goes on; absent on a first one. */
  readonly start: SearchStart | undefined;
}

type Multiplier = { readonly rows: Uint32Array; readonly factor: number } | { readonly factors: Float64Array };

/** The first `count` of some rows in an order; with `start` of those behind it. */
export type RowOrder = (rows: Uint32Array, count: number, start: SearchStart | undefined) => readonly number[];

/** Rows by relevance. */
export interface RankedRows {
  readonly rows: readonly number[];
  /** The rank of the row at an index. */
  readonly rankAt: (index: number) => RankNumbers;
}

/**
 * The first `count` of the rows, all of which match, by relevance: an earlier rung first, then the greater score, then the
 * order of the query, then id (decision 113). With several texts, that which fits best.
 */
export function rankRows(ranking: Ranking, rows: Uint32Array, count: number): RankedRows {
  const { start, tieOrder, deadline } = ranking;
  const marks = marksOf(ranking, rows, new ValueReader(ranking, ranking.texts, rows));
  const ranked: number[] = [];
  const tiers: { readonly rank: RankNumbers; readonly end: number }[] = [];

  function add(rank: RankNumbers, group: Uint32Array, from?: SearchStart): void {
    const wanted = count - ranked.length;
    const isOrdered = tieOrder && (group.length > 1 || from);
    deadline.checkNow();
    for (const row of isOrdered ? tieOrder(group, wanted, from) : byId(ranking, group, wanted, from)) ranked.push(row);
    tiers.push({ rank, end: ranked.length });
  }

  if (start) {
    const tied = tiedWith(rows, marks, start.rank);
    if (tied.length > 0) add(start.rank, tied, start);
  }
  for (const { rank, group } of groupsOf(rows, marks, count - ranked.length, start?.rank)) {
    if (ranked.length >= count) break;
    add(rank, group);
  }
  return { rows: ranked, rankAt: (index) => tiers.find(({ end }) => index < end)!.rank };
}

function marksOf(ranking: Ranking, rows: Uint32Array, reader: ValueReader): Marks {
  return boosted(ranking, rows, best(ranking.texts.map((_, at) => markText(ranking, at, rows, reader))));
}

/** The rows with exactly this rank. */
function tiedWith(rows: Uint32Array, { rungs, scores }: Marks, { rung, score }: RankNumbers): Uint32Array {
  return rows.filter((_, at) => scores[at] === score && (rungs?.[at] ?? rungNumber('all')) === rung);
}

/** The scores by the settings of the project, those of pinned rows the greatest: a copy where some are changed, since values of words may be kept. */
function boosted({ boosted: all, pinned }: Ranking, rows: Uint32Array, { rungs, scores: own }: Marks): Marks {
  if (all.length === 0 && pinned.length === 0) return { rungs, scores: own };
  const scores = own.slice();
  for (const one of all) {
    if ('factors' in one) {
      for (let at = 0; at < scores.length; at += 1) scores[at]! *= one.factors[at]!;
      continue;
    }
    const { rows: some, factor } = one;
    const positions = new Uint32Array(Math.min(rows.length, some.length));
    const end = commonPositions(rows, some, positions);
    for (let at = 0; at < end; at += 1) scores[positions[at]!]! *= factor;
  }
  // The first place of a resource that is pinned twice counts.
  for (const [place, row] of [...pinned.entries()].reverse()) {
    const at = row < 0 ? row : rows.indexOf(row);
    if (at < 0) continue;
    scores[at] = pinnedScore(place);
    if (rungs) rungs[at] = rungNumber('all');
  }
  return { rungs, scores };
}

/** The best match of each row over all texts. */
function best(marks: readonly Marks[]): Marks {
  if (marks.length === 1) return marks[0]!;
  const [first, ...others] = marks as readonly MarksOnRungs[];
  for (const other of others) {
    for (let at = 0; at < first!.rungs.length; at += 1) {
      const [rung, score] = [other.rungs[at]!, other.scores[at]!];
      const known = first!.rungs[at]!;
      if (rung > known || (rung === known && score <= first!.scores[at]!)) continue;
      first!.rungs[at] = rung;
      first!.scores[at] = score;
    }
  }
  return first!;
}

/** With a single word its weight makes no difference. */
export function isAlone(texts: readonly QueryText[]): boolean {
  return texts.length === 1 && texts[0]!.words.length === 1;
}

function markText(ranking: Ranking, textAt: number, rows: Uint32Array, reader: ValueReader): Marks {
  const text = ranking.texts[textAt]!;
  const valuesOf = (word: PlannedWord): WordValues => {
    const strict = reader.valuesOf(word.strict);
    return { strict, loose: word.typos.length === 0 ? strict : reader.raised(strict, word.typos) };
  };
  const isAny = ranking.lastRung === 'any';
  if (isAlone(ranking.texts)) return markWord(valuesOf(text.words[0]!), rungNumber(isAny ? 'any' : 'typos'));
  const needed = ranking.needed[textAt]!;
  const weights = weigh(text, needed, ranking.counts, ranking.resources);
  const sums = new WordSums(rows.length);
  for (const [at, word] of text.words.entries()) {
    const [strictWeight, looseWeight] = [weights.strict[at]!, weights.loose[at]!];
    const { isRequired } = word;
    sums.add({ ...valuesOf(word), strictWeight, looseWeight, isRequired, isDeciding: needed.words.includes(word) });
  }
  const marks = sums.marks(text.words.length > 0, isAny ? undefined : needed.count);
  // Of several texts another one may have found the row.
  const others = ranking.texts.length > 1 && needed.withPhrases ? without(rows, needed.withPhrases(rows)) : noRows;
  const positions = new Uint32Array(others.length);
  const end = commonPositions(rows, others, positions);
  for (let at = 0; at < end; at += 1) marks.rungs[positions[at]!] = never;
  return marks;
}

/** Rows of equal relevance, ascending. */
interface Tier {
  readonly rank: RankNumbers;
  readonly group: Uint32Array;
}

/**
 * The first `count` rows and those that tie with the last, in groups of equal relevance, the most relevant first; with
 * `after` of those that are less relevant.
 */
function* groupsOf(rows: Uint32Array, marks: Marks, count: number, after: RankNumbers | undefined): Generator<Tier> {
  let wanted = count;
  const last = marks.rungs ? rungNumber('any') : rungNumber('all');
  for (let rung = after?.rung ?? 0; rung <= last && wanted > 0; rung += 1) {
    const below = rung === after?.rung ? after.score : Number.POSITIVE_INFINITY;
    for (const tier of groupsOfRung(rows, marks, rung, below, wanted)) {
      wanted -= tier.group.length;
      yield tier;
    }
  }
}

/** Groups the rows on a rung with scores below one. Not in the generator, where V8 would not optimise the loop. */
function groupsOfRung(rows: Uint32Array, marks: Marks, rung: number, below: number, count: number): readonly Tier[] {
  const { rungs, scores } = marks;
  const isAll = !rungs && below === Number.POSITIVE_INFINITY;
  const least = nthGreatest(isAll ? scores : scoresOf(marks, rung, below), count);
  const better = new Map<number, number[]>();
  const ties = new Uint32Array(rows.length);
  let end = 0;
  for (let at = 0; at < rows.length; at += 1) {
    if (scores[at]! < least || scores[at]! >= below || (rungs && rungs[at] !== rung)) continue;
    if (scores[at] !== least) addTo(better, scores[at]!, rows[at]!);
    else {
      // These may be nearly all of the rows.
      ties[end] = rows[at]!;
      end += 1;
    }
  }
  const tiers = [...better].sort(([a], [b]) => b - a);
  const found = tiers.map(([score, group]) => ({ rank: { rung, score }, group: Uint32Array.from(group) }));
  return end === 0 ? found : [...found, { rank: { rung, score: least }, group: ties.subarray(0, end) }];
}

function addTo(groups: Map<number, number[]>, score: number, row: number): void {
  const group = groups.get(score);
  if (group) group.push(row);
  else groups.set(score, [row]);
}

function scoresOf({ rungs, scores }: Marks, rung: number, below: number): Float64Array {
  const own = new Float64Array(scores.length);
  let end = 0;
  for (let at = 0; at < scores.length; at += 1) {
    if (scores[at]! >= below || (rungs && rungs[at] !== rung)) continue;
    own[end] = scores[at]!;
    end += 1;
  }
  return own.subarray(0, end);
}
