import { isPlainSpace, plainSpaceOf } from '#words';
import type { JsonObject } from '../../contract/json.ts';
import type { Predicate } from '../predicate/ast.ts';
import { placeWeight } from './relevance.ts';
import { type DocumentText, textsOfDocument } from './words/document-texts.ts';
import { inAttribute, inName, type Place, placeWith } from './words/document-words.ts';

/**
 * What a project says of its fields: words of some weigh more or less, words of others are not found, and texts of some are
 * under no locale, whatever the names around them look like. The index does not know of which field a word is, so that no
 * rule needs a rebuild: engines look at the documents that have such fields (decision 134).
 */
export type FieldRule = WeightRule | TypeRule;

interface RuleOfPath {
  /** Names from the outside in; all below it is meant. Arrays have no name. */
  readonly path: readonly string[];
}

interface WeightRule extends RuleOfPath {
  /** Default 1; 0: its words are not found. */
  readonly weight: number;
}

interface TypeRule extends RuleOfPath {
  /** Texts there are under no locale; false: as their names say, within a field that is plain. */
  readonly isPlain: boolean;
}

/** Where a word stands by the rules, and the weight of the field there. */
export interface RuledPlace {
  readonly place: Place;
  readonly weight: number;
}

/** A word that the rules put elsewhere than the index has it, or nowhere. */
export interface WordChange {
  /** Or the space of the plain words there: these are nowhere but for such changes. */
  readonly locale: string;
  readonly word: string;
  readonly ruled: RuledPlace | 'nowhere';
}

/** The weight of a field: that of the longest path that leads to it. */
export function weightOfPath(path: DocumentText['path'], rules: readonly FieldRule[]): number {
  return nearestRule(path, rules, (rule) => 'weight' in rule)?.weight ?? 1;
}

/** True if some texts are under no locale by the rules. */
export function hasPlainRules(rules: readonly FieldRule[]): boolean {
  return rules.some((rule) => 'isPlain' in rule && rule.isPlain);
}

/** The space of the words of a text that the index has under a locale. */
export function spaceOfText(locale: string, path: DocumentText['path'], rules: readonly FieldRule[]): string {
  if (locale === '') return locale;
  return nearestRule(path, rules, (rule) => 'isPlain' in rule)?.isPlain ? plainSpaceOf(locale) : locale;
}

/** The rule with the longest path that leads to a field, among rules of one kind. */
function nearestRule<Kind extends FieldRule>(
  path: DocumentText['path'],
  rules: readonly FieldRule[],
  isOfKind: (rule: FieldRule) => rule is Kind,
): Kind | undefined {
  if (rules.length === 0) return undefined;
  const names = path.filter((step) => typeof step === 'string');
  let nearest: Kind | undefined;
  for (const rule of rules) {
    if (!isOfKind(rule) || rule.path.length <= (nearest?.path.length ?? 0)) continue;
    if (rule.path.every((name, at) => name === names[at])) nearest = rule;
  }
  return nearest;
}

/** A text of a document, with what the rules say of it. */
interface RuledText extends DocumentText {
  readonly weight: number;
  readonly space: string;
}

/** The texts of a document by the rules. */
export function textsByRules(document: JsonObject, rules: readonly FieldRule[]): readonly RuledText[] {
  return textsOfDocument(document).map((text) => ({
    ...text,
    weight: weightOfPath(text.path, rules),
    space: spaceOfText(text.locale, text.path, rules),
  }));
}

/** How often a word occurs under each weight, as the place that it has there. */
type Occurrences = Map<number, Place>;

/** A word in some space of a document. */
interface RuledWord {
  readonly locale: string;
  readonly word: string;
  readonly weights: Occurrences;
  /** In some text the word is plain: the index has it here nevertheless. */
  isElsewhere: boolean;
  /** The place that the index has it at; undefined in a space. */
  place: Place | undefined;
}

