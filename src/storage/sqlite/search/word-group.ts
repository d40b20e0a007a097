import { type LanguageCode, languageOf } from '../../../domain/search/words/languages.ts';
import { stemOf } from '../../../domain/search/words/stem.ts';

/** Words that begin alike, as they are stored, and by their stems in the languages that were asked. */
export interface WordGroup {
  readonly add: (word: string) => void;
  /** The words with the stem of the asked one, in the language of the locale, which has stems. */
  readonly sameStem: (asked: string, locale: string) => readonly string[];
  /** Memory held, about. */
  readonly bytes: () => number;
}

/** What a group takes, and a word of it: as it is, and once more in each language. */
const groupBytes = 500;
const wordBytes = 60;
const stemBytes = 100;

/** A group of the words. */
export function createWordGroup(stored: readonly string[]): WordGroup {
  const words = new Set(stored);
  /** By language, not by locale: there are a thousand times as many locales, and any of them may be asked for. */
  const languages = new Map<LanguageCode, Map<string, string[]>>();

  function stemsIn(locale: string): Map<string, string[]> {
    const { code } = languageOf(locale)!;
    const known = languages.get(code);
    if (known) return known;
    const stems = new Map<string, string[]>();
    languages.set(code, stems);
    for (const word of words) addStem(stems, word, locale);
    return stems;
  }

  return {
    add(word) {
      // One that had gone for a while is not forgotten, and is born again.
      if (words.has(word)) return;
      words.add(word);
      for (const [code, stems] of languages) addStem(stems, word, code);
    },
    sameStem: (asked, locale) => stemsIn(locale).get(stemOf(asked, locale)) ?? [],
    bytes: () => groupBytes + words.size * (wordBytes + languages.size * stemBytes),
  };
}

function addStem(stems: Map<string, string[]>, word: string, locale: string): void {
  const stem = stemOf(word, locale);
  const words = stems.get(stem);
  if (words) words.push(word);
  else stems.set(stem, [word]);
}
