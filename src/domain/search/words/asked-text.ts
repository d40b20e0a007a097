import {
  accentedWordsOf,
  codesOf,
  doubledOf,
  isAccented,
  isLongEnoughToBegin,
  isNumbered,
  isStopWord,
  languageOf,
  measuresIn,
  otherForms,
  signedWordsOf,
  spellingsOf,
  thousandsIn,
  type WordSpan,
  withoutArticle,
  wordSpansOf,
  wordsOf,
} from '#words';
import { factors } from '../relevance.ts';
import { isOwnStopWord, noSettings, type SearchSettings } from '../settings.ts';
import { type AskedSynonym, askedSynonyms, nearSynonyms, noTolerance, type Tolerance } from './asked-synonyms.ts';
import { type Excluded, type Phrase, type ReadText, readOperators } from './operators.ts';

/** A word of documents that stands for several words of a query, such as *Sommerkleid* for *Sommer Kleid*. */
export interface WholeWord {
  readonly word: string;
  /** Above 1 if what has it is nearer to what was asked than what has the words of the text. */
  readonly factor?: number;
  /** The places of the words in the text. */
  readonly of: readonly number[];
}

/** The text of one `text.<locale>` parameter. */
export interface TextQuery {
  /** `de` or `de-AT`: strings under this locale are searched, under its language, and under none. */
  readonly locale: string;
  /** Distinct folded words in the form of `wordsOf`. Empty (a text without words): nothing matches. */
  readonly words: readonly string[];
  readonly wholes: readonly WholeWord[];
  /** With what a word begins that stands for several words, the last of which is still being typed: *Kinderschuhe* for *kinder sc*. */
  readonly begun: readonly WholeWord[];
  readonly synonyms: readonly AskedSynonym[];
  /** Places of the words that need not occur, since they say little; not all of the words. */
  readonly small: readonly number[];
  /** How often the text has each of the words. */
  readonly times: readonly number[];
  /** The place of the word that is also a beginning: the last one, unless it is small, or a phrase or exclusion is behind it. */
  readonly last: number | undefined;
  /** The phrases that a document needs. */
  readonly phrases: readonly Phrase[];
  /** Places of the words that the text has in phrases alone. */
  readonly inPhrases: readonly number[];
  /** What no result has, whichever text finds it. */
  readonly excluded: readonly Excluded[];
}

/** Minimum letters of a compound part with a linking sound. */
const leastPart = 3;

/** An asked word as it is looked up: in Arabic without the article, since what has one is found by the bare word too. */
export function askedWord(word: string, locale: string): string {
  return locale.startsWith('ar') && !isStopWord(word, locale) ? withoutArticle(word) : word;
}

/** The words of a text that is asked for, as they are looked up. */
export function askedWordsOf(locale: string, text: string): readonly string[] {
  return folded(text).map((word) => askedWord(word, locale));
}

/** The asked words of a text, with where they stand. */
export function askedSpansOf(locale: string, text: string): readonly WordSpan[] {
  return foldedSpans(text).map((span) => ({ ...span, word: askedWord(span.word, locale) }));
}

/** The words of a text that is asked for: how each is looked up, and how it was typed. */
export function typedWordsOf(locale: string, text: string): readonly (readonly [asked: string, typed: string])[] {
  return askedSpansOf(locale, readOperators(locale, text).plain).map(({ word, start, end }) => [
    word,
    text.slice(start, end),
  ]);
}

/** The words of a text with its measures as one word each, without the s of `men's` and the m of `I'm`. */
function folded(text: string): readonly string[] {
  const isPlain = !hasClitic.test(text) && measuresIn(text).length === 0;
  return isPlain ? wordsOf(text) : foldedSpans(text).map(({ word }) => word);
}

function foldedSpans(text: string): readonly WordSpan[] {
  const spans = spansWithMeasures(text);
  if (!hasClitic.test(text)) return spans;
  const left = new Set([...text.matchAll(clitic)].map(({ 0: all, index }) => index + all.length - 1));
  return spans.filter(({ start }) => !left.has(start));
}

/**
 * A word and the letter behind its apostrophe, which says nothing by itself: that of `men's` and `Levi’s`, of the Dutch `foto's`, and of
 * `I'm`, `don't` and `I'd`, where it might be a size.
 */
