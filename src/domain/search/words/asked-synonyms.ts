import { canBeHead, compoundsOf, editsBetween, firstWordsOf, isNumbered, isStopWord, matchesWord } from '#words';
import { factors, typoFactor } from '../relevance.ts';
import { type SearchSettings, singleSynonyms, synonymsAt } from '../settings.ts';

/** Words of documents that stand for one or several words of a query, by the settings of the project or as irregular forms; all are needed. */
export interface AskedSynonym {
  readonly words: readonly string[];
  /** The places of the words in the text. */
  readonly of: readonly number[];
  /** What the word of the text is worth as the one with the synonym, of which it is a beginning, a misspelling or a compound; absent: 1. */
  readonly factor?: number;
  /** True where it counts only on the rungs after the first, as typos do. */
  readonly isLoose?: boolean;
}

/** Which words stand for others: those with as many edits at most, and heads for compounds. */
export interface Tolerance {
  readonly fuzzyLevel: 0 | 1 | 2;
  readonly takesHeads: boolean;
}

/** None. */
export const noTolerance: Tolerance = { fuzzyLevel: 0, takesHeads: false };

/** The synonyms of the words of a text, in any of their forms. */
export function askedSynonyms(
  locale: string,
  written: readonly string[],
  words: readonly string[],
  settings: SearchSettings,
): readonly AskedSynonym[] {
  if (settings.synonyms.size === 0) return [];
  return written.flatMap((_, at) =>
    synonymsAt(settings, written, at, locale).map(({ from, to }) => {
      const of = from.map((_word, n) => words.indexOf(written[at + n]!));
      return { words: to, of: [...new Set(of)] };
    }),
  );
}

/** Fewer letters begin, and end, too many words with synonyms. */
const leastOfSynonym = 3;

/** Synonyms of a word that the last one begins, that a word ends in, or that it misspells: `sof`, `ledersofa` and `soffa` of *sofa*. */
export function nearSynonyms(
  locale: string,
  words: readonly string[],
  last: number | undefined,
  settings: SearchSettings,
  { fuzzyLevel, takesHeads }: Tolerance,
): readonly AskedSynonym[] {
  const all = singleSynonyms(settings, locale);
  return words.flatMap((word, at) => {
    if (word.length < leastOfSynonym || isNumbered(word) || isStopWord(word, locale)) return [];
    return all.flatMap(({ from: [from = ''], to }): readonly AskedSynonym[] => {
      if (from.length < leastOfSynonym || matchesWord(word, from, locale)) return [];
      if (at === last && from.startsWith(word)) return [{ words: to, of: [at], factor: factors.beginning }];
      if (word.length > from.length + 1 && canBeHead(from, locale)) {
        const first = compoundsOf(from, locale)(word);
        // Only where the language knows the compound: whether the project does is not known here.
        if (first === undefined || firstWordsOf(word, first, locale)) return [];
        const [head, ...more] = to;
        const compound: AskedSynonym = { words: [first + head, ...more], of: [at] };
        return takesHeads ? [compound, { words: to, of: [at], factor: factors.head, isLoose: true }] : [compound];
      }
      const edits = Math.abs(word.length - from.length) > 2 ? undefined : editsBetween(from, word, locale, fuzzyLevel);
      if (edits === undefined) return [];
      return [{ words: to, of: [at], factor: typoFactor(from, word, locale, edits), isLoose: true }];
    });
  });
}
