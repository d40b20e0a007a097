import {
  begunSplitsOf,
  canBeginNearly,
  canBeNearHead,
  editsAllowed,
  editsBetween,
  editsToBeginning,
  editsToHead,
  hasForms,
  isAccented,
  pairsOf,
  spacesWith,
  splitsOf,
  stemOf,
} from '#words';
import { maxCountedWords } from '../../../domain/search/query/limits.ts';
import type { TextQuery } from '../../../domain/search/query/query.ts';
import { factors, stopWordWeight, typoFactor } from '../../../domain/search/relevance.ts';
import type { AskedSynonym } from '../../../domain/search/words/asked-synonyms.ts';
import { begunFormsAt, begunWith, factorOfOtherAccents } from '../../../domain/search/words/asked-text.ts';
import { compoundsIn, type KnownSpace } from './compounds.ts';
import type { ProjectWords } from './project-words.ts';
import {
  type Alternative,
  type Choice,
  heaviestOf,
  ignoredWord,
  type PlannedWord,
  type QueryText,
} from './word-choices.ts';

/** The known words of each space that a text is compared with: of plain words those of their locale. */
export type KnownIn = (space: string) => ProjectWords;

/**
 * The words that may be the second part of a word which is still being typed (`begunPartsOf`): at least those that stand beside one of the
 * first ones in a name or an attribute.
 */
export type SecondParts = (
  first: readonly Choice[],
  second: string,
  locale: string,
  spaces: readonly string[],
) => readonly Choice[];

/** What a text is planned by. */
export interface Planning {
  readonly prefix: boolean;
  readonly knownIn: KnownIn;
  /** See `spacesWith`. */
  readonly plainSpaces: readonly string[];
  readonly secondParts: SecondParts;
  /** Whether some document has one of them. */
  readonly isFound: (alternatives: readonly Alternative[]) => boolean;
  /** The number of words with a common beginning from which they are found by that; absent: never. */
  readonly enoughBegun: number | undefined;
  /** What a word weighs of which documents have one of these. */
  readonly weightOf: (choices: readonly Choice[]) => number;
}

/**
 * Looks up what finds the words of a text as they are, without typos (decision 111). `counted`: the places of the words that count; absent: those
 * that weigh most, where there are too many.
 */
