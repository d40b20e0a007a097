import { indexedLocale } from '#words';
import type { JsonObject } from '../../contract/json.ts';
import type { Completion } from '../../domain/search/query/query.ts';
import {
  beginningsOf,
  type Completing,
  completingWords,
  mostCounted,
  otherWords,
  writtenIn,
} from '../plan/completions.ts';
import { anyChoice, type Choice, type PlannedWord, type QueryText } from '../plan/word-choices.ts';
import { lookupOf, rowsOfLookup } from '../query/lookup.ts';
import { intersect, union } from '../terms/row-sets.ts';
import { eachDocument } from './columns/documents.ts';
import { textCondition } from './query-terms.ts';
import type { SearchContext } from './search.ts';

/** With more choices than this, all words with their beginning are read in a row. */
const manyTogether = 200;
/** A beginning of one letter may have many thousand words. */
const wordsBetweenChecks = 256;

/** The words that complete the last one of a text, with the resources that have them beside the other words. */
export function completionsOf(
  context: SearchContext,
  text: QueryText,
  last: PlannedWord,
  limit: number,
): readonly Completion[] {
  const base = rowsWithOthers(context, text, last);
  for (const words of completingWords(last)) {
    const found = countedOf(context, text, beginningsOf(last), words, base, limit);
    if (found.length > 0) return found;
  }
  return [];
}

function countedOf(
  context: SearchContext,
  text: QueryText,
  beginnings: readonly string[],
  words: Completing,
  base: Uint32Array | 'all',
  limit: number,
): readonly Completion[] {
  const rowsOf = createRowReader(context, [...words.values()].flat(), beginnings);
  const counted = [...words].map(([word, choices], at) => {
    if (at % wordsBetweenChecks === 0) context.deadline.checkNow();
    const rows = union(choices.map(rowsOf));
    const found = base === 'all' ? rows : intersect([rows, base]);
    return { word, count: found.length, first: found[0] };
  });
  return mostCounted(counted, text.locale, limit).map(({ word, count, first }) => {
    let document: JsonObject | undefined;
    eachDocument(context, [first!], (found) => {
      document = found;
    });
    return { word, count, written: writtenIn(document, word, text.spaces) };
  });
}

/** The rows that match the predicates and have the other words. */
function rowsWithOthers(context: SearchContext, text: QueryText, last: PlannedWord): Uint32Array | 'all' {
  const { queryFilters } = context.query;
  const others = otherWords(text, last);
  if (others === undefined && queryFilters.length === 0) return 'all';
  const condition = others && textCondition(context, [others]);
  return context.rowsWith(condition, queryFilters);
}

/** Reads the rows of words, in the projection of the search. */
function createRowReader(
  { staged, postings, words }: SearchContext,
  choices: readonly Choice[],
  beginnings: readonly string[],
) {
  if (!staged && choices.length > manyTogether) {
    for (const word of beginnings) {
      const begun = choices.filter((choice) => choice.word.startsWith(word));
      for (const locale of new Set(begun.map((choice) => choice.locale))) postings.loadBeginning({ locale, word });
    }
  }
  words.loadChoices(choices);
  return (choice: Choice) => words.ofChoice(choice);
}

/** How a document writes each word that was taken for an asked one, by the word. */
export function writtenCorrections(context: SearchContext): Readonly<Record<string, string>> {
  const { db, projectKey } = context;
  const spaces = context.texts.flatMap((text) => text.spaces);
  const locales = new Set(spaces.map(indexedLocale));
  const written = Object.values(context.match?.corrected ?? {}).map((word): [string, string] => {
    const choices = [...locales].map((locale) => ({ locale, word }));
    const lookup = lookupOf(context, (projection) => anyChoice(projectKey, projection, choices, false));
    let document: JsonObject | undefined;
    eachDocument(context, [...rowsOfLookup(db, lookup).subarray(0, 1)], (found) => {
      document = found;
    });
    return [word, writtenIn(document, word, spaces)];
  });
  return Object.fromEntries(written);
}
