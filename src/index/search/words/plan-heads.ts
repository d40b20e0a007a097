import { firstWordsOf, headsOf, isMisspelled } from '#words';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { factors } from '../../../domain/search/relevance.ts';
import { compoundsIn, knownFirstWords } from './compounds.ts';
import type { KnownIn } from './plan-words.ts';
import type { Alternative, PlannedWord, QueryText } from './word-choices.ts';

/** A compound that no resource has is taken for the longest word that it ends in and that a resource has. */

/** Where every resource must have all words, one of them is not taken for another. */
export function takesHeads({ match }: SearchQuery): boolean {
  return match !== 'all';
}

/** Takes each word that no resource has, nor misspells, for its longest head that some resource has. */
export function takeHeads(
  text: QueryText,
  countOf: (word: PlannedWord) => number,
  isFound: (alternatives: readonly Alternative[]) => boolean,
  knownIn: KnownIn,
): QueryText {
  const { locale } = text;
  const spaces = text.spaces.map((space) => ({ space, known: knownIn(space) }));
  const isKnown = knownFirstWords(spaces, isFound);
  const compoundsOf = compoundsIn(spaces, locale, isFound);

  /** The head in any form. Possibly no resource has it any more. */
  function ofHead(head: string): Alternative {
    const forms = spaces.flatMap(({ space, known }) =>
      known.forms(head, locale).map((word) => ({ locale: space, word })),
    );
    return { factor: factors.head, isShort: false, parts: [forms] };
  }

  function taken(word: PlannedWord): PlannedWord {
    const heads = word.isRequired ? headsOf(word.word, locale) : [];
    if (heads.length === 0 || countOf(word) > 0 || isFound(misspelled(word))) return word;
    for (const head of heads) {
      if (!isKnown(firstWordsOf(word.word, word.word.slice(0, -head.length), locale))) continue;
      const forms = ofHead(head);
      if (forms.parts[0]!.length === 0 || !isFound([forms])) continue;
      const compounds = compoundsOf(head, factors.head).filter(({ parts }) => parts[0]!.length > 0);
      // In the order in which a word is taken for others: the head, two edits.
      const typos = [...word.typos, forms, ...compounds].toSorted((a, b) => b.factor - a.factor);
      return { ...word, head, typos };
    }
    return word;
  }

  return { ...text, words: text.words.map(taken) };
}

/** The words that one is rather taken for than for its head (`isMisspelled`). */
function misspelled({ word, typos }: PlannedWord): readonly Alternative[] {
  const whole = typos.filter(({ isShort, isNearBeginning, isSynonym }) => !isShort && !isNearBeginning && !isSynonym);
  return whole.flatMap((each) => {
    const edits = each.factor === factors.edits[1] ? 1 : 2;
    const choices = each.parts[0]!.filter((choice) => isMisspelled(choice.word, word, edits));
    return choices.length > 0 ? [{ ...each, parts: [choices] }] : [];
  });
}
