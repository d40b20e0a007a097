import { impact } from '../../../domain/search/relevance.ts';
import { inAttribute, inName, type Place } from '../../../domain/search/words/document-words.ts';
import type { SearchStart } from '../../../index/plan/search-position.ts';
import { joined, type Sql, sql } from '../../../index/plan/sql.ts';
import type { Alternative, Choice } from '../../../index/plan/word-choices.ts';
import { termHead } from '../../../index/terms/term-encoding.ts';
import { type LengthKind, lengthClasses, lengthTerm, placeMarks, wordTerm } from '../../../index/terms/word-terms.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { runSql } from '../query/run-sql.ts';
import { firstIds } from '../query/select.ts';
import { termArray, textArray } from '../query/term-condition.ts';
import type { Ranked } from './rank.ts';

/**
 * The first matches of a single frequent word. Where a word stands and how long that is decides the score, and there are
 * terms for both: so the index finds those with the greatest scores, score by score, and no other document is read.
 */

/** More choices make more different scores than it is worth to ask for. */
const mostChoices = 12;

/** Documents of one score: those with some of these terms. */
interface Tier {
  readonly score: number;
  readonly conditions: readonly Sql[];
}

/** A word that is asked for, with its weight. */
export interface FrequentWord {
  readonly alternatives: readonly Alternative[];
  readonly weight: number;
}

/** True if the scores of a word are those of terms. */
export function hasTiers(alternatives: readonly Alternative[]): boolean {
  const choices = alternatives.reduce((sum, { parts }) => sum + parts[0]!.length, 0);
  return alternatives.every(({ parts }) => parts.length === 1) && choices <= mostChoices;
}

/**
 * The first `count` matches, by score and then by id; with `start` those behind it. The selection is of current
 * projections.
 */
export async function firstOfWord(
  connection: Connection,
  selection: Selection,
  { alternatives, weight }: FrequentWord,
  count: number,
  start: SearchStart | undefined,
): Promise<Omit<Ranked, 'total'>> {
  const ids: string[] = [];
  const scores = new Map<string, number>();
  /** Of the tiers before, whose documents are on the pages before. */
  const before: Sql[] = [];
  for (const { score, conditions } of tiersOf(selection.projectKey, alternatives)) {
    if (ids.length >= count) break;
    const far = start ? weight * score - start.rank.score : -1;
    const others = ids.length === 0 ? [] : [sql`NOT r.id = ANY (${textArray(ids)})`];
    if (start && before.length > 0) others.push(sql`NOT (${joined(before, 'OR')})`);
    if (start && far === 0) others.push(sql`r.id > ${start.id}`);
    before.push(...conditions);
    if (far > 0) continue;
    const all = [...selection.conditions, joined(conditions, 'OR'), ...others];
    const rows = await runSql<{ readonly id: string }>(
      connection,
      firstIds({ ...selection, conditions: all }, count - ids.length),
    );
    for (const { id } of rows) {
      ids.push(id);
      scores.set(id, weight * score);
    }
  }
  return { ids, rankOf: (id) => ({ rung: 0, score: scores.get(id)! }) };
}

/** The tiers of all choices, the greatest score first. A document that is in several counts in the first. */
function tiersOf(projectKey: string, alternatives: readonly Alternative[]): readonly Tier[] {
  const byScore = new Map<number, Sql[]>();
  for (const { factor, isShort, parts } of alternatives) {
    for (const choice of parts[0]!) {
      for (const { score, condition } of tiersOfChoice(projectKey, choice, factor, isShort)) {
        byScore.set(score, [...(byScore.get(score) ?? []), condition]);
      }
    }
  }
  const tiers = [...byScore].map(([score, conditions]) => ({ score, conditions }));
  return tiers.sort((a, b) => b.score - a.score);
}

function* tiersOfChoice(
  projectKey: string,
  { locale, word }: Choice,
  factor: number,
  isShort: boolean,
): Generator<{ readonly score: number; readonly condition: Sql }> {
  const head = termHead(projectKey, 'c');
  const term = wordTerm(head, locale, word);
  const { place: usual, marks } = placeMarks(locale);
  // Where a mark means a greater score, its documents are in a tier before: only the others need a look at the document.
  const lesser = marks.filter(({ place }) => place < usual).map(({ mark }) => term + mark);
  const unmarked = lesser.length === 0 ? [] : [sql`NOT r.terms && ${termArray(lesser)}`];
  const places: readonly Place[] = isShort ? [inAttribute, inName] : [1, 2, 3, inAttribute, inName];
  for (const place of places) {
    const mark = marks.find((each) => each.place === place)?.mark;
    if (mark === undefined && place !== usual) continue;
    const own = [term + (mark ?? '')];
    const others = mark === undefined ? unmarked : [];
    for (const { length, terms } of lengthsOf(head, locale, place)) {
      const has = sql`r.terms @> ${termArray([...own, ...terms])}`;
      yield { score: factor * impact(place, length, length), condition: joined([has, ...others], 'AND') };
    }
  }
}

/** The classes of length that matter at a place, with their terms. */
function lengthsOf(
  head: string,
  locale: string,
  place: Place,
): readonly { readonly length: number; readonly terms: readonly string[] }[] {
  if (place === inAttribute) return [{ length: 0, terms: [] }];
  const kind: LengthKind = place === inName ? 'n' : 't';
  return lengthClasses.map((length) => ({ length, terms: [lengthTerm(head, locale, kind, length)] }));
}