export function planText(text: TextQuery, planning: Planning, counted?: ReadonlySet<number>): QueryText {
  const { prefix, knownIn, plainSpaces, secondParts, isFound, enoughBegun } = planning;
  const { locale, words, small, times } = text;
  const compared = spacesWith(locale, plainSpaces);
  const spaces = compared.map((space) => ({ space, known: knownIn(space) }));
  const look: Look = (wordsOf) =>
    spaces.flatMap(({ space, known }) => wordsOf(known).map((word) => ({ locale: space, word })));
  const formsOf = (word: string) => look((known) => known.forms(word, locale));
  const compoundsOf = compoundsIn(spaces, locale, isFound);

  /** What has the synonym, and, where that is one word, compounds of it. */
  function synonym({ words: needed, factor = 1 }: AskedSynonym): readonly Alternative[] {
    const own = factor * factors.synonym;
    const whole = { factor: own, isShort: false, isSynonym: true, parts: needed.map(formsOf) };
    return needed.length > 1 ? [whole] : [whole, ...compoundsOf(needed[0]!, own)];
  }

  /** Most ways to split a word begin with no word: then the rest need not be looked up. */
  function split([first, second]: readonly [string, string]): readonly Alternative['parts'][] {
    const begins = formsOf(first);
    return begins.length === 0 ? [] : [[begins, formsOf(second)]];
  }

  /** The words of which it consists: each way to divide it. */
  function inParts(word: string): readonly Alternative['parts'][] {
    const pairs = pairsOf(word).map((pair) => look((known) => (known.has(pair) ? [pair] : [])));
    return [...splitsOf(word, locale).flatMap(split), ...(pairs.length > 0 ? [pairs] : [])];
  }

  const begunChoices = new Map<string, readonly Choice[]>();

  /** The longer words that begin like this; asked for by each of the words that are joined. */
  function longerThan(beginning: string, asked: string): readonly Choice[] {
    const known = begunChoices.get(beginning);
    if (known) return known;
    const longer = (each: string) => each !== asked;
    const found = look((known) => known.beginning(beginning, enoughBegun).filter(longer));
    begunChoices.set(beginning, found);
    return found;
  }

  /** For most splits of a word the first part is not a word: then the second part is not looked up. */
  function begunSplit([first, second]: readonly [string, string]): Alternative {
    const begins = formsOf(first);
    const seconds = begins.length === 0 ? [] : secondParts(begins, second, locale, compared);
    return { factor: factors.split * factors.beginning, isShort: true, parts: [begins, seconds] };
  }

  const shareOf = (at: number) => times[at]! * (small.includes(at) ? stopWordWeight : 1);
  const weights = () => words.map((word, at) => shareOf(at) * planning.weightOf(formsOf(word)));
  const places = words.length > maxCountedWords ? (counted ?? heaviestOf(weights())) : undefined;
  const counts = (at: number) => places?.has(at) !== false;
  /** Each of them stands for two words and more. */
  const wholes = text.wholes
    .filter(({ of }) => of.some(counts))
    .map(({ of, word, factor = factors.joined }) => {
      const forms = isAccented(word) ? look((known) => (known.has(word) ? [word] : [])) : formsOf(word);
      return { of, factor, forms };
    });

  function planWord(word: string, at: number): PlannedWord {
    const forms = formsOf(word);
    const own = wholes.filter(({ of }) => of.includes(at));
    const [closer, joined] = [true, false].map((isCloser) => own.filter(({ factor }) => factor > 1 === isCloser));
    const written = forms.filter((form) => form.word === word);
    const inflected = forms.filter((form) => form.word !== word);
    const isUnfinished = prefix && at === text.last;
    const begun = begunWith(text, at, prefix).map(({ beginning, factor, isJoined }): Alternative => {
      return { factor, isShort: false, beginning, isJoined, parts: [longerThan(beginning, word)] };
    });
    const begunBy = [plain(factors.written, written), ...begun.filter(({ isJoined }) => !isJoined)].filter(isPossible);
    const isBegun = isUnfinished && isFound(begunBy);
    const begunSplits = isUnfinished ? begunSplitsOf(word, locale, isBegun).map(begunSplit) : [];
    const synonyms = text.synonyms.filter(({ of }) => of.includes(at));
    const loose = synonyms.filter(({ isLoose }) => isLoose).flatMap(synonym);
    const ofAccents = factorOfOtherAccents(text, at);
    const asAsked = closer!.map(({ factor, forms }) => plain(factor, forms));
    const strict = [
      ...asAsked,
      plain(ofAccents, [...written, ...joined!.flatMap((whole) => whole.forms)]),
      plain(factors.inflected, inflected),
      ...begun,
      ...compoundsOf(word, 1),
      ...(isUnfinished ? compoundsOf(word, factors.begunForm, true) : []),
      begunForms(text, at, prefix, look),
      ...inParts(word).map((parts): Alternative => ({ factor: factors.split, isShort: true, parts })),
      ...synonyms.filter(({ isLoose }) => !isLoose).flatMap(synonym),
      ...begunSplits,
    ];
    const isRequired = !small.includes(at);
    const share = times[at]! * (isRequired ? 1 : stopWordWeight);
    const [asItIs, taken] = [strict.filter(isPossible), loose.filter(isPossible)];
    const weighed = ofAccents < factors.written ? asAsked : undefined;
    return { word, isRequired, share, isUnfinished, isBegun, strict: asItIs, weighed, typos: taken };
  }

  const plan = (word: string, at: number) => (counts(at) ? planWord(word, at) : ignoredWord(word));
  return { locale, spaces: compared, words: words.map(plan) };
}

function plain(factor: number, choices: readonly Choice[]): Alternative {
  return { factor, isShort: false, parts: [choices] };
}

/** The words that are known in the spaces of a text. */
type Look = (wordsOf: (known: ProjectWords) => readonly string[]) => readonly Choice[];

/** What an unfinished word will find as a form when it is whole, and does not begin. */
function begunForms(text: TextQuery, at: number, prefix: boolean, look: Look): Alternative {
  const begun = begunFormsAt(text, at, prefix);
  const formsOfBegun = begun.flatMap((each) => look((known) => known.begunForms(each, text.locale)));
  return { factor: factors.begunForm, isShort: false, parts: [formsOfBegun] };
}

