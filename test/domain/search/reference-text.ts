import {
  beginningOf,
  begunSplitsOf,
  canBeHead,
  canBeNearHead,
  compoundsOf,
  editsBetween,
  editsToHead,
  endingsOf,
  firstWordsOf,
  formsBeginning,
  hasForms,
  headsOf,
  isAccented,
  isLongEnoughToBegin,
  isNumbered,
  isUnspaced,
  languageOf,
  lettersOfHead,
  matchesWord,
  pairsOf,
  spacesOf,
  splitsOf,
  stemOf,
} from '#words';
import type { JsonObject } from '../../../src/contract/json.ts';
import { rungs } from '../../../src/contract/search-pages.ts';
import { compareUtf8 } from '../../../src/domain/predicate/scalar.ts';
import { factorOf } from '../../../src/domain/search/boosts.ts';
import type { FieldRule } from '../../../src/domain/search/field-rules.ts';
import type { MatchResult, Rung, SearchQuery, TextQuery } from '../../../src/domain/search/query/query.ts';
import {
  factors,
  fewHits,
  formFactor,
  idf,
  impact,
  mostOf,
  nameLengthClass,
  placeWeight,
  stopWordWeight,
  textLengthClass,
  typoFactor,
} from '../../../src/domain/search/relevance.ts';
import { pinnedScore, pinOf } from '../../../src/domain/search/settings/pins.ts';
import { textsOfDocument } from '../../../src/domain/search/words/document-texts.ts';
import { inAttribute, type Place, wordsOfDocument } from '../../../src/domain/search/words/document-words.ts';
import { hasPhrases } from '../../../src/domain/search/words/text-conditions.ts';
import { naiveDistance } from './naive-distance.ts';

/** What the text of a search means, in the plainest words: every word of every document is looked at (decisions 111–113). */

/** How good a match is: an earlier rung first, then the greater score. */
export interface Rank {
  readonly rung: number;
  readonly score: number;
}

export interface Ranked {
  /** The documents that match some text on a rung that is taken, with the best of their ranks. */
  readonly ranks: ReadonlyMap<JsonObject, Rank>;
  readonly match?: MatchResult;
}

/** What a page by relevance goes on with: the documents of the first page's time, and the last rung that it took. */
export interface FirstPage {
  readonly documents: readonly JsonObject[];
  readonly rung: Rung;
}

/**
 * Without texts all documents match, none better than another. On later pages the words weigh what they did on the first
 * one, and as many are needed.
 */
export function rankAll(
  documents: readonly JsonObject[],
  query: SearchQuery,
  inBase: (document: JsonObject) => boolean,
  first?: FirstPage,
): Ranked {
  if (query.texts.length === 0) return { ranks: new Map(documents.map((each) => [each, { rung: 0, score: 0 }])) };
  const corpus = corpusOf(documents, query.fields);
  const counted = first ? corpusOf(first.documents, query.fields) : corpus;
  const texts = query.texts.map((text) => evaluateText(text, query, corpus, countText(text, query, counted)));
  const best = bestOf(
    texts.map(({ ranks }) => ranks),
    query,
  );
  const withAny = bestOf(
    texts.map(({ ranksOfAny }) => ranksOfAny),
    query,
  );
  const pinned = documents.filter((each) => pinOf(each, query.pinned) >= 0);
  for (const document of pinned) {
    const rank = { rung: 0, score: pinnedScore(pinOf(document, query.pinned)) };
    best.set(document, rank);
    withAny.set(document, rank);
  }
  const hasAny = (document: JsonObject) =>
    pinned.includes(document) || texts.some(({ answers }) => answers.has(document));
  const upTo = (rung: number) =>
    new Map(
      rung === 3 ? [...withAny].filter(([each]) => hasAny(each)) : [...best].filter(([, rank]) => rank.rung <= rung),
    );
  const isRanked = query.match === 'auto' && query.sort.length === 0;
  const longest = Math.max(...query.texts.map(({ words, small }) => words.length - small.length));
  const totals: Partial<Record<Rung, number>> = {};
  let taken = 0;
  for (const [rung, name] of rungs.entries()) {
    if ((query.match === 'most' || query.match === 'any') && name !== query.match) continue;
    if (query.match === 'all' && rung > 1) continue;
    if (query.match === 'auto' && name === 'any' && longest <= 2) continue;
    if (name === 'typos' && query.fuzzyLevel === 0) continue;
    taken = rung;
    totals[name] = [...upTo(rung).keys()].filter(inBase).length;
    const isEnough = totals[name] >= (isRanked ? fewHits : 1) && !(isRanked && name !== 'all' && longest > 3);
    if (first ? name === first.rung : isEnough) break;
  }
  const dropped = taken >= 2 ? texts.flatMap((text) => text.unknown) : [];
  const corrected = Object.assign({}, ...(taken > 0 ? texts.map((text) => text.corrected).reverse() : []));
  const result: MatchResult = { rung: rungs[taken]!, totals, dropped: [...new Set(dropped)], corrected };
  return { ranks: upTo(taken), match: result };
}

