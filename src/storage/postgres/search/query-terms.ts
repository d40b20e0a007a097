import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { allowedEdits, distanceWithin } from '../../../domain/search/words/distance.ts';
import { matchesWord } from '../../../domain/search/words/stem.ts';
import type { Projection } from '../../index/term-encoding.ts';
import type { TermExpression } from '../../query/term-expression.ts';
import { allWordsOf, type Choice, type QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';

/** Looks up which words of the project's vocabulary match the words of the query (decisions 21, 22). */
export function findWords(
  connection: Connection,
  { projectKey, texts, fuzzyLevel }: SearchQuery,
): Promise<readonly QueryText[]> {
  /** Choices for a word among those under one locale of the vocabulary. */
  async function choicesIn(space: string, asked: string, locale: string): Promise<readonly Choice[]> {
    const maxEdits = allowedEdits(asked, fuzzyLevel);
    const rows = await Promise.all([
      connection.query<{ word: string }>(sameBeginning(projectKey, space, asked)),
      maxEdits === 0 ? [] : connection.query<{ word: string }>(nearWords(projectKey, space, asked, maxEdits)),
    ]);
    const words = new Set(rows.flat().map(({ word }) => word));
    return [...words].flatMap((word) => {
      const edits = matchesWord(word, asked, locale) ? 0 : distanceWithin(word, asked, maxEdits);
      return edits === undefined ? [] : [{ locale: space, word, edits }];
    });
  }

  return Promise.all(
    texts.map(async ({ locale, words }) => {
      const spaces = [...new Set([locale, ''])];
      const choicesOf = async (asked: string) =>
        (await Promise.all(spaces.map((space) => choicesIn(space, asked, locale)))).flat();
      return { locale, words: await Promise.all(words.map(choicesOf)) };
    }),
  );
}

/** Words of one stem have their first two characters in common. */
function sameBeginning(projectKey: string, space: string, asked: string) {
  const [first = '', second = ''] = asked;
  const beginning = first + second;
  return {
    name: 'words-beginning',
    text: 'SELECT word FROM word WHERE project_key = $1 AND locale = $2 AND word >= $3 AND word < $4',
    values: [projectKey, space, beginning, `${beginning}\u{10ffff}`],
  };
}

/** PostgreSQL counts a swap of neighbours as two edits: words that are too far away are left out afterwards. */
function nearWords(projectKey: string, space: string, asked: string, maxEdits: 1 | 2) {
  return {
    name: 'words-near',
    text: `SELECT word FROM word WHERE project_key = $1 AND locale = $2
      AND char_length(word) BETWEEN char_length($3::text) - $4::int AND char_length($3::text) + $4::int
      AND public.levenshtein_less_equal(word, $3::text, 2 * $4::int) <= 2 * $4::int`,
    values: [projectKey, space, asked, maxEdits],
  };
}

/** Documents that match one of the texts. */
export function anyText(projectKey: string, projection: Projection, texts: readonly QueryText[]): TermExpression {
  return { kind: 'or', of: texts.map((text) => allWordsOf(projectKey, projection, text)) };
}
