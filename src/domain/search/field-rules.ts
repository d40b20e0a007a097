import type { JsonObject } from '../../contract/json.ts';
import { placeWeight } from './relevance.ts';
import { type DocumentText, textsOfDocument } from './words/document-texts.ts';
import type { Place } from './words/document-words.ts';

/**
 * What a project says of its fields: words of some weigh more or less, words of others are not found. The index does not
 * know of which field a word is, so that no rule needs a rebuild: engines look at the documents that have such fields
 * (decision 134).
 */
export interface FieldRule {
  /** Names from the outside in; all below it is meant. Arrays have no name. */
  readonly path: readonly string[];
  /** Of other fields 1; 0: its words are not found. */
  readonly weight: number;
}

/** Where a word stands by the rules, and the weight of the field there. */
export interface RuledPlace {
  readonly place: Place;
  readonly weight: number;
}

/** A word that the rules put elsewhere than the index has it, or nowhere. */
export interface WordChange {
  readonly locale: string;
  readonly word: string;
  readonly ruled: RuledPlace | 'nowhere';
}

/** The weight of a field: that of the longest path that leads to it. */
export function weightOfPath(path: DocumentText['path'], rules: readonly FieldRule[]): number {
  if (rules.length === 0) return 1;
  const names = path.filter((step) => typeof step === 'string');
  let [weight, longest] = [1, 0];
  for (const rule of rules) {
    if (rule.path.length <= longest || !rule.path.every((name, at) => name === names[at])) continue;
    weight = rule.weight;
    longest = rule.path.length;
  }
  return weight;
}

/** How often a word occurs under each weight, as the place that it has there. */
type Occurrences = Map<number, Place>;

/** The words of a document whose place or weight is another one by the rules. */
export function changesOf(document: JsonObject, rules: readonly FieldRule[]): readonly WordChange[] {
  const texts = [...textsOfDocument(document)].map((text) => ({ ...text, weight: weightOfPath(text.path, rules) }));
  if (texts.every(({ weight }) => weight === 1)) return [];
  const found = new Map<string, { readonly locale: string; readonly word: string; readonly weights: Occurrences }>();
  for (const { locale, place, words, weight } of texts) {
    for (const { word } of words) {
      const key = wordKey(locale, word);
      const known = found.get(key) ?? { locale, word, weights: new Map() };
      found.set(key, known);
      known.weights.set(weight, together(known.weights.get(weight), place));
    }
  }
  return [...found.values()]
    .filter(({ weights }) => weights.size > 1 || !weights.has(1))
    .map(({ locale, word, weights }) => ({ locale, word, ruled: best(weights) }));
}

/** Identifies a word under a locale. */
export function wordKey(locale: string, word: string): string {
  return `${locale}|${word}`;
}

/** The place of a word that has one already: in a text once more, else the better of both. */
function together(before: Place | undefined, place: DocumentText['place']): Place {
  if (before === undefined || place > before) return place;
  return place === 1 && before < 3 ? ((before + 1) as Place) : before;
}

/** Of several fields that where the word weighs most counts; then the greater weight. */
function best(weights: Occurrences): RuledPlace | 'nowhere' {
  const ruled = [...weights].filter(([weight]) => weight > 0).map(([weight, place]): RuledPlace => ({ place, weight }));
  const strength = ({ place, weight }: RuledPlace) => weight * placeWeight(place);
  return ruled.sort((a, b) => strength(b) - strength(a) || b.weight - a.weight)[0] ?? 'nowhere';
}