/** The best rank of each document, with the boosts of the project. */
function bestOf(all: readonly ReadonlyMap<JsonObject, Rank>[], { boosts, hour }: SearchQuery): Map<JsonObject, Rank> {
  const best = new Map<JsonObject, Rank>();
  for (const ranks of all) {
    for (const [document, rank] of ranks) {
      const before = best.get(document);
      if (!before || compareRanks(rank, before) < 0) best.set(document, rank);
    }
  }
  for (const [document, { rung, score }] of best) {
    const boosted = boosts.reduce((product, boost) => product * factorOf(boost, document, hour), score);
    best.set(document, { rung, score: boosted });
  }
  return best;
}

export function compareRanks(left: Rank, right: Rank): number {
  return left.rung - right.rung || right.score - left.score;
}

interface EvaluatedText {
  readonly ranks: ReadonlyMap<JsonObject, Rank>;
  /** The ranks where any word suffices. */
  readonly ranksOfAny: ReadonlyMap<JsonObject, Rank>;
  /** The documents that have any word, without typos where some document has it so. */
  readonly answers: ReadonlySet<JsonObject>;
  /** Words that no document has. */
  readonly unknown: readonly string[];
  readonly corrected: Readonly<Record<string, string>>;
}

/** The words that complete the last one of a text, with the documents that have all others as they are. */
export function completionsOf(
  documents: readonly JsonObject[],
  { texts, prefix, fuzzyLevel, fields, suggest = 0 }: SearchQuery,
  inBase: (document: JsonObject) => boolean,
  withTypos: boolean,
): readonly { readonly word: string; readonly count: number }[] {
  const [text] = texts;
  if (text?.last === undefined) return [];
  const corpus = corpusOf(documents, fields);
  const asked = text.words[text.last]!;
  const others = [...text.words.keys()].filter((at) => at !== text.last && !text.small.includes(at));
  const values = others.map((at) => strictValues(text, at, prefix, corpus));
  const begins = (word: string) => {
    const isNumber = isNumbered(word) && !isNumbered(asked);
    const isOther = prefix && beginsOtherwise(word, asked, text.locale);
    return word === asked || (isLongEnoughToBegin(asked, prefix) && (word.startsWith(asked) || isOther) && !isNumber);
  };
  const level = withTypos && prefix ? fuzzyLevel : 0;
  const near = [1, 2].map((edits) => (word: string) => editsToAnyBeginning(word, asked, level) === edits);
  const all = [begins, ...near].map(completed);
  return all.find((found) => found.length > 0) ?? [];

  function completed(completes: (word: string) => boolean) {
    const counts = new Map<string, Set<JsonObject>>();
    for (const space of spacesOf(text!.locale)) {
      for (const [word, places] of corpus.occurrences.get(space) ?? []) {
        if (!completes(word)) continue;
        const found = counts.get(word) ?? new Set<JsonObject>();
        counts.set(word, found);
        for (const { document } of places) {
          if (!inBase(document) || !hasPhrases(document, text!, fields)) continue;
          if (values.every((each) => each.has(document))) found.add(document);
        }
      }
    }
    const counted = [...counts].map(([word, found]) => ({ word, count: found.size })).filter(({ count }) => count > 0);
    const ordered = counted.sort((a, b) => b.count - a.count || compareUtf8(a.word, b.word));
    const isFirst = ({ word }: { readonly word: string }, at: number) =>
      !ordered.slice(0, at).some((before) => stemOf(before.word, text!.locale) === stemOf(word, text!.locale));
    return ordered.filter(isFirst).slice(0, suggest);
  }
}

