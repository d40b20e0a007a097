import { firstWordsOf, headsOf, isMisspelled } from '#words';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { factors } from '../../../domain/search/relevance.ts';
import { compoundsIn, knownFirstWords } from './compounds.ts';
import type { KnownIn } from './plan-words.ts';
import type { Alternative, Choice, PlannedWord, QueryText } from './word-choices.ts';

/** A compound that no resource has is taken for the longest word that it ends in and that a resource has. */
export interface KnownHead {
  readonly head: string;
  /** The word itself and its forms. */
  readonly forms: readonly Choice[];
}

/** Where every resource must have all words, one of them is not taken for another. */
export function takesHeads({ match }: SearchQuery): boolean {
  return match !== 'all';
}

/** Known words that a word ends in, the longest first. Possibly no resource has them any more. */
export function knownHeads(
  { locale, spaces }: QueryText,
  asked: string,
  knownIn: KnownIn,
  isFound: (alternatives: readonly Alternative[]) => boolean,
): readonly KnownHead[] {
  const isKnown = knownFirstWords(
    spaces.map((space) => ({ space, known: knownIn(space) })),
    isFound,
  );
  const isHead = (head: string) => isKnown(firstWordsOf(asked, asked.slice(0, -head.length), locale));
  const found = headsOf(asked, locale)
    .filter(isHead)
    .map((head): KnownHead => {
      const forms = spaces.flatMap((space) =>
        knownIn(space)
          .forms(head, locale)
          .map((word) => ({ locale: space, word })),
      );
      return { head, forms };
    });
  return found.filter(({ forms }) => forms.length > 0);
}

/** Takes each word that no resource has, nor misspells, for its longest head that some resource has. */
export function takeHeads(
  text: QueryText,
  countOf: (word: PlannedWord) => number,
  isFound: (alternatives: readonly Alternative[]) => boolean,
  knownIn: KnownIn,
): QueryText {
  const taken = (word: PlannedWord): PlannedWord => {
    if (!mayHaveHead(word, text) || countOf(word) > 0 || isFound(misspelled(word))) return word;
    const head = knownHeads(text, word.word, knownIn, isFound).find((one) => isFound([anyForm(one)]));
    return head ? withHead(word, head, text, isFound, knownIn) : word;
  };
  return { ...text, words: text.words.map(taken) };
}

/** True if a word is taken for its head where no resource has it. */
export function mayHaveHead({ word, isRequired }: PlannedWord, { locale }: QueryText): boolean {
  return isRequired && headsOf(word, locale).length > 0;
}

/** The words that one is rather taken for than for its head (`isMisspelled`). */
export function misspelled({ word, typos }: PlannedWord): readonly Alternative[] {
  const whole = typos.filter(({ isShort, isNearBeginning, isSynonym }) => !isShort && !isNearBeginning && !isSynonym);
  return whole.flatMap((each) => {
    const edits = each.factor === factors.edits[1] ? 1 : 2;
    const choices = each.parts[0]!.filter((choice) => isMisspelled(choice.word, word, edits));
    return choices.length > 0 ? [{ ...each, parts: [choices] }] : [];
  });
}

/** What a resource has that has a head. */
export function anyForm({ forms }: KnownHead): Alternative {
  return { factor: 1, isShort: false, parts: [forms] };
}

/** The word with what its head finds: the head in any form, and in names and attributes what ends in it. */
function withHead(
  word: PlannedWord,
  { head, forms }: KnownHead,
  { locale, spaces }: QueryText,
  isFound: (alternatives: readonly Alternative[]) => boolean,
  knownIn: KnownIn,
): PlannedWord {
  const known = spaces.map((space) => ({ space, known: knownIn(space) }));
  const ofCompounds = compoundsIn(known, locale, isFound)(head, factors.head);
  const ofHead: Alternative = { factor: factors.head, isShort: false, parts: [forms] };
  const all = [...word.typos, ofHead, ...ofCompounds.filter(({ parts }) => parts[0]!.length > 0)];
  // In the order in which a word is taken for others: the head, two edits.
  return { ...word, head, typos: all.toSorted((a, b) => b.factor - a.factor) };
}
