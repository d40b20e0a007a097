import { indexedLocale, isNumbered, stemOf } from '#words';
import type { JsonObject } from '../../contract/json.ts';
import { compareUtf8 } from '../../domain/predicate/scalar.ts';
import { textsOfDocument } from '../../domain/search/words/document-texts.ts';
import type { NeededText } from './ladder.ts';
import type { Alternative, Choice, PlannedWord, QueryText } from './word-choices.ts';

/** Completions of the last word of a text: what the engines have in common. */

/** The words of documents that complete a planned word, by word. */
export type Completing = ReadonlyMap<string, readonly Choice[]>;

/**
 * What completes a planned word: the word itself and those that begin like it, words with digits only if it has some; where no
 * resource has one of these, those that begin like it but for typos, the fewest first.
 */
export function completingWords(planned: PlannedWord): readonly Completing[] {
  const near = planned.typos.filter(({ isNearBeginning }) => isNearBeginning);
  const byWord = (choices: Iterable<Choice>) => Map.groupBy(choices, ({ word }) => word);
  return [byWord(begunChoices(planned)), ...near.map(({ parts }) => byWord(parts[0]!))];
}

function begunChoices({ word, strict }: PlannedWord): ReadonlySet<Choice> {
  const begun = strict.filter(isBeginning).flatMap(({ parts }) => parts[0]!);
  const own = strict.flatMap(({ parts }) => parts.flat()).filter((choice) => choice.word === word);
  // Article numbers are no completions of words.
  const words = begun.filter((choice) => isNumbered(word) || !isNumbered(choice.word));
  return new Set([...own, ...words]);
}

/** With what the words begin that complete a planned word as it is: in languages with several spellings in each of them. */
export function beginningsOf({ strict }: PlannedWord): readonly string[] {
  return strict.filter(isBeginning).map(({ beginning }) => beginning!);
}

/** True for a completion of this word alone. A joined one completes the word before it as well. */
function isBeginning({ beginning, isJoined }: Alternative): boolean {
  return beginning !== undefined && !isJoined;
}

/** Words that documents need besides the completed word, or undefined. */
export function otherWords(text: QueryText, completed: PlannedWord): NeededText | undefined {
  const words = text.words.filter((word) => word !== completed && word.isRequired);
  if (words.length === 0) return undefined;
  return { words, count: words.length, alternativesOf: (word) => word.strict };
}

/** The most frequent words first, of those that some document has; of the forms of one word only the first. */
export function mostCounted<T extends { readonly word: string; readonly count: number }>(
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

/** A word as it is first written in a document, in a text of one of the spaces; the word itself if it is in none of its texts. */
export function writtenIn(document: JsonObject | undefined, word: string, spaces: readonly string[]): string {
  const locales = new Set(spaces.map(indexedLocale));
  for (const { text, words } of document ? textsOfDocument(document, (_, locale) => locales.has(locale)) : []) {
    const span = words.find((each) => each.word === word);
    if (span) return text.slice(span.start, span.end);
  }
  return word;
}