/** What each document that has an asked word gets for it: the best of the word's alternatives. */
type Values = ReadonlyMap<JsonObject, number>;

/** Of longer texts the rarest words decide whether a document has most of them. */
const decidingWords = 8;

/** What documents have of each word of a text: without typos, and with them. */
function valuesOfWords(text: TextQuery, query: SearchQuery, corpus: Corpus, counts?: readonly number[]) {
  const strict = text.words.map((_, at) => strictValues(text, at, query.prefix, corpus));
  const heads = text.words.map((word, at) => {
    const isKnown =
      (counts?.[at] ?? strict[at]!.size) > 0 || hasMisspelled(word, text.locale, query.fuzzyLevel, corpus);
    return isKnown || text.small.includes(at) || query.match === 'all'
      ? undefined
      : knownHeadOf(word, text.locale, corpus);
  });
  const typos = text.words.map((word, at) => {
    const ofHead = heads[at] === undefined ? [] : [headValues(heads[at], text.locale, corpus)];
    const synonyms = text.synonyms.filter(({ of, isLoose }) => of.includes(at) && isLoose);
    const ofSynonyms = synonyms.map((each) => synonymValues(each, text.locale, corpus));
    const whole = greatest([typoValues(word, text.locale, query.fuzzyLevel, corpus), ...ofHead, ...ofSynonyms]);
    if (!query.prefix || at !== text.last) return whole;
    return greatest([whole, nearBeginningValues(word, text.locale, query.fuzzyLevel, corpus)]);
  });
  return { strict, heads, loose: strict.map((values, at) => greatest([values, typos[at]!])) };
}

/** Numbers of documents: all, and by word. */
interface Counted {
  readonly documents: number;
  readonly strict: readonly number[];
  readonly loose: readonly number[];
}

function countText(text: TextQuery, query: SearchQuery, corpus: Corpus): Counted {
  const { strict, loose } = valuesOfWords(text, query, corpus);
  const sizes = (all: readonly Values[]) => all.map(({ size }) => size);
  const ofStrict = text.words.map((_, at) => sizeWithAccents(text, at, corpus) || strict[at]!.size);
  return { documents: corpus.documents.length, strict: ofStrict, loose: sizes(loose) };
}

/** Where accents are letters, a word weighs by the documents that have it with those that it is asked for with. */
function sizeWithAccents({ locale, wholes }: TextQuery, at: number, { accented }: Corpus): number {
  const asked = wholes.filter(({ word, of }) => isAccented(word) && of.includes(at)).map(({ word }) => word);
  if (!languageOf(locale)?.areAccentsLetters) return 0;
  return valuesOf(locale, { occurrences: accented }, false, (word) => (asked.includes(word) ? 1 : undefined)).size;
}

