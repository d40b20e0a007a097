import { idf, impact } from '../../../domain/search/relevance.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { lengthTerm } from '../../index/word-terms.ts';
import { sql } from '../../query/sql.ts';
import type { TermExpression } from '../../query/term-expression.ts';
import { allWordsOf, anyOf, type Choice, type QueryText } from '../../query/word-choices.ts';
import { matchingRows } from '../query/access-paths.ts';
import type { PromptDeadline } from '../query/functions.ts';
import { printTerms } from '../query/match-expression.ts';
import { selectPlainNumbers } from '../query/statements.ts';
import type { IdOrder } from './columns/id-order.ts';
import { rowsOfTerms, rowsOfWord, type SearchScope } from './query-terms.ts';
import { eachPosition } from './row-sets.ts';

/** What a ranking needs besides the rows. */
export interface Ranking extends SearchScope {
  readonly texts: readonly QueryText[];
  /** Resources of the project. */
  readonly resources: number;
  /** The class of a row's length for a locale (see `lengthClass`); undefined where the index has to be read for it. */
  readonly lengthOf: (locale: string, rows: Uint32Array) => ((row: number) => number) | undefined;
  readonly idOrder: (rows: number) => IdOrder | undefined;
  readonly deadline: PromptDeadline;
}

/** How the rows match one text: arrays in the order of the rows. */
interface Marks {
  /** Sum of the edits of all words; `never` where the row does not match the text. */
  readonly edits: Uint8Array;
  readonly scores: Float64Array;
}

/** More than the sum of the edits of all words of a text. */
const never = 255;

/**
 * The first `count` of the rows, all of which match, by relevance: fewer edits first, then greater score, then id
 * (decision 21). The score is BM25 with lengths in classes, summed over the words of the text that fits best.
 */
export function rankRows(ranking: Ranking, rows: Uint32Array, count: number): readonly number[] {
  const { texts } = ranking;
  const several = texts.reduce((sum, { words }) => sum + words.length, 0) > 1;
  const marks = texts.map((text) => markText(ranking, text, rows, several));
  const groups = groupsOf(rows, best(marks));
  const ranked: number[] = [];
  for (const group of groups) {
    if (ranked.length >= count) break;
    ranking.deadline.checkNow();
    const wanted = count - ranked.length;
    for (const row of byId(ranking, group, wanted)) ranked.push(row);
  }
  return ranked;
}

/** The best match of each row over all texts. */
function best([first, ...others]: readonly Marks[]): Marks {
  for (const other of others) {
    for (let at = 0; at < first!.edits.length; at += 1) {
      const [edits, score] = [other.edits[at]!, other.scores[at]!];
      const known = first!.edits[at]!;
      if (edits > known || (edits === known && score <= first!.scores[at]!)) continue;
      first!.edits[at] = edits;
      first!.scores[at] = score;
    }
  }
  return first!;
}

function markText(ranking: Ranking, text: QueryText, rows: Uint32Array, several: boolean): Marks {
  const marks: Marks = { edits: new Uint8Array(rows.length), scores: new Float64Array(rows.length) };
  if (text.words.length === 0) {
    marks.edits.fill(never);
    return marks;
  }
  const within = (projection: Projection) => allWordsOf(ranking.projectKey, projection, text);
  const lengthOf = ranking.lengthOf(text.locale, rows);
  const lengths = lengthOf ? Uint8Array.from(rows, lengthOf) : lengthsIn({ ...ranking, within }, text.locale, rows);
  for (const choices of text.words) addWord({ ...ranking, within }, choices, rows, lengths, marks, several);
  return marks;
}

const lengthClasses = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The classes of the rows' lengths from the index: that of text under no locale, unless there is one of the locale. */
function lengthsIn(ranking: Within, locale: string, rows: Uint32Array): Uint8Array {
  const lengths = new Uint8Array(rows.length);
  for (const space of ['', locale]) {
    for (const length of lengthClasses) {
      const found = rowsOfTerms(ranking, (projection) => {
        const term = lengthTerm(termHead(ranking.projectKey, projection), space, length);
        return { kind: 'and', of: [{ kind: 'term', term }, ranking.within(projection)] };
      });
      if (!found) continue;
      eachPosition(rows, found, (position) => {
        lengths[position] = length;
      });
    }
  }
  return lengths;
}

interface Within extends Ranking {
  /** The documents that match the whole text: only these are read. */
  readonly within: (projection: Projection) => TermExpression;
}

