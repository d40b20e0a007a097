import { indexedLocale, isPlainSpace } from '#words';
import type { NeededText } from '../../../../index/plan/ladder.ts';
import type { Alternative, Choice, PlannedWord, QueryText } from '../../../../index/plan/word-choices.ts';
import { wordTerm } from '../../../../index/terms/word-terms.ts';
import type { RankedText, TermDocument } from '../rank-terms.ts';

/**
 * No term has a space of plain words: the index has these words under their locales, and only the documents say
 * which ones are plain. So what may have them is looked up there, and what was looked at gets terms of its own.
 */

/** The alternatives with the locales of the index: they hold for more documents, those with words of these locales. */
export function inIndex(alternatives: readonly Alternative[]): readonly Alternative[] {
  if (!alternatives.some(({ parts }) => parts.some((choices) => choices.some(isPlain)))) return alternatives;
  return alternatives.map((alternative) => ({ ...alternative, parts: alternative.parts.map(choicesInIndex) }));
}

/** The same of a text, and of what a document needs of it. */
export function soughtInIndex({
  text,
  needed,
}: Pick<RankedText, 'text' | 'needed'>): Pick<RankedText, 'text' | 'needed'> {
  return { text: textInIndex(text), needed: neededInIndex(needed) };
}

export function neededInIndex({ alternativesOf, ...needed }: NeededText): NeededText {
  return { ...needed, alternativesOf: (word) => inIndex(alternativesOf(word)) };
}

function textInIndex(text: QueryText): QueryText {
  const wordInIndex = (word: PlannedWord): PlannedWord => {
    return { ...word, strict: inIndex(word.strict), typos: inIndex(word.typos) };
  };
  return { ...text, words: text.words.map(wordInIndex) };
}

export function choicesInIndex(choices: readonly Choice[]): readonly Choice[] {
  if (!choices.some(isPlain)) return choices;
  const found = new Map<string, Choice>();
  for (const { locale, word } of choices) {
    const indexed = indexedLocale(locale);
    found.set(`${indexed}|${word}`, { locale: indexed, word });
  }
  return [...found.values()];
}

/** A document whose terms are also those of the plain words that it was found to have. */
export function withPlain(document: TermDocument, plain: readonly Choice[]): TermDocument {
  if (plain.length === 0) return document;
  const terms = plain.map(({ locale, word }) => wordTerm(document.head, locale, word));
  return { ...document, own: new Set([...document.own, ...terms]) };
}

export function isPlain({ locale }: Choice): boolean {
  return isPlainSpace(locale);
}
