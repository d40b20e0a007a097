import { factors } from '../../../domain/search/relevance.ts';
import type { ProjectWords } from './project-words.ts';
import type { Alternative, Choice } from './word-choices.ts';

/** A space of a text, and the words that are known there. */
export interface KnownSpace {
  readonly space: string;
  readonly known: ProjectWords;
}

/** Looks compounds of a word up, `isBegun`: of what a word that is still being typed may become. */
type CompoundsOf = (head: string, factor: number, isBegun?: boolean) => readonly Alternative[];

/** Says of the words that may be the first part of a compound whether one is needed (`firstWordsOf`) and no document has any. */
export function knownFirstWords(
  spaces: readonly KnownSpace[],
  isFound: (alternatives: readonly Alternative[]) => boolean,
): (firstWords: readonly string[] | undefined) => boolean {
  // Many compounds have the same first part.
  const judged = new Map<string, boolean>();
  return (firstWords) => {
    if (firstWords === undefined) return true;
    const name = firstWords.join(' ');
    const known = judged.get(name);
    if (known !== undefined) return known;
    const choices = firstWords.flatMap((word) =>
      spaces.filter(({ known }) => known.mayHave(word)).map(({ space }): Choice => ({ locale: space, word })),
    );
    const isKnown = choices.length > 0 && isFound([{ factor: 1, isShort: false, parts: [choices] }]);
    judged.set(name, isKnown);
    return isKnown;
  };
}

/**
 * Looks up the compounds of words, and apart from them the words that only end like these: no document has a word that could be their
 * first part (`firstWordsOf`).
 */
export function compoundsIn(
  spaces: readonly KnownSpace[],
  locale: string,
  isFound: (alternatives: readonly Alternative[]) => boolean,
): CompoundsOf {
  const isKnown = knownFirstWords(spaces, isFound);
  return (head, factor, isBegun = false) => {
    const [sure, doubtful]: [Choice[], Choice[]] = [[], []];
    for (const { space, known } of spaces) {
      const compounds = isBegun ? known.begunCompounds(head, locale) : known.compounds(head, locale);
      for (const { word, firstWords } of compounds) {
        (isKnown(firstWords) ? sure : doubtful).push({ locale: space, word });
      }
    }
    return [
      { factor: factor * factors.compound, isShort: true, parts: [sure] },
      { factor: factor * factors.doubtful, isShort: true, isDoubtful: true, parts: [doubtful] },
    ];
  };
}
