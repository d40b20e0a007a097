import { isPlainSpace, plainSpaceOf, spacesWith } from '#words';
import type { JsonObject } from '../../contract/json.ts';
import { type Rung, rungs } from '../../contract/search-pages.ts';
import { boostOf } from './boosts.ts';
import { changesOf, type FieldRule, type RuledPlace, textsByRules, wordKey } from './field-rules.ts';
import type { SearchQuery, TextQuery, TextWeights } from './query/query.ts';
import { impact, nameLengthClass, textLengthClass } from './relevance.ts';
import { pinOf } from './settings/pins.ts';
import type { DocumentText } from './words/document-texts.ts';
import { inAttribute, inName, type Place, wordsOfDocument } from './words/document-words.ts';
import { hasPhrases } from './words/text-conditions.ts';
import {
  type AnswerOf,
  type Answers,
  type FoundForm,
  headAnswer,
  strictAnswers,
  typoAnswers,
  type WordAnswer,
} from './words/word-answers.ts';

/**
 * Why a document ranks where it does: its score again, word by word, from the document itself and from what the words
 * weigh among all documents, which the engine says.
 */

/** As a response has it (contract/search-pages.ts). */
export type Explanation = ExplainedText & { readonly pinned?: true };
type ExplainedText = NonNullable<ReturnType<typeof explainText>>;

/** How a document has an asked word. */
interface Found {
  readonly matched: string;
  readonly form: FoundForm;
  readonly factor: number;
  readonly field: number;
  readonly place: Place;
  readonly path: DocumentText['path'] | undefined;
}

/** The explanation of a document that the query found; with several texts, of that which fits best. */
export function explain(
  document: JsonObject,
  query: SearchQuery,
  weights: readonly TextWeights[],
  pathText: (path: DocumentText['path']) => string,
): Explanation | undefined {
  const own = documentOf(document, query.fields);
  const boost = boostOf(document, query.boosts, query.hour);
  const all = query.texts.map((text, at) =>
    hasPhrases(document, text, query.fields) ? explainText(text, query, weights[at]!, own, boost, pathText) : undefined,
  );
  const found = all.filter((one) => one !== undefined).sort(better)[0];
  if (pinOf(document, query.pinned) < 0) return found;
  const unfound = {
    score: 0,
    rung: 'all',
    locale: query.texts[0]!.locale,
    share: 1,
    boost,
    words: [],
  } satisfies ExplainedText;
  return { ...(found ?? unfound), pinned: true };
}

function better(left: ExplainedText, right: ExplainedText): number {
  return rungs.indexOf(left.rung) - rungs.indexOf(right.rung) || right.score - left.score;
}

/** A word of a document, and what it is worth there. */
interface OwnWord extends RuledPlace {
  readonly word: string;
  readonly field: number;
}

interface OwnDocument {
  /** By space, without words that the settings exclude. */
  readonly words: ReadonlyMap<string, readonly OwnWord[]>;
  readonly plainSpaces: readonly string[];
  readonly pathOf: (space: string, word: OwnWord) => DocumentText['path'] | undefined;
}

function documentOf(document: JsonObject, rules: readonly FieldRule[]): OwnDocument {
  const all = changesOf(document, rules);
  const changes = new Map(all.map(({ locale, word, ruled }) => [wordKey(locale, word), ruled]));
  const words = new Map<string, OwnWord[]>();
  for (const [locale, { places, nameLength, textLength }] of wordsOfDocument(document)) {
    const [nameClass, textClass] = [nameLengthClass(nameLength), textLengthClass(textLength)];
    const add = (space: string, word: string, ruled: RuledPlace | 'nowhere') => {
      if (ruled === 'nowhere') return;
      const own = words.get(space) ?? [];
      words.set(space, own);
      own.push({ ...ruled, word, field: ruled.weight * impact(ruled.place, nameClass, textClass) });
    };
    for (const [word, usual] of places) {
      add(locale, word, changes.get(wordKey(locale, word)) ?? { place: usual, weight: 1 });
    }
    // For a plain word, the length is that of the texts that the index stores it with.
    for (const { locale: space, word, ruled } of all) if (space === plainSpaceOf(locale)) add(space, word, ruled);
  }
  let texts: ReturnType<typeof textsByRules> | undefined;
  return {
    words,
    plainSpaces: [...words.keys()].filter(isPlainSpace),
    pathOf(space, { word, place, weight }) {
      texts ??= textsByRules(document, rules);
      const of = place < inAttribute ? 1 : place;
      const isThere = (text: DocumentText) => text.place === of && text.words.some((span) => span.word === word);
      return texts.find((text) => text.space === space && text.weight === weight && isThere(text))?.path;
    },
  };
}

