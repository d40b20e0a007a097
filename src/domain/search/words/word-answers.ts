import {
  begunCompoundsOf,
  begunPartsOf,
  begunSplitsOf,
  canBeginNearly,
  canBeHead,
  canBeNearHead,
  compoundsOf,
  editsBetween,
  editsToBeginning,
  editsToHead,
  isAccented,
  isBegunForm,
  isHeadOf,
  matchesWord,
  pairsOf,
  splitsOf,
} from '#words';
import type { SearchQuery, TextQuery } from '../query/query.ts';
import { factors, formFactor, typoFactor } from '../relevance.ts';
import { begunFormsAt, begunWith, factorOfOtherAccents } from './asked-text.ts';

/** By which rules words of documents answer the words of a query: for explanations and for highlights. */

/** In which form a document has a word that is asked for. */
export type FoundForm =
  | 'written'
  | 'inflected'
  | 'joined'
  | 'synonym'
  | 'split'
  | 'compound'
  | 'beginning'
  | 'head'
  | 'typos';

/** The score of a document word for a query word. */
export interface WordAnswer {
  readonly form: FoundForm;
  readonly factor: number;
  /** Only in names and attributes. */
  readonly isShort?: boolean;
}

export type AnswerOf = (word: string) => WordAnswer | undefined;

/** Several words of a document that together answer an asked word. */
export interface PartsAnswer extends WordAnswer {
  readonly parts: readonly ((word: string) => boolean)[];
}

/** By one word, and by several. */
export interface Answers {
  readonly words: readonly AnswerOf[];
  readonly several: readonly PartsAnswer[];
}

/**
 * The answers to the asked word at a place, without typos. `isBegun`: some document has a word that begins so (`begunSplitsOf`);
 * `doubtful`: the words that only end like it.
 */
export function strictAnswers(
  text: TextQuery,
  at: number,
  prefix: boolean,
  isBegun = false,
  doubtful: readonly string[] = [],
): Answers {
  const { locale, words, wholes, last } = text;
  const asked = words[at]!;
  const joined = wholes.filter(({ of }) => of.includes(at));
  const isUnfinished = prefix && at === last;
  const own = factorOfOtherAccents(text, at);
  const formOf = (wanted: string) => (word: string) => matchesWord(word, wanted, locale);
  const where =
    (isFound: (word: string) => boolean, answer: WordAnswer): AnswerOf =>
    (word) =>
      isFound(word) ? answer : undefined;
  const head = (isHead: (word: string) => unknown, factor: number) => ending(isHead, 'compound', factor, doubtful);
  const synonyms = synonymAnswers(text, at, false, doubtful);
  const isBegunHead = isUnfinished ? begunCompoundsOf(asked, locale) : undefined;
  const split = { form: 'split', factor: factors.split, isShort: true } as const;
  const pairs = pairsOf(asked).map((pair) => (word: string) => word === pair);
  return {
    words: [
      (word) => {
        const factor = formFactor(word, asked, locale);
        if (factor === undefined) return undefined;
        return { form: factor === factors.written ? 'written' : 'inflected', factor: factor * own };
      },
      ...joined.map(({ word: whole, factor = factors.joined }) =>
        isAccented(whole)
          ? where((word) => word === whole, { form: 'written', factor })
          : where(formOf(whole), { form: 'joined', factor }),
      ),
      ...begunWith(text, at, prefix).map(({ beginning, factor }) =>
        where((word) => word.startsWith(beginning), { form: 'beginning', factor }),
      ),
      ...begunFormsAt(text, at, prefix).map((begun) =>
        where((word) => isBegunForm(word, begun, locale), { form: 'beginning', factor: factors.begunForm }),
      ),
      ...(canBeHead(asked, locale) ? [head(compoundsOf(asked, locale), factors.written)] : []),
      ...(isBegunHead ? [head(isBegunHead, factors.begunForm)] : []),
      ...synonyms.words,
    ],
    several: [
      ...splitsOf(asked, locale).map((parts) => ({ ...split, parts: parts.map(formOf) })),
      ...(isUnfinished ? begunSplitsOf(asked, locale, isBegun) : []).map(([first, second]) => {
        const parts = [formOf(first), begunPartsOf(second, locale)];
        return { ...split, factor: factors.split * factors.beginning, parts };
      }),
      // The pairs of letters of a word in a script without spaces.
      ...(pairs.length > 0 ? [{ ...split, parts: pairs }] : []),
      ...synonyms.several,
    ],
  };
}

