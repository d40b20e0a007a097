import type { DatabaseSync } from 'node:sqlite';
import { spacesWith } from '#words';
import type { SearchQuery, TextQuery } from '../../domain/search/query/query.ts';
import { referenceOf } from '../../domain/search/settings/pins.ts';
import { excludedWords, hasPhrase, wordsOfPhrase } from '../../domain/search/words/text-conditions.ts';
import { sql } from '../plan/sql.ts';
import { eachDocument } from '../query/rows.ts';
import { selectNumbers } from '../query/statements.ts';
import { intersect, noRows, union, without } from '../terms/row-sets.ts';
import type { SearchBase, WordRows } from './query-terms.ts';
import type { KnownIn } from './words/plan-words.ts';
import type { QueryText } from './words/word-choices.ts';

interface ConditionContext extends SearchBase {
  readonly query: SearchQuery;
  readonly words: WordRows;
  readonly knownIn: KnownIn;
  /** See `spacesWith`. */
  readonly plainSpaces: readonly string[];
}

/** The row of each resource that the query pins, -1 for those that are not there. */
export function pinnedRows(db: DatabaseSync, query: SearchQuery): readonly number[] {
  return query.pinned.map((pin) => {
    const { field, value } = referenceOf(pin);
    const where = sql`project_key = ${query.projectKey} AND ${field === 'id' ? sql`id` : sql`key`} = ${value}`;
    const found = sql`SELECT row FROM resource WHERE ${where} AND row NOT IN (SELECT row FROM damaged)`;
    return selectNumbers(db, found)[0] ?? -1;
  });
}

/** Rows of documents without what the query excludes. */
export interface ExcludedRows {
  readonly removedFrom: (rows: Uint32Array) => Uint32Array;
}

/**
 * Phrases and exclusions. An excluded word is a set of rows. The index does not know where in a text a word stands, so that the
 * documents which have all words of a phrase are read, each once in a search.
 */
export function createTextConditions(context: ConditionContext) {
  const { query, words, knownIn, plainSpaces, deadline } = context;

  function rowsOfWord(word: string, locale: string): Uint32Array {
    return union(spacesWith(locale, plainSpaces).map((space) => words.ofChoice({ locale: space, word })));
  }

  function createPhraseRows(phrase: readonly string[], locale: string) {
    let candidates: Uint32Array | undefined;
    const isThere = new Map<number, boolean>();
    /** The rows of these that have the phrase. */
    return (rows: Uint32Array): Uint32Array => {
      const written = wordsOfPhrase(phrase);
      candidates ??= written.length === 0 ? undefined : intersect(written.map((word) => rowsOfWord(word, locale)));
      const found = candidates ? intersect([rows, candidates]) : rows;
      const unread = found.filter((row) => !isThere.has(row));
      eachDocument(context, unread, (document, row) => {
        deadline.checkNow();
        isThere.set(row, hasPhrase(document, phrase, locale, query.fields));
      });
      return found.filter((row) => isThere.get(row));
    };
  }

  function rowsWithWord(word: string, locale: string): Uint32Array {
    const choices = spacesWith(locale, plainSpaces).flatMap((space) =>
      excludedWords(word, locale).flatMap((form) =>
        knownIn(space)
          .forms(form, locale)
          .map((each) => ({ locale: space, word: each })),
      ),
    );
    words.loadChoices(choices);
    return union(choices.map((choice) => words.ofChoice(choice)));
  }

  const excluding = query.excluded.map(({ locale, word, phrase }) => {
    if (word === undefined) return createPhraseRows(phrase, locale);
    let rows: Uint32Array | undefined;
    return () => (rows ??= rowsWithWord(word, locale));
  });
  return {
    excluded: {
      removedFrom: (rows) => excluding.reduce((left, rowsIn) => without(left, rowsIn(left)), rows),
    } satisfies ExcludedRows,
    /** The rows of these that have all phrases of a text. */
    withPhrases({ phrases, locale }: TextQuery): QueryText['withPhrases'] {
      if (phrases.length === 0) return undefined;
      const all = phrases.map((phrase) => createPhraseRows(phrase.words, locale));
      return (rows) => all.reduce((left, rowsIn) => (left.length === 0 ? noRows : rowsIn(left)), rows);
    },
  };
}