function explainText(
  text: TextQuery,
  query: SearchQuery,
  weights: TextWeights,
  document: OwnDocument,
  boost: number,
  pathText: (path: DocumentText['path']) => string,
) {
  const strict = text.words.map((_, at) => findStrict(text, at, query.prefix, weights, document));
  const loose = strict.map((found, at) => {
    const ofHead = findHead(text.locale, weights.heads[at], weights.doubtful[at]!, document);
    return found ?? best(ofHead, findTypos(text, at, query, weights, document));
  });
  const counted = [...text.words.keys()].filter((at) => !weights.ignored.includes(at));
  const required = counted.filter((at) => !text.small.includes(at));
  const hasAll = (found: readonly (Found | undefined)[]) => required.every((at) => found[at] !== undefined);
  const rung: Rung = hasAll(strict) ? 'all' : weights.isAny ? 'any' : hasAll(loose) ? 'typos' : 'most';
  const deciding = weights.deciding.filter((at) => loose[at] !== undefined).length;
  const isEnough = rung === 'all' || rung === 'typos' || (deciding > 0 && deciding >= weights.needed);
  if (required.length === 0 || !isEnough) return undefined;
  const found = rung === 'all' ? strict : loose;
  const share = rung === 'most' ? shareOf(required, found, weights.loose) : 1;
  const words = counted.map((at) => {
    const [word, one] = [text.words[at]!, found[at]];
    const weight = (strict[at] || rung === 'all' ? weights.strict : weights.loose)[at]!;
    const { matched, form, factor = 0, field = 0, path, place } = one ?? ({} as Partial<Found>);
    const where = path && { path: pathText(path) };
    const kind = place && (place === inName ? 'name' : place === inAttribute ? 'attribute' : 'text');
    const score = weight * factor * field * share * boost;
    return { word, matched, form, ...where, place: kind, weight, factor, field, score };
  });
  const score = words.reduce((sum, word) => sum + word.score, 0);
  const phrases = text.phrases.map(({ typed }) => typed);
  return { score, rung, locale: text.locale, share, boost, ...(phrases.length > 0 && { phrases }), words };
}

/** The share of the weights of the words that some document has. */
function shareOf(required: readonly number[], found: readonly unknown[], weights: readonly number[]): number {
  let [matched, whole] = [0, 0];
  for (const at of required) {
    whole += weights[at]!;
    if (found[at] !== undefined) matched += weights[at]!;
  }
  return matched / whole;
}

function best(...found: readonly (Found | undefined)[]): Found | undefined {
  let most: Found | undefined;
  for (const one of found) if (one && (!most || one.factor * one.field > most.factor * most.field)) most = one;
  return most;
}

/** The word of a document that answers best. */
function findWord(locale: string, { words, plainSpaces, pathOf }: OwnDocument, answerOf: AnswerOf): Found | undefined {
  let most: (WordAnswer & { readonly own: OwnWord; readonly space: string }) | undefined;
  for (const space of spacesWith(locale, plainSpaces)) {
    for (const own of words.get(space) ?? []) {
      const answer = answerOf(own.word);
      if (!answer || (answer.isShort && own.place < inAttribute)) continue;
      if (!most || answer.factor * own.field > most.factor * most.own.field) most = { ...answer, own, space };
    }
  }
  if (!most) return undefined;
  const { form, factor, own, space } = most;
  return { matched: own.word, form, factor, field: own.field, place: own.place, path: pathOf(space, own) };
}

/** All of several parts: what the least of them is worth counts. */
function findParts(found: readonly (Found | undefined)[], form: FoundForm, factor: number): Found | undefined {
  if (found.length === 0 || found.some((part) => part === undefined)) return undefined;
  const parts = found as readonly Found[];
  const least = parts.reduce((least, part) => (part.field < least.field ? part : least));
  return { ...least, matched: parts.map(({ matched }) => matched).join(' '), form, factor };
}

function findStrict(
  text: TextQuery,
  at: number,
  prefix: boolean,
  weights: TextWeights,
  document: OwnDocument,
): Found | undefined {
  const { locale } = text;
  const isBegun = weights.begun.includes(at);
  return findAnswer(locale, document, strictAnswers(text, at, prefix, isBegun, weights.doubtful[at]));
}

function findAnswer(locale: string, document: OwnDocument, { words, several }: Answers): Found | undefined {
  const found = words.map((answerOf) => findWord(locale, document, answerOf));
  const parts = several.map(({ parts: needed, form, factor, isShort = false }) => {
    const answer = { form, factor: 1, isShort };
    const each = needed.map((isPart) => findWord(locale, document, (word) => (isPart(word) ? answer : undefined)));
    return findParts(each, form, factor);
  });
  return best(...found, ...parts);
}

/** The word that an unknown compound is taken for. */
function findHead(
  locale: string,
  head: string | undefined,
  doubtful: readonly string[],
  document: OwnDocument,
): Found | undefined {
  return head === undefined ? undefined : findWord(locale, document, headAnswer(locale, head, doubtful));
}

function findTypos(
  text: TextQuery,
  at: number,
  query: SearchQuery,
  { doubtful }: TextWeights,
  document: OwnDocument,
): Found | undefined {
  return findAnswer(text.locale, document, typoAnswers(text, at, query, doubtful[at]));
}
