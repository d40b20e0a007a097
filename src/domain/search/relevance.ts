import { isFormWithTypo, matchesWord } from '#words';
import { inAttribute, inName, type Place } from './words/document-words.ts';

/**
 * Relevance: a rare word weighs more than a common one, a word of the name more than one of an attribute, and that more
 * than one of a text. Repeats in a text weigh a little more, and a word of a short name or text more than one of a long
 * one. Lengths are rounded to classes, so that an index stores them in a term and a search adds precomputed numbers.
 */

/** How soon more of a word stops mattering. */
const k1 = 1.2;
/** The maximum weight of a word, by its place. */
const [nameWeight, attributeWeight, textWeight] = [2.6, 2.08, 1];
/**
 * How much the length matters: 0 not at all, 1 in full; and the length, in words, that changes nothing: for texts that of a longer passage,
 * since with that of a paragraph the shorter of two that answer a question came too early.
 */
const [nameB, nameLength] = [0.5, 8];
const [textB, textLength] = [0.75, 180];
/** How often a text has a word that it has more often than twice. */
const oftenInText = 4;

/** 0 to 15 */
export type LengthClass = number;
export const maxLengthClass = 15;

/** The longest texts of the classes 0 to 14. */
const textBounds = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512] as const;
const typicalTexts = [3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 768] as const;

/** The class of the length of a name in words: the length, 15 for longer ones. */
export function nameLengthClass(words: number): LengthClass {
  return Math.min(words, maxLengthClass);
}

/** The class of the length of a text in words. */
export function textLengthClass(words: number): LengthClass {
  const found = textBounds.findIndex((bound) => words <= bound);
  return found < 0 ? maxLengthClass : found;
}

/** The weight of a word that `matching` of all documents have in some form; always above 0. */
export function idf(documents: number, matching: number): number {
  return Math.log(1 + (documents - matching + 0.5) / (matching + 0.5));
}

/**
 * What a word adds to the score of a document, before its weight: above 0, and below 3. A greater place adds more, whatever the lengths
 * are: of several words that stand for one, the best place decides.
 */
export function impact(place: Place, nameClass: LengthClass, textClass: LengthClass): number {
  if (place === inName) return saturated(nameWeight, 1 / (1 - nameB + (nameB * nameClass) / nameLength));
  if (place === inAttribute) return saturated(attributeWeight, 1);
  const times = place === 3 ? oftenInText : place;
  return saturated(textWeight, times / (1 - textB + (textB * typicalTexts[textClass]!) / textLength));
}

/** The maximum weight of a word at a place. */
export function placeWeight(place: Place): number {
  return place === inName ? nameWeight : place === inAttribute ? attributeWeight : textWeight;
}

function saturated(weight: number, times: number): number {
  return (weight * times) / (times + k1);
}

/** A word that says little by itself weighs so much of others. */
export const stopWordWeight = 0.15;

/** The factor of a form of the query word, relative to the word as written. */
export const factors = {
  written: 1,
  inflected: 0.95,
  joined: 1,
  /** The word twice where it is asked for twice, or with the signs that it is asked for with. */
  closer: 1.5,
  /** With the accents that it is asked for with: first among equals. */
  accented: 1.05,
  /** With other accents than it is asked for with, where these are letters. */
  otherAccents: 0.25,
  synonym: 0.9,
  split: 0.8,
  compound: 0.65,
  /** For a word that ends in the query word behind letters that are no word: behind the word itself in any text. */
  doubtful: 0.1,
  beginning: 0.6,
  begunForm: 0.5,
  /** For a compound that no document has: above other words that are two letters away. */
  head: 0.35,
  edits: [1, 0.5, 0.2],
  /** Another form of a word that is one edit away. */
  formWithTypo: 0.3,
} as const;

/** The factor of a word that is the asked one, or a form of it; else undefined. */
export function formFactor(word: string, asked: string, locale: string): number | undefined {
  if (word === asked) return factors.written;
  return matchesWord(word, asked, locale) ? factors.inflected : undefined;
}

/** The factor of a word with typos. */
export function typoFactor(word: string, asked: string, locale: string, edits: 1 | 2): number {
  return edits === 2 && isFormWithTypo(word, asked, locale) ? factors.formWithTypo : factors.edits[edits];
}

/** With fewer hits than this a search continues with the next rung. Not the limit: page 2 must have the rungs of page 1. */
export const fewHits = 10;

/**
 * How many words a document needs where not all are there, of those that any document has: one of two, whatever else was asked for, so
 * that a word more that nothing has takes no hits away.
 */
export function mostOf(known: number): number {
  return known === 2 ? 1 : Math.max(1, Math.ceil(0.6 * known));
}