function evaluateText(text: TextQuery, query: SearchQuery, corpus: Corpus, counted: Counted): EvaluatedText {
  const ranks = new Map<JsonObject, Rank>();
  const ranksOfAny = new Map<JsonObject, Rank>();
  const answers = new Set<JsonObject>();
  const small = new Set(text.small);
  const required = [...text.words.keys()].filter((at) => !small.has(at));
  const { strict, heads, loose } = valuesOfWords(text, query, corpus, counted.strict);
  const rarity = (size: number) => (size === 0 ? 0 : idf(counted.documents, size));
  const known = required.filter((at) => counted.loose[at]! > 0);
  const rarest = known.toSorted((a, b) => counted.loose[a]! - counted.loose[b]!).slice(0, decidingWords);
  const need = mostOf(rarest.length);
  for (const document of corpus.documents.filter((each) => hasPhrases(each, text, query.fields))) {
    const has = (values: readonly Values[]) => required.filter((at) => values[at]!.has(document));
    const isStrict = has(strict).length === required.length;
    const found = has(loose);
    if (required.length === 0 || (!isStrict && found.length === 0)) continue;
    let score = 0;
    for (const at of text.words.keys()) {
      const [own, sizes] = strict[at]!.has(document) || isStrict ? [strict, counted.strict] : [loose, counted.loose];
      const share = text.times[at]! * (small.has(at) ? stopWordWeight : 1);
      score += share * rarity(sizes[at]!) * (own[at]!.get(document) ?? 0);
    }
    ranksOfAny.set(document, { rung: isStrict ? 0 : 3, score });
    if (required.some((at) => (counted.strict[at]! > 0 ? strict : loose)[at]!.has(document))) answers.add(document);
    if (isStrict || found.length === required.length) ranks.set(document, { rung: isStrict ? 0 : 1, score });
    else if (rarest.length > 0 && rarest.filter((at) => found.includes(at)).length >= need) {
      let [matched, whole] = [0, 0];
      for (const at of known) {
        const weight = text.times[at]! * rarity(counted.loose[at]!);
        whole += weight;
        if (found.includes(at)) matched += weight;
      }
      ranks.set(document, { rung: 2, score: score * (matched / whole) });
    }
  }
  const wrong = required.filter((at) => counted.strict[at] === 0);
  const corrections = wrong.flatMap((at) => {
    const taken = correctionOf(text.words[at]!, heads[at], text.locale, query.fuzzyLevel, corpus);
    return taken === undefined ? [] : [[text.words[at]!, taken] as const];
  });
  const unknown = required.filter((at) => counted.loose[at] === 0).map((at) => text.words[at]!);
  return { ranks, ranksOfAny, answers, unknown, corrected: Object.fromEntries(corrections) };
}

/** The best of the values of each document. */
function greatest(all: readonly Values[]): Values {
  const best = new Map<JsonObject, number>();
  for (const values of all) {
    for (const [document, value] of values) if (value > (best.get(document) ?? 0)) best.set(document, value);
  }
  return best;
}

/** The values of documents that have all parts: the least of them, times a factor. */
function least(parts: readonly Values[], factor: number): Values {
  const [first, ...others] = parts;
  const values = new Map<JsonObject, number>();
  for (const [document, value] of first!) {
    if (!others.every((each) => each.has(document))) continue;
    values.set(document, factor * Math.min(value, ...others.map((each) => each.get(document)!)));
  }
  return values;
}

/** The values of the words that get a factor. With `isShort` only those of names and attributes. */
function valuesOf(
  locale: string,
  { occurrences }: Pick<Corpus, 'occurrences'>,
  isShort: boolean,
  factorOf: (word: string) => number | undefined,
): Values {
  const values = new Map<JsonObject, number>();
  for (const space of spacesOf(locale)) {
    for (const [word, places] of occurrences.get(space) ?? []) {
      const factor = factorOf(word);
      if (factor === undefined) continue;
      for (const { document, place, impact: own } of places) {
        const value = factor * own;
        if ((!isShort || place >= inAttribute) && value > (values.get(document) ?? 0)) values.set(document, value);
      }
    }
  }
  return values;
}

/** All documents, and where each of their words stands. */
interface Corpus {
  readonly documents: readonly JsonObject[];
  /** By locale and word. */
  readonly occurrences: Occurrences;
  /** The same of words with their accents. */
  readonly accented: Occurrences;
}

type Occurrences = ReadonlyMap<string, ReadonlyMap<string, readonly Occurrence[]>>;

interface Occurrence {
  readonly document: JsonObject;
  readonly place: Place;
  readonly impact: number;
}