function addWord(
  ranking: Within,
  choices: readonly Choice[],
  rows: Uint32Array,
  lengths: Uint8Array,
  { edits, scores }: Marks,
  several: boolean,
): void {
  const tiers = [...Map.groupBy(choices, (choice) => choice.edits)].sort(([a], [b]) => a - b);
  // With a single text and a single number of edits, every row has the word with these edits.
  const only = ranking.texts.length === 1 && tiers.length === 1 ? tiers[0]![0] : undefined;
  const own = new Uint8Array(rows.length).fill(only ?? never);
  const times = new Uint8Array(rows.length).fill(only === undefined ? 0 : 1);
  for (const [tier, some] of tiers) {
    for (const often of only === undefined ? ([1, 2, 3] as const) : ([2, 3] as const)) {
      ranking.deadline.checkNow();
      markTier(rows, rowsWith(ranking, some, often), { tier, often }, own, times);
    }
  }
  const rarity = several ? idf(ranking.resources, countOf(ranking, choices)) : 1;
  const impacts = impactTable(rarity);
  for (let at = 0; at < rows.length; at += 1) {
    if (own[at] === never || edits[at] === never) edits[at] = never;
    else {
      edits[at]! += own[at]!;
      scores[at]! += impacts[times[at]! * 8 + lengths[at]!]!;
    }
  }
}

/** The contributions to the score by class of times and of length. */
function impactTable(rarity: number): Float64Array {
  const table = new Float64Array(4 * 8);
  for (const times of [1, 2, 3] as const) {
    for (const length of lengthClasses) table[times * 8 + length] = rarity * impact(times, length);
  }
  return table;
}

/** Marks the rows with a word of a tier, unless they have one with fewer edits, and how often they have it. */
function markTier(
  rows: Uint32Array,
  found: Uint32Array,
  { tier, often }: { readonly tier: number; readonly often: number },
  own: Uint8Array,
  times: Uint8Array,
): void {
  eachPosition(rows, found, (position) => {
    if (own[position] === never) own[position] = tier;
    if (own[position] === tier && times[position]! < often) times[position] = often;
  });
}

/** Rows of the text with one of the words so often; other rows too if the terms are too many for one expression. */
function rowsWith(ranking: Within, choices: readonly Choice[], times: 1 | 2 | 3): Uint32Array {
  const found = rowsOfTerms(ranking, (projection) => ({
    kind: 'and',
    of: [anyOf(ranking.projectKey, projection, choices, times), ranking.within(projection)],
  }));
  return found ?? rowsOfWord(ranking, choices, times);
}

/** Resources in which a word of the text is found at all. */
function countOf(scope: SearchScope, choices: readonly Choice[]): number {
  const { db, projectKey, staged } = scope;
  const expression = printTerms(projectKey, staged, (projection) => anyOf(projectKey, projection, choices));
  if (expression === undefined) return rowsOfWord(scope, choices).length;
  return selectPlainNumbers(db, sql`SELECT count(*) AS row FROM (${matchingRows(expression)})`)[0]!;
}

/** The rows in groups of equal relevance, the most relevant first. */
function* groupsOf(rows: Uint32Array, { edits, scores }: Marks): Generator<number[]> {
  const byEdits = new Map<number, Map<number, number[]>>();
  for (let at = 0; at < rows.length; at += 1) {
    const tier = byEdits.get(edits[at]!) ?? new Map<number, number[]>();
    byEdits.set(edits[at]!, tier);
    const group = tier.get(scores[at]!);
    if (group) group.push(rows[at]!);
    else tier.set(scores[at]!, [rows[at]!]);
  }
  for (const [, tier] of [...byEdits].sort(([a], [b]) => a - b)) {
    for (const [, group] of [...tier].sort(([a], [b]) => b - a)) yield group;
  }
}

/** The first rows of a group by id. */
function byId(ranking: Ranking, group: readonly number[], count: number): readonly number[] {
  if (group.length === 1) return group;
  const positionOf = ranking.idOrder(group.length);
  return positionOf ? leastOf(group, positionOf, count) : readById(ranking, group, count);
}

function readById({ db }: SearchScope, group: readonly number[], count: number): readonly number[] {
  const query = sql`SELECT r.row AS row FROM json_each(${JSON.stringify(group)}) n CROSS JOIN resource r ON r.row = n.value ORDER BY r.id LIMIT ${count}`;
  return selectPlainNumbers(db, query);
}

/** Rows collected beyond those wanted before they are sorted. */
const sortedTogether = 200;

/** The `count` rows with the lowest positions, in order, without sorting the rest of a long list. */
function leastOf(group: readonly number[], positionOf: IdOrder, count: number): readonly number[] {
  const byPosition = (a: number, b: number) => positionOf(a) - positionOf(b);
  let least: number[] = [];
  let bound = Number.POSITIVE_INFINITY;
  for (const row of group) {
    if (positionOf(row) >= bound) continue;
    least.push(row);
    if (least.length < 2 * count + sortedTogether) continue;
    least = least.sort(byPosition).slice(0, count);
    bound = positionOf(least.at(-1)!);
  }
  return least.sort(byPosition).slice(0, count);
}