const clitic = /(?<![\p{L}\p{M}\p{N}])([\p{L}\p{M}\p{N}]*\p{L}\p{M}*)['’‘´`]([smtd])(?![\p{L}\p{M}\p{N}])/giu;
const hasClitic = /['’‘´`][smtd]/i;

/** Words that are written with and without an apostrophe: `Levis` is `Levi's`. */
function possessiveWholes(locale: string, text: string): readonly WrittenWhole[] {
  if (!hasClitic.test(text)) return [];
  return [...text.matchAll(clitic)].flatMap(([, owner, letter]) => {
    if (!letter || !'sS'.includes(letter)) return [];
    const word = askedWordsOf(locale, owner!).at(-1);
    return word === undefined ? [] : [{ word: `${word}s`, parts: [word] }];
  });
}

function spansWithMeasures(text: string): readonly WordSpan[] {
  const spans: WordSpan[] = [];
  let at = 0;
  // Of what stands between them the places are those in the text.
  const addUpTo = (end: number) => {
    for (const span of wordSpansOf(text.slice(at, end))) {
      spans.push({ ...span, start: span.start + at, end: span.end + at });
    }
  };
  for (const { word, start, end } of measuresIn(text)) {
    addUpTo(start);
    spans.push({ word, start, end });
    at = end;
  }
  addUpTo(text.length);
  return spans;
}

/** The words of some texts in a locale. With `prefix` the last one is a beginning, whatever it says by itself. */
export function askedText(
  locale: string,
  asked: readonly string[],
  prefix: boolean,
  settings: SearchSettings = noSettings,
  tolerance: Tolerance = noTolerance,
): TextQuery {
  const read = asked.map((text) => readOperators(locale, text));
  const texts = read.map(({ plain }) => plain);
  const typed = texts.map(folded);
  const written = typed.map((each) => each.map((word) => askedWord(word, locale)));
  const times = new Map<string, number>();
  for (const word of written.flat()) times.set(word, (times.get(word) ?? 0) + 1);
  const words = [...times.keys()];
  const lastWord = written.flat().at(-1);
  const last = lastWord === undefined || read.at(-1)!.isClosed ? undefined : words.indexOf(lastWord);
  const isSmallWord = (word: string) => isStopWord(word, locale) || isOwnStopWord(settings, word, locale);
  const saysLittle = (word: string, at: number) => isSmallWord(word) && !(prefix && at === last);
  const found = words.keys().filter((at) => saysLittle(words[at]!, at));
  const small = [...found];
  if (small.length === words.length) small.length = 0;
  const wholes = texts.flatMap((text, at) => wholesOf(locale, text, written[at]!));
  const possessives = texts.flatMap((text) => possessiveWholes(locale, text));
  const known = placed([...wholes, ...possessives], words);
  const open = prefix ? (written.findLast((each) => each.length > 0) ?? []) : [];
  const begun = [...known, ...placed(linkedWholes(locale, open), words)].filter(
    ({ word, of }) => (prefix || isCode(word)) && of.at(-1) === last,
  );
  const isSmall = last !== undefined && small.includes(last);
  return {
    locale,
    words,
    wholes: known,
    begun: distinct(begun),
    small,
    times: [...times.values()],
    last: isSmall ? undefined : last,
    ...conditionsOf(locale, read, words),
    synonyms: [
      ...written.flatMap((each) => askedSynonyms(locale, each, words, settings)),
      ...nearSynonyms(locale, words, last, settings, tolerance),
      ...irregularForms(locale, typed.flat(), words),
    ],
  };
}

function conditionsOf(
  locale: string,
  read: readonly ReadText[],
  words: readonly string[],
): Pick<TextQuery, 'phrases' | 'inPhrases' | 'excluded'> {
  const phrases = read.flatMap((each) => each.phrases);
  const loose = phrases.length === 0 ? [] : read.flatMap((each) => askedWordsOf(locale, each.loose));
  const inPhrases = phrases.length === 0 ? [] : [...words.keys()].filter((at) => !loose.includes(words[at]!));
  return { phrases, inPhrases, excluded: read.flatMap((each) => each.excluded) };
}

/** Other forms, each of its word alone; none of small words beside others. A plural may begin like the article: `ألوان`. */
function irregularForms(locale: string, written: readonly string[], words: readonly string[]): readonly AskedSynonym[] {
  const found = written.flatMap((typed) => {
    const asked = askedWord(typed, locale);
    if (isNumbered(typed) || (words.length > 1 && isStopWord(asked, locale))) return [];
    const forms = otherForms(asked, locale);
    const all = typed === asked ? forms : [...new Set([...forms, ...otherForms(typed, locale)])];
    // A dictionary may divide other characters of Chinese otherwise.
    const divided = (form: string) => (locale.startsWith('zh') ? wordsOf(form) : [form]);
    return all.map((form): AskedSynonym => ({ words: divided(form), of: [words.indexOf(asked)] }));
  });
  if (found.length <= 1) return found;
  return [...new Map(found.map((each) => [`${each.words} ${each.of[0]}`, each])).values()];
}

interface WrittenWhole extends Pick<WholeWord, 'word' | 'factor'> {
  readonly parts: readonly string[];
}

/** With the places of their parts; what is one word repeated stands for no other word. */
function placed(wholes: readonly WrittenWhole[], words: readonly string[]): readonly WholeWord[] {
  const all = wholes.map(({ parts, ...whole }): WholeWord => {
    return { ...whole, of: [...new Set(parts.map((part) => words.indexOf(part)))] };
  });
  return distinct(all.filter(({ of }, at) => of.length > 1 || wholes[at]!.parts.length === 1));
}

function distinct(wholes: readonly WholeWord[]): readonly WholeWord[] {
  if (wholes.length <= 1) return wholes;
  return [...new Map(wholes.map((each) => [`${each.word} ${each.of}`, each])).values()];
}

/** Codes are begun as they are without their separators: `MT-10` begins *MT-1023*. */
function isCode(word: string): boolean {
  return isNumbered(word) && !onlyDigits.test(word);
}

const onlyDigits = /^[0-9.x]*$/;

/** The last two words with a linking sound, where it is not known yet how long the second one gets, nor whether it says much. */
function linkedWholes(locale: string, words: readonly string[]): readonly WrittenWhole[] {
  const [first, second] = words.slice(-2);
  if (second === undefined || isNumbered(second) || !canBeLinked(first!, locale)) return [];
  return (languageOf(locale)?.links ?? []).map((link) => ({ word: first + link + second, parts: [first!, second] }));
}

function canBeLinked(part: string, locale: string): boolean {
  return part.length >= leastPart && !isNumbered(part) && !isStopWord(part, locale);
}

/** Neighbours as one word, codes without their separators, words with their signs. */
function wholesOf(locale: string, text: string, words: readonly string[]): readonly WrittenWhole[] {
  const wholes = codesOf(text).map(({ code, words: parts }): WrittenWhole => {
    return { word: code, parts: parts.map((part) => askedWord(part, locale)) };
  });
  for (const { form, first } of doubledOf(words)) {
    wholes.push({ word: form, ...(form.length > 2 && { factor: factors.closer }), parts: [words[first]!] });
  }
  for (const { word } of signedWordsOf(text)) {
    const bare = askedWordsOf(locale, word).filter((each) => words.includes(each));
    if (bare.length > 0) wholes.push({ word, factor: factors.closer, parts: [...new Set(bare)] });
  }
  for (const { word, folded } of accentedWordsOf(text)) {
    if (words.includes(folded)) wholes.push({ word, factor: factors.accented, parts: [folded] });
  }
  for (const { form, first, last } of thousandsIn(words)) {
    wholes.push({ word: form, parts: words.slice(first, last + 1) });
  }
  const links = languageOf(locale)?.links ?? [];
  for (let at = 1; at < words.length; at += 1) {
    const parts = [words[at - 1]!, words[at]!];
    const [first, second] = parts as [string, string];
    wholes.push({ word: first + second, parts });
    const canLink = parts.every((part) => canBeLinked(part, locale));
    if (canLink) for (const link of links) wholes.push({ word: first + link + second, parts });
  }
  return wholes;
}

/** What the word at a place of a text is worth with other accents than it is asked for with. */
export function factorOfOtherAccents({ locale, wholes }: TextQuery, at: number): number {
  if (!languageOf(locale)?.areAccentsLetters) return factors.written;
  return wholes.some(({ word, of }) => isAccented(word) && of.includes(at)) ? factors.otherAccents : factors.written;
}

/** With what longer words begin that are found by the word at a place of a text, and what they are worth. */
export function begunWith(
  { locale, words, begun, last }: TextQuery,
  at: number,
  prefix: boolean,
): readonly { readonly beginning: string; readonly factor: number; readonly isJoined: boolean }[] {
  const begins = (word: string, isJoined: boolean, own = 1) =>
    (prefix && !isAccented(word) ? spellingsOf(word, locale) : [word]).map((beginning, n) => {
      return { beginning, factor: factors.beginning * (n === 0 ? own : factors.inflected), isJoined };
    });
  const own = at === last && isLongEnoughToBegin(words[at]!, prefix) ? begins(words[at]!, false) : [];
  return [
    ...own,
    ...begun.filter(({ of }) => of.includes(at)).flatMap(({ word, factor }) => begins(word, true, factor)),
  ];
}

/** The words of which forms may be begun by the one at a place of a text: itself, and what the words before it make with it. */
export function begunFormsAt({ words, begun, last }: TextQuery, at: number, prefix: boolean): readonly string[] {
  if (!prefix) return [];
  const own = at === last ? [words[at]!] : [];
  return [...own, ...begun.filter(({ of, word }) => of.includes(at) && !isAccented(word)).map(({ word }) => word)];
}