function corpusOf(documents: readonly JsonObject[], rules: readonly FieldRule[]): Corpus {
  const [occurrences, accented] = [0, 1].map(() => new Map<string, Map<string, Occurrence[]>>()) as [
    Map<string, Map<string, Occurrence[]>>,
    Map<string, Map<string, Occurrence[]>>,
  ];
  const add = (space: string, word: string, occurrence: Occurrence) => {
    const of = isAccented(word) ? accented : occurrences;
    const words = of.get(space) ?? new Map<string, Occurrence[]>();
    of.set(space, words);
    words.set(word, [...(words.get(word) ?? []), occurrence]);
  };
  for (const document of documents) {
    for (const [space, { places, nameLength, textLength }] of wordsOfDocument(document)) {
      const [nameClass, textClass] = [nameLengthClass(nameLength), textLengthClass(textLength)];
      const ruled = rules.length === 0 ? undefined : ruledWords(document, space, rules);
      for (const [word, usual] of places) {
        const { place, weight } = ruled
          ? (ruled.get(word) ?? { place: usual, weight: 0 })
          : { place: usual, weight: 1 };
        if (weight === 0) continue;
        add(space, word, { document, place, impact: weight * impact(place, nameClass, textClass) });
      }
      // Plain words are under no locale, with the lengths of the texts that they were taken for.
      for (const [word, { place, weight }] of rules.length === 0 ? [] : ruledWords(document, space, rules, true)) {
        add('', word, { document, place, impact: weight * impact(place, nameClass, textClass) });
      }
    }
  }
  return { documents, occurrences, accented };
}

/** Documents are evaluated again and again. */
const ruledOf = new WeakMap<JsonObject, Map<string, ReturnType<typeof ruleWords>>>();

function ruledWords(document: JsonObject, locale: string, rules: readonly FieldRule[], arePlain = false) {
  const name = `${locale} ${arePlain} ${JSON.stringify(rules)}`;
  const known = ruledOf.get(document) ?? new Map<string, ReturnType<typeof ruleWords>>();
  ruledOf.set(document, known);
  const words = known.get(name) ?? ruleWords(document, locale, rules, arePlain);
  known.set(name, words);
  return words;
}

/** The words under a locale that some rule leaves, or those that are plain, with the weight of the field where they weigh most. */
function ruleWords(document: JsonObject, locale: string, rules: readonly FieldRule[], arePlain: boolean) {
  const found = new Map<string, Map<number, number[]>>();
  for (const text of textsOfDocument(document)) {
    if (text.locale !== locale) continue;
    const names = text.path.filter((step) => typeof step === 'string').join('.');
    const matching = rules.filter(({ path }) => `${names}.`.startsWith(`${path.join('.')}.`));
    matching.sort((a, b) => b.path.length - a.path.length);
    const isPlain = locale !== '' && matching.flatMap((rule) => ('isPlain' in rule ? [rule.isPlain] : []))[0] === true;
    if (isPlain !== arePlain) continue;
    const weight = matching.flatMap((rule) => ('weight' in rule ? [rule.weight] : []))[0] ?? 1;
    for (const { word } of weight === 0 ? [] : text.words) {
      const weights = found.get(word) ?? new Map<number, number[]>();
      found.set(word, weights);
      weights.set(weight, [...(weights.get(weight) ?? []), text.place]);
    }
  }
  return new Map(
    [...found].map(([word, weights]) => {
      const all = [...weights].map(([weight, places]) => {
        const short = Math.max(...places);
        const place = (short > 1 ? short : Math.min(3, places.length)) as Place;
        return { weight, place, strength: weight * placeWeight(place) };
      });
      return [word, all.sort((a, b) => b.strength - a.strength || b.weight - a.weight)[0]!] as const;
    }),
  );
}

