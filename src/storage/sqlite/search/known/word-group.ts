import { createWordLists, isNearStem, type LanguageCode, languageOf, stemOf, type WordLists } from '#words';

/** Words with the same beginning, as they are stored, and by their stems in the languages of searches. */
export interface WordGroup {
  readonly add: (word: string) => void;
  /** The words with a stem, in the language of the locale, which has stems. */
  readonly ofStem: (stem: string, locale: string) => readonly string[];
  /** The words whose stems are near to that of a word of the query (`isNearStem`). */
  readonly ofNearStem: (word: string, locale: string, most: 1 | 2) => readonly string[];
}

/** About the memory of a group, of a word in it, and of the word in each language. */
const groupBytes = 500;
const wordBytes = 60;
const stemBytes = 100;

/** Creates a group of words, and tells what it comes to hold. */
export function createWordGroup(stored: readonly string[], onGrowth: (bytes: number) => void): WordGroup {
  const words = new Set(stored);
  /** By language, not by locale: there are a thousand times as many locales, and clients may ask for any of them. */
  const languages = new Map<LanguageCode, WordLists>();
  onGrowth(groupBytes + words.size * wordBytes);

  function stemsIn(locale: string): WordLists {
    const { code } = languageOf(locale)!;
    const known = languages.get(code);
    if (known) return known;
    const stems = createWordLists();
    languages.set(code, stems);
    for (const word of words) stems.add(stemOf(word, locale), word);
    onGrowth(words.size * stemBytes);
    return stems;
  }

  return {
    add(word) {
      // A word that was removed and is written again is still here.
      if (words.has(word)) return;
      words.add(word);
      for (const [code, stems] of languages) stems.add(stemOf(word, code), word);
      onGrowth(wordBytes + languages.size * stemBytes);
    },
    ofStem: (stem, locale) => stemsIn(locale).of(stem),
    ofNearStem(word, locale, most) {
      const stems = stemsIn(locale).all();
      return stems.flatMap(([stem, found]) => (isNearStem(stem, word, locale, most) ? found : []));
    },
  };
}
