import type { DatabaseSync } from 'node:sqlite';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { allowedEdits } from '../../../domain/search/words/distance.ts';
import type { Projection } from '../../index/term-encoding.ts';
import { sql } from '../../query/sql.ts';
import type { TermExpression } from '../../query/term-expression.ts';
import { allWordsOf, anyOf, type Choice, type QueryText } from '../../query/word-choices.ts';
import type { TextCondition } from '../query/access-paths.ts';
import { matchingRows } from '../query/access-paths.ts';
import type { PromptDeadline } from '../query/functions.ts';
import { printTerms } from '../query/match-expression.ts';
import { intersect, rowsOfQuery, union } from './row-sets.ts';
import type { Vocabularies } from './vocabulary.ts';

/** The connection, project and projection of a search. */
export interface SearchScope {
  readonly db: DatabaseSync;
  readonly projectKey: string;
  readonly staged: boolean;
}

/** Looks up what the words of the query find in the project's vocabulary. */
export function queryTexts(
  query: SearchQuery,
  vocabularies: Vocabularies,
  commits: number,
  deadline: PromptDeadline,
): readonly QueryText[] {
  const { projectKey, fuzzyLevel } = query;
  return query.texts.map(({ locale, words }) => {
    const spaces = [locale, ''].map((space) => ({ space, known: vocabularies.of(projectKey, space, commits) }));
    const choicesOf = (queryWord: string): readonly Choice[] =>
      spaces.flatMap(({ space, known }) => {
        // Comparing a word with all words of a large vocabulary takes milliseconds.
        deadline.checkNow();
        const found = new Map(known.sameStem(queryWord, locale).map((word) => [word, 0]));
        const most = allowedEdits(queryWord, fuzzyLevel);
        const near = most === 0 ? [] : known.near(queryWord, most);
        for (const { word, distance } of near) if (!found.has(word)) found.set(word, distance);
        return [...found].map(([word, edits]) => ({ locale: space, word, edits }));
      });
    return { locale, words: words.map(choicesOf) };
  });
}

/** The texts as one condition: a document must match one of them. */
export function textCondition(scope: SearchScope, texts: readonly QueryText[]): TextCondition {
  const terms = (projection: Projection): TermExpression => ({
    kind: 'or',
    of: texts.map((text) => allWordsOf(scope.projectKey, projection, text)),
  });
  const expression = printTerms(scope.projectKey, scope.staged, terms);
  const rows =
    expression === undefined
      ? sql`SELECT value AS row FROM json_each(${JSON.stringify([...rowsOfTexts(scope, texts)])})`
      : matchingRows(expression);
  return { terms, rows };
}

/** The rows of documents that an expression names; undefined if it is too large for one match expression. */
export function rowsOfTerms(
  { db, projectKey, staged }: SearchScope,
  compile: (projection: Projection) => TermExpression,
): Uint32Array | undefined {
  const expression = printTerms(projectKey, staged, compile);
  return expression === undefined ? undefined : rowsOfQuery(db, matchingRows(expression));
}

/** Choices per expression; with more, the rows of several expressions are united here. */
const maxChoices = 1000;

/** The rows that match one of the texts, for texts whose words find more than fits into one expression. */
function rowsOfTexts(scope: SearchScope, texts: readonly QueryText[]): Uint32Array {
  return union(
    texts.map(({ words }) =>
      words.length === 0 ? new Uint32Array() : intersect(words.map((w) => rowsOfWord(scope, w))),
    ),
  );
}

/** The rows with one of the words, or with one of them so many `times`. */
export function rowsOfWord(scope: SearchScope, choices: readonly Choice[], times: 1 | 2 | 3 = 1): Uint32Array {
  const parts: Uint32Array[] = [];
  for (let from = 0; from < choices.length; from += maxChoices) {
    const some = choices.slice(from, from + maxChoices);
    parts.push(rowsOfTerms(scope, (projection) => anyOf(scope.projectKey, projection, some, times))!);
  }
  return parts.length === 0 ? new Uint32Array() : union(parts);
}
