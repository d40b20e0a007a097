import { indexedLocale, isNumbered, stemOf } from '#words';
import type { JsonObject } from '../../contract/json.ts';
import { compareUtf8 } from '../../domain/predicate/scalar.ts';
import { weightOfPath } from '../../domain/search/field-rules.ts';
import type { Completion } from '../../domain/search/query/query.ts';
import { type DocumentText, textsOfDocument } from '../../domain/search/words/document-texts.ts';
import { eachDocument } from '../query/rows.ts';
import { intersect, union } from '../terms/row-sets.ts';
import type { NeededText } from './ladder.ts';
import { textCondition } from './query-terms.ts';
import type { SearchContext } from './search.ts';
import type { Alternative, Choice, PlannedWord, QueryText } from './words/word-choices.ts';

/** With more choices than this, all words with their beginning are read in a row. */
const manyTogether = 200;
/** A beginning of one letter may have many thousand words. */
const wordsBetweenChecks = 256;

/**
 * The words that complete the last one of a text, with the resources that have them beside the other words: the word itself and those that
 * begin like it, words with digits only if it has some; where no resource has one of these, those that begin like it but for typos, the
 * fewest first.
 */
export function completionsOf(
  context: SearchContext,
  text: QueryText,
  last: PlannedWord,
  limit: number,
): readonly Completion[] {
  const base = rowsWithOthers(context, text, last);
  const near = last.typos.filter(({ isNearBeginning }) => isNearBeginning);
  for (const choices of [begunChoices(last), ...near.map(({ parts }) => parts[0]!)]) {
    const found = countedOf(context, text, beginningsOf(last), choices, base, limit);
    if (found.length > 0) return found;
  }
  return [];
}

function begunChoices({ word, strict }: PlannedWord): readonly Choice[] {
  const begun = strict.filter(isBeginning).flatMap(({ parts }) => parts[0]!);
  const own = strict.flatMap(({ parts }) => parts.flat()).filter((choice) => choice.word === word);
  // Article numbers are no completions of words.
  const words = begun.filter((choice) => isNumbered(word) || !isNumbered(choice.word));
  return [...new Set([...own, ...words])];
}

/** With what the words begin that complete a planned word as it is: in languages with several spellings in each of them. */
function beginningsOf({ strict }: PlannedWord): readonly string[] {
  return strict.filter(isBeginning).map(({ beginning }) => beginning!);
}

/** True for a completion of this word alone. A joined one completes the word before it as well. */
function isBeginning({ beginning, isJoined }: Alternative): boolean {
  return beginning !== undefined && !isJoined;
}

function countedOf(
  context: SearchContext,
  text: QueryText,
  beginnings: readonly string[],
  choices: readonly Choice[],
  base: Uint32Array | 'all',
  limit: number,
): readonly Completion[] {
  const rowsOf = createRowReader(context, choices, beginnings);
  const counted = [...Map.groupBy(choices, ({ word }) => word)].map(([word, ofWord], at) => {
    if (at % wordsBetweenChecks === 0) context.deadline.checkNow();
    const rows = union(ofWord.map(rowsOf));
    const found = base === 'all' ? rows : intersect([rows, base]);
    return { word, count: found.length, first: found[0] };
  });
  return mostCounted(counted, text.locale, limit).map(({ word, count, first }) => {
    return { word, count, written: writtenIn(context, first, word, text.spaces) };
  });
}

/** The most frequent words first, of those that some document has; of the forms of one word only the first. */
function mostCounted<T extends Pick<Completion, 'word' | 'count'>>(
  counted: readonly T[],
  locale: string,
  limit: number,
): readonly T[] {
  const found = counted.filter(({ count }) => count > 0);
  const stems = new Set<string>();
  const first: T[] = [];
  for (const each of found.sort((a, b) => b.count - a.count || compareUtf8(a.word, b.word))) {
    if (first.length === limit) break;
    const stem = stemOf(each.word, locale);
    if (!stems.has(stem)) first.push(each);
    stems.add(stem);
  }
  return first;
}

/** The rows that match the predicates and have the other words. */
function rowsWithOthers(context: SearchContext, text: QueryText, last: PlannedWord): Uint32Array | 'all' {
  const { queryFilters } = context.query;
  const { withPhrases } = text;
  const words = text.words.filter((word) => word !== last && word.isRequired);
  const isPlain = queryFilters.length === 0 && !withPhrases && context.query.excluded.length === 0;
  if (words.length === 0 && isPlain) return 'all';
  const others: NeededText = { words, count: words.length, withPhrases, alternativesOf: (word) => word.strict };
  if (words.length > 0) return context.rowsWith(textCondition(context, [others]), queryFilters);
  const rows = context.excluded.removedFrom(context.rowsWith(undefined, queryFilters));
  return withPhrases?.(rows) ?? rows;
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
  const spaces = [...new Set(context.texts.flatMap((text) => text.spaces))];
  const written = Object.values(context.match?.corrected ?? {}).map((word): [string, string] => {
    const rows = union(spaces.map((locale) => context.words.ofChoice({ locale, word })));
    return [word, writtenIn(context, rows[0], word, spaces)];
  });
  return Object.fromEntries(written);
}

/** A word as it is first written in a document, in a text of one of the spaces; the word itself if it is in none of its texts. */
function writtenIn(context: SearchContext, row: number | undefined, word: string, spaces: readonly string[]): string {
  const locales = new Set(spaces.map(indexedLocale));
  // A field whose words are not found shows none either.
  const isShown = (_: string, locale: string, path: DocumentText['path']) =>
    locales.has(locale) && weightOfPath(path, context.query.fields) > 0;
  let document: JsonObject | undefined;
  eachDocument(context, row === undefined ? [] : [row], (found) => {
    document = found;
  });
  for (const { text, words } of document ? textsOfDocument(document, isShown) : []) {
    const span = words.find((each) => each.word === word);
    if (span) return text.slice(span.start, span.end);
  }
  return word;
}
