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

/** Where a search takes place. */
export interface SearchScope {
  readonly db: DatabaseSync;
  readonly projectKey: string;
  readonly staged: boolean;
}

/** Looks up what the words of the query find in the project's vocabulary. */
export function askedTexts(
  query: SearchQuery,
  vocabularies: Vocabularies,
  commits: number,
  deadline: PromptDeadline,
): readonly QueryText[] {
  const { projectKey, fuzzyLevel } = query;
  return query.texts.map(({ locale, words }) => {
    const spaces = [locale, ''].map((space) => ({ space, known: vocabularies.of(projectKey, space, commits) }));
    const choicesOf = (asked: string): readonly Choice[] =>
      spaces.flatMap(({ space, known }) => {
        // To compare with all words of a large vocabulary takes its time, for each word that is asked for.
        deadline.checkNow();
        const found = new Map(known.sameStem(asked, locale).map((word) => [word, 0]));
        const most = allowedEdits(asked, fuzzyLevel);
        const near = most === 0 ? [] : known.near(asked, most);
        for (const { word, distance } of near) if (!found.has(word)) found.set(word, distance);
        return [...found].map(([word, edits]) => ({ locale: space, word, edits }));
      });
    return { locale, words: words.map(choicesOf) };
  });
}

/** The texts as one condition: a document must match one of them. */
export function textCondition(place: SearchScope, texts: readonly QueryText[]): TextCondition {
  const terms = (projection: Projection): TermExpression => ({
    kind: 'or',
    of: texts.map((text) => allWordsOf(place.projectKey, projection, text)),
  });
  const expression = printTerms(place.projectKey, place.staged, terms);
  const rows =
    expression === undefined
      ? sql`SELECT value AS row FROM json_each(${JSON.stringify([...rowsOfTexts(place, texts)])})`
      : matchingRows(expression);
  return { terms, rows };
}

/** Choices in one expression at most; beyond, their rows are put together here. */
const choicesTogether = 1000;

/** The rows that match one of the texts, for texts whose words find more than one expression can hold. */
function rowsOfTexts(place: SearchScope, texts: readonly QueryText[]): Uint32Array {
  return union(
    texts.map(({ words }) =>
      words.length === 0 ? new Uint32Array() : intersect(words.map((w) => rowsOfWord(place, w))),
    ),
  );
}

/** The rows with one of the words, or (`times`) with one of them so often. */
export function rowsOfWord(place: SearchScope, choices: readonly Choice[], times: 1 | 2 | 3 = 1): Uint32Array {
  const parts: Uint32Array[] = [];
  for (let from = 0; from < choices.length; from += choicesTogether) {
    const some = choices.slice(from, from + choicesTogether);
    const expression = printTerms(place.projectKey, place.staged, (projection) =>
      anyOf(place.projectKey, projection, some, times),
    )!;
    parts.push(rowsOfQuery(place.db, matchingRows(expression)));
  }
  return parts.length === 0 ? new Uint32Array() : union(parts);
}