/** What documents have of an asked word without typos. */
function strictValues(
  { locale, words, wholes, begun, synonyms, last }: TextQuery,
  at: number,
  prefix: boolean,
  corpus: Corpus,
): Values {
  const asked = words[at]!;
  const form = (wanted: string, isShort: boolean) =>
    valuesOf(locale, corpus, isShort, (word) => (matchesWord(word, wanted, locale) ? 1 : undefined));
  const begins = at === last && isLongEnoughToBegin(asked, prefix);
  const beginsKnown = (word: string) => word.startsWith(asked) || beginsOtherwise(word, asked, locale);
  const accented = wholes.filter(({ of, word }) => of.includes(at) && isAccented(word)).map(({ word }) => word);
  const areAccentsLetters = languageOf(locale)?.areAccentsLetters ?? false;
  const isBegun = () => valuesOf(locale, corpus, false, (word) => (beginsKnown(word) ? 1 : undefined)).size > 0;
  return greatest([
    valuesOf(locale, corpus, false, (word) =>
      areAccentsLetters && accented.length > 0 && word === asked
        ? factors.otherAccents
        : formFactor(word, asked, locale),
    ),
    valuesOf(locale, corpus, false, (word) =>
      begins && word.startsWith(asked) && word !== asked ? factors.beginning : undefined,
    ),
    ...(prefix && at === last ? [asked] : []).map((typed) =>
      valuesOf(locale, corpus, false, (word) => otherwiseBegunFactor(word, typed, locale)),
    ),
    ...begun
      .filter(({ of, word }) => of.includes(at) && !isAccented(word))
      .map((whole) =>
        valuesOf(locale, corpus, false, (word) =>
          word.startsWith(whole.word) ? factors.beginning : otherwiseBegunFactor(word, whole.word, locale),
        ),
      ),
    ...[
      ...(prefix && at === last ? [asked] : []),
      ...begun.filter(({ of }) => of.includes(at)).map(({ word }) => word),
    ].map((typed) =>
      valuesOf(locale, corpus, false, (word) => (becomesFormOf(word, typed, locale) ? factors.begunForm : undefined)),
    ),
    ...(prefix && at === last && canBeHead(asked, locale) ? [asked] : []).map((typed) =>
      valuesOf(locale, corpus, true, (word) => {
        const ends = [...word]
          .map((_, from) => word.slice(from))
          .filter((_, from) => from >= (typed.length <= 3 ? 4 : 3));
        const begin = lettersOfHead(typed, locale);
        const end = ends.find((end) => end.startsWith(begin) && becomesFormOf(end, typed, locale));
        if (end === undefined) return undefined;
        return factors.begunForm * compoundFactor(word, word.slice(0, word.length - end.length), locale, corpus);
      }),
    ),
    ...(prefix && at === last ? begunSplitsOf(asked, locale, isBegun()) : []).map(([first, second]) =>
      least(
        [
          form(first, true),
          valuesOf(locale, corpus, true, (word) => (isSecondPart(word, second, locale) ? 1 : undefined)),
        ],
        factors.split * factors.beginning,
      ),
    ),
    valuesOf(locale, corpus, true, (word) =>
      canBeHead(asked, locale) ? factorAsCompound(word, asked, locale, corpus) : undefined,
    ),
    ...splitsOf(asked, locale).map((parts) =>
      least(
        parts.map((part) => form(part, true)),
        factors.split,
      ),
    ),
    ...[pairsOf(asked)]
      .filter((pairs) => pairs.length > 0)
      .map((pairs) =>
        least(
          pairs.map((pair) => valuesOf(locale, corpus, true, (word) => (word === pair ? 1 : undefined))),
          factors.split,
        ),
      ),
    ...wholes
      .filter(({ of, word }) => of.includes(at) && !isAccented(word))
      .map(({ word, factor = factors.joined }) => least([form(word, false)], factor)),
    ...[...wholes, ...begun]
      .filter(({ of, word }) => of.includes(at) && isAccented(word))
      .map(({ word: written, factor = 1 }) =>
        valuesOf(locale, { occurrences: corpus.accented }, false, (word) => {
          if (word === written) return factor;
          const isBeginning = begun.some((each) => each.word === written) && word.startsWith(written);
          return isBeginning ? factor * factors.beginning : undefined;
        }),
      ),
    ...synonyms
      .filter(({ of, isLoose }) => of.includes(at) && !isLoose)
      .map((synonym) => synonymValues(synonym, locale, corpus)),
  ]);
}

