import type { Rung } from '../../../domain/search/query/query.ts';
import { stopWordWeight } from '../../../domain/search/relevance.ts';
import { type NeededText, scoreOfMost, type WordCounts, weightOf } from '../../query/ladder.ts';
import type { RankNumbers, SearchStart } from '../../query/search-position.ts';
import { raw, sql } from '../../query/sql.ts';
import type { QueryText } from '../../query/word-choices.ts';
import type { PromptDeadline } from '../query/functions.ts';
import { selectPlainNumbers } from '../query/statements.ts';
import type { IdOrder } from './columns/id-order.ts';
import type { SearchScope } from './query-terms.ts';
import { createValueReader, type LengthsOfRows, type ValueReader } from './word-values.ts';

/** What a ranking needs besides the rows. */
export interface Ranking extends SearchScope {
  readonly texts: readonly QueryText[];
  /** What each text needs on the last rung. */
  readonly needed: readonly NeededText[];
  readonly counts: WordCounts;
  /** Resources of the project. */
  readonly resources: number;
  readonly lengthsOf: LengthsOfRows;
  readonly idOrder: (rows: number) => IdOrder | undefined;
  /** The first `count` of equally relevant rows where the query has an order for them; absent: by id. */
  readonly tieOrder: RowOrder | undefined;
  /** Where the page goes on; absent on a first one. */
  readonly start: SearchStart | undefined;
  readonly deadline: PromptDeadline;
}

/** The first `count` of some rows in an order; with `start` of those behind it. */
export type RowOrder = (rows: readonly number[], count: number, start: SearchStart | undefined) => readonly number[];

/** Rows by relevance. */
export interface RankedRows {
  readonly rows: readonly number[];
  /** The rank of the row at an index. */
  readonly rankAt: (index: number) => RankNumbers;
}

/** How the rows match one text: arrays in the order of the rows. */
interface Marks {
  /** The number of the rung, `never` where the row does not match the text. */
  readonly rungs: Uint8Array;
  readonly scores: Float64Array;
}

const rungNumbers: Readonly<Record<Rung, number>> = { all: 0, typos: 1, most: 2 };
const never = 255;

/**
 * The first `count` of the rows, all of which match, by relevance: an earlier rung first, then the greater score, then the
 * order of the query, then id (decision 113). With several texts, that which fits best.
 */
