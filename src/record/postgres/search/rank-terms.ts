import { indexedLocale } from '#words';
import { type RuledPlace, wordKey } from '../../../domain/search/field-rules.ts';
import { impact } from '../../../domain/search/relevance.ts';
import { inAttribute, type Place } from '../../../domain/search/words/document-words.ts';
import { type NeededText, rungs, scoreOfMost, type WordCounts, weigh } from '../../../index/plan/ladder.ts';
import type { RankNumbers } from '../../../index/plan/search-position.ts';
import { type Alternative, type Choice, looseAlternatives, type QueryText } from '../../../index/plan/word-choices.ts';
import { type LengthKind, lengthClasses, lengthTerm, placeMarks, wordTerm } from '../../../index/terms/word-terms.ts';

/** How good a match is. */
export type Rank = RankNumbers;

/** A text with what a document needs of it on the last rung, and what its words weigh. */
export interface RankedText {
  readonly text: QueryText;
  readonly needed: NeededText;
  /** In the order of the words. */
  readonly strictWeights: readonly number[];
  readonly looseWeights: readonly number[];
}

/** The weights of the words of a text among so many resources. */
export function weighText(text: QueryText, needed: NeededText, counts: WordCounts, resources: number): RankedText {
  const { strict, loose } = weigh(text, needed, counts, resources);
  return { text, needed, strictWeights: strict, looseWeights: loose };
}

/** The rank of a document for a text; undefined if it does not match. */
export function rankIn(document: TermDocument, ranked: RankedText): Rank | undefined {
  const { text, needed, strictWeights, looseWeights } = ranked;
  const words = text.words.map((word, at) => ({
    ...{ isRequired: word.isRequired, looseWeight: looseWeights[at]!, isDeciding: needed.words.includes(word) },
    strict: worthOf(document, word.strict),
    loose: worthOf(document, looseAlternatives(word)),
  }));
  const required = words.filter((word) => word.isRequired);
  if (required.length === 0) return undefined;
  const isStrict = required.every(({ strict }) => strict > 0);
  const isLoose = required.every(({ loose }) => loose > 0);
  const deciding = words.filter(({ isDeciding, loose }) => isDeciding && loose > 0).length;
  if (!isStrict && !isLoose && (deciding === 0 || deciding < needed.count)) return undefined;
  let score = 0;
  for (const [at, { strict, loose, looseWeight }] of words.entries()) {
    const value = isStrict ? strict : loose;
    if (value > 0) score += (isStrict ? strictWeights[at]! : looseWeight) * value;
  }
  if (isStrict) return { rung: rungs.indexOf('all'), score };
  if (isLoose) return { rung: rungs.indexOf('typos'), score };
  return { rung: rungs.indexOf('most'), score: scoreOfMost(score, words, ({ loose }) => loose > 0) };
}

/** A document by its own terms of those that matter. */
export interface TermDocument {
  readonly own: ReadonlySet<string>;
  readonly head: string;
  /** Where words stand by the rules of the project, by `wordKey`; of others as the terms say. */
  readonly changes?: ReadonlyMap<string, RuledPlace | 'nowhere'>;
  /** Classes found, by kind and locale. */
  readonly lengths: Map<string, number>;
}

/** True if a document has as many of the words as are needed. */
export function hasNeeded(document: TermDocument, { words, count, alternativesOf }: NeededText): boolean {
  const found = words.filter((word) => worthOf(document, alternativesOf(word)) > 0).length;
  return words.length > 0 && found >= count;
}

/** True if a document has the word somewhere. */
export function hasChoice({ own, head, changes }: TermDocument, { locale, word }: Choice): boolean {
  return own.has(wordTerm(head, locale, word)) && changes?.get(wordKey(locale, word)) !== 'nowhere';
}

/** What the best of the alternatives is worth; 0 without any. */
export function worthOf(document: TermDocument, alternatives: readonly Alternative[]): number {
  let best = 0;
  for (const { parts, factor, isShort } of alternatives) {
    let least = Number.POSITIVE_INFINITY;
    for (const choices of parts)
      least = Math.min(least, bestOf(document, choices, isShort, parts.length > 1 ? 1 : factor));
    best = Math.max(best, parts.length > 1 ? factor * least : least);
  }
  return best;
}

function bestOf(document: TermDocument, choices: readonly Choice[], isShort: boolean, factor: number): number {
  let best = 0;
  for (const { term, locale, word } of ownChoices(document, choices)) {
    const change = document.changes?.get(wordKey(locale, word));
    if (change === 'nowhere') continue;
    const { place: usual, marks } = placeMarks(locale);
    const usually: Place = marks.find(({ mark }) => document.own.has(term + mark))?.place ?? usual;
    const { place, weight } = change ?? { place: usually, weight: 1 };
    if (isShort && place < inAttribute) continue;
    const indexed = indexedLocale(locale);
    const [name, text] = [lengthOf(document, indexed, 'n'), lengthOf(document, indexed, 't')];
    best = Math.max(best, factor * (weight * impact(place, name, text)));
  }
  return best;
}

/** A choice with its term. */
interface ChoiceTerm extends Choice {
  readonly term: string;
}

/** Those of the choices that a document has: a beginning has thousands, of which a document has one or two. */
function* ownChoices({ own, head }: TermDocument, choices: readonly Choice[]): Generator<ChoiceTerm> {
  const byTerm = choicesByTerm(head, choices);
  if (byTerm.size < own.size) {
    for (const choice of byTerm.values()) if (own.has(choice.term)) yield choice;
    return;
  }
  for (const term of own) {
    const choice = byTerm.get(term);
    if (choice) yield choice;
  }
}

/** Looked up for every document of a search. */
const knownTerms = new WeakMap<readonly Choice[], Map<string, ReadonlyMap<string, ChoiceTerm>>>();

function choicesByTerm(head: string, choices: readonly Choice[]): ReadonlyMap<string, ChoiceTerm> {
  const ofHeads = knownTerms.get(choices) ?? new Map<string, ReadonlyMap<string, ChoiceTerm>>();
  knownTerms.set(choices, ofHeads);
  const known = ofHeads.get(head);
  if (known) return known;
  const terms = choices.map((choice): ChoiceTerm => ({ ...choice, term: wordTerm(head, choice.locale, choice.word) }));
  const byTerm = new Map(terms.map((each) => [each.term, each]));
  ofHeads.set(head, byTerm);
  return byTerm;
}

function lengthOf({ own, head, lengths }: TermDocument, locale: string, kind: LengthKind): number {
  const known = lengths.get(kind + locale);
  if (known !== undefined) return known;
  const found = lengthClasses.find((each) => own.has(lengthTerm(head, locale, kind, each))) ?? 0;
  lengths.set(kind + locale, found);
  return found;
}