/** The answers of synonyms: of the asked word itself, or of what it is taken for (`isLoose`). */
function synonymAnswers(text: TextQuery, at: number, isLoose: boolean, doubtful: readonly string[]): Answers {
  const { locale, synonyms } = text;
  const own = synonyms.filter((each) => each.of.includes(at) && (each.isLoose ?? false) === isLoose);
  const heads = own.filter(({ words }) => words.length === 1 && canBeHead(words[0]!, locale));
  return {
    words: heads.map(({ words, factor = 1 }) =>
      ending(compoundsOf(words[0]!, locale), 'synonym', factor * factors.synonym, doubtful),
    ),
    several: own.map(({ words, factor = 1 }) => {
      const parts = words.map((wanted) => (word: string) => matchesWord(word, wanted, locale));
      return { form: 'synonym', factor: factor * factors.synonym, parts };
    }),
  };
}

function ending(
  isHead: (word: string) => unknown,
  form: FoundForm,
  factor: number,
  doubtful: readonly string[],
): AnswerOf {
  return (word) =>
    !isAccented(word) && isHead(word)
      ? { form, factor: factor * compoundFactor(word, doubtful), isShort: true }
      : undefined;
}

/** The answers of words with typos to the asked word at a place, and of synonyms of what it is taken for. */
export function typoAnswers(
  text: TextQuery,
  at: number,
  { prefix, fuzzyLevel: level }: SearchQuery,
  doubtful: readonly string[] = [],
): Answers {
  const { locale, words, last } = text;
  const asked = words[at]!;
  const answers: AnswerOf[] = [
    (word) => {
      const edits = editsBetween(word, asked, locale, level);
      return edits === undefined ? undefined : { form: 'typos', factor: typoFactor(word, asked, locale, edits) };
    },
  ];
  if (prefix && at === last && canBeginNearly(asked, level)) {
    answers.push((word) => {
      const edits = editsToBeginning(word, asked, level);
      return edits === undefined ? undefined : { form: 'typos', factor: factors.beginning * factors.edits[edits] };
    });
  }
  if (canBeNearHead(asked, locale, level)) {
    answers.push((word) => {
      const edits = editsToHead(word, asked, level);
      if (edits === undefined) return undefined;
      return { form: 'typos', factor: factors.compound * factors.edits[edits], isShort: true };
    });
  }
  const synonyms = synonymAnswers(text, at, true, doubtful);
  const ofPlain = answers.map(
    (answerOf): AnswerOf =>
      (word) =>
        isAccented(word) ? undefined : answerOf(word),
  );
  return { words: [...ofPlain, ...synonyms.words], several: synonyms.several };
}

function compoundFactor(word: string, doubtful: readonly string[]): number {
  return doubtful.includes(word) ? factors.doubtful : factors.compound;
}

/** The answer of words to the head that an unknown compound is taken for. */
export function headAnswer(locale: string, head: string, doubtful: readonly string[] = []): AnswerOf {
  return (word) => {
    if (isAccented(word)) return undefined;
    if (matchesWord(word, head, locale)) return { form: 'head', factor: factors.head };
    if (!isHeadOf(head, word, locale)) return undefined;
    return { form: 'head', factor: factors.head * compoundFactor(word, doubtful), isShort: true };
  };
}
