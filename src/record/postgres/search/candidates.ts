import { spacesOf } from '#words';
import { inName } from '../../../domain/search/words/document-words.ts';
import { anyText, type NeededText, neededOn, rungs, type WordCounts } from '../../../index/plan/ladder.ts';
import type { Sql } from '../../../index/plan/sql.ts';
import type { TermExpression } from '../../../index/plan/term-expression.ts';
import type { Alternative, QueryText } from '../../../index/plan/word-choices.ts';
import { type Projection, termHead } from '../../../index/terms/term-encoding.ts';
import { lengthClasses, lengthTerm, placeMarks, wordTerm } from '../../../index/terms/word-terms.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { countMatches, runSql } from '../query/run-sql.ts';
import { firstIds } from '../query/select.ts';
import { termCondition } from '../query/term-condition.ts';
import type { RankedText } from './rank-terms.ts';
import { soughtInIndex } from './rules/plain-words.ts';

/**
 * Which of very many matches are ranked: what can be best by the places of its words is taken first, as far
 * as the inverted index tells, and of what is alike the first ids.
 */

/** A text with what a document needs of it. */
type Sought = Pick<RankedText, 'text' | 'needed'>;

/** Matches of texts, and what they are besides: absent where documents with rules are among them. */
export interface Matches {
  readonly matches: Selection;
  readonly besides: Selection | undefined;
}

/** The first `atMost` matches. */
export async function firstCandidates(
  connection: Connection,
  { matches, besides }: Matches,
  texts: readonly Sought[],
  rung: number,
  atMost: number,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  // Beside documents that rules put words into, a tier may hold for more: what matches decides.
  const sought = besides ? texts : texts.map(soughtInIndex);
  for (const tier of [...tiersOf(matches, sought, rung), undefined]) {
    // The index would compare each of its rows with the same words twice.
    const among = tier?.isMatch && besides ? { ...besides, isNarrowed: true } : matches;
    const conditions = tier ? [...among.conditions, tier.condition] : among.conditions;
    const rows = await runSql<{ readonly id: string }>(connection, firstIds({ ...among, conditions }, atMost));
    for (const { id } of rows) {
      ids.add(id);
      if (ids.size === atMost) return [...ids];
    }
  }
  return [...ids];
}

/** True if `most` resources or more have all words of a text in their names: one look that is cheaper than that for all matches. */
export async function hasManyNamed(
  connection: Connection,
  besides: Selection,
  texts: readonly Sought[],
  most: number,
): Promise<boolean> {
  const named = inAllNames(besides, texts);
  const conditions = [named, ...besides.conditions];
  return (await countMatches(connection, { ...besides, conditions, isNarrowed: true }, most)) === most;
}

/** With more words that find the asked ones each look at the index takes long: it compares each of its rows with all of them. */
export const manyChoices = 50;

/** The words that find those that a document needs. */
export function choicesOf(needed: readonly NeededText[]): number {
  const alternatives = needed.flatMap(({ words, alternativesOf }) => words.flatMap(alternativesOf));
  return alternatives.reduce((sum, { parts }) => sum + parts.flat().length, 0);
}

/** A condition of some matches; `isMatch`: whatever it holds for is one. */
interface TierCondition {
  readonly condition: Sql;
  readonly isMatch: boolean;
}

/** Documents that have all words of one of the texts in their names. */
function inAllNames(
  { projectKey, staged }: Pick<Selection, 'projectKey' | 'staged'>,
  texts: readonly Sought[],
  kind: 'and' | 'or' = 'and',
): Sql {
  return termCondition((projection) => {
    const head = termHead(projectKey, projection);
    const ofText = ({ needed: { words, alternativesOf } }: Sought): TermExpression => {
      return { kind, of: words.map((word) => inNames(head, alternativesOf(word))) };
    };
    return { kind: 'or', of: texts.filter(({ needed }) => needed.words.length > 0).map(ofText) };
  }, staged);
}

/** Conditions of matches, from the best ones on: those of one hold for what may be in the next ones as well. */
function tiersOf(
  { projectKey, staged }: Pick<Selection, 'projectKey' | 'staged'>,
  ranked: readonly Sought[],
  rung: number,
): readonly TierCondition[] {
  const texts = ranked.map(({ text }) => text);
  const condition = (compile: (projection: Projection) => TermExpression) => termCondition(compile, staged);
  const hasTypos = texts.some(({ words }) => words.some(({ typos }) => typos.length > 0));
  const before = rungs.slice(0, rung).filter((one) => one !== 'typos' || hasTypos);
  const earlier = before.map((one) => {
    const needed = neededOn(one, texts, alike);
    return condition((projection) => anyText(projectKey, projection, needed, { byBeginning: false }));
  });
  const isLong = choicesOf(ranked.map(({ needed }) => needed)) > manyChoices;
  const withLength = (isLong ? [] : lengthClasses).map((length) =>
    condition((p) => ofTextLength(termHead(projectKey, p), texts, length)),
  );
  const among = (conditions: readonly Sql[]) => conditions.map((each) => ({ condition: each, isMatch: false }));
  const all = { condition: inAllNames({ projectKey, staged }, ranked), isMatch: true };
  return [...among(earlier), all, ...among([inAllNames({ projectKey, staged }, ranked, 'or'), ...withLength])];
}

/** Where numbers do not matter. */
const alike: WordCounts = { strict: () => 1, loose: () => 1 };

/** Documents that have one of the alternatives in their names. */
function inNames(head: string, alternatives: readonly Alternative[]): TermExpression {
  const parts = (choices: Alternative['parts'][number]): TermExpression => ({
    kind: 'or',
    of: choices.map(({ locale, word }) => {
      const { mark } = placeMarks(locale).marks.find(({ place }) => place === inName)!;
      return { kind: 'term', term: wordTerm(head, locale, word) + mark };
    }),
  });
  return { kind: 'or', of: alternatives.map((each) => ({ kind: 'and', of: each.parts.map(parts) })) };
}

/** Documents whose texts have a length, in one of the locales: words of short texts count more. */
function ofTextLength(head: string, texts: readonly QueryText[], length: number): TermExpression {
  const spaces = new Set(texts.flatMap(({ locale }) => spacesOf(locale)).filter((space) => space !== ''));
  return { kind: 'or', of: [...spaces].map((space) => ({ kind: 'term', term: lengthTerm(head, space, 't', length) })) };
}
