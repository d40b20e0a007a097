import { isNearStem, type LanguageCode, languageOf, stemOf, WordLists } from '#words';

/** About the memory of a group, of a word in it, and of the word in each language. */
const groupBytes = 500;
const wordBytes = 60;
const stemBytes = 100;

/** Words with the same beginning, as they are stored, and by their stems in the languages of searches. */
export class WordGroup {
  readonly #words: Set<string>;
  /** By language, not by locale: there are a thousand times as many locales, and clients may ask for any of them. */
  readonly #languages = new Map<LanguageCode, WordLists>();

  constructor(words: readonly string[]) {
    this.#words = new Set(words);
  }

  get bytes(): number {
    return groupBytes + this.#words.size * (wordBytes + this.#languages.size * stemBytes);
  }

  add(word: string): void {
    // A word that was removed and is written again is still here.
    if (this.#words.has(word)) return;
    this.#words.add(word);
    for (const [code, stems] of this.#languages) stems.add(stemOf(word, code), word);
  }

  /** The words with a stem, in the language of the locale, which has stems. */
  ofStem(stem: string, locale: string): readonly string[] {
    return this.#stemsIn(locale).of(stem);
  }

  /** The words whose stems are near to that of a word of the query (`isNearStem`). */
  ofNearStem(word: string, locale: string, most: 1 | 2): readonly string[] {
    const stems = this.#stemsIn(locale).all();
    return stems.flatMap(([stem, found]) => (isNearStem(stem, word, locale, most) ? found : []));
  }

  #stemsIn(locale: string): WordLists {
    const { code } = languageOf(locale)!;
    const known = this.#languages.get(code);
    if (known) return known;
    const stems = new WordLists();
    this.#languages.set(code, stems);
    for (const word of this.#words) stems.add(stemOf(word, locale), word);
    return stems;
  }
}