function synonymValues({ words, factor = 1 }: TextQuery['synonyms'][number], locale: string, corpus: Corpus): Values {
  const wholes = words.map((wanted) =>
    valuesOf(locale, corpus, false, (word) => (matchesWord(word, wanted, locale) ? 1 : undefined)),
  );
  const whole = least(wholes, factor * factors.synonym);
  if (words.length > 1 || !canBeHead(words[0]!, locale)) return whole;
  const ends = valuesOf(locale, corpus, true, (word) => {
    const own = factorAsCompound(word, words[0]!, locale, corpus);
    return own && factor * factors.synonym * own;
  });
  return greatest([whole, ends]);
}

function factorAsCompound(word: string, head: string, locale: string, corpus: Corpus): number | undefined {
  const first = compoundsOf(head, locale)(word);
  return first === undefined ? undefined : compoundFactor(word, first, locale, corpus);
}

/** A word is a compound where some document has a word that may be its first part. */
function compoundFactor(word: string, first: string, locale: string, { occurrences }: Corpus): number {
  const isFound = (each: string) => spacesOf(locale).some((space) => occurrences.get(space)?.get(each));
  return (firstWordsOf(word, first, locale)?.some(isFound) ?? true) ? factors.compound : factors.doubtful;
}

/** True if an ending of the language makes a form of a word of an unfinished one, which may have some letters of the ending. */
function becomesFormOf(word: string, typed: string, locale: string): boolean {
  if (typed.length < 3 || !hasForms(typed, locale) || !hasForms(word, locale)) return false;
  if (beginningOf(word) !== beginningOf(typed)) return false;
  return formsBegunBy(typed, locale).some((form) => stemOf(form, locale) === stemOf(word, locale));
}

/** Asked for again and again. */
const begunForms = new Map<string, readonly string[]>();

function formsBegunBy(typed: string, locale: string): readonly string[] {
  const name = `${locale} ${typed}`;
  const known = begunForms.get(name);
  if (known) return known;
  const found = typed.length < 4 ? [] : [...formsBeginning(typed, locale)].filter((form) => form !== typed);
  for (const ending of endingsOf(languageOf(locale)!.code)) {
    for (let base = 2; base <= typed.length; base += 1) {
      const form = typed.slice(0, base) + ending;
      if (form.startsWith(typed) && form !== typed) found.push(form);
    }
  }
  begunForms.set(name, found);
  return found;
}

/** In German an umlaut may be written with an e, behind the first letter of a word: without these words begin alike. */
function otherwiseBegunFactor(word: string, asked: string, locale: string): number | undefined {
  return beginsOtherwise(word, asked, locale) ? factors.beginning * factors.inflected : undefined;
}

function beginsOtherwise(word: string, asked: string, locale: string): boolean {
  const plain = (text: string) => text.replace(/(?<!^|[aeiouq])([aou])e/g, '$1');
  return locale.startsWith('de') && !isNumbered(asked) && plain(word).startsWith(plain(asked));
}

/** True for a word that is long enough to be the second part of another one, and begins like what was typed of it. */
function isSecondPart(word: string, typed: string, locale: string): boolean {
  if (!word.startsWith(typed) && !beginsOtherwise(word, typed, locale)) return false;
  return isNumbered(typed) || (!isNumbered(word) && word.length >= (isUnspaced(typed) ? 2 : 3));
}

function typoValues(asked: string, locale: string, level: 0 | 1 | 2, corpus: Corpus): Values {
  const whole = valuesOf(locale, corpus, false, (word) => {
    const edits = editsBetween(word, asked, locale, level);
    return edits === undefined ? undefined : typoFactor(word, asked, locale, edits);
  });
  const ofHead = valuesOf(locale, corpus, true, (word) => {
    const edits = canBeNearHead(asked, locale, level) ? editsToHead(word, asked, level) : undefined;
    return edits === undefined ? undefined : factors.compound * factors.edits[edits];
  });
  return greatest([whole, ofHead]);
}