/** False if a part has no choices. */
function isPossible({ parts }: Alternative): boolean {
  return parts.every((choices) => choices.length > 0);
}

/** Adds the words that resemble those of a planned text. */
export function addTypos(text: QueryText, level: 0 | 1 | 2, knownIn: KnownIn): QueryText {
  const { locale } = text;
  const spaces = text.spaces.map((space) => ({ space, known: knownIn(space) }));
  const typosOf = (asked: string): readonly Alternative[] => {
    const { edits: ofEdits, formWithTypo, compound } = factors;
    const ofHead = (edits: 1 | 2) => ofEdits[edits] * compound;
    const whole = new Map([ofEdits[1], formWithTypo, ofEdits[2]].map((factor): [number, Choice[]] => [factor, []]));
    const heads = new Map([ofHead(1), ofHead(2)].map((factor): [number, Choice[]] => [factor, []]));
    for (const { space, known } of spaces) {
      for (const word of resembling(asked, locale, level, known)) {
        const edits = editsBetween(word, asked, locale, level);
        if (edits !== undefined) whole.get(typoFactor(word, asked, locale, edits))!.push({ locale: space, word });
      }
      const ofHeads = level !== 0 && canBeNearHead(asked, locale, level) ? known.nearCompounds(asked, level) : [];
      for (const word of ofHeads) {
        const edits = editsToHead(word, asked, level);
        if (edits !== undefined) heads.get(ofHead(edits))!.push({ locale: space, word });
      }
    }
    const typos = (all: ReadonlyMap<number, Choice[]>, isShort: boolean): readonly Alternative[] =>
      [...all].map(([factor, choices]) => ({ factor, isShort, parts: [choices] }));
    return [...typos(whole, false), ...typos(heads, true)].filter(isPossible);
  };
  const ofBeginning = ({ word, isUnfinished }: PlannedWord): readonly Alternative[] => {
    return isUnfinished && canBeginNearly(word, level) ? nearBeginnings(word, level, spaces) : [];
  };
  const words = text.words.map((word) => ({
    ...word,
    typos: [...word.typos, ...typosOf(word.word), ...ofBeginning(word)],
  }));
  return { ...text, words };
}

/** More words with a beginning that resembles the asked one are not looked for: the next letter leaves few of them. */
const maxNearBeginnings = 500;

/** The words that begin like an unfinished one but for typos: the nearest and shortest, where there are too many. */
function nearBeginnings(asked: string, level: 0 | 1 | 2, spaces: readonly KnownSpace[]): readonly Alternative[] {
  const most = editsAllowed(asked, level);
  const found = spaces.flatMap(({ space, known }) =>
    (most === 0 ? [] : known.nearBeginnings(asked, most)).flatMap((word) => {
      const edits = editsToBeginning(word, asked, level);
      return edits === undefined ? [] : [{ locale: space, word, edits }];
    }),
  );
  if (found.length > maxNearBeginnings) {
    const inOrder = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
    found.sort(
      (a, b) =>
        a.edits - b.edits || a.word.length - b.word.length || inOrder(a.word, b.word) || inOrder(a.locale, b.locale),
    );
  }
  const nearest = found.slice(0, maxNearBeginnings);
  const alternatives = ([1, 2] as const).map((edits): Alternative => {
    const choices = nearest.filter((each) => each.edits === edits).map(({ locale, word }) => ({ locale, word }));
    return {
      factor: factors.beginning * factors.edits[edits],
      ...{ isShort: false, isNearBeginning: true, parts: [choices] },
    };
  });
  return alternatives.filter(isPossible);
}

function resembling(asked: string, locale: string, level: 0 | 1 | 2, known: ProjectWords): ReadonlySet<string> {
  const most = editsAllowed(asked, level);
  if (most === 0) return new Set();
  const stem = stemOf(asked, locale);
  const mostOfStem = editsAllowed(stem, most);
  const ofStem = mostOfStem === 0 || !hasForms(asked, locale) ? [] : known.ofNearStem(asked, locale, mostOfStem);
  if (stem === asked) return new Set([...known.near(asked, most), ...ofStem]);
  const near = mostOfStem === 0 ? [] : known.near(stem, mostOfStem);
  return new Set([...known.near(asked, most), ...near, ...ofStem, ...(known.has(stem) ? [stem] : [])]);
}
