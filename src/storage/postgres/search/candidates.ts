import { spacesOf } from '../../../domain/search/words/alternatives.ts';
import { inName } from '../../../domain/search/words/document-words.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { lengthClasses, lengthTerm, placeMarks, wordTerm } from '../../index/word-terms.ts';
import { anyText, neededOn, rungs, type WordCounts } from '../../query/ladder.ts';
import type { Sql } from '../../query/sql.ts';
import type { TermExpression } from '../../query/term-expression.ts';
import type { Alternative, QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { runSql } from '../query/run-sql.ts';
import { firstIds } from '../query/select.ts';
import { termCondition } from '../query/term-condition.ts';
import type { RankedText } from './rank-terms.ts';

/**
 * Which of very many matches are ranked (decision 196): what can be best by the places of its words is taken first, as far
 * as the inverted index tells, and of what is alike the first ids.
 */

/** The first `atMost` matches, and those alone as a selection. */
export async function firstCandidates(
  connection: Connection,
  selection: Selection,
  texts: readonly RankedText[],
  rung: number,
  atMost: number,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const tier of [...tiersOf(selection, texts, rung), undefined]) {
    const conditions = tier ? [...selection.conditions, tier] : selection.conditions;
    const rows = await runSql<{ readonly id: string }>(connection, firstIds({ ...selection, conditions }, atMost));
    for (const { id } of rows) {
      ids.add(id);
      if (ids.size === atMost) return [...ids];
    }
  }
  return [...ids];
}

/** With more words that find the asked ones the index takes too long for each tier: lengths of texts are left out. */
const mostInTiers = 50;

/** Conditions of matches, from the best ones on: those of one hold for what may be in the next ones as well. */
function tiersOf(
  { projectKey, staged }: Pick<Selection, 'projectKey' | 'staged'>,
  ranked: readonly RankedText[],
  rung: number,
): readonly Sql[] {
  const texts = ranked.map(({ text }) => text);
  const condition = (compile: (projection: Projection) => TermExpression) => termCondition(compile, staged);
  const hasTypos = texts.some(({ words }) => words.some(({ typos }) => typos.length > 0));
  const before = rungs.slice(0, rung).filter((one) => one !== 'typos' || hasTypos);
  const earlier = before.map((one) => {
    const needed = neededOn(one, texts, alike);
    return condition((projection) => anyText(projectKey, projection, needed, { byBeginning: false }));
  });
  const named = (kind: 'and' | 'or') =>
    condition((projection) => {
      const head = termHead(projectKey, projection);
      const ofText = ({ needed: { words, alternativesOf } }: RankedText): TermExpression => {
        return { kind, of: words.map((word) => inNames(head, alternativesOf(word))) };
      };
      return { kind: 'or', of: ranked.filter(({ needed }) => needed.words.length > 0).map(ofText) };
    });
  const choices = ranked.flatMap(({ needed: { words, alternativesOf } }) => words.flatMap(alternativesOf));
  const isLong = choices.reduce((sum, { parts }) => sum + parts.flat().length, 0) > mostInTiers;
  const withLength = (isLong ? [] : lengthClasses).map((length) =>
    condition((p) => ofTextLength(termHead(projectKey, p), texts, length)),
  );
  return [...earlier, named('and'), named('or'), ...withLength];
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
