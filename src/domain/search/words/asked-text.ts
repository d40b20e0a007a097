import { isOwnStopWord, noSettings, type SearchSettings, synonymsAt } from '../settings.ts';
import { languageOf } from './languages.ts';
import { isNumbered } from './stem.ts';
import { isStopWord } from './stop-words.ts';
import { wordsOf } from './words.ts';
import { codesOf } from './written-forms.ts';

/** A word of documents that stands for several words of a query, such as *Sommerkleid* for *Sommer Kleid*. */
export interface WholeWord {
  readonly word: string;
  /** The places of the words in the text. */
  readonly of: readonly number[];
}

/** Words of documents that stand for one or several words of a query by the settings of the project; all are needed. */
export interface AskedSynonym {
  readonly words: readonly string[];
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
  readonly synonyms: readonly AskedSynonym[];
  /** Places of the words that need not occur, since they say little; not all of the words. */
  readonly small: readonly number[];
  /** The place of the word that is also a beginning: the last one, unless it is small. */
  readonly last: number | undefined;
}

/** Parts of a compound with a linking sound have so many letters. */
const leastPart = 3;

/** The words of some texts in a locale. With `prefix` the last one is a beginning, whatever it says by itself. */
export function askedText(
  locale: string,
  texts: readonly string[],
  prefix: boolean,
  settings: SearchSettings = noSettings,
): TextQuery {
  const words = [...new Set(texts.flatMap(wordsOf))];
  const last = lastOf(words, texts);
  const isSmallWord = (word: string) => isStopWord(word, locale) || isOwnStopWord(settings, word, locale);
  const saysLittle = (word: string, at: number) => isSmallWord(word) && !(prefix && at === last);
  const found = words.keys().filter((at) => saysLittle(words[at]!, at));
  const small = [...found];
  if (small.length === words.length) small.length = 0;
  const wholes = texts.flatMap((text) => wholesOf(locale, text));
  const known = new Map<string, WholeWord>();
  for (const { word, parts } of wholes) {
    const of = [...new Set(parts.map((part) => words.indexOf(part)))];
    if (of.length > 1) known.set(`${word} ${of}`, { word, of });
  }
  const isSmall = last !== undefined && small.includes(last);
  return {
    ...{ locale, words, wholes: [...known.values()], small, last: isSmall ? undefined : last },
    synonyms: texts.flatMap((text) => askedSynonyms(locale, wordsOf(text), words, settings)),
  };
}

function askedSynonyms(
  locale: string,
  written: readonly string[],
  words: readonly string[],
  settings: SearchSettings,
): readonly AskedSynonym[] {
  if (settings.synonyms.size === 0) return [];
  return written.flatMap((_, at) =>
    synonymsAt(settings, written, at, locale).map(({ from, to }) => {
      const of = from.map((_word, n) => words.indexOf(written[at + n]!));
      return { words: to, of: [...new Set(of)] };
    }),
  );
}

function lastOf(words: readonly string[], texts: readonly string[]): number | undefined {
  const last = texts.flatMap(wordsOf).at(-1);
  return last === undefined ? undefined : words.indexOf(last);
}

interface WrittenWhole {
  readonly word: string;
  readonly parts: readonly string[];
}

/** Neighbours as one word, and codes without their separators. */
function wholesOf(locale: string, text: string): readonly WrittenWhole[] {
  const words = wordsOf(text);
  const wholes: WrittenWhole[] = codesOf(text).map(({ code, words: parts }) => ({ word: code, parts }));
  const links = languageOf(locale)?.links ?? [];
  for (let at = 1; at < words.length; at += 1) {
    const parts = [words[at - 1]!, words[at]!];
    const [first, second] = parts as [string, string];
    wholes.push({ word: first + second, parts });
    const canLink = parts.every((part) => part.length >= leastPart && !isNumbered(part) && !isStopWord(part, locale));
    if (canLink) for (const link of links) wholes.push({ word: first + link + second, parts });
  }
  return wholes;
}