/** True if some document has a word with one letter wrong, or with two behind its first three. */
function hasMisspelled(asked: string, locale: string, level: 0 | 1 | 2, { occurrences }: Corpus): boolean {
  const own = spacesOf(locale).flatMap((space) => [...(occurrences.get(space)?.keys() ?? [])]);
  return own.some((word) => {
    const edits = editsBetween(word, asked, locale, level);
    return edits === 1 || (edits === 2 && word.slice(0, 3) === asked.slice(0, 3));
  });
}

/** The longest end of a word that some document has in some form, behind what may be a first part. */
function knownHeadOf(asked: string, locale: string, corpus: Corpus): string | undefined {
  const { occurrences } = corpus;
  const own = spacesOf(locale).flatMap((space) => [...(occurrences.get(space)?.keys() ?? [])]);
  return headsOf(asked, locale).find((head) => {
    const isHead = compoundFactor(asked, asked.slice(0, -head.length), locale, corpus) === factors.compound;
    return isHead && own.some((word) => matchesWord(word, head, locale));
  });
}

/** What documents have of the head that an unknown compound is taken for. */
function headValues(head: string, locale: string, corpus: Corpus): Values {
  return greatest([
    valuesOf(locale, corpus, false, (word) => (matchesWord(word, head, locale) ? factors.head : undefined)),
    valuesOf(locale, corpus, true, (word) => {
      const factor = factorAsCompound(word, head, locale, corpus);
      return factor && factors.head * factor;
    }),
  ]);
}

/** What documents have of words that begin like an unfinished one but for typos. */
function nearBeginningValues(asked: string, locale: string, level: 0 | 1 | 2, corpus: Corpus): Values {
  return valuesOf(locale, corpus, false, (word) => {
    const edits = editsToAnyBeginning(word, asked, level);
    return edits === undefined ? undefined : factors.beginning * factors.edits[edits];
  });
}

/** The fewest edits between an asked word and all beginnings of a word; undefined if they are too many, or none. */
function editsToAnyBeginning(word: string, asked: string, level: 0 | 1 | 2): 1 | 2 | undefined {
  if (asked.length < 4 || isNumbered(asked) || isNumbered(word) || isUnspaced(asked)) return undefined;
  const letters = [...word];
  if (letters[0] !== [...asked][0]) return undefined;
  const name = `${word} ${asked}`;
  const least =
    leastEdits.get(name) ??
    Math.min(...letters.map((_, at) => naiveDistance(letters.slice(0, at + 1).join(''), asked)));
  leastEdits.set(name, least);
  const most = Math.min(level, [...asked].length < 6 ? 1 : 2);
  return least === 0 || least > most ? undefined : (least as 1 | 2);
}

/** Asked for again and again. */
const leastEdits = new Map<string, number>();

/**
 * The head of the word, or the word with the greatest factor; of several the one that most documents have, then the first
 * by its letters.
 */
function correctionOf(
  asked: string,
  head: string | undefined,
  locale: string,
  level: 0 | 1 | 2,
  corpus: Corpus,
): string | undefined {
  const own = spacesOf(locale).map((space) => corpus.occurrences.get(space) ?? new Map<string, Occurrence[]>());
  const words = new Set(own.flatMap((each) => [...each.keys()]));
  const nearness = (word: string) => {
    const edits = editsBetween(word, asked, locale, level);
    if (head !== undefined && matchesWord(word, head, locale)) return 1;
    return edits === undefined ? 0 : typoFactor(word, asked, locale, edits);
  };
  const near = [...words].filter((word) => nearness(word) > 0);
  const counts = near.map((word): [string, number] => {
    return [word, new Set(own.flatMap((each) => each.get(word) ?? []).map(({ document }) => document)).size];
  });
  const byNearness = ([a, inA]: [string, number], [b, inB]: [string, number]) =>
    nearness(b) - nearness(a) || inB - inA || (a < b ? -1 : 1);
  return counts.sort(byNearness)[0]?.[0];
}