/** The words of a document that rules apply to; empty where they apply to none of its texts. */
function wordsByRules(document: JsonObject, rules: readonly FieldRule[]): readonly RuledWord[] {
  const texts = textsByRules(document, rules);
  if (texts.every(({ weight, locale, space }) => weight === 1 && space === locale)) return [];
  const found = new Map<string, RuledWord>();
  const wordIn = (locale: string, word: string): RuledWord => {
    const key = wordKey(locale, word);
    const known = found.get(key) ?? { locale, word, weights: new Map(), isElsewhere: false, place: undefined };
    found.set(key, known);
    return known;
  };
  for (const { locale, space, place, words, weight } of texts) {
    for (const { word } of words) {
      const { weights } = wordIn(space, word);
      weights.set(weight, placeWith(weights.get(weight), place));
      const indexed = wordIn(locale, word);
      indexed.place = placeWith(indexed.place, place);
      if (space !== locale) indexed.isElsewhere = true;
    }
  }
  return [...found.values()];
}

/** The words of a document whose place or weight is another one by the rules, and the plain ones. */
export function changesOf(document: JsonObject, rules: readonly FieldRule[]): readonly WordChange[] {
  const isAsIndexed = ({ locale, weights, isElsewhere }: RuledWord) =>
    !isElsewhere && !isPlainSpace(locale) && weights.size === 1 && weights.has(1);
  return wordsByRules(document, rules)
    .filter((each) => !isAsIndexed(each))
    .map(changeOf);
}

function changeOf({ locale, word, weights }: RuledWord): WordChange {
  return { locale, word, ruled: best(weights) };
}

/** A text, an attribute, the name: what a field is to a document. */
export type PlaceKind = 't' | 'a' | 'n';

/** The kind of a place. */
export function kindOfPlace(place: Place): PlaceKind {
  return place === inName ? 'n' : place === inAttribute ? 'a' : 't';
}

/** The weight of most words of a document under a locale, at places of one kind; 0: they are not indexed there. */
export interface UsualWeight {
  readonly locale: string;
  readonly kind: PlaceKind;
  readonly weight: number;
}

/**
 * The effect of rules on a document, the same as `changesOf` in few words: where rules are for a field with many words, such as
 * the description, most of them weigh the same and stay where they are.
 */
export function ruledDocument(document: JsonObject, rules: readonly FieldRule[]) {
  const words = wordsByRules(document, rules);
  const groups = Map.groupBy(words, (each) => `${each.locale}|${each.place ? kindOfPlace(each.place) : ''}`);
  const usual: UsualWeight[] = [];
  const changes: WordChange[] = [];
  for (const group of groups.values()) {
    const weighed = group.map((each) => ({ each, weight: weightInPlace(each) }));
    const { locale, place } = group[0]!;
    const most = mostOften(weighed.flatMap(({ weight }) => weight ?? []));
    if (most !== 1) usual.push({ locale, kind: kindOfPlace(place!), weight: most });
    for (const { each, weight } of weighed) if (weight !== most) changes.push(changeOf(each));
  }
  return { usual, changes };
}

/** The weight of a word that the rules keep in place, 0 if they drop it; else undefined. */
function weightInPlace({ locale, weights, isElsewhere, place }: RuledWord): number | undefined {
  if (isElsewhere || isPlainSpace(locale)) return undefined;
  const ruled = best(weights);
  return ruled === 'nowhere' ? 0 : ruled.place === place ? ruled.weight : undefined;
}

/** The number that comes most often; 1 if it comes as often, and without any. */
function mostOften(all: readonly number[]): number {
  const counts = new Map([[1, 0]]);
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** Identifies a word under a locale, or in another space. */
export function wordKey(locale: string, word: string): string {
  return `${locale}|${word}`;
}

/** Among several fields, the one where the word weighs most counts; then the greater weight. */
function best(weights: Occurrences): RuledPlace | 'nowhere' {
  const ruled = [...weights].filter(([weight]) => weight > 0).map(([weight, place]): RuledPlace => ({ place, weight }));
  const strength = ({ place, weight }: RuledPlace) => weight * placeWeight(place);
  return ruled.sort((a, b) => strength(b) - strength(a) || b.weight - a.weight)[0] ?? 'nowhere';
}

/** Holds at least where a document has one of the fields of some rules, of which there is one or more. */
export function hasFieldOf(rules: readonly FieldRule[]): Predicate {
  const names = [...new Set(rules.map(({ path }) => path[0]!))];
  return { kind: 'or', of: names.map((name) => ({ kind: 'not', of: { kind: 'empty', path: [name] } })) };
}
