import { type Projection, termHead } from '../index/term-encoding.ts';
import { timesTerm, wordTerm } from '../index/word-terms.ts';
import type { TermExpression } from './term-expression.ts';

/** A word of documents that a word of a query finds. */
export interface Choice {
  /** The locale it stands under: that of the query, or '' for none. */
  readonly locale: string;
  readonly word: string;
  readonly edits: number;
}

/** A text of a query with what each of its words finds. */
export interface QueryText {
  readonly locale: string;
  /** In the order of the query; all must be found. */
  readonly words: readonly (readonly Choice[])[];
}

/** Documents with one of the words, or (`times`) with one of them so often. */
export function anyOf(
  projectKey: string,
  projection: Projection,
  choices: readonly Choice[],
  times: 1 | 2 | 3 = 1,
): TermExpression {
  const head = termHead(projectKey, projection);
  const of = choices.map(({ locale, word }): TermExpression => {
    const term = times === 1 ? wordTerm(head, locale, word) : timesTerm(head, locale, word, times);
    return { kind: 'term', term };
  });
  return of.length === 0 ? { kind: 'constant', value: false } : { kind: 'or', of };
}

/** Documents that match a text: all of its words. A text without words matches none. */
export function allWordsOf(projectKey: string, projection: Projection, text: QueryText): TermExpression {
  if (text.words.length === 0) return { kind: 'constant', value: false };
  return { kind: 'and', of: text.words.map((choices) => anyOf(projectKey, projection, choices)) };
}