export function rankRows(ranking: Ranking, rows: Uint32Array, count: number): RankedRows {
  const { start, tieOrder } = ranking;
  const reader = createValueReader(ranking, ranking.texts, rows);
  const marks = best(ranking.texts.map((_, at) => markText(ranking, at, rows, reader)));
  const ranked: number[] = [];
  const tiers: { readonly rank: RankNumbers; readonly end: number }[] = [];

  function add(rank: RankNumbers, group: readonly number[], from?: SearchStart): void {
    ranking.deadline.checkNow();
    const wanted = count - ranked.length;
    const isOrdered = tieOrder && (group.length > 1 || from);
    const first = isOrdered ? tieOrder(group, wanted, from) : byId(ranking, group, wanted, from);
    for (const row of first) ranked.push(row);
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

/** The rows with exactly this rank. */
function tiedWith(rows: Uint32Array, { rungs, scores }: Marks, { rung, score }: RankNumbers): number[] {
  const tied: number[] = [];
  for (let at = 0; at < rows.length; at += 1) if (rungs[at] === rung && scores[at] === score) tied.push(rows[at]!);
  return tied;
}

/** The best match of each row over all texts. */
function best([first, ...others]: readonly Marks[]): Marks {
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

/** The values of a word in the rows: without typos, and with them; the same array where there are none. */
interface WordValues {
  readonly strict: Float64Array;
  readonly loose: Float64Array;
  readonly strictWeight: number;
  readonly looseWeight: number;
  readonly isRequired: boolean;
  readonly isDeciding: boolean;
}

/** With a single word its weight makes no difference. */
export function isAlone(texts: readonly QueryText[]): boolean {
  return texts.length === 1 && texts[0]!.words.length === 1;
}

function markText(ranking: Ranking, textAt: number, rows: Uint32Array, reader: ValueReader): Marks {
  const text = ranking.texts[textAt]!;
  const needed = ranking.needed[textAt]!;
  const alone = isAlone(ranking.texts);
  const words = text.words.map((word): WordValues => {
    const strict = reader.valuesOf(word.strict);
    const loose = word.typos.length === 0 ? strict : reader.raised(strict, word.typos);
    const weight = (matching: number) => (word.isRequired ? 1 : stopWordWeight) * weightOf(ranking.resources, matching);
    const strictWeight = alone ? 1 : weight(ranking.counts.strict(word));
    const looseWeight = alone || loose === strict ? strictWeight : weight(ranking.counts.loose(word));
    const { isRequired } = word;
    return { strict, loose, strictWeight, looseWeight, isRequired, isDeciding: needed.words.includes(word) };
  });
  if (alone) return markWord(words[0]!);
  const marks: Marks = { rungs: new Uint8Array(rows.length), scores: new Float64Array(rows.length) };
  for (let at = 0; at < rows.length; at += 1) markRow(words, needed.count, at, marks);
  return marks;
}

function markRow(words: readonly WordValues[], count: number, at: number, { rungs, scores }: Marks): void {
  let [isStrict, isLoose, deciding] = [words.length > 0, words.length > 0, 0];
  for (const { strict, loose, isRequired, isDeciding } of words) {
    if (isDeciding && loose[at]! > 0) deciding += 1;
    if (!isRequired || strict[at]! > 0) continue;
    isStrict = false;
    if (loose[at] === 0) isLoose = false;
  }
  if (!isStrict && !isLoose && (deciding === 0 || deciding < count)) {
    rungs[at] = never;
    return;
  }
  let score = 0;
  for (const { strict, loose, strictWeight, looseWeight } of words) {
    const value = isStrict ? strict[at]! : loose[at]!;
    if (value > 0) score += (isStrict ? strictWeight : looseWeight) * value;
  }
  const rung: Rung = isStrict ? 'all' : isLoose ? 'typos' : 'most';
  rungs[at] = rungNumbers[rung];
  scores[at] = rung === 'most' ? scoreOfMost(score, words, (word) => word.loose[at]! > 0) : score;
}

/** The same for a single word, whose weight is 1: its values are the scores. */
function markWord({ strict, loose }: WordValues): Marks {
  const rungs = new Uint8Array(strict.length);
  for (let at = 0; at < strict.length; at += 1) {
    rungs[at] = strict[at]! > 0 ? rungNumbers.all : loose[at]! > 0 ? rungNumbers.typos : never;
  }
  if (loose === strict) return { rungs, scores: strict };
  return { rungs, scores: strict.map((value, at) => (value > 0 ? value : loose[at]!)) };
}

/**
 * The first `count` rows and those that tie with the last, in groups of equal relevance, the most relevant first; with
 * `after` of those that are less relevant.
 */
function* groupsOf(
  rows: Uint32Array,
  { rungs, scores }: Marks,
  count: number,
  after: RankNumbers | undefined,
): Generator<{ readonly rank: RankNumbers; readonly group: number[] }> {
  let wanted = count;
  for (let rung = after?.rung ?? 0; rung <= rungNumbers.most && wanted > 0; rung += 1) {
    const below = rung === after?.rung ? after.score : Number.POSITIVE_INFINITY;
    const least = greatestAt(rungs, scores, rung, below, wanted);
    const tier = new Map<number, number[]>();
    for (let at = 0; at < rows.length; at += 1) {
      const score = scores[at]!;
      if (rungs[at] !== rung || score < least || score >= below) continue;
      const group = tier.get(score);
      if (group) group.push(rows[at]!);
      else tier.set(score, [rows[at]!]);
    }
    for (const [score, group] of [...tier].sort(([a], [b]) => b - a)) {
      wanted -= group.length;
      yield { rank: { rung, score }, group };
    }
  }
}

/**
 * The score of the `count`-th best row of a rung below a score, by a heap whose first is the least; -∞ if there are not so
 * many.
 */
function greatestAt(rungs: Uint8Array, scores: Float64Array, rung: number, below: number, count: number): number {
  const heap = new Float64Array(count);
  let size = 0;
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at]!;
    if (rungs[at] !== rung || score >= below || (size === count && score <= heap[0]!)) continue;
    if (size < count) {
      let place = size;
      size += 1;
      for (let above = (place - 1) >> 1; place > 0 && heap[above]! > score; above = (place - 1) >> 1) {
        heap[place] = heap[above]!;
        place = above;
      }
      heap[place] = score;
    } else sink(heap, score);
  }
  return size < count ? Number.NEGATIVE_INFINITY : heap[0]!;
}

/** Puts a value in place of the first one of a full heap. */
function sink(heap: Float64Array, value: number): void {
  let place = 0;
  for (let below = 1; below < heap.length; below = 2 * place + 1) {
    if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below += 1;
    if (heap[below]! >= value) break;
    heap[place] = heap[below]!;
    place = below;
  }
  heap[place] = value;
}

/** The first rows of a group by id; with `start` of those behind it. */
function byId(
  ranking: Ranking,
  group: readonly number[],
  count: number,
  start: SearchStart | undefined,
): readonly number[] {
  if (group.length === 1 && !start) return group;
  const positionOf = ranking.idOrder(group.length);
  if (!positionOf) return readById(ranking, group, count, start);
  const last = start && lastUpTo(ranking, start.id);
  const from = last === undefined ? Number.NEGATIVE_INFINITY : positionOf(last);
  return leastOf(group, positionOf, count, from);
}

function readById(
  { db }: SearchScope,
  group: readonly number[],
  count: number,
  start: SearchStart | undefined,
): readonly number[] {
  const behind = start ? sql`WHERE r.id > ${start.id}` : raw('');
  const query = sql`SELECT r.row AS row FROM json_each(${JSON.stringify(group)}) n CROSS JOIN resource r ON r.row = n.value ${behind} ORDER BY r.id LIMIT ${count}`;
  return selectPlainNumbers(db, query);
}

/** The row with the greatest id up to this one, which may be deleted by now. */
function lastUpTo({ db, projectKey }: SearchScope, id: string): number | undefined {
  const query = sql`SELECT row FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ${projectKey} AND id <= ${id} ORDER BY id DESC LIMIT 1`;
  return selectPlainNumbers(db, query)[0];
}

/** Rows collected beyond those wanted before they are sorted. */
const sortedTogether = 200;

/** The `count` rows with the lowest positions behind `from`, in order, without sorting the rest of a long list. */
function leastOf(group: readonly number[], positionOf: IdOrder, count: number, from: number): readonly number[] {
  const byPosition = (a: number, b: number) => positionOf(a) - positionOf(b);
  let least: number[] = [];
  let bound = Number.POSITIVE_INFINITY;
  for (const row of group) {
    const position = positionOf(row);
    if (position >= bound || position <= from) continue;
    least.push(row);
    if (least.length < 2 * count + sortedTogether) continue;
    least = least.sort(byPosition).slice(0, count);
    bound = positionOf(least.at(-1)!);
  }
  return least.sort(byPosition).slice(0, count);
}
